// What is said of policies over calls: suggestions, coverage, what changes between policies and between agents.
import assert from "node:assert/strict";
import { test } from "node:test";
import { DIALECTS, Policy, compareDialects, comparePolicies } from "toolgate";
import { argument, assertAlive, assertRefused } from "./bad-input/alive.mjs";
import { stopping } from "./bad-input/stopping.mjs";
import { NO_TEXTS, cycle, revoked, throwing, withGetter } from "./bad-input/values.mjs";
import { withPolicy } from "./with_policy.mjs";

const bash = (command) => ({ tool: "Bash", arguments: { command } });
const file = (tool, file_path) => ({ tool, arguments: { file_path } });
const fetched = (url) => ({ tool: "WebFetch", arguments: { url } });

const suggested = (config, call, state) => withPolicy(config, (policy) => policy.suggest(call, state));
const rules = (config, call, state) => suggested(config, call, state).map(({ rule }) => rule);

test("a suggestion says what it accepts beside the call, in a fixed sentence", () => {
  assert.deepEqual(suggested({}, bash("npm test --watch")), [
    {
      rule: "Bash(npm test --watch)",
      behavior: "allow",
      alsoCovers: ["npm test --watchx", "npm test --watch --help"],
      note: "Accepts this command and whatever follows its text.",
    },
    {
      rule: "Bash(npm test )",
      behavior: "allow",
      alsoCovers: ["npm test x", "npm test --help"],
      note: "Accepts every command that begins with these words, whatever its arguments.",
    },
  ]);
  assert.deepEqual(suggested({}, file("Read", "/repo/a")), [
    {
      rule: "Read(/repo/a)",
      behavior: "allow",
      alsoCovers: ["/repo/ax", "/repo/a/x"],
      note: "Accepts this path and every path that begins with its text.",
    },
  ]);
  const [host] = suggested({}, fetched("https://A.example/x?y"));
  assert.deepEqual([host.rule, host.alsoCovers], ["WebFetch(domain:a.example)", []]);
  const [tool] = suggested({}, { tool: "mcp__a__b" });
  assert.deepEqual([tool.rule, tool.alsoCovers], ["mcp__a__b", []]);
});

test("every command of a line needs a rule of its own, and the note says so", () => {
  const line = suggested({}, bash("ls src | wc -l; ls src"));
  assert.deepEqual(line.map(({ rule }) => rule), ["Bash(ls src)", "Bash(ls )", "Bash(wc -l)", "Bash(wc )"]);
  assert.ok(line.every(({ note }) => note.endsWith(" The line is allowed when each of its commands is covered.")));
  assert.deepEqual(rules({}, bash("ls src | sh x.sh && bash -c id")), []);
  assert.deepEqual(rules({ rules: { allow: ["Bash(wc )"] } }, bash("ls src | wc -l")), ["Bash(ls src)", "Bash(ls )"]);
  assert.deepEqual(rules({}, bash("ls src | wc -l"), { grants: ["Bash(ls )"] }), ["Bash(wc -l)", "Bash(wc )"]);
});

test("nothing is suggested for what is decided, dangerous, unread, or has no safe rule", () => {
  const config = { rules: { ask: ["Bash(npm publish)"], deny: ["WebFetch"] } };
  for (const command of ["npm publish", "sudo ls", "ls 'a", "rm x", "git push", "timeout 5 ls", "tru", "", "# ls", "$X"]) {
    assert.deepEqual(rules(config, bash(command)), [], command);
  }
  assert.deepEqual(rules(config, fetched("https://a.example/")), []);
  assert.deepEqual(rules(config, fetched("no address")), []);
  assert.deepEqual(rules({}, bash("npm test"), { mode: "bypassPermissions" }), []);
  assert.deepEqual(rules({}, file("Read", "../a"), { cwd: "/repo" }), []);
  // A rule would have to accept where the link leads as well.
  assert.deepEqual(rules({}, file("Read", "/repo/a"), { realPath: "/etc/passwd" }), []);
  assert.deepEqual(rules({}, file("Read", "/repo/a"), { realPath: "/repo/a" }), ["Read(/repo/a)"]);
});

test("in plan a call that fell through has its suggestions", () => {
  assert.deepEqual(rules({}, bash("npm test"), { planActive: true }), ["Bash(npm test)"]);
});

