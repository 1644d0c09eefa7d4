// What a tally says: a page for people, an object for machines.
import { pathText } from "./diagnostics.js";
import { STAGES } from "./stages.js";
import { KINDS } from "./tally.js";
import { clipped, inks, shown } from "./terminal.js";

const SAID = {
  allow: ["ALLOWED", "may run without a question"],
  ask: ["ASKED", "a person says yes or no first"],
  deny: ["DENIED", "must not run"],
  passthrough: ["PASSED ON", "no rule says anything; the agent's default holds, mostly to ask"],
};
const BAR = 24;

/** Lines for a terminal. */
export function picture(settings, policy, tally, mode) {
  const ink = inks(process.stdout);
  const lines = [`${count(tally.calls)} under ${shown(settings.file)} (dialect ${policy.dialect}, mode ${mode})`, ""];
  for (const kind of KINDS) lines.push(bar(kind, tally, ink));
  for (const kind of KINDS) lines.push(...section(settings, kind, tally, ink));
  return lines;
}

/** One object. */
export function data(settings, policy, tally, mode) {
  const groups = KINDS.flatMap((kind) => tally.groups(kind));
  const places = placesOf(settings, groups);
  return {
    dialect: policy.dialect,
    mode,
    calls: tally.calls,
    kinds: tally.kinds,
    effective: tally.effective,
    groups: groups.map(({ rule, words, codes, ...group }, at) => ({
      ...group,
      ...(rule === undefined ? {} : { rule: { ...rule, inFile: places[at] } }),
      ...(codes.length === 0 ? {} : { risk: codes }),
      ...(words === undefined ? {} : { firstWords: Object.fromEntries(mostOften(words, 20)) }),
    })),
  };
}

function placesOf(settings, groups) {
  return settings.places(groups.map(({ rule }) => rule?.path ?? []));
}

function count(calls) {
  return calls === 1 ? "1 call" : `${calls.toLocaleString("en")} calls`;
}

function bar(kind, { effective, calls }, ink) {
  const [name, says] = SAID[kind];
  const share = effective[kind] / calls;
  const filled = effective[kind] === 0 ? 0 : Math.max(1, Math.round(share * BAR));
  const figures = `${String(effective[kind]).padStart(7)} ${percent(share).padStart(6)}`;
  return `  ${ink[kind](name.padEnd(9))}${figures}  ${ink[kind]("█".repeat(filled))}${ink.faint("░".repeat(BAR - filled))}  ${ink.faint(says)}`;
}

function percent(share) {
  return `${(share * 100).toFixed(1)}%`;
}

function section(settings, kind, tally, ink) {
  const groups = tally.groups(kind);
  if (groups.length === 0) return [];
  const places = placesOf(settings, groups);
  const lines = ["", ink[kind](`${SAID[kind][0]} by`)];
  groups.forEach((group, at) => {
    const line = group.rule === undefined ? undefined : places[at].line;
    const place = group.rule === undefined ? "" : `  ${ink.faint(line === undefined ? pathText(group.rule.path) : `line ${line}`)}`;
    lines.push(`${String(group.count).padStart(6)}  ${who(group, ink)}${place}`);
    lines.push(...group.examples.map((example) => ink.faint(`          ${clipped(example, 90)}`)));
    if (group.words !== undefined) {
      const words = mostOften(group.words, 10).map(([word, times]) => `${clipped(word, 20)} ${times}`);
      lines.push(`        most often: ${words.join(", ")}`);
    }
  });
  return lines;
}

/** What decided. */
function who({ rule, stage, mode, codes, kind, effective }, ink) {
  const lifted = kind === effective ? "" : ` (would be ${kind}; mode ${mode} lets it through)`;
  if (rule !== undefined) return `${ink.strong(clipped(rule.text, 70))} [${rule.source}]${lifted}`;
  if (stage === "mode") return `the mode ${mode}${lifted}`;
  if (stage === "risk" && codes.length > 0) return `the risk of it: ${codes.map(shown).join(", ")}${lifted}`;
  return `no rule: ${STAGES[stage]}${lifted}`;
}

function mostOften(words, most) {
  return [...words].sort((a, b) => b[1] - a[1]).slice(0, most);
}
