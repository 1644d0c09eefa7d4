// The editor of one list: a rule a line, problems at their places with fixes as actions, and the rule that decided.
import { lintGutter, nextDiagnostic, previousDiagnostic, setDiagnostics } from "@codemirror/lint";
import { RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, gutterLineClass, highlightTrailingWhitespace, keymap, lineNumbers } from "@codemirror/view";
import { shown } from "../../pkg-template/cli/terminal.js";
import { completionKeymap, ruleCompletion } from "./completion.js";
import { lineOf } from "./configuration.js";
import { TextEditor } from "./text_editor.js";

export class RulesEditor extends TextEditor {
  #problems = [];

  /** `known`: see `ruleCompletion`. */
  constructor({ known, ...options }) {
    const keys = [
      { key: "F8", run: nextDiagnostic },
      { key: "Shift-F8", run: previousDiagnostic },
      { key: "Mod-.", run: () => this.#fixHere() },
    ];
    super({
      ...options,
      hint: "Tool(content)",
      extensions: [
        lineNumbers(),
        lintGutter(),
        decidedField,
        highlightTrailingWhitespace(),
        ruleCompletion(known),
        keymap.of([...completionKeymap, ...keys]),
      ],
    });
  }

  /** Problems of this list, and `{ line, span? }` of the rule that decided. */
  show(problems, decided) {
    const { state } = this.view;
    this.#problems = problems;
    const diagnostics = problems.flatMap((problem) => {
      const line = lineAt(state, problem.place.line);
      if (line === undefined) return [];
      const from = Math.min(line.from + problem.columns.start, line.to);
      const to = Math.min(line.from + problem.columns.end, line.to);
      return [{ from, to, severity: problem.severity, message: saidOf(problem), actions: problem.fixes.map((fix) => this.#action(problem, fix)) }];
    });
    diagnostics.sort((a, b) => a.from - b.from || a.to - b.to);
    this.view.dispatch(setDiagnostics(state, diagnostics));
    this.view.dispatch({ effects: setDecided.of(decided) });
  }

  /** Selects a part of a line, or the line. */
  select(line, { start, end } = {}) {
    const at = lineAt(this.view.state, line);
    if (at === undefined) return;
    const anchor = Math.min(at.from + (start ?? 0), at.to);
    const head = end === undefined ? at.to : Math.min(at.from + end, at.to);
    this.view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: "nearest" }) });
    this.view.focus();
    this.dom.scrollIntoView({ block: "nearest" });
  }

  /** A rule more, on a line of its own at the end. */
  append(rule) {
    const { doc } = this.view.state;
    const last = doc.line(doc.lines);
    // A last line that is empty takes it.
    const isFree = last.text.trim() === "";
    const insert = isFree ? lineOf(rule) : `\n${lineOf(rule)}`;
    const from = isFree ? last.from : last.to;
    this.view.dispatch({ changes: { from, to: last.to, insert }, userEvent: "input.rule", scrollIntoView: true });
  }

  /** Does what a fix says, where the rule still stands there; says whether it did. */
  apply({ place, rule }, fix) {
    const { state } = this.view;
    const line = lineAt(state, place.line);
    if (line?.text !== rule) return false;
    if (fix.text === undefined) {
      const changes = line.to < state.doc.length ? { from: line.from, to: line.to + 1 } : { from: Math.max(0, line.from - 1), to: line.to };
      this.view.dispatch({ changes, userEvent: "delete.rule" });
    } else {
      this.view.dispatch({ changes: { from: line.from, to: line.to, insert: lineOf(fix.text) }, userEvent: "input.fix" });
    }
    return true;
  }

  #action(problem, fix) {
    const name = fix.text === undefined ? fix.name : `${fix.name} ${shown(fix.text)}`;
    return { name, apply: () => this.apply(problem, fix) };
  }

  /** The first fix of the line that the caret stands in. */
  #fixHere() {
    const { state } = this.view;
    const here = state.doc.lineAt(state.selection.main.head).number - 1;
    const problem = this.#problems.find(({ place, fixes }) => place.line === here && fixes.length > 0);
    return problem !== undefined && this.apply(problem, problem.fixes[0]);
  }
}

function lineAt(state, line) {
  return line < state.doc.lines ? state.doc.line(line + 1) : undefined;
}

function saidOf({ message, hint }) {
  return hint === undefined ? message : `${message}. Hint: ${shown(hint)}`;
}

const setDecided = StateEffect.define();
const DECIDED_LINE = Decoration.line({ class: "decided" });
const DECIDED_PART = Decoration.mark({ class: "decided-part" });
const DECIDED_NUMBER = new (class extends GutterMarker {
  elementClass = "decided-number";
})();

/** A band at the rule that decided and a line under the part that accepted. */
const decidedField = StateField.define({
  create: () => undefined,
  update(decided, transaction) {
    for (const effect of transaction.effects) if (effect.is(setDecided)) return effect.value;
    return transaction.docChanged ? undefined : decided;
  },
  provide: (field) => [
    EditorView.decorations.from(field, (decided) => (view) => {
      const line = decided && lineAt(view.state, decided.line);
      if (!line) return Decoration.none;
      const { start, end } = decided.span ?? { start: 0, end: 0 };
      const [from, to] = [Math.min(line.from + start, line.to), Math.min(line.from + end, line.to)];
      return Decoration.set([DECIDED_LINE.range(line.from), ...(from < to ? [DECIDED_PART.range(from, to)] : [])]);
    }),
    gutterLineClass.compute([field], (state) => {
      const decided = state.field(field);
      const line = decided && lineAt(state, decided.line);
      return line ? RangeSet.of([DECIDED_NUMBER.range(line.from)]) : RangeSet.empty;
    }),
  ],
});
