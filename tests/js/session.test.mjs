// Session state as a host lives through it: a log that outlives versions, switches of the mode, grants.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Policy,
  approveSandboxEscalation,
  checkModeEvents,
  deriveGrant,
  foldClassifiers,
  foldPermissionMode,
  foldResumeSandbox,
  foldSessionAllow,
  isSandboxEscalation,
  sessionAllowEvent,
  setPermissionMode,
} from "toolgate";
import { argument, assertAlive, assertRefused } from "./bad-input/alive.mjs";
import { NO_JSON, NO_TEXTS, cycle, nested, revoked, throwing, withGetter } from "./bad-input/values.mjs";

const MODE = "permission/mode";
const mode = (mode, rest = {}) => ({ type: MODE, data: { mode, ...rest } });
const allow = (rule) => sessionAllowEvent(rule, "Bash", 1);
const record = { tool: "Bash", verdict: "ask", latencyMs: 3, cacheHit: false };

test("a session goes into bypass and comes back to the sandbox that it had", () => {
  const events = [];
  const switchTo = (to, rest = {}) => events.push(...setPermissionMode({ events, shellSandbox: "read-only", ...rest }, to));
  switchTo("auto");
  switchTo("bypassPermissions");
  assert.equal(foldPermissionMode(events), "bypassPermissions");
  assert.equal(foldResumeSandbox(events), "read-only");
  assert.deepEqual(events.at(-1), { type: "sandbox/mode", data: { mode: "danger-full-access" } });
  const inside = events.length;
  switchTo("bypassPermissions");
  assert.equal(events.length, inside);
  switchTo("default");
  assert.deepEqual(events.slice(inside), [mode("default"), { type: "sandbox/mode", data: { mode: "read-only" } }]);
  assert.deepEqual(checkModeEvents(events), []);
  assert.throws(() => switchTo("bypassPermissions", { bypassDisabled: true }), { code: "bypass-disabled" });
  // Logs are kept as text.
  assert.equal(foldPermissionMode(JSON.parse(JSON.stringify(events))), "default");
});

test("a grant that a person gave lasts until it is cleared, and the policy takes it", () => {
  const policy = new Policy({});
  const call = { tool: "Bash", arguments: { command: "npm run test -- --watch" } };
  const rule = deriveGrant(call);
  assert.equal(rule, "Bash(npm run test )");
  const events = [sessionAllowEvent(rule, "Bash", 1)];
  const decided = () => policy.decide(call, { grants: foldSessionAllow(events) }).kind;
  assert.equal(decided(), "allow");
  events.push({ type: "permission/session-allow", data: { scope: "session", toolName: "*", timestamp: 2, cleared: true } });
  assert.equal(decided(), "passthrough");
  policy.free();
});

test("grants of another dialect are written, read and taken in that dialect", () => {
  const dialect = "claude-code-2.1";
  const call = { tool: "Bash", arguments: { command: "grep  '(a' [b] f" } };
  const rule = deriveGrant(call, dialect);
  assert.equal(rule, "Bash(grep '(a' [b] f)");
  // In the default dialect this one is no rule.
  const every = "WebFetch(domain:*)";
  assertRefused("standard", () => sessionAllowEvent(every, "WebFetch", 1), {
    name: "RuleError",
    code: "invalid-domain",
    span: { start: 9, end: 17 },
  });
  const events = [sessionAllowEvent(rule, "Bash", 1, dialect), sessionAllowEvent(every, "WebFetch", 2, dialect)];
  assert.deepEqual(foldSessionAllow(events), [rule]);
  assert.deepEqual(foldSessionAllow(events, dialect), [rule, every]);
  const policy = new Policy({ dialect });
  assert.equal(policy.decide(call, { grants: foldSessionAllow(events, dialect) }).kind, "allow");
  policy.free();
});

test("a call that nothing sound covers has no grant", () => {
  for (const command of ["rm -rf x", "ls; rm x", "git push origin", "python3 <<E\n1\nE", "ls 'a", "sudo ls", "x ${y}"]) {
    assert.equal(deriveGrant({ tool: "Bash", arguments: { command } }), undefined, command);
  }
  for (const tool of ["mcp__server", "mcp__server__*", "*", "a(b)", ""]) assert.equal(deriveGrant({ tool }), undefined, tool);
  assert.equal(deriveGrant({ tool: "Read", arguments: { file_path: "/" } }), undefined);
});

