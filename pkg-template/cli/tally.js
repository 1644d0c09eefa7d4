// Counts decisions: by what is decided, and by what decided it. Its size depends on the rules, not on the calls.

export const KINDS = ["allow", "ask", "deny", "passthrough"];
const MOST_EXAMPLE = 500;
const MOST_WORDS = 2000;

export class Tally {
  calls = 0;
  kinds = zeros();
  effective = zeros();
  #examples;
  #groups = new Map();

  constructor(examples) {
    this.#examples = examples;
  }

  add(call, decision) {
    this.calls += 1;
    this.kinds[decision.kind] += 1;
    this.effective[decision.effective] += 1;
    const group = this.#group(call, decision);
    group.count += 1;
    const about = aboutOf(call);
    if (group.examples.length < this.#examples && !group.examples.includes(about)) group.examples.push(about);
    if (group.words !== undefined) {
      const word = wordOf(call, about);
      if (group.words.has(word) || group.words.size < MOST_WORDS) group.words.set(word, (group.words.get(word) ?? 0) + 1);
    }
  }

  /** Groups of one effective decision, largest first; equal ones as they came. */
  groups(effective) {
    return [...this.#groups.values()].filter((group) => group.effective === effective).sort((a, b) => b.count - a.count);
  }

  #group(call, { kind, effective, stage, rule, risk, mode }) {
    const codes = stage === "risk" ? [...new Set(risk.findings.map(({ code }) => code))].sort() : [];
    const key = JSON.stringify([kind, effective, stage, rule?.source, rule?.path, codes]);
    let group = this.#groups.get(key);
    if (group === undefined) {
      // The first call stands for all where something else than a rule has to be explained.
      group = { kind, effective, stage, mode, rule, codes, first: rule === undefined ? call : undefined, count: 0, examples: [] };
      // Where nothing settled the calls, their first words say what rules are wanting.
      if (rule === undefined && stage === "no-match") group.words = new Map();
      this.#groups.set(key, group);
    }
    return group;
  }
}

function zeros() {
  return Object.fromEntries(KINDS.map((kind) => [kind, 0]));
}

/** What a call is about, in one text. */
export function aboutOf({ tool, subject, arguments: given }) {
  if (typeof subject === "string") return subject.slice(0, MOST_EXAMPLE);
  const named = ["command", "file_path", "notebook_path", "path", "url"].find((name) => typeof given?.[name] === "string");
  return named === undefined ? tool : given[named].slice(0, MOST_EXAMPLE);
}

function wordOf({ tool, arguments: given }, about) {
  if (typeof given?.command !== "string") return tool;
  return about.trimStart().split(/\s/u, 1)[0].slice(0, 40);
}
