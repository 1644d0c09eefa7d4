// Callbacks of every bad sort, at each callback of everything that waits: the caller gets its answer, none that allows where
// the callback's own answer was needed for that, and what is asked next goes on.
import { allow, ask, fileOf, hostOf, request } from "../js/evidence/host.mjs";
import { GATE, answer, classifier, gateOf, opened, outcome } from "../js/review/host.mjs";
import { ALLOW, OPEN, bash, fakeHost } from "../js/stage/host.mjs";
import { BAD, MEANWHILE } from "./bad.mjs";
import { FAULTS, withShortTimers } from "./globals.mjs";
import { fail, ok, pause, settled, within } from "./is.mjs";

/** The runtime's own: a fault takes it away. */
const { AbortController: Controller } = globalThis;

/** By machine: its callbacks, those whose own answer an allow needs, and one play with one of them bad. */
const MACHINES = {
  AutoStage: {
    callbacks: ["settings", "resolveRoute", "history", "complete", "audit", "warn"],
    needed: ["settings", "resolveRoute", "complete"],
    play: playStage,
  },
  EvidenceClassifier: {
    callbacks: ["statFile", "isCurrent", "callModel", "inspectFile", "onLateReceipt"],
    needed: ["isCurrent", "callModel", "inspectFile"],
    play: playClassifier,
  },
  ReviewSession: {
    callbacks: [
      ...["applies", "marshalInput", "run", "validateResult", "verifyObservations", "currentPolicyRevision", "currentBasis"],
      ...["appendResolution", "audit", "interrupt", "warn"],
    ],
    needed: ["applies", "validateResult", "verifyObservations", "currentPolicyRevision"],
    play: playReview,
  },
};

export function cases(t, env) {
  const list = [];
  for (const [machine, { callbacks, needed, play }] of Object.entries(MACHINES)) {
    for (const name of callbacks) {
      const may = { ...BAD, ...MEANWHILE };
      list.push({ title: `${machine}, ${name}`, run: () => tell(env, may, (title) => play(t, name, may[title]), needed.includes(name)) });
    }
    const alone = async (title) => FAULTS[title](() => play(t, undefined, undefined));
    list.push({ title: `${machine}, the runtime`, run: () => tell(env, FAULTS, alone, false) });
  }
  return list;
}

/** What comes of each of a table of faults: the words, each with the faults that end in it. */
async function tell({ instance }, faults, play, isNeeded) {
  const line = {};
  await withShortTimers(async () => {
    for (const title of Object.keys(faults)) {
      const before = instance();
      const word = await within(10_000, play(title), title);
      ok(instance() === before, `${title}: the core stopped`);
      if (isNeeded && title in BAD) ok(!/^(?:allow|Approve)/.test(word), `${title}: ${word}`);
      (line[word] ??= []).push(title);
    }
  });
  return { tried: Object.keys(faults).length, line };
}

/** One callback of a host, bad until `now` is good. What it throws is remembered. */
function spoil(host, name, bad, doings) {
  const now = { isGood: bad === undefined, wasCalled: false };
  if (bad === undefined) return now;
  const good = host[name];
  host[name] = function (...given) {
    const value = () => good.apply(host, given);
    if (now.isGood) return value();
    now.wasCalled = true;
    const signal = given.find((one) => one instanceof AbortSignal);
    const call = { ...doings, signal, answer: value };
    try {
      return bad(call);
    } finally {
      if ("thrown" in call) now.thrown = call.thrown;
    }
  };
  return now;
}

/** What a promise came to, as a word. */
async function wordOf(promise, word, now) {
  try {
    return word(await promise);
  } catch (error) {
    if ("thrown" in now && Object.is(error, now.thrown)) return "its own error";
    if (error instanceof Error && error.name === "ReviewError") return `${error.field}/${error.reason}`;
    return error instanceof Error ? `${error.name} ${error.code ?? error.message}` : fail(`rejected with ${typeof error}`);
  }
}

const outcomeWord = (outcome) => (outcome === undefined ? "no opinion" : outcome === "allow" ? outcome : `ask ${outcome.failure ?? ""}`.trim());