/** Events that no log should have, and some do. */
const BAD = {
  nothing: null,
  "a number": 7,
  "a text": "permission/mode",
  "a list": [MODE],
  "no type": { data: { mode: "bypassPermissions" } },
  "a type that is no text": { type: { toString: () => MODE }, data: { mode: "bypassPermissions" } },
  "another type": { type: "permission/other", data: { mode: "bypassPermissions" } },
  "a type that throws": withGetter("type"),
  "a proxy that throws": throwing(),
  "a revoked proxy": revoked(),
};

/** Mode events whose data cannot be read: that there was one is known. */
const UNREADABLE = {
  "data that throws": withGetter("data", { type: MODE }),
  "data with a getter that throws": { type: MODE, data: withGetter("mode") },
  "data that is a cycle": { type: MODE, data: cycle() },
  "data that is a bigint": { type: MODE, data: 7n },
  "data that is nested without end": { type: MODE, data: nested(100_000) },
  "data over the limit": { type: MODE, data: { mode: "bypassPermissions", note: "x".repeat(1_048_577) } },
  "no data": { type: MODE },
  "data of another shape": { type: MODE, data: "bypassPermissions" },
};

test("one bad event never costs the others, nor does it throw", () => {
  const good = [mode("bypassPermissions", { resumeSandbox: "read-only" }), allow("Bash(ls)"), mode("auto"), { type: "permission/classifier", data: record }];
  for (const [what, bad] of Object.entries({ ...BAD, ...UNREADABLE })) {
    for (let at = 0; at <= good.length; at++) {
      const events = good.toSpliced?.(at, 0, bad) ?? [...good.slice(0, at), bad, ...good.slice(at)];
      assert.equal(foldPermissionMode(events), "auto", what);
      assert.equal(foldResumeSandbox(events), "read-only", what);
      assert.deepEqual(foldSessionAllow(events), ["Bash(ls)"], what);
      assert.deepEqual(foldClassifiers(events), [record], what);
      assert.deepEqual(setPermissionMode({ events }, "auto"), [], what);
      assert.deepEqual(checkModeEvents(events).map(({ index }) => index), what in UNREADABLE ? [at] : [], what);
    }
  }
  const holes = [mode("auto"), , mode("default")];
  assert.equal(foldPermissionMode(holes), "default");
  assertAlive("bad events");
});

test("half a character in a note hides neither a switch nor a clearing, and grants nothing", () => {
  const half = "\ud800";
  const events = [mode("bypassPermissions"), mode("default", { note: half })];
  assert.equal(foldPermissionMode(events), "default");
  const cleared = { type: "permission/session-allow", data: { cleared: true, reason: half } };
  assert.deepEqual(foldSessionAllow([allow("Bash"), cleared]), []);
  const odd = { type: "permission/session-allow", data: { ...allow("Bash").data, rule: `Bash(${half})` } };
  assert.deepEqual(foldSessionAllow([odd, { ...odd, data: { ...odd.data, rule: "Bash", reason: half } }]), []);
  assert.deepEqual(foldClassifiers([{ type: "permission/classifier", data: { ...record, model: half } }]), []);
});

test("each event is read once, so that it cannot change its mind", () => {
  let reads = 0;
  const shifty = {
    get type() {
      reads++;
      return MODE;
    },
    get data() {
      reads++;
      return { mode: reads > 2 ? "bypassPermissions" : "default" };
    },
  };
  assert.equal(foldPermissionMode([shifty]), "default");
  assert.equal(reads, 2);
});

test("what is no log is refused", () => {
  const folds = { foldPermissionMode, foldResumeSandbox, foldSessionAllow, foldClassifiers, checkModeEvents };
  for (const [name, fold] of Object.entries(folds)) {
    for (const value of [undefined, null, 7, "x", {}, { length: 1, 0: mode("auto") }, new Set(), Symbol("log")]) {
      assertRefused(`${name} ${String(value)}`, () => fold(value), argument("not-a-list", ["events"]));
    }
    assertRefused(name, () => fold(revoked([])), argument("unreadable", ["events"]));
  }
  assertRefused("events", () => setPermissionMode({}, "auto"), argument("not-a-list", ["current", "events"]));
  assertRefused("dialect", () => foldSessionAllow([], "toString"), argument("unknown-dialect", ["dialect"]));
});

