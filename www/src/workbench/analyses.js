// What can be learned from settings and calls as a whole: jobs of the worker that go call by call, or rule by rule.
import { DIALECTS, comparePolicies } from "toolgate";
import { KINDS } from "./calls.js";

/** Each slice has a cost of its own, which grows with the rules. */
const SLICE = 2048;
/** Nobody reads more, and each crosses to the page. */
const MOST_FINDINGS = 1000;

/** What is wrong or odd with the rules of `settings`, each with its place. */
export function lint(settings) {
  const findings = settings.policy.lint();
  const ruled = ({ path, span, ...more }) => ({ ...more, path, span, rule: settings.ruleAt(path), place: settings.placeOf(path, span) });
  return {
    count: findings.length,
    findings: findings.slice(0, MOST_FINDINGS).map((finding) => ({ ...ruled(finding), related: finding.related.map(ruled) })),
  };
}

/** Which rules met how many calls, and which calls none of them settled. */
export async function coverage(settings, calls, state, job) {
  const byKind = Object.fromEntries(KINDS.map((kind) => [kind, 0]));
  const uncovered = [];
  let rules;
  await slices(calls, job, (slice, from) => {
    const part = settings.policy.coverage(slice, state);
    for (const kind of KINDS) byKind[kind] += part.byKind[kind];
    for (const index of part.uncovered) uncovered.push(from + index);
    rules ??= part.rules.map(({ path, text }) => ({ path, text, decided: 0, matched: 0, behavior: path.at(-2), place: settings.placeOf(path) }));
    part.rules.forEach(({ decided, matched }, at) => {
      rules[at].decided += decided;
      rules[at].matched += matched;
    });
  });
  return { byKind, uncovered: Uint32Array.from(uncovered), rules: rules ?? [], total: calls.length };
}

/** Which calls other settings decide otherwise. */
export async function compare(before, after, calls, state, job) {
  const changes = new Changes(before, after);
  await slices(calls, job, (slice, from) => changes.add(comparePolicies(before.policy, after.policy, slice, state), from));
  return { ...changes.packed(), total: calls.length };
}

/**
 * What each dialect decides: `kinds` of all calls by number, their `counts`, and in how many calls it `differs` from the own one; or the
 * `problem` of one that does not take the settings. `listed` are the calls in which any of them differs.
 */
export async function spread(settings, calls, state, job) {
  const own = settings.policy.dialect;
  const sides = DIALECTS.map((dialect) => ({ dialect, kinds: new Uint8Array(calls.length), ...settings.under(dialect) }));
  const taken = sides.filter(({ policy }) => policy !== undefined);
  try {
    await slices(calls, job, (slice, from) => {
      for (const { policy, kinds } of taken) {
        policy.decideMany(slice, state).forEach(({ effective }, at) => {
          kinds[from + at] = KINDS.indexOf(effective);
        });
      }
    });
  } finally {
    for (const { policy } of taken) policy.free();
  }
  const base = taken.find(({ dialect }) => dialect === own).kinds;
  const listed = [...base.keys()].filter((index) => taken.some(({ kinds }) => kinds[index] !== base[index]));
  return { own, listed: Uint32Array.from(listed), total: calls.length, sides: sides.map((side) => told(side, base)) };
}

function told({ dialect, policy, kinds, diagnostics }, base) {
  if (policy === undefined) return { dialect, problem: { count: diagnostics.length, code: diagnostics[0].code, message: diagnostics[0].message } };
  const counts = KINDS.map(() => 0);
  for (const kind of kinds) counts[kind] += 1;
  return { dialect, kinds, counts, differs: kinds.reduce((sum, kind, index) => sum + (kind === base[index] ? 0 : 1), 0) };
}

/** Changed decisions in few bytes: numbers of kinds, and of the rules that made them. */
class Changes {
  #sides;
  #indexes = [];
  #kinds = { before: [], after: [] };
  #rules = { before: [], after: [] };

  constructor(before, after) {
    this.#sides = { before: new Named(before), after: new Named(after) };
  }

  add(changes, from) {
    for (const { index, ...sides } of changes) {
      this.#indexes.push(from + index);
      for (const side of ["before", "after"]) {
        this.#kinds[side].push(KINDS.indexOf(sides[side].effective));
        this.#rules[side].push(this.#sides[side].number(sides[side].rule));
      }
    }
  }

  packed() {
    const side = (name) => ({ kinds: Uint8Array.from(this.#kinds[name]), rules: Int32Array.from(this.#rules[name]), named: this.#sides[name].list });
    return { indexes: Uint32Array.from(this.#indexes), before: side("before"), after: side("after") };
  }
}

/** Rules by number; -1 is none. */
class Named {
  #numbers = new Map();
  #settings;
  list = [];

  constructor(settings) {
    this.#settings = settings;
  }

  number(rule) {
    if (rule === undefined) return -1;
    const key = JSON.stringify(rule.path);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const { text, behavior, path } = rule;
    this.#numbers.set(key, this.list.length);
    this.list.push({ text, behavior, path, place: this.#settings.placeOf(path) });
    return this.list.length - 1;
  }
}

async function slices(calls, job, work) {
  await job.slices(calls.length, SLICE, (from, to) => work(calls.slice(from, to), from));
}
