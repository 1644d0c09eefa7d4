// What a command line runs, as it was read: each command at its place, and what could not be read.
import { clipped, COLUMNS, hanging, shown, underlined } from "./terminal.js";
import { CONTEXTS, inWords, PROBLEMS } from "./words.js";

/** What stands for a word that is known only at run time. */
const UNKNOWN = "‹?›";

export function readingText(line, { complete, problems, commands }, ink) {
  const count = commands.length === 1 ? "1 command" : `${commands.length} commands`;
  const lines = ["", `${ink.strong("What runs")}  ${count}, ${complete ? "read completely" : ink.warning("not read completely")}`];
  for (const { code, span } of problems) lines.push(...problemText(line, code, span, ink));
  commands.forEach((command, at) => lines.push(...commandText(line, command, at + 1, ink)));
  if (commands.some(({ words, ...rest }) => isUnknown(words, rest))) {
    lines.push(ink.faint(`  ${UNKNOWN} is known only at run time.`));
  }
  return lines;
}

function problemText(line, code, span, ink) {
  const { line: excerpt, carets } = underlined(line, span, COLUMNS - 4);
  const said = inWords(PROBLEMS, code);
  const head = hanging(`  ${ink.warning("doubt")} `, 8, said === code ? code : `${said} (${code})`);
  return [...head, `    ${excerpt}`, `    ${ink.warning(carets)}`];
}

function commandText(line, { words, assignments, redirects, context, span }, number, ink) {
  const { line: excerpt, carets } = underlined(line, span, COLUMNS - 6);
  const parts = [
    ...assignments.map(({ name, value }) => `${shown(name)}=${value === "" ? "" : word(value, ink)}`),
    ...words.map((each) => word(each, ink)),
    ...redirects.map(({ operator, target }) => `${operator} ${word(target, ink)}`),
  ];
  const where = context === "top" ? "" : `  ${ink.faint(inWords(CONTEXTS, context))}`;
  return [
    `  ${String(number).padStart(2)}  ${excerpt}`,
    `      ${ink.info(carets)}${where}`,
    ...hanging("      ", 8, parts.length === 0 ? "nothing but a name" : parts.join(" ")),
  ];
}

/** A word after quote removal; in quotes where it would look like several words or none. */
function word(text, ink) {
  if (text === undefined) return ink.warning(UNKNOWN);
  const safe = clipped(text, COLUMNS - 10);
  return text === "" || /[\s"'`\\$|&;<>()]/u.test(text) ? ink.strong("'") + safe + ink.strong("'") : safe;
}

function isUnknown(words, { assignments, redirects }) {
  return words.includes(undefined) || [...assignments.map(({ value }) => value), ...redirects.map(({ target }) => target)].includes(undefined);
}