test("a switch that says something else than it seems is refused, with the place", () => {
  const to = (current, mode = "auto") => setPermissionMode({ events: [], ...current }, mode);
  const cases = [
    [["mode"], "mode-not-switchable", () => to({}, "plan")],
    [["mode"], "mode-not-switchable", () => to({}, "dontAsk")],
    [["mode"], "unknown-mode", () => to({}, "toString")],
    [["mode"], "unknown-mode", () => to({}, "")],
    [["mode"], "bypass-disabled", () => to({ bypassDisabled: true }, "bypassPermissions")],
    [["current", "bypassDisabled"], "not-a-boolean", () => to({ bypassDisabled: "disable" }, "bypassPermissions")],
    [["current", "bypassdisabled"], "unknown-field", () => to({ bypassdisabled: true }, "bypassPermissions")],
    [["current", "defaultMode"], "unknown-mode", () => to({ defaultMode: "turbo" })],
    [["current", "sandbox"], "unknown-sandbox", () => to({ sandbox: "none" })],
    [["current", "shellSandbox"], "not-a-string", () => to({ shellSandbox: 7 })],
    [["current", "sandbox"], "lone-surrogate", () => to({ sandbox: "\ud800" })],
    [["current"], "not-json", () => to(withGetter("sandbox"))],
    [["current"], "not-an-object", () => setPermissionMode(undefined, "auto")],
    [["current", "events"], "unreadable", () => setPermissionMode(throwing(), "auto")],
  ];
  for (const [path, code, work] of cases) {
    if (code === "not-json") continue;
    assertRefused(path.join(), work, argument(code, path));
  }
  const hostile = withGetter("sandbox", { events: [] });
  assertRefused("a getter", () => setPermissionMode(hostile, "auto"), argument("not-json", ["current"]));
  for (const [what, value] of Object.entries(NO_TEXTS)) {
    assertRefused(what, () => to({}, value), argument("not-a-string", ["mode"]));
  }
});

test("an escalation out of the sandbox is approved in auto alone, and recorded", () => {
  const request = { reason: "SANDBOX: write denied", toolName: "Bash", mode: "auto", workspace: "/repo", timestamp: 9 };
  const { outcome, event } = approveSandboxEscalation(request);
  assert.equal(outcome, "allowed-once");
  // It is a record, and grants nothing for later.
  assert.deepEqual(foldSessionAllow([event, { ...event, data: { ...event.data, rule: "Bash" } }]), []);
  for (const other of [{ mode: "bypassPermissions" }, { mode: undefined }, { workspace: "" }, { reason: "network" }, { reason: undefined }]) {
    assert.equal(approveSandboxEscalation({ ...request, ...other }), undefined);
  }
  assert.equal(isSandboxEscalation(undefined), false);
  assert.equal(isSandboxEscalation("the ſandbox"), false);
  assert.equal(isSandboxEscalation("a sAnDbOx b"), true);
  const cases = [
    [["request", "timestamp"], "not-a-number", { timestamp: NaN }],
    [["request", "timestamp"], "not-a-number", { timestamp: "9" }],
    [["request", "toolName"], "not-a-string", { toolName: undefined }],
    [["request", "reason"], "not-a-string", { reason: 7 }],
    [["request", "mode"], "unknown-mode", { mode: "turbo" }],
    [["request", "Mode"], "unknown-field", { Mode: "auto" }],
  ];
  for (const [path, code, other] of cases) {
    assertRefused(path.join(), () => approveSandboxEscalation({ ...request, ...other }), argument(code, path));
  }
  for (const [what, value] of Object.entries(NO_JSON)) {
    assertRefused(what, () => approveSandboxEscalation(value), argument("not-json", ["request"]));
  }
  for (const [what, value] of Object.entries(NO_TEXTS)) {
    assertRefused(what, () => isSandboxEscalation(value), argument("not-a-string", ["reason"]));
  }
});

test("a grant's event says what it is given and nothing else", () => {
  assert.deepEqual(sessionAllowEvent("Bash(é😀 )", "Bash", 1.5), {
    type: "permission/session-allow",
    data: { rule: "Bash(é😀 )", scope: "session", toolName: "Bash", timestamp: 1.5 },
  });
  for (const timestamp of [NaN, Infinity, "5", 5n, null, undefined, new Date(5), {}]) {
    assertRefused(String(timestamp), () => sessionAllowEvent("Bash", "Bash", timestamp), argument("not-a-number", ["timestamp"]));
  }
  for (const [what, value] of Object.entries(NO_TEXTS)) {
    assertRefused(what, () => sessionAllowEvent(value, "Bash", 1), argument("not-a-string", ["rule"]));
    assertRefused(what, () => sessionAllowEvent("Bash", value, 1), argument("not-a-string", ["toolName"]));
    assertRefused(what, () => deriveGrant({ tool: value }), argument("not-a-string", ["call", "tool"]));
  }
  assertRefused("no call", () => deriveGrant(null), argument("not-an-object", ["call"]));
  const cyclic = { tool: "Bash", arguments: cycle() };
  assertRefused("a cycle", () => deriveGrant(cyclic), argument("not-json", ["call", "arguments"]));
});
