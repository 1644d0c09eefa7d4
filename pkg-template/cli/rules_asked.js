// The rules that answer for a call's tool: what each accepted, or where it parted from the call, and why it did not decide.
import { pathText } from "./diagnostics.js";
import { innermost } from "./spans.js";
import { clipped, COLUMNS, hanging, shown, underlined, underlinedAll, width } from "./terminal.js";
import { inWords, WHY } from "./words.js";

/** As wide as `bypassImmune`, the longest of the words for what a rule does. */
const BEHAVIOR = 13;

export function rulesText(settings, tool, { rules, subject = "" }, ink) {
  if (rules.length === 0) return ["", `${ink.strong("Rules")}  none answers for ${clipped(tool, 40)}`];
  const numbered = rules.map((rule, at) => ({ ...rule, number: at + 1 }));
  const matched = numbered.filter((rule) => rule.matched);
  const count = rules.length === 1 ? "1 answers" : `${rules.length} answer`;
  const lines = ["", `${ink.strong("Rules")}  ${count} for ${clipped(tool, 30)}, ${matched.length} of them ${matched.length === 1 ? "accepts" : "accept"} the call or a part of it`];
  const places = placesText(settings, matched);
  matched.forEach((rule, at) => lines.push(...matchedText(rule, places[at], subject, ink)));
  for (const [why, group] of byWhy(numbered)) lines.push(...missedText(why, group, ink));
  return lines;
}

/** What a rule says, from where, and at which place of the file. */
export function ruleTitle(settings, { behavior, text, source, path }, ink, head, columns) {
  const title = `${behavior} ${clipped(text, COLUMNS - columns - behavior.length - source.length - 4)} [${source}]`;
  const [place] = placesText(settings, [{ path }]);
  return [`${head}${title}`, `${" ".repeat(columns)}${ink.faint(place)}`];
}

/** For all at once: the file is looked through once. */
function placesText(settings, rules) {
  return settings.places(rules.map(({ path }) => path)).map((place, at) => {
    if (place.line === undefined) return pathText(rules[at].path);
    return `${shown(settings.file)}:${place.line}:${place.column} ${pathText(place.path)}`;
  });
}

/** In full: the rule, what of it accepted, and what it accepted. */
function matchedText({ number, text, behavior, source, decided, why, ruleSpan, subjectSpans }, place, subject, ink) {
  const colour = ink[behavior === "bypassImmune" ? "deny" : behavior];
  const head = `${decided ? "▸" : " "} ${String(number).padStart(3)}  `;
  const room = COLUMNS - 7 - BEHAVIOR;
  const span = ruleSpan ?? { start: 0, end: text.length };
  const rule = underlined(text, span, room - source.length - 3);
  const indent = " ".repeat(7 + BEHAVIOR);
  const lines = [
    `${head}${colour(behavior.padEnd(BEHAVIOR))}${ink.strong(rule.line)} [${source}]`,
    `${indent}${colour(rule.carets)}`,
    `${indent}${ink.faint(place)}`,
  ];
  if (subjectSpans.length > 0 && subject !== "") {
    const { line, carets, more } = underlinedAll(subject, innermost(subjectSpans), room);
    lines.push(`       ${ink.faint("accepts".padEnd(BEHAVIOR))}${line}`, `${indent}${colour(carets)}`);
    if (more > 0) lines.push(`${indent}${ink.faint(`and ${more} more of its commands`)}`);
  }
  const verdict = decided ? ink.strong("decided".padEnd(BEHAVIOR)) : ink.faint("not decisive".padEnd(BEHAVIOR));
  lines.push(...hanging(`       ${verdict}`, 7 + BEHAVIOR, decided ? "this call, or a command of it" : whyText(why)));
  return lines;
}

/** One reason for all; of each rule the part that has no counterpart in the call. */
function missedText(why, rules, ink) {
  const count = `${rules.length} missed`;
  const lines = hanging(`  ${ink.strong(count)}  `, count.length + 4, whyText(why));
  for (const { number, text, behavior, source, ruleSpan } of rules) {
    const safe = clipped(text, COLUMNS - 7 - BEHAVIOR - source.length - 3);
    const title = `  ${String(number).padStart(3)}  ${behavior.padEnd(BEHAVIOR)}${safe} [${source}]`;
    const parted = ruleSpan === undefined ? "" : shown(text.slice(ruleSpan.start, ruleSpan.end));
    const room = COLUMNS - width(title) - 4;
    lines.push(parted === "" || room < 8 ? title : `${title}  ${ink.warning(`≠ ${clipped(parted, room).trimEnd()}`)}`);
  }
  return lines;
}

function byWhy(rules) {
  const groups = new Map();
  for (const rule of rules.filter(({ matched }) => !matched)) {
    if (groups.has(rule.why)) groups.get(rule.why).push(rule);
    else groups.set(rule.why, [rule]);
  }
  return groups;
}

function whyText(code) {
  const said = inWords(WHY, code);
  return said === code ? code : `${said} (${code})`;
}
