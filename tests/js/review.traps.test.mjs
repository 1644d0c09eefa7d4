// The core stops under a session: open gates stay with the person, what is resolved stays resolved, no count is reborn at zero.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CoreError } from "toolgate";
import { Machine } from "./node_modules/toolgate/core.js";
import { instance } from "./bad-input/alive.mjs";
import { GATE, TURN, answer, classifier, gateOf, id, opened, outcome } from "./review/host.mjs";
import { settled } from "./stage/clock.mjs";
import { held } from "./stage/host.mjs";

/** The next event of that name stops the core, as a trap does. */
function stopAt(event) {
  const { handle } = Machine.prototype;
  Machine.prototype.handle = function (name, ...rest) {
    if (name !== event) return handle.call(this, name, ...rest);
    Machine.prototype.handle = handle;
    throw new WebAssembly.RuntimeError("stopped on purpose");
  };
}

test("an open gate stays open for the person, without review", async () => {
  const run = held();
  let signal;
  const { session, seen, statuses } = opened([classifier("a", { run: (...given) => ((signal = given[2]), run) })]);
  await session.openGate(gateOf());
  await settled();
  const resolution = outcome(session.resolution(GATE));
  const before = instance();
  stopAt("start");
  await assert.rejects(session.respond(GATE, answer("Deny")), CoreError);
  assert.equal(signal.aborted, true);
  run.resolve();
  await settled();
  assert.deepEqual([statuses(), seen.appends, resolution.is], [[], [], "pending"]);
  await session.respond(GATE, answer("Deny"));
  await settled();
  assert.notEqual(instance(), before);
  assert.equal(resolution.is.action, "Deny", "whoever waited still waits");
  await assert.rejects(session.openGate(gateOf()), { field: "gate", reason: "duplicate" });
});

test("an append that was pending decides when it ends, before or after the core is made again", async () => {
  for (const [when, ends] of [["before", "resolve"], ["before", "reject"], ["after", "resolve"], ["after", "reject"]]) {
    const appends = [];
    const { session } = opened([], { appendResolution: () => (appends.push(held()), appends.at(-1)) });
    await session.openGate(gateOf());
    const answered = outcome(session.respond(GATE, answer("Deny")));
    stopAt("start");
    await assert.rejects(session.openGate(gateOf({ gate_id: id("209") })), CoreError);
    await settled();
    assert.equal(answered.is, "CoreError");
    if (when === "before") {
      appends[0][ends]();
      await settled();
    }
    const again = outcome(session.respond(GATE, answer("Approve")));
    await settled();
    if (when === "after") {
      assert.equal(again.is, "gate/not_ready", `${when} ${ends}`);
      appends[0][ends]();
      await settled();
    }
    if (ends === "resolve") {
      assert.equal((await session.resolution(GATE)).action, "Deny", when);
      await assert.rejects(session.respond(GATE, answer("Approve")), { reason: "not_found" });
      assert.equal(appends.length, 1);
    } else {
      if (when === "after") outcome(session.respond(GATE, answer("Approve")));
      appends[1].resolve();
      await settled();
      assert.equal((await session.resolution(GATE)).action, "Approve", when);
    }
  }
});

test("counts and trips outlive a stop", async () => {
  const limits = { maxInvalidOrFailed: 0, session: { maxInvalidOrFailed: 2 } };
  const { session, seen } = opened([classifier("a", { run: () => Promise.reject() })], { limits });
  await session.openGate(gateOf());
  await settled();
  stopAt("start");
  await assert.rejects(session.openGate(gateOf({ gate_id: id("209") })), CoreError);
  assert.equal(session.tripped, false);
  await session.openGate(gateOf({ gate_id: id("209") }));
  await settled();
  assert.deepEqual([session.tripped, seen.warnings], [true, ["permission review: session limit reached"]]);
  stopAt("start");
  assert.throws(() => session.endTurn(TURN), CoreError);
  const before = seen.events.length;
  await session.openGate(gateOf({ gate_id: id("309") }));
  await settled();
  assert.deepEqual([session.tripped, seen.events.length], [true, before], "nothing is reviewed any more");
});

test("a closed session stays closed", async () => {
  const { session } = opened([]);
  await session.openGate(gateOf());
  await session.respond(GATE, answer("Deny"));
  session.close();
  stopAt("start");
  await assert.rejects(session.openGate(gateOf({ gate_id: id("209") })), CoreError);
  await assert.rejects(session.openGate(gateOf({ gate_id: id("209") })), { reason: "not_ready" });
  assert.equal((await session.resolution(GATE)).action, "Deny");
});

test("wherever in a review the core stops, nothing is approved by it", async () => {
  for (let at = 0; at < 12; at++) {
    let left = at;
    const { handle } = Machine.prototype;
    const { session, seen } = opened([classifier("a"), classifier("b")]);
    const open = session.openGate(gateOf());
    // The opening itself is done; whatever comes next is an event of the review.
    Machine.prototype.handle = function (...event) {
      if (left-- > 0) return handle.apply(this, event);
      Machine.prototype.handle = handle;
      throw new WebAssembly.RuntimeError("stopped on purpose");
    };
    await open;
    await settled();
    Machine.prototype.handle = handle;
    const approved = seen.appends.length;
    assert.ok(approved <= 1, String(at));
    // An approval that was made durable counts, whether the core heard of it or not; else the person answers.
    if (approved === 0) await session.respond(GATE, answer("Deny"));
    const { action } = await session.resolution(GATE);
    assert.equal(action, approved === 1 ? "Approve" : "Deny", String(at));
  }
});
