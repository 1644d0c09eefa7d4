// What a worker does that will be killed: it says where it is, and goes no further where it is told to hang.
import { ALLOW, OPEN, bash, fakeHost } from "../../js/stage/host.mjs";
import { hostOf, request } from "../../js/evidence/host.mjs";
import { GATE, answer, classifier, gateOf, opened } from "../../js/review/host.mjs";

const never = () => new Promise(() => {});

/** Nothing can end this but a kill. */
function forever() {
  for (;;);
}

/** A stage, from a snapshot or new; each failure is told with what is to be kept, as a host would store it. */
async function stage(t, say, { snapshot, commands, hangs }) {
  const answers = { fail: "?", allow: ALLOW };
  const { host } = fakeHost();
  let next;
  host.complete = () => {
    if (next !== "hang") return answers[next];
    say({ at: "model" });
    return hangs === "busy" ? forever() : never();
  };
  host.audit = (_, record) => {
    if (hangs !== "audit" || next !== "last") return say({ audit: record.failure ?? record.verdict });
    say({ at: "audit" });
    forever();
  };
  const stage = snapshot === undefined ? new t.AutoStage(host) : t.AutoStage.restore(host, snapshot);
  for (const [at, command] of commands.entries()) {
    next = command;
    const outcome = await stage.maybeEscalate(OPEN, bash(`make ${at}`), { sessionId: "s" });
    say({ outcome: outcome ?? "no opinion", snapshot: stage.snapshot() });
  }
}

/** A tracker; the last decision cannot be read to its end. */
async function tracker(t, say, { state, blocks, hangs }) {
  const tracker = new t.DenialTracker(state);
  for (let at = 0; at < blocks; at++) say({ outcome: tracker.apply({ kind: "block", reason: "no" }, `f${at}`).kind, state: tracker.state });
  if (hangs === undefined) return;
  tracker.apply({
    kind: "block",
    get reason() {
      say({ at: "reason" });
      return forever();
    },
  });
}

async function classification(t, say, { hangs }) {
  const reply = () => (hangs === undefined ? { text: '{"decision":"allow","reason":"Asked for."}' } : (say({ at: "model" }), never()));
  const classifier = new t.EvidenceClassifier(hostOf([reply]).host);
  const { kind, error } = await classifier.classify(request);
  say({ outcome: error ?? kind });
}

async function review(t, say, { hangs }) {
  const run = async () => (say({ at: "run" }), hangs === "busy" ? forever() : never());
  const { session } = opened(hangs === undefined ? [] : [classifier("a", { run })], {
    appendResolution: async ({ action }) => say({ appended: action }),
  });
  await session.openGate(gateOf());
  // It is open until the kill.
  if (hangs !== undefined) return never();
  await session.respond(GATE, answer("Deny"));
  say({ outcome: (await session.resolution(GATE)).action });
}

/** Decides without an end: a kill meets the core somewhere in the middle of a call. */
async function deciding(t, say, { hangs }) {
  const policy = new t.Policy({ rules: { allow: ["Bash(npm )"], deny: ["Bash(rm )"] } });
  const calls = Array.from({ length: 500 }, (_, at) => bash(`npm run a && echo ${at} | sh -c 'rm x' && ${"(".repeat(20)}ls`));
  say({ outcome: policy.decide(bash("npm x")).kind });
  if (hangs === undefined) return;
  say({ at: "core" });
  for (;;) policy.decideMany(calls);
}

const STORIES = { stage, tracker, classification, review, deciding };

/** Does what a message says. */
export function serve(t, say, { story, ...given }) {
  STORIES[story](t, say, given).then(
    () => say({ at: "end" }),
    (error) => say({ failed: String(error.stack ?? error) }),
  );
}
