// Completion in rules: names of tools first, behind the parenthesis what calls were about.
import { autocompletion, completionKeymap, startCompletion } from "@codemirror/autocomplete";
import { escapeRuleContent } from "toolgate";
import { shown } from "../../pkg-template/cli/terminal.js";
import { lineOf } from "./configuration.js";

/** Nobody reads more of a list. */
const MOST = 50;

/**
 * `known` gives `{ tools, subjects, dialect }` at the time of asking: names, and texts by the tool that they belong to.
 */
export function ruleCompletion(known) {
  return autocompletion({
    override: [(context) => complete(context, known())],
    icons: false,
    // The Enter key ends a line, unless somebody chose from the list: no rule becomes another one by going on.
    selectOnOpen: false,
    maxRenderedOptions: MOST,
    activateOnTypingDelay: 50,
  });
}

export { completionKeymap };

function complete(context, { tools, subjects, dialect }) {
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  const open = before.indexOf("(");
  if (open < 0) return ofTools(context, line, before, tools);
  return ofContent(context, line, before, open, subjects, dialect);
}

function ofTools(context, line, before, tools) {
  if (before === "" && !context.explicit) return null;
  // The word that is being written stands in a rule, too.
  const options = tools.filter((name) => name !== before).map((name) => ({ label: name, type: "class" }));
  return { from: line.from, options, validFor: /^[^()]*$/ };
}

function ofContent(context, line, before, open, subjects, dialect) {
  const tool = before.slice(0, open);
  const contents = (subjects.get(tool) ?? []).map((subject) => lineOf(escaped(subject, dialect)));
  if (tool === "WebFetch") contents.unshift("domain:");
  // What stands behind the caret is kept; a parenthesis that is there is not closed twice.
  const close = line.text.slice(context.pos - line.from).startsWith(")") ? "" : ")";
  const options = contents.map((content) =>
    content === "domain:"
      ? { label: content, apply: again }
      : { label: content, displayLabel: shown(content), apply: content + close, detail: "from the calls" },
  );
  return options.length === 0 ? null : { from: line.from + open + 1, options, validFor: /^[^()]*$/ };
}

/** Something has to follow: the list opens once more. */
function again(view, completion, from, to) {
  view.dispatch({ changes: { from, to, insert: completion.label }, selection: { anchor: from + completion.label.length } });
  startCompletion(view);
}

function escaped(subject, dialect) {
  try {
    return escapeRuleContent(subject, dialect);
  } catch {
    return subject;
  }
}
