// The text of an editor as a list of rules.

/** A rule a line; lines with nothing but blanks are no rule. What stands around a rule is no part of it. */
export function rulesOf(text) {
  const rules = [];
  text.split("\n").forEach((whole, line) => {
    const trimmed = whole.trim();
    if (trimmed !== "") rules.push({ line, indent: whole.indexOf(trimmed), text: trimmed });
  });
  return rules;
}
