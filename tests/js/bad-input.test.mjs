// Whatever a host hands in: a typed error with a code and a place, or diagnostics; the instance goes on.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as toolgate from "toolgate";
import { argument, assertAlive, assertRefused } from "./bad-input/alive.mjs";
import { NO_JSON, NO_TEXTS, nested, revoked, throwing, withGetter } from "./bad-input/values.mjs";

const { Policy } = toolgate;
const policy = new Policy({ rules: { allow: ["Bash(npm )"], deny: ["Bash(rm )"] } });
const bash = (command) => ({ tool: "Bash", arguments: { command } });
const ruleError = (code, start, end, hint) => ({
  name: "RuleError",
  code,
  span: { start, end },
  ...(hint === undefined ? {} : { hint }),
});
const policyError = (...diagnostics) => ({ name: "PolicyError", code: diagnostics[0][0], diagnostics });
const found = (diagnostics) => diagnostics.map(({ code, path }) => [code, path]);

test("a malformed rule is a RuleError with code, span and hint", () => {
  const cases = [
    ["", ruleError("empty-rule", 0, 0, "write `Tool` or `Tool(content)`")],
    [" \u00a0\n", ruleError("empty-rule", 0, 3, "write `Tool` or `Tool(content)`")],
    ["Bash(npm run", ruleError("unclosed-paren", 4, 12, "Bash(npm run)")],
    ["Bash(npm\\)", ruleError("unclosed-paren", 4, 10, "Bash(npm)")],
    ["Bash(ls) x", ruleError("content-after-paren", 8, 10, "Bash(ls)")],
    ["(ls)", ruleError("missing-tool-name", 0, 1, "write `Tool(content)`")],
    ["WebFetch(domain:https://example.com/a)", ruleError("invalid-domain", 9, 37, "WebFetch(domain:example.com)")],
    ["WebFetch(domain:*)", ruleError("invalid-domain", 9, 17)],
    // Units, as JavaScript counts them: two for the first character, one for the second.
    ["😀é(x", ruleError("unclosed-paren", 3, 5, "😀é(x)")],
    ["B".repeat(4_097), ruleError("rule-too-long", 0, 4_097)],
  ];
  for (const [rule, expected] of cases) {
    assertRefused(rule, () => toolgate.parseRuleString(rule), expected);
    assertRefused(rule, () => toolgate.parseRule(rule, "deny", "session"), expected);
    const grants = ["Read", rule];
    assertRefused(rule, () => policy.decide(bash("npm x"), { grants }), { ...expected, path: ["state", "grants", 1] });
    const error = (() => {
      try {
        toolgate.parseRuleString(rule);
      } catch (error) {
        return error;
      }
    })();
    assert.equal(error.rule, rule);
    // The text is in `rule`; a message that repeats it could be read as something that the package says.
    if (rule.trim().length > 1) assert.ok(!error.message.includes(rule.trim()), error.message);
  }
});

test("every bad rule of a configuration is reported, none is dropped", () => {
  const bad = ["", "Bash(", "Bash(ls) x", "(ls)", "WebFetch(domain:a b)", "B".repeat(4_097), "\ud800", 7, null, ["Bash"]];
  const codes = ["empty-rule", "unclosed-paren", "content-after-paren", "missing-tool-name", "invalid-domain", "rule-too-long"];
  codes.push("lone-surrogate", ...Array(3).fill("not-a-string"));
  const lists = ["allow", "ask", "bypassImmune", "deny"];
  const rules = Object.fromEntries(lists.map((list) => [list, bad.flatMap((rule) => ["Read", rule])]));
  const config = { layers: [{ source: "session", ...rules }], rules };
  const places = [["layers", 0], ["rules"]];
  const expected = places.flatMap((place) =>
    lists.flatMap((list) => codes.map((code, at) => [code, [...place, list, 2 * at + 1]])),
  );
  const errors = (diagnostics) => diagnostics.filter(({ severity }) => severity === "error");
  assert.deepEqual(found(errors(Policy.check(config))), expected);
  assert.throws(
    () => new Policy(config),
    (error) => {
      assert.equal(error.name, "PolicyError");
      assert.deepEqual(error.diagnostics, Policy.check(config));
      return true;
    },
  );
  assertAlive("bad rules");
});

