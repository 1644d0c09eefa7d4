// Reviews on hosts and classifiers that do what they should not: the gate stays with the person, nothing is counted that
// should not be, nothing leaks.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as toolgate from "toolgate";
import { assertAlive } from "./bad-input/alive.mjs";
import { NO_JSON, NO_TEXTS, cycle, revoked, throwing, withGetter } from "./bad-input/values.mjs";
import { GATE, REVISION, SECRET, TURN, answer, assess, classifier, gateOf, id, opened, outcome } from "./review/host.mjs";
import { settled, withClock } from "./stage/clock.mjs";
import { held } from "./stage/host.mjs";

const { ReviewError, ReviewSession } = toolgate;

/** Every unhandled rejection of a test is a failure of it. */
process.on("unhandledRejection", (error) => {
  throw error;
});

/** The gate is open, and a person answers it. */
async function assertWithPerson({ session, seen }, title) {
  const state = outcome(session.resolution(GATE));
  await settled();
  assert.equal(state.is, "pending", title);
  await session.respond(GATE, answer("Deny"));
  await settled();
  assert.equal(state.is.action, "Deny", title);
  assert.equal(seen.appends.filter(({ source }) => source.kind === "classifier").length, 0, title);
}

/** Nothing that the host was told holds what must not come out. */
function assertNoLeak({ seen }, title) {
  const told = JSON.stringify([seen.events, seen.appends, seen.warnings, seen.interrupts]);
  assert.ok(!told.includes(SECRET), title);
}

async function reviewed(members, host) {
  const made = opened([classifier("a", members)], host);
  await made.session.openGate(gateOf());
  await settled();
  return made;
}

function refused(title, work, field, reason) {
  assert.throws(work, (error) => {
    assert.ok(error instanceof ReviewError && Object.getPrototypeOf(error) === ReviewError.prototype, title);
    const { name, message, field: at, reason: why } = error;
    const expected = { name: "ReviewError", message: `permission review refused ${field}: ${reason}`, at: field, why: reason };
    assert.deepEqual({ name, message, at, why }, expected, title);
    return true;
  });
  assertAlive(title);
}