test("a dialect whose rules are exact offers the text alone, five rules at most, and files by their paths", () => {
  const config = { dialect: "claude-code-2.1", projectRoot: "/repo" };
  const [one] = suggested(config, bash("npm  test"));
  assert.deepEqual(one, { rule: "Bash(npm test)", behavior: "allow", alsoCovers: [], note: "Accepts this text alone." });
  assert.deepEqual(rules(config, bash("npm test > out.txt")), ["Bash(npm test)", "Edit(//repo/out.txt)"]);
  assert.deepEqual(rules(config, bash("npm test && ls && make x")), ["Bash(npm test)", "Bash(make x)"]);
  const many = suggested(config, bash("a 1; a 2; a 3; a 4; a 5; a 6"));
  assert.equal(many.length, 5);
  assert.ok(many[0].note.includes("more of them than are given a rule"));
  assert.deepEqual(rules(config, file("Write", "src/a.ts")), ["Edit(//repo/src/a.ts)"]);
  assert.deepEqual(rules(config, fetched("https://a.example/")), ["WebFetch(domain:a.example)"]);
  assert.deepEqual(rules(config, { tool: "mcp__a__b" }), ["mcp__a__b"]);
  assert.deepEqual(rules(config, { tool: "Skill", arguments: { skill: "pdf" } }), ["Skill(pdf)"]);
  for (const call of [bash("rm x"), bash("watch ls"), bash('npm test "$X"'), bash("npm test > $X"), { tool: "AskUserQuestion" }]) {
    assert.deepEqual(rules(config, call), [], JSON.stringify(call));
  }
  assert.deepEqual(rules(config, bash("npm test"), { mode: "plan" }), []);
  assert.deepEqual(rules(config, bash("npm test"), { mode: "dontAsk" }), ["Bash(npm test)"]);
});

test("a dialect whose prefixes end with a word has no blank behind them", () => {
  const config = { dialect: "qwen-code-0.24", projectRoot: "/repo" };
  const [written, head] = suggested(config, { tool: "run_shell_command", arguments: { command: "npm run test -- -w" } });
  assert.deepEqual([written.rule, head.rule], ["Bash(npm run test -- -w)", "Bash(npm run test)"]);
  assert.deepEqual(head.alsoCovers, ["npm run test --help"]);
  // A quoted rule cannot meet its own text there.
  assert.deepEqual(rules(config, bash("git commit -m 'a b'")), ["Bash(git commit)"]);
  assert.deepEqual(rules(config, file("edit", "src/a.ts")), ["Edit(//repo/src/a.ts)"]);
  assert.deepEqual(rules(config, fetched("https://a.example/")), ["WebFetch(a.example)"]);
  assert.deepEqual(rules(config, bash("cargo test"), { mode: "plan" }), []);
});

test("where the line is matched as it stands only a line of one command has suggestions", () => {
  const config = { dialect: "dsh-0.5" };
  const [written] = suggested(config, bash("npm test"));
  assert.equal(written.rule, "Bash(npm test)");
  assert.ok(written.note.includes("further commands"));
  assert.deepEqual(rules(config, bash("ls src && wc -l")), []);
  assert.deepEqual(rules(config, bash(" npm test")), []);
});

const CONFIG = {
  layers: [{ source: "userSettings", ask: ["Bash(git )"], allow: ["Read"] }],
  rules: { deny: ["Bash(rm )"], allow: ["Bash(npm )", "Bash(ls)", "Bash(never )"], bypassImmune: ["Edit(.git/)"], ask: ["WebFetch"] },
};
const CALLS = ["npm test", "ls && npm i", "rm x", "git status", "make", "ls; git log", "npm x; make"].map(bash);
CALLS.push(file("Read", "a"), fetched("https://a.example/"), file("Edit", ".git/config"));

test("a coverage is what explanations say, counted", () => {
  for (const dialect of DIALECTS) {
    const config = { ...CONFIG, dialect, projectRoot: "/repo" };
    withPolicy(config, (policy) => {
      for (const state of [undefined, { planActive: true }, { grants: ["Bash(make)", "Bash"], cwd: "/repo" }, { mode: "auto" }]) {
        const { rules, byKind, uncovered } = policy.coverage(CALLS, state);
        const expected = rules.map(({ path, text }) => ({ path, text, decided: 0, matched: 0 }));
        const kinds = { allow: 0, deny: 0, ask: 0, passthrough: 0 };
        for (const call of CALLS) {
          const { decision, rules: told } = policy.explain(call, state);
          kinds[decision.kind] += 1;
          for (const { path, decided, matched } of told) {
            const rule = expected.find((rule) => rule.path.join() === path.join());
            rule.decided += decided;
            rule.matched += matched;
          }
        }
        assert.deepEqual(rules, expected, dialect);
        assert.deepEqual(byKind, kinds, dialect);
        const open = (index) => ["no-match", "plan-wrap"].includes(policy.decide(CALLS[index], state).stage);
        assert.ok(uncovered.every(open), dialect);
      }
    });
  }
});