async function playStage(t, name, bad) {
  const { host } = fakeHost([ALLOW], name === "warn" ? { resolveRoute: () => undefined } : {});
  const controller = new Controller();
  const stage = new t.AutoStage(host);
  const again = [];
  const asks = (command, signal) => stage.maybeEscalate(OPEN, bash(command), { sessionId: "s", signal });
  const now = spoil(host, name, bad, {
    free: () => stage.free(),
    abort: () => controller.abort(),
    again() {
      now.isGood = true;
      stage.snapshot();
      again.push(asks("again"));
      stage.rebuild();
    },
  });
  const first = await wordOf(asks("make", controller.signal), outcomeWord, now);
  ok(bad === undefined || now.wasCalled, `${name} was not called`);
  for (const other of again) ok(["allow", "no opinion"].includes(outcomeWord(await other)), "the call from within");
  now.isGood = true;
  const next = await wordOf(asks("next"), outcomeWord, now);
  stage.free();
  return `${first}, then ${next}`;
}

const resultWord = ({ kind, error }) => (error === undefined ? kind : `${kind} ${error}`);

async function playClassifier(t, name, bad) {
  const replies = [ask("a.mjs"), allow];
  const isLate = name === "onLateReceipt";
  const late = (signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(allow)));
  const { host, seen } = hostOf(isLate ? [late, ...replies] : replies, { inspectFile: async () => fileOf("// a\n") });
  // A second classification begins anew.
  const { callModel } = host;
  host.callModel = (call, signal) => (call.round === 1 && !isLate && (seen.calls.length = 0), callModel.call(host, call, signal));
  const controller = new Controller();
  const classifier = new t.EvidenceClassifier(host);
  const again = [];
  const asks = (signal) => classifier.classify({ ...request, evidencePaths: ["a.mjs"] }, { signal });
  const now = spoil(host, name, bad, {
    free: () => classifier.free(),
    abort: () => controller.abort(),
    again: () => again.push(asks()),
  });
  const first = await wordOf(asks(controller.signal), resultWord, now);
  for (let at = 0; at < 6; at++) await settled();
  ok(bad === undefined || now.wasCalled, `${name} was not called`);
  // The lease is held: a call from within is refused, unless nothing is held any more.
  for (const other of again) ok(["unavailable busy", ...(isLate ? ["allow"] : [])].includes(resultWord(await other)), `the call from within: ${resultWord(await other)}`);
  now.isGood = true;
  const next = await wordOf(asks(), resultWord, now);
  classifier.free();
  return `${first}, then ${next}`;
}

async function playReview(t, name, bad) {
  const trips = name === "interrupt" || name === "warn";
  const run = async (_, observe) => (observe({ target: "a", token: "1" }), "done");
  const one = classifier("a", { run: trips ? () => Promise.reject(new Error("no model")) : run, timeoutMs: 1_000 });
  const live = ({ tool_execution_id, context_revision, security_ceiling } = gateOf().basis) => ({ tool_execution_id, context_revision, security_ceiling });
  const members = { verifyObservations: async () => true, currentBasis: () => live(), limits: { maxInvalidOrFailed: 1, interruptOnTrip: true } };
  const { host } = opened([], members);
  const seen = { statuses: [], appends: [] };
  host.audit = ({ status }) => void (status !== undefined && seen.statuses.push(status));
  host.appendResolution = async ({ action }) => void seen.appends.push(action);
  host.classifiers = [one];
  let session;
  const again = [];
  const now = spoil(name in one ? one : host, name, bad, {
    free: () => session.free(),
    abort: () => session.endTurn(gateOf().context.coordinates.turn_id),
    again() {
      now.isGood = true;
      for (const promise of [session.respond("none", answer("Approve")), session.openGate(gateOf())]) again.push(outcome(promise));
    },
  });
  session = new t.ReviewSession(host);
  await session.openGate(gateOf());
  for (let at = 0; at < 12; at++) await settled();
  // Whoever has a deadline has passed it by then.
  if (seen.statuses.length === 0) await pause(60);
  ok(bad === undefined || now.wasCalled, `${name} was not called`);
  for (const { is } of again) ok(is === "gate/not_found" || is === "gate/duplicate", `a call from within: ${is}`);
  now.isGood = true;
  const reviewed = `${seen.appends.join() || "open"} (${seen.statuses.join()})`;
  const answered = session.respond(GATE, answer("Deny")).then(() => session.resolution(GATE));
  const pending = pause(60).then(() => ({ action: "pending" }));
  const next = await wordOf(Promise.race([answered, pending]), ({ action }) => action, now);
  answered.catch(() => {});
  // One that says no, and appends all the same, is asked again.
  ok(seen.appends.length <= 1 || name === "appendResolution", "appended twice");
  session.free();
  return `${reviewed}, then ${next}`;
}
