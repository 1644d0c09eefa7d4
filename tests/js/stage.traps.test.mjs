// The core stops under the stage: every open call is answered by an ask, and no count is reborn at zero.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AutoStage, Policy } from "toolgate";
import { Machine } from "./node_modules/toolgate/core.js";
import { instance } from "./bad-input/alive.mjs";
import { settled, withClock } from "./stage/clock.mjs";
import { ALLOW, ASK, OPEN, bash, failed, fakeHost, held } from "./stage/host.mjs";

/** The next event of that name stops the core, as a trap does. */
function stopAt(event) {
  const { handle } = Machine.prototype;
  Machine.prototype.handle = function (name, ...rest) {
    if (name !== event) return handle.call(this, name, ...rest);
    Machine.prototype.handle = handle;
    throw new WebAssembly.RuntimeError("stopped on purpose");
  };
}

/** Stops the core from another object. */
function stopElsewhere() {
  const hostname = Object.getOwnPropertyDescriptor(URL.prototype, "hostname");
  Object.defineProperty(URL.prototype, "hostname", {
    ...hostname,
    get() {
      throw new Error("stopped on purpose");
    },
  });
  try {
    new Policy({ rules: { deny: ["WebFetch(domain:example.com)"] } }).decide({
      tool: "WebFetch",
      arguments: { url: "https://example.com/" },
    });
  } finally {
    Object.defineProperty(URL.prototype, "hostname", hostname);
  }
}

function staged(answers) {
  const { host, seen } = fakeHost(answers);
  const stage = new AutoStage(host);
  const ask = (command, context) => stage.maybeEscalate(OPEN, bash(command), { sessionId: "s", ...context });
  return { stage, seen, ask };
}

test("wherever in a call the core stops, the call asks, and the counts go on", async () => {
  for (const event of ["start", "fulfilled"]) {
    const { stage, seen, ask } = staged(["?", ALLOW]);
    assert.deepEqual(await ask("a"), failed("malformed"));
    const before = stage.snapshot();
    const old = instance();
    stopAt(event);
    assert.deepEqual(await ask("b"), failed("error"), event);
    assert.deepEqual(stage.snapshot().failures, before.failures, event);
    assert.notEqual(instance(), old, event);
    assert.equal(seen.histories, 1, event);
    assert.equal(await ask("c"), "allow", event);
    assert.equal(seen.histories, 1, `${event}: the session's log is not read again`);
  }
});

test("an open route stays open, and nobody is told again", async () => {
  const { stage, seen, ask } = staged(["?"]);
  for (const command of ["a", "b", "c"]) await ask(command);
  stopAt("start");
  assert.deepEqual(await ask("d"), failed("error"));
  assert.equal(await ask("e"), undefined);
  assert.deepEqual([stage.snapshot().open, seen.prompts.length, seen.warnings.length], [["p/m"], 3, 1]);
});

test("a stop in one call answers all that are open, and a late answer harms nothing", () =>
  withClock(async (clock) => {
    const slow = held();
    const { seen, ask, stage } = staged([() => slow, () => slow, ALLOW, ALLOW]);
    const open = [ask("a"), ask("b")];
    await settled();
    stopAt("start");
    assert.deepEqual(await ask("c"), failed("error"));
    assert.deepEqual(await Promise.all(open), [failed("error"), failed("error")]);
    assert.deepEqual(seen.signals.map(({ aborted }) => aborted), [true, true]);
    assert.equal(clock.running(), 0);
    const next = ask("d");
    slow.resolve(ALLOW);
    assert.equal(await next, "allow");
    assert.deepEqual([seen.audits.length, stage.snapshot().cache.length], [1, 1]);
  }));

test("a stop at the deadline, at a cancel or when the caller frees", () =>
  withClock(async (clock) => {
    const never = () => new Promise(() => {});
    const { ask } = staged([never]);
    const late = ask("a");
    await settled();
    stopAt("timer");
    await clock.advance(100);
    assert.deepEqual(await late, failed("error"));

    const controller = new AbortController();
    const cancelled = ask("b", { signal: controller.signal });
    await settled();
    stopAt("cancel");
    controller.abort();
    assert.deepEqual(await cancelled, failed("error"));

    const freed = staged([never]);
    const open = freed.ask("c");
    await settled();
    stopAt("cancel");
    freed.stage.free();
    assert.deepEqual(await open, failed("error"));
  }));

test("a stop elsewhere, while a model is asked", () =>
  withClock(async (clock) => {
    const slow = held();
    const { stage, seen, ask } = staged(["?", () => slow, ASK]);
    await ask("a");
    const open = ask("b");
    await settled();
    stopElsewhere();
    slow.resolve(ALLOW);
    assert.deepEqual(await open, failed("error"));
    assert.deepEqual([stage.snapshot().failures, clock.running()], [{ "p/m": 1 }, 0]);
    assert.deepEqual(await ask("c"), { kind: "ask", reason: "a rule" });
    assert.equal(seen.histories, 1);
  }));

test("a stop elsewhere, while a model never answers", () =>
  withClock(async (clock) => {
    const { ask, seen } = staged([() => new Promise(() => {})]);
    const open = ask("a");
    await settled();
    stopElsewhere();
    await clock.advance(100);
    assert.deepEqual(await open, failed("error"));
    assert.equal(seen.signals[0].aborted, true);
  }));

test("a stop in the middle of a callback of the host", async () => {
  for (const name of ["settings", "resolveRoute", "history", "complete", "audit"]) {
    const { host, seen } = fakeHost([ALLOW]);
    const original = host[name];
    host[name] = function (...args) {
      host[name] = original;
      stopElsewhere();
      return original.apply(host, args);
    };
    const stage = new AutoStage(host);
    const ask = () => stage.maybeEscalate(OPEN, bash("make"), { sessionId: "s" });
    assert.deepEqual(await ask(), failed("error"), name);
    assert.equal(await ask(), "allow", name);
    assert.ok(seen.audits.length >= 1, name);
  }
});

test("what cannot fail closed says that the core stopped", async () => {
  const { stage, ask } = staged(["?", ALLOW]);
  await ask("a");
  stopAt("start");
  assert.throws(() => stage.rebuild(), { name: "CoreError", code: "core-stopped" });
  assert.deepEqual(stage.snapshot().failures, { "p/m": 1 });
  stage.rebuild();
  assert.deepEqual(stage.snapshot().failures, {});
  assert.equal(await ask("b"), "allow");
});

test("at the end of the stack nothing is allowed, and the stage goes on", async () => {
  const { ask } = staged([ASK]);
  assert.equal((await ask("warm")).kind, "ask");
  const promises = [];
  const dive = () => {
    try {
      dive();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
    if (promises.length < 200) promises.push(Promise.resolve().then(() => undefined), call());
  };
  const call = () => {
    try {
      return ask("deep");
    } catch (error) {
      return Promise.reject(error);
    }
  };
  dive();
  for (const { status, value, reason } of await Promise.allSettled(promises)) {
    if (status === "rejected") assert.ok(reason instanceof RangeError && reason.code === undefined, String(reason));
    else assert.notEqual(value, "allow");
  }
  assert.deepEqual(await ask("after"), { kind: "ask", reason: "a rule" });
});