function tryJson(value) {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function throws() {
  throw new Error(SECRET);
}

test("a classifier that throws in a method fails, and only that is told", async () => {
  const order = ["applies", "marshalInput", "run", "validateResult"];
  for (const method of order) {
    const made = await reviewed({ [method]: throws });
    assert.deepEqual(made.statuses(), [["a", "failed"]], method);
    assert.deepEqual(made.seen.warnings, [`permission review: classifier 0 threw in ${method}`]);
    const started = made.seen.events.filter(({ type }) => type === "PermissionReviewStarted").length;
    assert.equal(started, order.indexOf(method) < 2 ? 0 : 1, method);
    await assertWithPerson(made, method);
    assertNoLeak(made, method);
  }
});

test("what is thrown may be anything", async () => {
  for (const [title, thrown] of Object.entries({ ...NO_TEXTS, nothing: undefined, null: null })) {
    const throwIt = () => {
      throw thrown;
    };
    for (const method of ["applies", "marshalInput", "run", "validateResult"]) {
      const made = await reviewed({ [method]: throwIt });
      assert.deepEqual(made.statuses(), [["a", "failed"]], `${method}: ${title}`);
    }
    const rejects = await reviewed({ run: () => Promise.reject(thrown) });
    assert.deepEqual([rejects.statuses(), rejects.seen.warnings], [[["a", "failed"]], []], title);
  }
});

test("an assessment that is none fails its classifier", async () => {
  const other = { ...gateOf().basis, gate_id: id("209"), classifier_revision: "a-1" };
  const members = {
    "an unknown risk": { risk: "severe" },
    "a risk named like an object's own": { risk: "constructor" },
    "an unknown authorization": { authorization: "total" },
    "an unknown recommendation": { recommendation: "deny" },
    "an unknown category": { categories: ["future"] },
    "a category twice": { categories: ["prompt_injection", "prompt_injection"] },
    "three kilobytes of rationale": { rationale: "r".repeat(3_072) },
    "a blank rationale for more than a low risk": { risk: "high", rationale: " " },
    "half a surrogate pair": { rationale: "\ud800" },
    "another member": { note: 1 },
    "another subject": { basis: other },
    "no basis": { basis: undefined },
  };
  for (const [title, changed] of Object.entries(members)) {
    const made = await reviewed({ validateResult: (subject) => assess(subject, changed) });
    assert.deepEqual([made.statuses(), made.seen.warnings], [[["a", "failed"]], []], title);
    await assertWithPerson(made, title);
    assertNoLeak(made, title);
  }
  for (const [title, value] of Object.entries({ ...NO_TEXTS, ...NO_JSON, "a promise": Promise.resolve({}), null: null })) {
    const made = await reviewed({ validateResult: () => value });
    assert.deepEqual(made.statuses(), [["a", "failed"]], title);
  }
});

test("a classifier that answers whether it applies with anything but a boolean fails", async () => {
  for (const [title, value] of Object.entries({ ...NO_TEXTS, "a promise": Promise.resolve(true), "nothing": undefined })) {
    if (value === true) continue;
    const made = await reviewed({ applies: () => value });
    assert.deepEqual([made.statuses(), made.seen.warnings], [[["a", "failed"]], []], title);
  }
});

test("what a classifier is shown is frozen, and what it gave goes to itself alone", async () => {
  const result = { [Symbol("kept")]: new Map() };
  const seen = [];
  const made = await reviewed({
    applies: (subject) => Boolean(seen.push(subject)),
    marshalInput: (subject) => (seen.push(subject), result),
    run: (input) => (seen.push(input), Promise.resolve(result)),
    validateResult(subject, given) {
      seen.push(subject, given, this.name);
      return assess(subject);
    },
  });
  assert.deepEqual(made.statuses(), [["a", "allowed"]]);
  const [subject, again, input, last, given, name] = seen;
  assert.ok(Object.isFrozen(subject) && Object.isFrozen(subject.context.entries[0]));
  assert.ok(subject === again && again === last && input === result && given === result);
  assert.equal(name, "a");
  assert.equal(subject.basis.subject_digest, toolgate.subjectDigest(subject));
});

test("300 observations, or one that is none, fail their classifier; observing never throws", async () => {
  const good = { target: "/workspace/a", token: "1" };
  const verified = [];
  const verifyObservations = async (observations) => (verified.push(observations.length), true);
  const observing = (...observations) => ({
    run: async (input, observe) => {
      for (const observation of observations) assert.equal(observe(observation), undefined);
    },
  });
  const cases = { "300": Array(300).fill(good), cycle: [cycle()], bigint: [{ target: 1n, token: "1" }], getter: [withGetter("target")] };
  cases.proxy = [good, throwing()];
  cases.surrogate = [{ ...good, token: "\udfff" }];
  for (const [title, observations] of Object.entries(cases)) {
    const made = await reviewed(observing(...observations), { verifyObservations });
    assert.deepEqual(made.statuses(), [["a", "failed"]], title);
    await assertWithPerson(made, title);
  }
  const made = await reviewed(observing(...Array(256).fill(good)), { verifyObservations });
  assert.deepEqual([made.statuses(), verified], [[["a", "allowed"]], [256]]);
});

test("a run that never settles is given up at its time, and its result afterwards is nobody's", () =>
  withClock(async (clock) => {
    const slow = held();
    let signal;
    const made = opened([classifier("a", { timeoutMs: 1_000, run: (...given) => ((signal = given[2]), slow) })]);
    await made.session.openGate(gateOf());
    await clock.advance(999);
    assert.deepEqual([made.statuses(), signal.aborted], [[], false]);
    await clock.advance(1);
    assert.deepEqual([made.statuses(), signal.aborted, clock.running()], [[["a", "timed_out"]], true, 0]);
    slow.resolve("late");
    await settled();
    assert.deepEqual(made.statuses(), [["a", "timed_out"]]);
    await assertWithPerson(made);
  }));

test("a result that comes after its time is dropped, even where the timer could not say so", () =>
  withClock(async (clock) => {
    const slow = held();
    const made = opened([classifier("a", { timeoutMs: 1_000, run: () => slow })]);
    await made.session.openGate(gateOf());
    await settled();
    clock.stall(1_000);
    slow.resolve("late");
    await settled();
    assert.deepEqual(made.statuses(), [["a", "timed_out"]]);
    assert.equal(clock.running(), 0);
    await assertWithPerson(made);
  }));

test("a verification that is late, or fails while the person's answer is pending, approves nothing", () =>
  withClock(async (clock) => {
    const run = async (input, observe) => observe({ target: "t", token: "1" });
    const limits = { maxStaleResponses: 1 };
    let verdict = held();
    const late = await reviewed({ run }, { verifyObservations: () => verdict, limits });
    clock.stall(5_000);
    verdict.resolve(true);
    await settled();
    assert.deepEqual([late.statuses(), late.seen.warnings], [[["a", "stale"]], ["permission review: turn limit reached"]]);
    await assertWithPerson(late);

    verdict = held();
    const append = held();
    const claimed = await reviewed({ run }, { verifyObservations: () => verdict, limits, appendResolution: () => append });
    const answered = outcome(claimed.session.respond(GATE, answer("Deny")));
    verdict.resolve(false);
    await settled();
    // Nothing is counted: the gate was not open any more.
    assert.deepEqual([claimed.statuses(), claimed.seen.warnings], [[["a", "stale"]], []]);
    append.resolve();
    await settled();
    assert.equal(answered.is, "done");
  }));

test("a person and two classifiers in every order: one resolution, and everybody is told the same", async () => {
  const parts = ["a", "b", "person", "append"];
  const orders = (rest) => (rest.length === 0 ? [[]] : rest.flatMap((one) => orders(rest.filter((other) => other !== one)).map((order) => [one, ...order])));
  for (const appends of ["resolve", "reject"]) {
    for (const order of orders(parts)) {
      const title = `${order.join()} ${appends}`;
      const runs = { a: held(), b: held() };
      const made = { durable: [], pending: [] };
      const appendResolution = (resolution) => {
        const append = held();
        made.pending.push({ append, resolution });
        return append;
      };
      const { session, seen, statuses } = opened(["a", "b"].map((name) => classifier(name, { run: () => runs[name] })), { appendResolution });
      await session.openGate(gateOf());
      const resolution = outcome(session.resolution(GATE));
      await settled();
      const settle = (how) => {
        for (const { append, resolution } of made.pending.splice(0)) {
          if (how === "resolve") made.durable.push(resolution);
          append[how](new Error(SECRET));
        }
      };
      const answers = [];
      for (const part of order) {
        if (part === "person") answers.push(outcome(session.respond(GATE, answer("Deny"))));
        else if (part === "append") settle(appends);
        else runs[part].resolve();
        await settled();
      }
      settle("resolve");
      await settled();
      if (resolution.is === "pending") {
        answers.push(outcome(session.respond(GATE, answer("Approve"))));
        await settled();
        settle("resolve");
        await settled();
      }
      assert.equal(made.durable.length, 1, title);
      assert.deepEqual(resolution.is, made.durable[0], title);
      const done = answers.filter(({ is }) => is === "done").length;
      assert.equal(done, made.durable[0].source.kind === "user" ? 1 : 0, title);
      assert.equal(statuses().length, 2, title);
      const approved = statuses().filter(([, status]) => status === "allowed").length;
      assert.equal(approved, made.durable[0].source.kind === "classifier" ? 2 : 0, title);
      assert.equal(seen.events.filter(({ status }) => status === undefined).length <= 2, true, title);
      assertNoLeak({ seen }, title);
    }
  }
});

test("an append that fails after the claim opens the gate again, and there is no second try", async () => {
  let tries = 0;
  const appendResolution = async ({ source }) => {
    if (source.kind === "classifier" && ++tries > 0) throws();
  };
  const made = await reviewed({}, { appendResolution });
  assert.deepEqual([made.statuses(), made.seen.warnings, tries], [[["a", "stale"]], ["permission review: append failed"], 1]);
  await assertWithPerson(made);
  assert.equal(tries, 1);
  const throwing = await reviewed({}, { appendResolution: throws });
  assert.deepEqual(throwing.statuses(), [["a", "stale"]]);
});

test("what the host says of policy and basis under the claim must be what was assessed", async () => {
  const own = { tool_execution_id: id("110"), context_revision: "context-v1", security_ceiling: "workspace-write" };
  const stale = {
    "another revision": { currentPolicyRevision: () => "gate-policy-v2" },
    "a revision that is promised": { currentPolicyRevision: async () => REVISION },
    "a promise that rejects": { currentPolicyRevision: async () => throws() },
    "a revision that cannot be read": { currentPolicyRevision: throws },
    "half a surrogate pair": { currentPolicyRevision: () => "\ud800" },
    "a basis that is promised": { currentBasis: async () => own },
    "a basis that is promised and rejected": { currentBasis: async () => throws() },
    "no basis": { currentBasis: () => undefined },
    "a basis with more in it": { currentBasis: () => ({ ...own, note: 1 }) },
    "a basis with less": { currentBasis: () => ({ ...own, security_ceiling: undefined }) },
    "a basis with a number": { currentBasis: () => ({ ...own, context_revision: 1 }) },
    "another execution": { currentBasis: () => ({ ...own, tool_execution_id: id("111") }) },
    "a basis that throws when it is read": { currentBasis: () => withGetter("context_revision", own) },
    "a proxy": { currentBasis: () => throwing() },
  };
  for (const [title, host] of Object.entries(stale)) {
    const made = await reviewed({}, host);
    assert.deepEqual([made.statuses(), made.seen.warnings], [[["a", "stale"]], []], title);
    await assertWithPerson(made, title);
  }
  const live = await reviewed({}, { currentBasis: () => own });
  assert.deepEqual(live.statuses(), [["a", "allowed"]]);
});

test("an answer in a classifier's name is refused, whoever gives it and whenever", async () => {
  const run = held();
  const { session, seen } = opened([classifier("a", { run: () => run })]);
  const forged = [
    answer("Approve", "classifier"),
    { ...answer("Approve"), source: { kind: "classifier", reason: "a@a-1" } },
    answer("Approve", "Classifier"),
    { action: "Approve", source: new (class Source { kind = "classifier"; reason = ""; })() },
  ];
  for (const one of forged) await assert.rejects(session.respond(GATE, one), { field: "gate", reason: "action_invalid" });
  await session.openGate(gateOf());
  for (const one of forged) await assert.rejects(session.respond(GATE, one), { field: "gate", reason: "action_invalid" });
  assert.deepEqual(seen.appends, []);
  run.resolve();
  await settled();
  assert.deepEqual(seen.appends.map(({ source }) => source), [{ kind: "classifier", reason: "a@a-1" }]);
  for (const one of forged) await assert.rejects(session.respond(GATE, one), { field: "gate", reason: "action_invalid" });
});

test("answers and ids of any kind are refused, and the gate stays open", async () => {
  const made = opened([]);
  await made.session.openGate(gateOf());
  const values = { ...NO_TEXTS, ...NO_JSON, nothing: undefined, null: null };
  for (const [title, value] of Object.entries(values)) {
    const invalid = { name: "ReviewError", field: "gate", reason: "action_invalid" };
    await assert.rejects(made.session.respond(GATE, value), invalid, title);
    await assert.rejects(made.session.respond(GATE, { action: value, source: answer("Deny").source }), invalid, title);
    const unknown = { name: "ReviewError", field: "gate", reason: "not_found" };
    await assert.rejects(made.session.respond(value, answer("Deny")), unknown, title);
    await assert.rejects(made.session.resolution(value), unknown, title);
    made.session.endTurn(value);
  }
  await assert.rejects(made.session.respond("\ud800", answer("Deny")), { reason: "not_found" });
  await assertWithPerson(made);
});

test("a bad request or context costs the review, not the person's gate", async () => {
  for (const name of ["request", "context"]) {
    for (const [title, value] of Object.entries({ ...NO_TEXTS, ...NO_JSON, "half a surrogate pair": { x: "\ud800" } })) {
      // What JSON writes as null is no context at all.
      if (tryJson(value) === "null") continue;
      const made = opened([classifier("a"), classifier("b")]);
      await made.session.openGate({ ...gateOf(), [name]: value });
      await settled();
      assert.deepEqual(made.statuses(), [["a", "failed"], ["b", "failed"]], `${name}: ${title}`);
      await assertWithPerson(made, title);
    }
  }
});

test("gates of any kind are refused with a field, and change nothing", async () => {
  const { session } = opened([]);
  const cases = [
    ["gate", "invalid", [7, NaN, 7n, true, Symbol("gate"), () => {}, "gate", ["gate"], new Uint8Array([1])]],
    ["gate", "invalid", [undefined, null, { ...gateOf(), note: 1 }, { ...gateOf(), toString: () => "" }, throwing(gateOf()), revoked(), [gateOf()]]],
    ["basis", "invalid", [{}, withGetter("basis", gateOf()), { ...gateOf(), basis: cycle() }, gateOf({ security_ceiling: "\ud800" }), gateOf({ gate_id: "x" })]],
    ["basis", "required", [gateOf({ gate_id: "" }), gateOf({ tool_execution_id: "00000000-0000-0000-0000-000000000000" })]],
    ["gate", "action_invalid", [null, [], ["Approve", "Approve"], ["approve"], ["Deny", 1], "Deny", cycle(), { 0: "Deny" }].map((actions) => ({ ...gateOf(), actions }))],
  ];
  for (const [field, reason, gates] of cases) {
    for (const gate of gates) await assert.rejects(session.openGate(gate), { name: "ReviewError", field, reason });
  }
  await session.openGate(gateOf());
  await assert.rejects(session.openGate(gateOf()), { field: "gate", reason: "duplicate" });
});

test("arguments are read at the time of the call", async () => {
  const run = held();
  const made = opened([classifier("a", { run: () => run })]);
  const gate = gateOf();
  const open = made.session.openGate(gate);
  gate.basis.gate_id = id("209");
  gate.context.entries.length = 0;
  gate.request.requirements[0].kind = "";
  await open;
  const said = answer("Deny");
  const answered = made.session.respond(GATE, said);
  said.action = "Approve";
  await answered;
  assert.deepEqual(made.seen.appends.map(({ action, gateId }) => [action, gateId]), [["Deny", GATE]]);
  assert.ok(Object.isFrozen(made.seen.appends[0]) && Object.isFrozen(made.seen.events[0]));
});

test("a host that is none is refused when the session is made", () => {
  const good = { classifiers: [], policy: toolgate.createReviewPolicy(), currentPolicyRevision: () => "", appendResolution: async () => {}, audit() {} };
  const make = (members) => () => new ReviewSession({ ...good, ...members }).free();
  make({})();
  for (const [title, value] of Object.entries({ ...NO_TEXTS, null: null })) {
    if (title === "a function") continue;
    for (const name of ["currentPolicyRevision", "appendResolution", "audit", "warn", "interrupt", "verifyObservations", "currentBasis"]) {
      refused(`${name}: ${title}`, make({ [name]: value }), "host", "invalid");
    }
    if (title !== "a list") refused(title, make({ classifiers: value }), "host", "invalid");
    refused(title, make({ classifiers: [classifier("a"), value] }), "classifiers[1]", "invalid");
    refused(title, make({ policy: value }), "policy", "invalid");
    if (title !== "a number") refused(title, make({ classifiers: [classifier("a", { timeoutMs: value })] }), "classifiers[0]", "invalid");
    refused(title, make({ classifiers: [classifier("a", { definition: value })] }), "classifiers[0]", "invalid");
    refused(title, make({ classifiers: [classifier("a", { run: value })] }), "classifiers[0]", "invalid");
  }
  for (const host of [undefined, null, 7, throwing(), revoked(), withGetter("classifiers", good)]) {
    refused("a host", () => new ReviewSession(host), "host", "invalid");
  }
  for (const limits of [null, 7, NaN, "x", true, [], { session: null }, { session: 7 }, { maxStaleResponses: NaN }, { session: { interruptOnTrip: true } }, { __proto__: null, note: 1 }, cycle()]) {
    refused("limits", make({ limits }), "limits", "invalid");
  }
  const copy = { ...toolgate.createReviewPolicy() };
  refused("a copy of a policy", make({ policy: copy }), "policy", "invalid");
});

test("host code may call back in from wherever it stands; what it gave up is not begun", async () => {
  // The warning that an audit failed comes right before the classifier is asked, or run.
  const called = [];
  const noting = Object.fromEntries(["applies", "marshalInput", "run"].map((method) => [method, () => (called.push(method), true)]));
  for (const give of ["close", "endTurn"]) {
    const warn = () => made.session[give](TURN);
    const made = opened([classifier("a", { ...noting, applies: () => false }), classifier("b", noting)], { audit: throws, warn });
    await made.session.openGate(gateOf());
    await settled();
    assert.deepEqual(called, [], give);
    const second = opened([classifier("a", noting)], { audit: throws, warn: () => second.session[give](TURN) });
    await second.session.openGate(gateOf());
    await settled();
    assert.deepEqual(called.splice(0), ["applies", "marshalInput"], give);
  }

  const inside = opened([
    classifier("a", {
      applies: () => {
        inside.session.close();
        return true;
      },
    }),
  ]);
  await inside.session.openGate(gateOf());
  await settled();
  assert.deepEqual(inside.statuses(), [["a", "cancelled"]]);
});

test("an audit that fails or never answers stops later reviews, and is told once", () =>
  withClock(async (clock) => {
    for (const audit of [throws, async () => throws(), () => new Promise(() => {})]) {
      const made = opened([classifier("a")], { audit });
      await made.session.openGate(gateOf());
      await clock.advance(10_000);
      assert.deepEqual([made.session.tripped, made.seen.warnings, made.seen.appends.length], [true, ["permission review: audit failed"], 1]);
      await made.session.openGate(gateOf({ gate_id: id("209") }));
      await clock.advance(10_000);
      assert.equal(made.seen.appends.length, 1);
      await made.session.respond(id("209"), answer("Deny"));
    }
  }));

test("a closed session is given back once it has come to rest", async () => {
  const append = held();
  const made = opened([], { appendResolution: () => append });
  await made.session.openGate(gateOf());
  await made.session.openGate(gateOf({ gate_id: id("209") }));
  const [answered, resolution, other] = [made.session.respond(GATE, answer("Deny")), made.session.resolution(GATE), made.session.resolution(id("209"))].map(outcome);
  made.session.free();
  made.session.free();
  await settled();
  assert.deepEqual([answered.is, resolution.is, other.is], ["pending", "pending", "gate/not_found"]);
  append.resolve();
  await settled();
  assert.deepEqual([answered.is, resolution.is.action], ["done", "Deny"]);
  made.session.close();
  made.session.endTurn(TURN);
  await assert.rejects(made.session.openGate(gateOf()), { field: "gate", reason: "not_ready" });
  await assert.rejects(made.session.respond(GATE, answer("Deny")), { field: "gate", reason: "not_found" });
  await assert.rejects(made.session.resolution(GATE), { field: "gate", reason: "not_found" });
  assertAlive("after a session was freed");
});

test("decisions are never errors, and functions refuse by field", () => {
  const policy = toolgate.createReviewPolicy({ revision: REVISION });
  const { basis, request, context } = gateOf({ classifier_revision: "a-1" });
  const subject = toolgate.createReviewSubject(basis, request, context);
  const eligible = { eligible: true, reason: "eligible" };
  assert.deepEqual(toolgate.evaluateAssessment(policy, subject, assess(subject)), eligible);
  const named = [{ name: "a", revision: "a-1" }];
  const outcomes = [{ subject, applicable: true, status: "allowed", assessment: assess(subject) }];
  assert.deepEqual(toolgate.combineAssessments(policy, named, outcomes), eligible);
  assert.deepEqual(toolgate.combineAssessments(policy, [classifier("a")], outcomes), eligible, "only names and revisions are read");
  const text = JSON.stringify({ version: "command_safety_output.v1", ...assess(subject) });
  assert.deepEqual(toolgate.parseAssessment(text, subject), assess(subject));

  for (const [title, value] of Object.entries({ ...NO_TEXTS, ...NO_JSON, nothing: undefined, null: null })) {
    const ineligible = (decision, reason) => assert.deepEqual(decision, { eligible: false, reason }, title);
    ineligible(toolgate.evaluateAssessment(value, subject, assess(subject)), "invalid_policy");
    ineligible(toolgate.evaluateAssessment(policy, value, assess(subject)), "invalid_assessment");
    ineligible(toolgate.evaluateAssessment(policy, subject, value), "invalid_assessment");
    ineligible(toolgate.combineAssessments(value, named, outcomes), "invalid_policy");
    ineligible(toolgate.combineAssessments(policy, value, outcomes), "invalid_assessment");
    ineligible(toolgate.combineAssessments(policy, named, value), "invalid_assessment");
    ineligible(toolgate.combineAssessments(policy, named, [value]), "invalid_assessment");
    refused(title, () => toolgate.subjectDigest(value), "subject", "invalid");
    refused(title, () => toolgate.parseAssessment(text, value), "subject", "invalid");
    refused(title, () => toolgate.createReviewSubject(value, request, context), "basis", "invalid");
    refused(title, () => toolgate.createReviewSubject(basis, value, context), "request", "invalid");
    refused(title, () => toolgate.createReviewSubject(basis, request, value), "context", "invalid");
    refused(title, () => toolgate.buildReviewContext(value, {}), "context", "invalid");
    refused(title, () => toolgate.buildReviewContext(context, value), "context_policy", "invalid");
    if (typeof value !== "string") refused(title, () => toolgate.parseAssessment(value, subject), "wire", "out_of_bounds");
  }
  const large = { ...context, retry_reason: "x".repeat(64 * 1_024 * 1_024) };
  refused("64 MB", () => toolgate.createReviewSubject(basis, request, large), "context", "out_of_bounds");
  assert.equal(toolgate.evaluateAssessment(policy, { ...subject, context: large }, assess(subject)).reason, "invalid_assessment");
  refused("an entry", () => toolgate.subjectDigest({ ...subject, context: { ...context, entries: [7] } }), "context_entry", "invalid");
});
