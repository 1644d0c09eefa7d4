// The core traps in the middle: a test build stops at any function of it that is told (`faulty.mjs`). Wherever it does, the call fails
// closed or is answered rightly, the next call finds a fresh instance, and nothing else is lost.
import { atTheEndOfTheStack } from "../js/bad-input/stack.mjs";
import { stopping } from "../js/bad-input/stopping.mjs";
import { allow, ask as look, hostOf, request } from "../js/evidence/host.mjs";
import { GATE, answer, classifier, gateOf, opened } from "../js/review/host.mjs";
import { ALLOW, OPEN, bash, fakeHost } from "../js/stage/host.mjs";
import { bystanders } from "./bystanders.mjs";
import { entries } from "./entries.mjs";
import { ok, same, settled, text, within } from "./is.mjs";

export function cases(t, { instance }) {
  const calls = entries(t).map(({ name, give, value }) => [name, () => give(value)]);
  const points = [...calls, ...stories(t)].map(([title, give]) => ({ title, run: () => everywhere(t, instance, title, give) }));
  return [
    ...points,
    { title: "the end of the stack", run: () => endOfStack(t, instance) },
    { title: "a function of the runtime that throws", run: () => runtime(t, instance) },
    { title: "no fresh instance can be made", run: () => noInstance(t, instance) },
  ];
}

/** Whole stories, each of which ends in an allow where nothing stops it. */
function stories(t) {
  const escalate = async () => {
    const stage = new t.AutoStage(fakeHost([ALLOW]).host);
    try {
      return await stage.maybeEscalate(OPEN, bash("make"), { sessionId: "s" });
    } finally {
      stage.free();
    }
  };
  const classify = async () => {
    const classifier = new t.EvidenceClassifier(hostOf([look("a.mjs"), allow]).host);
    try {
      const { kind, error } = await classifier.classify({ ...request, evidencePaths: ["a.mjs"] });
      return { kind, error };
    } finally {
      classifier.free();
    }
  };
  const review = async () => {
    const { session, seen } = opened([classifier("a"), classifier("b")]);
    await session.openGate(gateOf());
    for (let at = 0; at < 20; at++) await settled();
    ok(seen.appends.length <= 1, "appended twice");
    // What no reviewer resolved is the person's.
    if (seen.appends.length === 0) await session.respond(GATE, answer("Deny")).catch(() => session.respond(GATE, answer("Deny")));
    const { action } = await session.resolution(GATE);
    session.free();
    return action;
  };
  return [["a stage that allows", escalate], ["a classification that looks at a file", classify], ["a review of two", review]];
}

/** Places to stop at, of as many calls of functions as something takes: the first ones, and on from there. */
function places(taken) {
  const all = new Set();
  for (let at = 1; at <= taken; at = at < 12 ? at + 1 : Math.ceil(at * 1.12)) all.add(at);
  for (let back = 0; back < 12 && back < taken; back++) all.add(taken - back);
  return [...all].sort((one, other) => one - other);
}

const PLENTY = 0x7fffffff;

async function everywhere(t, instance, name, give) {
  const expected = text(await give());
  const others = await bystanders(t);
  instance().fuel.value = PLENTY;
  await give();
  const taken = PLENTY - instance().fuel.value;
  instance().fuel.value = 0;
  const words = new Set();
  let stops = 0;
  for (const at of places(taken)) {
    const title = `${name}, stopped at ${at} of ${taken}`;
    const before = instance();
    before.fuel.value = at;
    words.add(await ends(give, expected, title));
    before.fuel.value = 0;
    others.check(title);
    if (instance() !== before) stops += 1;
    same(text(await give()), expected, `${title}: the next call`);
  }
  await others.end();
  if (taken > 0) ok(stops > 0, `${name}: it was never stopped`);
  // Whether there is a place behind which nothing can go wrong any more is up to the compiler.
  words.delete("as ever");
  return { tried: places(taken).length, line: [...words].sort() };
}

