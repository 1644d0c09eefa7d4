// Getters of what is handed in that call back into what they are handed to: another call, a free, a reset. Each call is decided by what
// it says, and what was freed says so.
import { bash } from "../js/stage/host.mjs";
import { ok, same } from "./is.mjs";

const RULES = { allow: ["Bash(npm )"], deny: ["Bash(rm )"] };

/** A call that does something when its tool is read, and is `rm x` then. */
const meanwhile = (work) => ({
  get tool() {
    work();
    return "Bash";
  },
  arguments: { command: "rm x" },
});

/** What takes a call, and what it gives for `rm x`. */
const TAKERS = {
  decide: [(policy, call) => policy.decide(call).kind, "deny"],
  decideMany: [(policy, call) => policy.decideMany([bash("npm x"), call, bash("npm x")]).map(({ kind }) => kind).join(), "allow,deny,allow"],
  explain: [(policy, call) => policy.explain(call).decision.kind, "deny"],
  suggest: [(policy, call) => policy.suggest(call).length, 0],
  coverage: [(policy, call) => policy.coverage([call]).byKind.deny, 1],
};

export function cases(t, { instance }) {
  const list = [];
  for (const [name, [take, expected]] of Object.entries(TAKERS)) {
    list.push([`${name}: decides another call`, () => another(t, take, expected)]);
    list.push([`${name}: frees the policy`, () => frees(t, take)]);
    list.push([`${name}: makes and frees many policies`, () => many(t, take, expected)]);
  }
  list.push(["comparePolicies: frees one of two", () => freesOne(t)]);
  list.push(["a tracker: applies another decision", () => applies(t)]);
  list.push(["a tracker: is reset", () => resets(t)]);
  list.push(["a tracker: is freed", () => freesTracker(t)]);
  return list.map(([title, work]) => ({
    title,
    async run() {
      const before = instance();
      const line = work();
      ok(instance() === before, "the core stopped");
      return { tried: 1, line };
    },
  }));
}

function another(t, take, expected) {
  const policy = new t.Policy({ rules: RULES });
  let inner;
  same(take(policy, meanwhile(() => (inner = policy.decide(bash("npm test")).kind))), expected, "the outer call");
  policy.free();
  return inner;
}

function frees(t, take) {
  const policy = new t.Policy({ rules: RULES });
  return refused(() => take(policy, meanwhile(() => policy.free())));
}

function many(t, take, expected) {
  const policy = new t.Policy({ rules: RULES });
  const work = () => {
    for (let at = 0; at < 50; at++) new t.Policy({ rules: { allow: ["Bash"] } }).free();
  };
  const came = take(policy, meanwhile(work));
  policy.free();
  same(came, expected, "the outer call");
  return came;
}

function freesOne(t) {
  const [before, after] = [new t.Policy({ rules: RULES }), new t.Policy({})];
  const word = refused(() => t.comparePolicies(before, after, [meanwhile(() => after.free())]));
  same(before.decide(bash("rm x")).kind, "deny", "the other one");
  before.free();
  return word;
}

const block = (work) => ({
  kind: "block",
  get reason() {
    work();
    return "no";
  },
});

function applies(t) {
  const tracker = new t.DenialTracker();
  tracker.apply(block(() => tracker.apply({ kind: "block", reason: "inner" })));
  const { consecutiveBlock, totalBlock } = tracker.state;
  same([consecutiveBlock, totalBlock], [2, 2], "both were counted");
  return totalBlock;
}

function resets(t) {
  const tracker = new t.DenialTracker();
  tracker.apply({ kind: "block", reason: "before" });
  tracker.apply(block(() => tracker.reset()));
  same(tracker.state.totalBlock, 1, "counted behind the reset");
  return tracker.state.totalBlock;
}

function freesTracker(t) {
  const tracker = new t.DenialTracker();
  return refused(() => tracker.apply(block(() => tracker.free())));
}

function refused(work) {
  try {
    return `gave ${JSON.stringify(work())}`;
  } catch (error) {
    return `${error.name} ${error.code}`;
  }
}
