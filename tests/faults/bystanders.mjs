// Everything else that a host holds while the core stops under one call: none of it may be lost.
import { GATE, answer, classifier, gateOf, opened } from "../js/review/host.mjs";
import { ALLOW, OPEN, bash, fakeHost } from "../js/stage/host.mjs";
import { ok, same, settled } from "./is.mjs";

/** A policy, a stage with failures counted, a tracker with denials, and a session with an open gate. */
export async function bystanders(t) {
  const policy = new t.Policy({ rules: { allow: ["Bash(npm )"], deny: ["Bash(rm )"] } });
  const calls = ["npm test", "rm x", "ls"].map(bash);
  const stage = new t.AutoStage(fakeHost(["?", "?", ALLOW]).host);
  for (const command of ["a", "b"]) await stage.maybeEscalate(OPEN, bash(command), { sessionId: "s" });
  const tracker = new t.DenialTracker();
  tracker.apply({ kind: "block", reason: "no" }, "f");
  const { session, seen } = opened([classifier("a", { run: () => Promise.reject(new Error("no model")) })]);
  await session.openGate(gateOf());
  for (let at = 0; at < 10; at++) await settled();
  const looks = () => ({ decisions: policy.decideMany(calls), fingerprint: policy.fingerprint, stage: stage.snapshot(), tracker: tracker.state });
  const before = looks();
  same(before.stage.failures, { "p/m": 2 }, "the stage has counted");
  const check = (title) => same(looks(), before, `${title}: what else there was`);
  /** The gate is still the person's, and the next calls go on where they were. */
  const end = async () => {
    check("at the end");
    same(seen.appends, [], "nothing was resolved");
    await session.respond(GATE, answer("Deny"));
    same((await session.resolution(GATE)).action, "Deny", "the open gate");
    same(await stage.maybeEscalate(OPEN, bash("c"), { sessionId: "s" }), "allow", "the next call");
    same(stage.snapshot().failures, {}, "a success begins the count anew");
    ok(tracker.shouldFallback("f") !== undefined || tracker.state.totalBlock === 1, "the tracker");
    for (const one of [policy, stage, tracker, session]) one.free();
  };
  return { check, end };
}