test("what is no text is refused where a text is needed", () => {
  const places = {
    rule: (value) => toolgate.parseRuleString(value),
    toolName: (value) => toolgate.ruleString(value),
    content: (value) => toolgate.escapeRuleContent(value),
    subject: (value) => toolgate.contentMatches({ toolName: "Bash" }, value),
    behavior: (value) => toolgate.parseRule("Bash", value, "config"),
    source: (value) => toolgate.parseRule("Bash", "deny", value),
    dialect: (value) => toolgate.parseRuleString("Bash", value),
    command: (value) => toolgate.readShellCommand(value),
    filePath: (value) => toolgate.assessFilePath(value, { cwd: "/repo" }),
    "call.tool": (value) => policy.decide({ tool: value }),
    "call.subject": (value) => policy.decide({ tool: "Bash", subject: value }),
    "calls.1.tool": (value) => policy.decideMany([bash("npm x"), { tool: value }])[1],
    "state.mode": (value) => policy.decide(bash("npm x"), { mode: value }),
    "state.cwd": (value) => policy.decide(bash("npm x"), { cwd: value }),
    "state.sandbox": (value) => policy.decide(bash("npm x"), { sandbox: value }),
    "state.realPath": (value) => policy.decide(bash("npm x"), { realPath: value }),
  };
  for (const [place, work] of Object.entries(places)) {
    const path = place.split(".").map((step) => (step === "1" ? 1 : step));
    for (const [what, value] of Object.entries(NO_TEXTS)) {
      assertRefused(`${what} as ${place}`, () => work(value), argument("not-a-string", path));
    }
  }
});

test("what is no object is refused where an object is needed", () => {
  const none = [null, 7, 7n, "Bash", true, Symbol("call"), () => {}];
  for (const value of none) {
    const title = String(value);
    assertRefused(title, () => policy.decide(value), argument("not-an-object", ["call"]));
    assertRefused(title, () => policy.decideMany([value]), argument("not-an-object", ["calls", 0]));
    assertRefused(title, () => policy.decide(bash("npm x"), value), argument("not-an-object", ["state"]));
    assertRefused(title, () => policy.decideMany([], value), argument("not-an-object", ["state"]));
    if (value === null) continue;
    const call = { tool: "Bash", arguments: value };
    assertRefused(title, () => policy.decide(call), argument("not-an-object", ["call", "arguments"]));
  }
  for (const value of [undefined, null, 7, "x", {}, { length: 1, 0: bash("npm x") }, new Set()]) {
    assertRefused(String(value), () => policy.decideMany(value), argument("not-a-list", ["calls"]));
  }
  for (const flag of [0, 1, "true", {}, [], 1n, Symbol("flag")]) {
    const state = { planActive: flag };
    assertRefused(String(flag), () => policy.decide(bash("npm x"), state), argument("not-a-boolean", ["state", "planActive"]));
  }
});

test("a word outside of its closed list is refused, an inherited name too", () => {
  for (const word of ["", "Allow", "toString", "constructor", "__proto__", "hasOwnProperty", "length", "0"]) {
    assertRefused(word, () => toolgate.parseRule("Bash", word, "config"), argument("unknown-behavior", ["behavior"]));
    assertRefused(word, () => toolgate.parseRule("Bash", "deny", word), argument("unknown-source", ["source"]));
    assertRefused(word, () => toolgate.parseRuleString("Bash", word), argument("unknown-dialect", ["dialect"]));
    assertRefused(word, () => policy.decide(bash("npm x"), { mode: word }), argument("unknown-mode", ["state", "mode"]));
    assertRefused(word, () => policy.decide(bash("npm x"), { sandbox: word }), argument("unknown-sandbox", ["state", "sandbox"]));
    assertRefused(word, () => new Policy({ dialect: word }), policyError(["unknown-dialect", ["dialect"]]));
    assertRefused(word, () => new Policy({ defaultMode: word }), policyError(["unknown-mode", ["defaultMode"]]));
    const config = { layers: [{ source: word }] };
    assertRefused(word, () => new Policy(config), policyError(["unknown-source", ["layers", 0, "source"]]));
    const input = { toolName: "Bash", rules: {}, mode: word };
    assertRefused(word, () => toolgate.evaluatePermission(input), argument("unknown-mode", ["input", "mode"]));
  }
  assertRefused("dontAsk", () => policy.decide(bash("npm x"), { mode: "dontAsk" }), argument("mode-not-in-dialect", ["state", "mode"]));
  assertRefused("dontAsk", () => new Policy({ defaultMode: "dontAsk" }), policyError(["mode-not-in-dialect", ["defaultMode"]]));
});

