// A bare list of rules, or prose with rules in it, as a settings file.

/** Bullets, quotes and commas around a line. */
const AROUND = /^(?:[-*•]\s+|\d+[.)]\s+)?["'`]?|["'`]?,?$/g;

/** A rule for each line that is not empty; what is no rule is said afterwards, at its place. */
export function settingsFromLines(text, behavior) {
  const rules = text
    .split("\n")
    .map((line) => line.trim().replaceAll(AROUND, ""))
    .filter((line) => line !== "");
  return `${JSON.stringify({ permissions: { [behavior]: rules } }, undefined, 2)}\n`;
}