test("a coverage lists every rule in the order of the configuration, and the grants behind them", () => {
  withPolicy(CONFIG, (policy) => {
    const coverage = policy.coverage(CALLS, { grants: ["Bash(make)"] });
    const lines = coverage.rules.map(({ path, text, decided, matched }) => `${path.join("/")} ${text} ${decided} ${matched}`);
    assert.deepEqual(lines, [
      "layers/0/allow/0 Read 1 1",
      "layers/0/ask/0 Bash(git ) 2 2",
      "rules/allow/0 Bash(npm ) 3 3",
      "rules/allow/1 Bash(ls) 1 2",
      "rules/allow/2 Bash(never ) 0 0",
      "rules/deny/0 Bash(rm ) 1 1",
      "rules/ask/0 WebFetch 1 1",
      "rules/bypassImmune/0 Edit(.git/) 1 1",
      "grants/0 Bash(make) 2 2",
    ]);
    assert.deepEqual(coverage.byKind, { allow: 5, deny: 2, ask: 3, passthrough: 0 });
    assert.deepEqual(coverage.uncovered, []);
    assert.deepEqual(policy.coverage(CALLS).uncovered, [4, 6]);
    assert.deepEqual(policy.coverage([]).byKind, { allow: 0, deny: 0, ask: 0, passthrough: 0 });
    assert.deepEqual(structuredClone(coverage), coverage);
  });
});

test("calls cross in batches, those with the marks of a batch one by one", () => {
  const many = Array.from({ length: 1_300 }, (_, at) => bash(at % 3 === 0 ? "npm test" : "make"));
  many[600] = bash("npm \u0000x");
  for (const dialect of DIALECTS) {
    withPolicy({ ...CONFIG, dialect }, (policy) => {
      const coverage = policy.coverage(many);
      const kinds = policy.decideMany(many).map(({ kind }) => kind);
      for (const [kind, count] of Object.entries(coverage.byKind)) {
        assert.equal(count, kinds.filter((decided) => decided === kind).length, `${dialect} ${kind}`);
      }
    });
  }
});

test("two policies are compared by kind and effective, in order, and the call is the one that was given", () => {
  withPolicy({ rules: { deny: ["Bash(npm )"] } }, (before) =>
    withPolicy({ rules: { deny: ["Bash(npm publish)"], ask: ["Bash(make)"] } }, (after) => {
      const calls = [bash("npm test"), bash("ls"), bash("npm publish"), bash("make"), bash("npm i")];
      const changes = comparePolicies(before, after, calls);
      assert.deepEqual(changes.map(({ index }) => index), [0, 3, 4]);
      assert.ok(changes.every(({ index, call }) => call === calls[index]));
      assert.deepEqual(changes[0].before, before.decide(calls[0]));
      assert.deepEqual(changes[0].after, after.decide(calls[0]));
      assert.deepEqual(comparePolicies(before, before, calls), []);
      // `auto` lifts the question: only `effective` says so.
      const [lifted] = comparePolicies(before, after, [bash("make")], { mode: "auto" });
      assert.deepEqual([lifted.after.kind, lifted.after.effective], ["ask", "allow"]);
    }),
  );
});

test("a call is read once for all policies that are compared", () => {
  let reads = 0;
  const call = {
    get tool() {
      reads += 1;
      return reads === 1 ? "Bash" : "Read";
    },
    arguments: { command: "npm test" },
  };
  withPolicy({ rules: { allow: ["Bash(npm )"], deny: ["Read"] } }, (policy) => {
    assert.deepEqual(comparePolicies(policy, policy, [call]), []);
    assert.equal(reads, 1);
  });
});

test("what another agent decides differently, and where it does not take the configuration", () => {
  const config = { rules: { allow: ["Bash(npm )"], deny: ["Bash(rm )"] } };
  const calls = [bash("npm test"), bash("npm test && rm x"), bash("ls")];
  const differences = compareDialects(config, calls);
  assert.deepEqual(differences.map(({ dialect }) => dialect), ["dsh-0.5", "claude-code-2.1", "qwen-code-0.24"]);
  for (const { dialect, changes, diagnostics } of differences) {
    withPolicy(config, (own) =>
      withPolicy({ ...config, dialect }, (other) => assert.deepEqual(changes, comparePolicies(own, other, calls))),
    );
    assert.deepEqual(diagnostics, Policy.check({ ...config, dialect }));
  }
  assert.deepEqual(differences[0].changes.map(({ index }) => index), [1]);

  // A rule that another grammar refuses: no silence, and no part of the answer.
  const ending = { dialect: "standard", rules: { deny: ["Bash\\(x)(rm )"] } };
  const refused = compareDialects(ending, calls, { dialects: ["qwen-code-0.24", "claude-code-2.1", "standard"] });
  assert.deepEqual(refused.map(({ dialect }) => dialect), ["qwen-code-0.24", "claude-code-2.1", "standard"]);
  assert.deepEqual(refused[2].changes, []);
  const home = { dialect: "claude-code-2.1", layers: [{ source: "userSettings", directory: "/x", deny: ["Read(/a)"] }] };
  for (const { diagnostics } of compareDialects(home, [])) {
    assert.ok(diagnostics.some(({ code }) => code === "option-ignored"));
  }
});