test("half of a surrogate pair is refused wherever it stands", () => {
  for (const half of ["\ud800", "a\udc00b", "x\udfff"]) {
    const rule = { toolName: "Bash", content: half, matcher: { kind: "prefix", prefix: "x" }, behavior: "deny", source: "config" };
    const rules = { deny: [rule] };
    const cases = [
      [["rule"], () => toolgate.parseRuleString(half)],
      [["toolName"], () => toolgate.ruleString(half)],
      [["content"], () => toolgate.ruleString("Bash", half)],
      [["content"], () => toolgate.escapeRuleContent(half)],
      [["content"], () => toolgate.unescapeRuleContent(half)],
      [["dialect"], () => toolgate.parseRuleString("Bash", half)],
      [["subject"], () => toolgate.contentMatches({ toolName: "Bash" }, half)],
      [["rule", "content"], () => toolgate.contentMatches(rule, "x")],
      [["sets", 0, "deny", 0, "content"], () => toolgate.mergeRuleSets(rules)],
      [["sets", 1], () => toolgate.mergeRuleSets({}, { [half]: [] })],
      [["input", "subject"], () => toolgate.evaluatePermission({ toolName: "Bash", subject: half, rules: {}, mode: "default" })],
      [["input", "rules", "deny", 0, "content"], () => toolgate.evaluatePermission({ toolName: "Bash", rules, mode: "default" })],
      [["options", "source"], () => toolgate.configFromSettings({}, { source: half })],
      [["command"], () => toolgate.readShellCommand(half)],
      [["command"], () => toolgate.assessBashCommand(half)],
      [["patterns", 1], () => toolgate.assessBashCommand("ls", ["a", half])],
      [["filePath"], () => toolgate.assessFilePath(half, { cwd: "/repo" })],
      [["options", "additionalDirectories", 0], () => toolgate.assessFilePath("a", { cwd: "/repo", additionalDirectories: [half] })],
      [["call", "tool"], () => policy.decide({ tool: half })],
      [["call", "subject"], () => policy.decide({ tool: "Bash", subject: half })],
      ...["command", "file_path", "notebook_path", "path", "url"].map((name) => [
        ["call", "arguments", name],
        () => policy.decide({ tool: "Bash", arguments: { [name]: half } }),
      ]),
      [["calls", 1, "tool"], () => policy.decideMany([bash("npm x"), { tool: half }])],
      [["state", "cwd"], () => policy.decide(bash("npm x"), { cwd: half })],
      [["state", "realPath"], () => policy.decide(bash("npm x"), { realPath: half })],
      [["state", "grants", 1], () => policy.decide(bash("npm x"), { grants: ["Read", half] })],
    ];
    for (const [path, work] of cases) assertRefused(path.join(), work, argument("lone-surrogate", path));
    const configs = [
      [["bashToolName"], { bashToolName: half }],
      [["fileEditTools", 0], { fileEditTools: [half] }],
      [["rules", "deny", 1], { rules: { deny: ["Bash", half] } }],
      [["layers", 0, "source"], { layers: [{ source: half }] }],
      [["home"], { home: `/${half}` }],
      [["rules"], { rules: { [half]: [] } }],
      [[], { [half]: 1 }],
    ];
    for (const [path, config] of configs) {
      const codes = found(Policy.check(config).filter(({ severity }) => severity === "error"));
      assert.deepEqual(codes.filter(([code]) => code === "lone-surrogate"), [["lone-surrogate", path]]);
      assert.throws(() => new Policy(config), toolgate.PolicyError);
      assertAlive(path.join());
    }
    const { diagnostics } = toolgate.configFromSettings({ deny: [half] });
    assert.deepEqual(found(diagnostics), [["lone-surrogate", ["deny", 0]]]);
  }
});

