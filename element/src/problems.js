// What is to be said of rules, diagnostics and findings alike, each with its place in the texts and its fixes.
import { Policy } from "toolgate";

/** Codes whose hint is the whole rule as it should be. */
const HINT_IS_RULE = ["unclosed-paren", "content-after-paren"];
/** Codes of rules that do nothing that another one does not. */
const CAN_GO = ["duplicate-rule"];
/** A diagnostic, and the finding that says the same of the same rule. */
const SAID_TWICE = { "duplicate-rule": "redundant", "prefix-ends-in-colon": "fragile" };

/** Diagnostics and findings as one list: what both say stands once, with the finding's fix. */
export function together(diagnostics, findings) {
  const rest = [...findings];
  const said = diagnostics.map((diagnostic) => {
    const path = diagnostic.path.join("/");
    const at = rest.findIndex((finding) => finding.code === SAID_TWICE[diagnostic.code] && finding.fix !== undefined && finding.path.join("/") === path);
    if (at < 0) return diagnostic;
    const [{ fix, witness, related }] = rest.splice(at, 1);
    return { ...diagnostic, fix, witness, related };
  });
  return [...said, ...rest];
}

/**
 * `{ severity, code, message, hint?, place?, columns?, rule?, fixes, witness?, related }`. `place` is of the draft, `columns` are units of
 * the line, `rule` is the text there.
 */
export function problemsOf(diagnostics, draft) {
  return diagnostics.map((diagnostic) => {
    const place = draft.placeOf(diagnostic.path);
    const { severity, code, message, hint, related = [], witness } = diagnostic;
    const problem = { severity, code, message, hint, related, witness, path: diagnostic.path, fixes: [] };
    if (place === undefined) return problem;
    const rule = place.group.texts.get(place.list).document.split("\n")[place.line];
    const { start, end } = diagnostic.span ?? { start: 0, end: rule.length };
    const fixes = fixesOf(diagnostic, draft.config);
    // A hint that a button carries out need not be read as well.
    const isSaid = fixes.length > 0 && diagnostic.fix === undefined;
    return { ...problem, hint: isSaid ? undefined : hint, place, rule, columns: { start, end: Math.max(start, end) }, fixes };
  });
}

/** `{ name, text }`: what the rule becomes; an undefined text takes the rule away. */
function fixesOf({ code, hint, fix }, config) {
  const text = fix ?? (HINT_IS_RULE.includes(code) ? hint : undefined);
  const isGone = text === "" || (text === undefined && CAN_GO.includes(code));
  if (isGone) return [{ name: "Remove the rule" }];
  // A fix that is no rule would be none.
  if (typeof text !== "string" || !isReadable(text, config)) return [];
  return [{ name: "Replace by", text }];
}

function isReadable(rule, { dialect } = {}) {
  return !Policy.check({ dialect, rules: { ask: [rule] } }).some(({ severity }) => severity === "error");
}

/** The worst first, then from top to bottom. */
export function inOrder(problems) {
  const rank = ({ severity }) => ["error", "warning", "info"].indexOf(severity);
  return [...problems].sort((a, b) => rank(a) - rank(b) || (a.place?.line ?? 0) - (b.place?.line ?? 0));
}