test("a mode or a grant that another dialect does not know is a diagnostic of that dialect", () => {
  const config = { dialect: "claude-code-2.1" };
  for (const { changes, diagnostics } of compareDialects(config, [bash("make")], { state: { mode: "dontAsk" } })) {
    assert.equal(changes, undefined);
    assert.deepEqual(diagnostics.map(({ severity, code, path }) => [severity, code, path]), [["error", "mode-not-in-dialect", ["state", "mode"]]]);
  }
  const grants = ["WebFetch(domain:a_b?)"];
  const [standard] = compareDialects(config, [bash("make")], { state: { grants }, dialects: ["standard"] });
  assert.equal(standard.changes, undefined);
  assert.equal(standard.diagnostics[0].code, "invalid-domain");
  assert.deepEqual(standard.diagnostics[0].path, ["state", "grants", 0]);
  assert.throws(() => compareDialects({}, [], { state: { grants } }), { name: "RuleError" });
});

test("bad arguments are refused with their place", () => {
  const policy = new Policy(CONFIG);
  for (const [what, value] of Object.entries({ ...NO_TEXTS, proxy: throwing(), revoked: revoked(), "a likeness": Object.create(Policy.prototype), absent: undefined })) {
    assertRefused(what, () => comparePolicies(value, policy, []), argument("not-a-policy", ["before"]));
    assertRefused(what, () => comparePolicies(policy, value, []), argument("not-a-policy", ["after"]));
    if (value !== undefined) assertRefused(what, () => compareDialects({}, [], { dialects: [value] }), argument("not-a-string", ["options", "dialects", 0]));
  }
  for (const work of [(calls) => policy.coverage(calls), (calls) => comparePolicies(policy, policy, calls), (calls) => compareDialects({}, calls)]) {
    assertRefused("no list", () => work({}), argument("not-a-list", ["calls"]));
    assertRefused("no call", () => work([bash("ls"), 7]), argument("not-an-object", ["calls", 1]));
    assertRefused("a getter", () => work([withGetter("tool")]), argument("unreadable", ["calls", 0, "tool"]));
  }
  assertRefused("no object", () => policy.suggest(7), argument("not-an-object", ["call"]));
  assertRefused("a mode", () => policy.suggest(bash("ls"), { mode: "x" }), argument("unknown-mode", ["state", "mode"]));
  const refusal = { name: "RuleError", code: "empty-rule", path: ["state", "grants", 0], span: { start: 0, end: 1 } };
  const hint = "write `Tool` or `Tool(content)`";
  assertRefused("a grant", () => policy.coverage([], { grants: [" "] }), { ...refusal, hint });
  assertRefused("a dialect", () => compareDialects({}, [], { dialects: ["x"] }), argument("unknown-dialect", ["options", "dialects", 0]));
  assertRefused("options", () => compareDialects({}, [], 7), argument("not-an-object", ["options"]));
  for (const config of [undefined, null, 7, [], cycle(), throwing(), { dialect: "x" }, { rules: { deny: ["("] } }]) {
    assert.throws(() => compareDialects(config, []), { name: "PolicyError" });
  }
  policy.free();
  for (const work of [() => policy.suggest(bash("ls")), () => policy.coverage([]), () => comparePolicies(policy, policy, [bash("ls")])]) {
    assert.throws(work, { code: "freed" });
  }
  assertAlive("bad arguments of the analysis");
});

test("where the core stops nothing is counted and nothing suggested, and the next call is answered", () => {
  withPolicy({ rules: { deny: ["WebFetch(domain:a.example)"], allow: ["Bash(npm )"] } }, (policy) => {
    const call = fetched("https://b.example/");
    const works = [() => policy.suggest(call), () => policy.coverage([bash("npm x"), call])];
    works.push(() => comparePolicies(policy, policy, [call]), () => compareDialects({}, [call]));
    for (const work of works) {
      assert.throws(() => stopping(work), { name: "CoreError" });
      work();
    }
    assert.deepEqual(policy.coverage([bash("npm x"), call]).byKind, { allow: 1, deny: 0, ask: 0, passthrough: 1 });
  });
});