test("what has no JSON text is refused where JSON text is made", () => {
  const notJson = [["not-json", []]];
  for (const [what, value] of Object.entries(NO_JSON)) {
    assertRefused(what, () => new Policy(value), policyError(...notJson));
    assert.deepEqual(found(Policy.check(value)), notJson, what);
    assert.deepEqual(found(toolgate.configFromSettings(value).diagnostics), notJson, what);
    assert.deepEqual(toolgate.configFromSettings(value, { base: { home: "/h" } }).config, { home: "/h" }, what);
    assertRefused(what, () => toolgate.configFromSettings({}, { base: value, source: 1n }), argument("not-json", ["options"]));
    assertRefused(what, () => toolgate.evaluatePermission(value), argument("not-json", ["input"]));
    assertRefused(what, () => toolgate.contentMatches(value, "x"), argument("not-json", ["rule"]));
    assertRefused(what, () => policy.decide(bash("npm x"), { grants: value }), argument("not-json", ["state", "grants"]));
    assertRefused(what, () => toolgate.assessFilePath("a", value), argument("not-json", ["options"]));
    assertRefused(what, () => toolgate.assessBashCommand("ls", value), argument("not-json", ["patterns"]));
    // In a list a value without JSON text of its own is written as null.
    const expected = what === "a toJSON that gives nothing" ? argument("not-an-object", ["sets", 0]) : argument("not-json", ["sets"]);
    assertRefused(what, () => toolgate.mergeRuleSets(value), expected);
  }
  for (const value of [undefined, () => {}, Symbol("config")]) {
    assertRefused(typeof value, () => new Policy(value), policyError(["not-an-object", []]));
    assert.deepEqual(found(Policy.check(value)), [["not-an-object", []]]);
    assertRefused(typeof value, () => toolgate.evaluatePermission(value), argument("not-json", ["input"]));
  }
  for (const value of [null, 7, "x", true, [], new Date(NaN), new String("x")]) {
    assertRefused(String(value), () => new Policy(value), policyError(["not-an-object", []]));
    assertRefused(String(value), () => toolgate.evaluatePermission(value), argument("not-an-object", ["input"]));
    assertRefused(String(value), () => toolgate.contentMatches(value, "x"), argument("not-an-object", ["rule"]));
    assertRefused(String(value), () => toolgate.configFromSettings({}, value), argument("not-an-object", ["options"]));
  }
});

test("members that throw when they are read have a place", () => {
  const cases = [
    [["call", "tool"], () => policy.decide(withGetter("tool"))],
    [["call", "tool"], () => policy.decide(throwing())],
    [["call", "tool"], () => policy.decide(revoked())],
    [["call", "subject"], () => policy.decide(withGetter("subject", { tool: "Bash" }))],
    [["call", "arguments"], () => policy.decide(withGetter("arguments", { tool: "Bash" }))],
    [["call", "arguments", "command"], () => policy.decide({ tool: "Bash", arguments: withGetter("command") })],
    [["call", "arguments", "command"], () => policy.decide({ tool: "Bash", arguments: revoked() })],
    [["call", "arguments", "url"], () => policy.decide({ tool: "Bash", arguments: withGetter("url", { command: "npm x" }) })],
    [["calls", 1, "tool"], () => policy.decideMany([bash("npm x"), throwing()])],
    ...["mode", "cwd", "planActive", "sandbox", "grants", "realPath"].map((name) => [
      ["state", name],
      () => policy.decide(bash("npm x"), withGetter(name)),
    ]),
  ];
  for (const [path, work] of cases) assertRefused(path.join(), work, argument("unreadable", path));
});

