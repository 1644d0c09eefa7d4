// A worker is killed in the middle of a call, and another one goes on from the last snapshot: the call that was open is no part of it,
// every count is as before. What a Worker of workerd loses and keeps is told in `tests/examples/edge-precheck.test.mjs`.
import { bash } from "../js/stage/host.mjs";
import { fail, ok, pause, same, within } from "./is.mjs";

/** `env.spawn()` starts a worker: `{ post(message), listen(take), kill() }`. Without workers there are no cases. */
export function cases(t, { spawn, instance }) {
  if (spawn === undefined) return [];
  const own = new t.Policy({ rules: { deny: ["Bash(rm )"] } });
  const [before, known] = [instance(), JSON.stringify(own.decide(bash("rm x")))];
  const told = (title, run) => ({
    title,
    async run() {
      const line = await run();
      ok(instance() === before && JSON.stringify(own.decide(bash("rm x"))) === known, "the core beside it");
      return { tried: 1, line };
    },
  });
  const list = [];
  for (const hangs of ["model", "busy", "audit"]) list.push(told(`a stage with two failures, in its third call: ${hangs}`, () => thirdCall(spawn, hangs)));
  list.push(told("a stage whose route is open", () => openRoute(spawn)));
  list.push(told("a stage with no failure, in its first call", () => firstCall(spawn)));
  list.push(told("a tracker, while it reads", () => tracker(spawn)));
  list.push(told("a classification", () => classification(spawn)));
  for (const hangs of ["run", "busy"]) list.push(told(`a review: ${hangs}`, () => review(spawn, hangs)));
  for (const ms of [0, 1, 5, 20, 50]) list.push(told(`the core, ${ms} ms into deciding`, () => deciding(spawn, ms)));
  return list;
}

/** What a worker says until it is at a place; it is killed there, `later` ms after, unless that is its end. */
async function until(spawn, place, message, later = 0) {
  const worker = await spawn();
  const said = [];
  const reached = new Promise((resolve, reject) =>
    worker.listen((one) => {
      if (one.failed !== undefined) reject(new Error(one.failed));
      said.push(one);
      if (one.at === place) resolve();
      else if (one.at === "end") reject(new Error(`it came to its end, not to ${place}: ${JSON.stringify(said)}`));
    }),
  );
  try {
    worker.post(message);
    await within(20_000, reached, JSON.stringify(message));
    if (later > 0) await pause(later);
  } finally {
    await worker.kill();
  }
  return said;
}

const last = (said, name) => said.findLast((one) => name in one)?.[name] ?? fail(`no ${name} was told`);
const outcomes = (said) => said.filter(({ outcome }) => outcome !== undefined).map(({ outcome }) => outcome.failure ?? outcome.kind ?? outcome);

/** The commands that make a stage hang, and where it is then. */
function hanging(hangs) {
  return hangs === "audit" ? { command: "last", place: "audit" } : { command: "hang", place: "model" };
}

async function thirdCall(spawn, hangs) {
  const { command, place } = hanging(hangs);
  const before = await until(spawn, place, { story: "stage", commands: ["fail", "fail", command], hangs });
  same(outcomes(before), ["malformed", "malformed"], "before the kill");
  const snapshot = last(before, "snapshot");
  same(snapshot.failures, { "p/m": 2 }, "what was kept");
  const resumed = await until(spawn, "end", { story: "stage", snapshot, commands: [] });
  same(resumed.length, 1, "nothing happens by itself");
  // One failure more opens the route; a success would begin anew.
  const behind = await until(spawn, "end", { story: "stage", snapshot, commands: ["fail", "fail"] });
  same(outcomes(behind), ["malformed", "no opinion"], "behind the kill");
  const other = await until(spawn, "end", { story: "stage", snapshot, commands: ["allow", "fail", "fail"] });
  same([outcomes(other), last(other, "snapshot").failures], [["allow", "malformed", "malformed"], { "p/m": 2 }], "the count begins anew");
  return outcomes(behind);
}

async function openRoute(spawn) {
  const before = await until(spawn, "end", { story: "stage", commands: ["fail", "fail", "fail"] });
  const open = last(before, "snapshot");
  same(open.open, ["p/m"], "the route");
  // Nobody is asked any more: a model that would never answer holds up nothing.
  const behind = await until(spawn, "end", { story: "stage", snapshot: open, commands: ["hang"] });
  same([outcomes(behind), last(behind, "snapshot").open], [["no opinion"], ["p/m"]], "behind the kill");
  return outcomes(behind);
}

async function firstCall(spawn) {
  const before = await until(spawn, "model", { story: "stage", commands: ["hang"] });
  same(outcomes(before), [], "before the kill");
  const behind = await until(spawn, "end", { story: "stage", commands: ["allow"] });
  return outcomes(behind);
}

async function tracker(spawn) {
  const before = await until(spawn, "reason", { story: "tracker", blocks: 2, hangs: "reason" });
  const state = last(before, "state");
  same([state.consecutiveBlock, state.totalBlock], [2, 2], "what was kept");
  const behind = await until(spawn, "end", { story: "tracker", state, blocks: 1 });
  const { consecutiveBlock, totalBlock } = last(behind, "state");
  same([consecutiveBlock, totalBlock], [3, 3], "behind the kill");
  return outcomes(behind);
}

async function classification(spawn) {
  await until(spawn, "model", { story: "classification", hangs: "model" });
  const behind = await until(spawn, "end", { story: "classification" });
  same(outcomes(behind), ["allow"], "the lease of a worker goes with it");
  return outcomes(behind);
}

async function review(spawn, hangs) {
  const before = await until(spawn, "run", { story: "review", hangs });
  ok(before.every(({ appended }) => appended === undefined), "nothing was resolved");
  const behind = await until(spawn, "end", { story: "review" });
  same(behind.filter(({ appended }) => appended !== undefined), [{ appended: "Deny" }], "resolved once, by the person");
  return outcomes(behind);
}

async function deciding(spawn, ms) {
  await until(spawn, "core", { story: "deciding", hangs: "core" }, ms);
  return outcomes(await until(spawn, "end", { story: "deciding" }));
}
