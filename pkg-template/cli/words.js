// Codes of an explanation in words: one table for the command and for the page. The code itself is always shown beside
// its sentence, so a code that a later core adds is still something to look up.

/** Why a rule did not decide (`why` of a rule in `explain`). */
export const WHY = {
  // It matched.
  tightened: "it settled the call, then risk or plan mode made the result stricter",
  "earlier-stage": "an earlier stage settled the call",
  "segment-uncovered": "it allows its own command, but nothing covers another command of the line",
  "target-uncovered": "it allows its own command, but nothing covers a file that a redirect writes",
  "stricter-segment": "it allows its own command, but another command of the line is denied or asked about",
  "earlier-rule": "an earlier rule settled all that it accepts",
  // It did not.
  "never-consulted": "this dialect never consults such a rule",
  "no-subject": "the call has nothing that a content could accept",
  "incomplete-reading": "the line could not be read with certainty, so no allow rule accepts it",
  "unknown-word": "it would have to rely on a word that is known only at run time",
  "assignment-in-front": "it would accept the command without the assignments in front of it",
  "assignment-not-safe": "it does not look past the assignments in front of the command",
  "wrapper-not-looked-past": "it accepts a command inside a wrapper, and only deny rules look in there",
  "never-auto-approved": "no pattern may allow such a command, only a rule for the exact one",
  "space-differs": "runs of blanks differ",
  "quoting-differs": "it accepts the words, but not the text as it is written",
  "target-differs": "it accepts the path, but not where its links lead",
  "climbs-out": "the path leaves the working folder",
  "spelling-differs": "it accepts only the raw spelling of the path",
  "other-anchor": "it would accept the path from another root",
  "case-differs": "upper and lower case differ",
  "prefix-differs": "it begins with something else",
  "literal-differs": "a piece of its pattern does not occur where it has to",
  "glob-differs": "its pattern means other paths",
  "exact-differs": "it means another text, and only that text as a whole",
  "word-boundary": "the command goes on where the rule wants a blank",
  "parameter-absent": "a parameter that it names is not in the call",
  "parameter-differs": "a parameter of the call has another value",
  "other-host": "it is about another host",
  "apex-not-covered": "it is about the hosts below this one, not this one itself",
  "suspended-in-auto": "it is too broad to count in the mode auto",
};

/** Why a command line could not be read with certainty (`shell.problems`). */
export const PROBLEMS = {
  "unterminated-quote": "a quote is opened and never closed",
  "unterminated-substitution": "an expansion is opened and never closed",
  "unterminated-compound": "a construct is opened and never closed",
  "unterminated-heredoc": "the end of a here-document is missing",
  "unexpected-operator": "an operator stands where a command has to",
  "unexpected-token": "something stands where it may not",
  "missing-command": "a command is missing behind an operator",
  "missing-redirect-target": "a redirect leads nowhere",
  "unsupported-syntax": "this syntax is not read",
  "too-many-commands": "these are more commands than are read",
  "too-deep": "this is nested deeper than is read",
  "too-long": "this is longer than is read",
  "expansion-limit": "braces make more words than are read",
  "control-character": "a control character",
  "hidden-character": "a character that people would not see, or not as the shell does",
  "dynamic-command": "which command runs is known only at run time",
  "dynamic-code": "which code runs is known only at run time",
  "unknown-wrapper-option": "this option of a command that runs others is not known",
  "ambiguous-redirect": "the redirect's target is not one word",
  "sensitive-loop-variable": "a loop sets a variable that changes how later commands run",
};

/** Where a command of a line sits (`context` of a command). */
export const CONTEXTS = {
  top: "the line itself",
  subshell: "in a subshell",
  group: "in a group",
  if: "in an if",
  loop: "in a loop",
  case: "in a case",
  function: "in a function's body",
  substitution: "in a substitution",
  "process-substitution": "in a process substitution",
  wrapper: "run by the command around it",
  xargs: "run by xargs",
  "find-exec": "run by find",
  "shell-text": "in a text that a shell runs",
  eval: "in a text that is evaluated",
  "shell-input": "in the input of a shell",
};

/** A code of one of the tables as a sentence; itself where the table does not have it. */
export function inWords(table, code) {
  return Object.hasOwn(table, code) ? table[code] : code;
}