test("each member is read once, so that it cannot change its mind", () => {
  let reads = 0;
  const shifty = {
    get command() {
      reads++;
      return reads === 1 ? "rm x" : "npm x";
    },
  };
  assert.equal(policy.decide({ tool: "Bash", arguments: shifty }).kind, "deny");
  assert.equal(reads, 1);
  // A policy is what its configuration's JSON text said when it was made, and a call is what its members say.
  const lying = { rules: { allow: ["Bash"] }, toJSON: () => ({ rules: { deny: ["Bash"] } }) };
  const denies = new Policy(lying);
  lying.toJSON = () => ({ rules: { allow: ["Bash"] } });
  assert.equal(denies.decide(bash("npm x")).kind, "deny");
  assert.equal(policy.decide({ ...bash("rm x"), toJSON: () => bash("npm x") }).kind, "deny");
  denies.free();
  // A getter that frees the policy in the middle of its own call.
  const gone = new Policy({ rules: { allow: ["Bash"] } });
  const freeing = {
    get tool() {
      gone.free();
      return "Bash";
    },
  };
  assert.throws(() => gone.decide(freeing), { name: "Error", code: "freed" });
  assertAlive("members that change");
});

test("names of object properties are names like any other", () => {
  const names = ["toString", "constructor", "__proto__", "hasOwnProperty", "valueOf"];
  const named = new Policy({ rules: { deny: names, ask: names.map((name) => `${name}(x)`) } });
  assert.equal(named.ruleCount, 2 * names.length);
  for (const name of names) {
    assert.equal(named.decide({ tool: name }).kind, "deny", name);
    assert.equal(policy.decide({ tool: name }).kind, "passthrough", name);
    assert.deepEqual(toolgate.parseRuleString(name), { toolName: name });
    const config = JSON.parse(`{"${name}":{"allow":["Bash"]}}`);
    assert.deepEqual(found(Policy.check(config)), [["unknown-field", [name]]]);
    const options = JSON.parse(`{"${name}":1}`);
    assertRefused(name, () => toolgate.configFromSettings({}, options), argument("unknown-field", ["options", name]));
    const input = JSON.parse(`{"toolName":"Bash","mode":"default","rules":{},"${name}":1}`);
    assertRefused(name, () => toolgate.evaluatePermission(input), argument("unknown-field", ["input", name]));
  }
  named.free();
  // An own member of that name is no prototype.
  const hidden = JSON.parse('{"tool":"Bash","arguments":{"__proto__":{"command":"npm x"}}}');
  assert.equal(policy.decide(hidden).kind, "passthrough");
  assert.equal({}.command, undefined);
});

test("a hole in a list is no rule and no call", () => {
  const holes = ["Bash", , "Read"];
  assertRefused("rules", () => new Policy({ rules: { deny: holes } }), policyError(["not-a-string", ["rules", "deny", 1]]));
  assertRefused("layers", () => new Policy({ layers: [,] }), {
    name: "PolicyError",
    code: "not-an-object",
    diagnostics: [["not-an-object", ["layers", 0]], ["unknown-source", ["layers", 0, "source"]]],
  });
  assertRefused("calls", () => policy.decideMany([bash("npm x"), , bash("rm x")]), argument("not-an-object", ["calls", 1]));
  assertRefused("grants", () => policy.decide(bash("x"), { grants: holes }), argument("not-a-string", ["state", "grants", 1]));
});