/** How a call ends that the core may have stopped in. */
async function ends(give, expected, title) {
  let came;
  try {
    came = await within(5_000, give(), title);
  } catch (error) {
    ok(error instanceof Error && error.name === "CoreError" && error.code === "core-stopped", `${title}: threw ${error?.stack ?? error}`);
    return "CoreError";
  }
  const said = text(came);
  if (said === expected) return "as ever";
  const closed = CLOSED.find(([, says]) => says(came));
  ok(closed !== undefined, `${title}: ${said.slice(0, 300)}, not ${expected.slice(0, 300)}`);
  return closed[0];
}

const isDenial = (decision) => decision?.kind === "deny" && decision.stage === "risk" && decision.risk.findings[0].code === "core-stopped";

/** What is said where the core stopped. */
const CLOSED = [
  ["denied", isDenial],
  ["denied, of several", (came) => Array.isArray(came) && came.some(isDenial)],
  ["a diagnostic", (came) => Array.isArray(came) && (came[0]?.diagnostics ?? came)[0]?.code === "core-stopped"],
  ["asks", (came) => came?.kind === "ask" && came.failure === "error"],
  ["unavailable", (came) => came?.kind === "unavailable" && came.error === "provider-error"],
  ["the person's", (came) => came === "Deny"],
  ["not eligible", (came) => came?.eligible === false && came.reason === "invalid_assessment"],
];

/** Denied, allowed rightly, or so deep that not even the call could be made. */
async function endOfStack(t, instance) {
  const others = await bystanders(t);
  const policy = new t.Policy({ rules: { allow: ["Bash(npm )"] } });
  const call = bash("npm test");
  const words = new Set();
  for (let at = 0; at < 3; at++) {
    const tally = atTheEndOfTheStack(() => {
      const decision = policy.decide(call);
      if (decision.kind === "allow") return "allow";
      return isDenial(decision) ? "denied" : JSON.stringify(decision);
    });
    for (const word of tally.keys()) words.add(word);
    others.check("the end of the stack");
  }
  // That it does stop there is seen in Node (`tests/js/traps.test.mjs`); how much stack is left for the core differs.
  ok(instance().fuel.value === 0 && words.has("allow"), [...words].join());
  same([...words].filter((word) => !["allow", "denied", "no call"].includes(word)), [], "the end of the stack");
  await others.end();
  return { tried: 3, line: "denied, or decided rightly" };
}

/** What the core asks of the runtime throws: the core never came to its end. */
async function runtime(t, instance) {
  const others = await bystanders(t);
  const policy = new t.Policy({ rules: { deny: ["WebFetch(domain:example.com)"] } });
  const call = { tool: "WebFetch", arguments: { url: "https://example.com/" } };
  for (let at = 0; at < 20; at++) {
    const before = instance();
    ok(isDenial(stopping(() => policy.decide(call))), "it was denied");
    others.check("the runtime throws");
    ok(instance() !== before && policy.decide(call).stage === "content-rule", "the next call");
  }
  await others.end();
  return { tried: 20, line: ["denied"] };
}

/** Where the memory for a fresh instance cannot be had, everything is denied or refused until it can. */
async function noInstance(t, instance) {
  const others = await bystanders(t);
  const policy = new t.Policy({ rules: { allow: ["Bash(npm )"] } });
  const { Instance } = WebAssembly;
  instance().fuel.value = 1;
  WebAssembly.Instance = function () {
    throw new RangeError("WebAssembly.Instance(): out of memory");
  };
  try {
    for (let at = 0; at < 3; at++) {
      ok(isDenial(policy.decide(bash("npm test"))), "decide");
      same(policy.decideMany([bash("npm test")]).map(isDenial), [true], "decideMany");
      for (const work of [() => policy.fingerprint, () => policy.explain(bash("npm test")), () => new t.Policy({}), () => t.parseRuleString("Bash")]) {
        same(await ends(work, "", "no instance"), "CoreError", "no instance");
      }
    }
    policy.free();
  } finally {
    WebAssembly.Instance = Instance;
  }
  await others.end();
  return { tried: 18, line: ["denied"] };
}