test("options and patterns of another shape are refused with a place", () => {
  const cases = [
    [["options", "cwd"], "not-a-string", () => toolgate.assessFilePath("a", {})],
    [["options", "cwd"], "not-a-string", () => toolgate.assessFilePath("a", { cwd: 7 })],
    [["options", "protectedFiles"], "not-a-list", () => toolgate.assessFilePath("a", { cwd: "/", protectedFiles: "x" })],
    [["options", "protectedFiles", 1], "not-a-string", () => toolgate.assessFilePath("a", { cwd: "/", protectedFiles: ["x", 7] })],
    [["options", "toString"], "unknown-field", () => toolgate.assessFilePath("a", { cwd: "/", toString: "x" })],
    [["options", "dialect"], "unknown-dialect", () => toolgate.assessFilePath("a", { cwd: "/", dialect: "constructor" })],
    [["patterns"], "not-a-list", () => toolgate.assessBashCommand("ls", "x")],
    [["patterns", 0], "not-a-string", () => toolgate.assessBashCommand("ls", [,])],
    [["input", "toolName"], "not-a-string", () => toolgate.evaluatePermission({ rules: {}, mode: "default" })],
    [["input", "rules"], "not-an-object", () => toolgate.evaluatePermission({ toolName: "Bash", mode: "default" })],
    [["rule", "matcher", "kind"], "unknown-matcher", () => toolgate.contentMatches({ toolName: "x", matcher: { kind: "toString" } }, "x")],
  ];
  for (const [path, code, work] of cases) assertRefused(path.join(), work, argument(code, path));
  const pattern = policyError(["unsupported-pattern", ["patterns", 1]]);
  assertRefused("look-around", () => toolgate.assessBashCommand("ls", ["a", "a(?=b)"]), pattern);
  const broken = { dangerousPatterns: ["(", "x{2000}", "a".repeat(1_001)] };
  const at = (code, index) => [code, ["dangerousPatterns", index]];
  assert.deepEqual(
    found(Policy.check(broken).filter(({ severity }) => severity === "error")),
    [at("invalid-pattern", 0), at("unsupported-pattern", 1), at("pattern-too-large", 2)],
  );
});

test("too much is refused with the limit, nothing is decided", () => {
  const limit = (code, limit) => ({ name: "LimitError", code, limit });
  const long = "x".repeat(1_048_577);
  const subject = limit("subject-too-long", 1_048_576);
  assertRefused("command", () => policy.decide(bash(long)), subject);
  assertRefused("subject", () => policy.decide({ tool: "Bash", subject: long }), subject);
  assertRefused("match", () => toolgate.contentMatches({ toolName: "Bash" }, long), subject);
  const fold = { toolName: "Bash", subject: long, rules: {}, mode: "default" };
  assertRefused("fold", () => toolgate.evaluatePermission(fold), subject);
  const input = { toolName: "Bash", rules: {}, mode: "default", note: "x".repeat(64 * 1_024 * 1_024) };
  assertRefused("input", () => toolgate.evaluatePermission(input), limit("input-too-large", 64 * 1_024 * 1_024));

  const rule = { toolName: "Bash", behavior: "deny", source: "config" };
  const fold20001 = { toolName: "Bash", rules: { deny: Array(20_001).fill(rule) }, mode: "default" };
  assertRefused("rules", () => toolgate.evaluatePermission(fold20001), limit("too-many-rules", 20_000));

  const tenMegabytes = `Bash(${"x".repeat(10_000_000)})`;
  assertRefused("10 MB", () => new Policy({ rules: { deny: ["Read", tenMegabytes] } }), policyError(["rule-too-long", ["rules", "deny", 1]]));
  const million = { rules: { allow: Array.from({ length: 1_000_000 }, (_, at) => `Bash(x${at})`) } };
  assertRefused("a million", () => new Policy(million), policyError(["too-many-rules", ["rules", "allow", 20_000]]));

  const deep = ["rules", ...Array(99).fill(0)];
  assertRefused("deep", () => new Policy({ rules: nested(200) }), policyError(["too-deep", deep]));
  assertRefused("deep", () => toolgate.evaluatePermission(nested(200)), argument("too-deep", ["input", ...Array(100).fill(0)]));
  // What no rule looks at is not looked at here either, however deep it is.
  const ignored = { tool: "Bash", arguments: { command: "npm x", other: nested(100_000) } };
  assert.equal(policy.decide(ignored).kind, "allow");
});
