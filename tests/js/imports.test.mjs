// Other agents' rules become a configuration that is never looser, and a report of everything that is not carried over.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Policy, fromCodexRules, fromOpenCodePermission } from "toolgate";
import { assertAlive } from "./bad-input/alive.mjs";
import { NO_JSON, NO_TEXTS, cycle, nested, revoked, throwing } from "./bad-input/values.mjs";
import { withPolicy } from "./with_policy.mjs";

const bash = (command) => ({ tool: "Bash", arguments: { command } });
const codes = (list) => [...new Set(list.map(({ code }) => code))].sort();

/** What a result has to have, whatever the input. */
function assertWhole({ config, diagnostics, losses }, title) {
  const errors = Policy.check(config).filter(({ severity }) => severity === "error");
  assert.deepEqual(errors, [], title);
  for (const { severity, code, message, path } of diagnostics) {
    assert.equal(severity, "error", title);
    assert.ok(/^[a-z]+(-[a-z]+)+$/.test(code) && message.length > 10 && Array.isArray(path), title);
  }
  for (const { code, effect, message, path } of losses) {
    assert.ok(["stricter", "weaker", "none"].includes(effect), title);
    assert.ok(/^[a-z]+(-[a-z]+)+$/.test(code) && message.length > 10 && Array.isArray(path), title);
  }
  if (diagnostics.length > 0) assert.ok(config.layers.every(({ allow }) => allow === undefined), title);
  assert.deepEqual(JSON.parse(JSON.stringify({ config, diagnostics, losses })), { config, diagnostics, losses }, title);
}

const RULES = `# What may run without a question
STATUS = ["status", 'diff']
prefix_rule(
    pattern = ["git", STATUS + ["log"]],   # words, or alternatives
    match = [["git", "status", "-s"], "git log --oneline"],
    not_match = ["git push", "gi status"],
)
prefix_rule(pattern = ["git", "push"], decision = "prompt", justification = "it leaves the house")
prefix_rule(["rm", "-rf"], "forbidden",)
`;

test("prefix rules of Codex become rules of words, and the report says where they differ", () => {
  const { config, diagnostics, losses } = fromCodexRules(RULES);
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(config, {
    dialect: "standard",
    layers: [
      {
        source: "config",
        allow: ["Bash(git status )", "Bash(git diff )", "Bash(git log )"],
        ask: ["Bash(git push)", "Bash(*$*)", "Bash(*`*)", "Bash(*<*)", "Bash(*>*)"],
        deny: ["Bash(rm -rf)"],
      },
    ],
  });
  assert.deepEqual(codes(losses), ["bare-command-asks", "justification-dropped", "more-is-held", "shell-syntax-asks"]);
  const spans = losses.filter(({ span }) => span).map(({ span }) => RULES.slice(span.start, span.end));
  assert.ok(spans.every((text) => text.startsWith("prefix_rule(") && text.endsWith(")")));
  withPolicy(config, (policy) => {
    for (const [command, kind] of [
      ["git status -s", "allow"],
      ["git log -1 && git diff a", "allow"],
      ["git status", "passthrough"],
      ["git statusx -s", "passthrough"],
      ["git log $(id)", "ask"],
      ["git log -1 > f", "ask"],
      ["git push origin", "ask"],
      ["sudo rm -rf x", "deny"],
      ["git log -1; rm -rf x", "deny"],
    ]) {
      assert.equal(policy.decide(bash(command)).kind, kind, command);
    }
  });
});

test("what of a file of Codex cannot be read is an error with its place, and then nothing is allowed", () => {
  const cases = [
    ['prefix_rule(pattern = ["ls"])\nfor x in ["a"]:\n    prefix_rule(pattern = [x])\n', "unsupported-syntax", "for x"],
    ['prefix_rule(pattern = ["ls"])\nload("x")\n', "unsupported-syntax", 'load("x")'],
    ['prefix_rule(pattern = [f"{x}"])', "unsupported-syntax", "prefix_rule"],
    ['prefix_rule(pattern = ["a", b])', "unsupported-syntax", "prefix_rule"],
    ['prefix_rule(pattern = ["a"]', "unsupported-syntax", "prefix_rule"],
    ['prefix_rule(pattern = ["a\n"])', "unsupported-syntax", "prefix_rule"],
    ['prefix_rule(pattern = ["\\q"])', "unsupported-syntax", "prefix_rule"],
    [' prefix_rule(pattern = ["a"])', "unsupported-syntax", "prefix_rule"],
    ["prefix_rule(pattern = [])", "invalid-arguments", "prefix_rule"],
    ["prefix_rule(pattern = [[]])", "invalid-arguments", "prefix_rule"],
    ["prefix_rule(pattern = [1])", "invalid-arguments", "prefix_rule"],
    ['prefix_rule(pattern = ["a"], when = "b")', "invalid-arguments", "prefix_rule"],
    ['prefix_rule(pattern = ["a"], pattern = ["b"])', "invalid-arguments", "prefix_rule"],
    ['prefix_rule(pattern = ["a"], justification = " ")', "invalid-arguments", "prefix_rule"],
    ['prefix_rule(pattern = ["a"], match = ["\'a"])', "invalid-arguments", "prefix_rule"],
    ['prefix_rule(pattern = ["a"], decision = "Allow")', "unknown-decision", "prefix_rule"],
    ['prefix_rule(pattern = ["a"], match = ["b"])', "example-differs", "prefix_rule"],
    ['prefix_rule(pattern = ["a"], not_match = [["/bin/a", "x"]])', "example-differs", "prefix_rule"],
    [`prefix_rule(pattern = ${"[".repeat(40)}"a"${"]".repeat(40)})`, "too-deep", "prefix_rule"],
  ];
  for (const [text, code, start] of cases) {
    const result = fromCodexRules(`prefix_rule(pattern = ["rm"], decision = "forbidden")\n${text}`);
    assert.equal(result.diagnostics[0]?.code, code, text);
    const { span } = result.diagnostics[0];
    assert.ok(`prefix_rule(pattern = ["rm"], decision = "forbidden")\n${text}`.slice(span.start, span.end).startsWith(start), text);
    assert.deepEqual(result.config.layers[0].deny, ["Bash(rm)"], text);
    assertWhole(result, text);
  }
});

test("texts of Starlark, escapes and all", () => {
  const text = `prefix_rule(pattern = ["a\\x62\\u0063\\101", r'd\\e', """f
g""", "it's" + ' "x"'], decision = "forbidden")`;
  const { config, diagnostics } = fromCodexRules(text);
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(config.layers[0].deny, ["Bash(abcA d\\\\e f\ng it's \"x\")"]);
});

test("words that no plain rule can hold", () => {
  const source = "projectSettings";
  const hard = fromCodexRules('prefix_rule(pattern=["a b", "c"])\nprefix_rule(pattern=["A=1"])\nprefix_rule(pattern=["ls", ["*", "x"]])', { source });
  assert.deepEqual(hard.config.layers, [{ source, allow: ["Bash(ls x )"], ask: ["Bash(*$*)", "Bash(*`*)", "Bash(*<*)", "Bash(*>*)"] }]);
  assert.equal(hard.losses.filter(({ code }) => code === "word-not-plain").length, 3);
  const held = fromCodexRules('prefix_rule(["rm", "*:"], "forbidden")\nprefix_rule([""], "forbidden")');
  assert.deepEqual(held.config.layers[0].deny, ["Bash(rm \\\\*:**)"]);
  assert.ok(held.losses.some(({ code, effect }) => code === "empty-word" && effect === "weaker"));
  withPolicy(held.config, (policy) => {
    assert.equal(policy.decide(bash("rm '*:' x")).kind, "deny");
    assert.equal(policy.decide(bash("rm a")).kind, "passthrough");
  });
  const long = fromCodexRules(`prefix_rule(["rm", "${"y".repeat(9_000)}"], "forbidden")`);
  withPolicy(long.config, (policy) => assert.equal(policy.decide(bash(`rm ${"y".repeat(9_000)} x`)).kind, "deny"));
});

test("alternatives that multiply are cut: fewer words hold, and none are allowed", () => {
  const many = JSON.stringify(Array.from({ length: 40 }, (_, at) => `w${at}`));
  const result = fromCodexRules(`A = ${many}\nprefix_rule(["x", A, A, A], "forbidden")\nprefix_rule(["y", A, A, A])`);
  assert.equal(result.config.layers[0].deny.length, 40);
  assert.equal(result.config.layers[0].allow, undefined);
  assert.deepEqual(result.losses.map(({ code, effect }) => [code, effect]), [
    ["alternatives-cut", "stricter"],
    ["more-is-held", "stricter"],
    ["alternatives-cut", "stricter"],
  ]);
  const all = `A = ${JSON.stringify(Array.from({ length: 900 }, (_, at) => `w${at}`))}\n` + Array.from({ length: 30 }, (_, at) => `prefix_rule(["p${at}", A], "prompt")`).join("\n");
  const full = fromCodexRules(all);
  assertWhole(full, "many rules");
  withPolicy(full.config, (policy) => {
    for (const program of ["p0", "p21", "p29"]) assert.equal(policy.decide(bash(`${program} w3`)).kind, "ask", program);
  });
});

test("rules about the network and the host's programs", () => {
  const { config, losses } = fromCodexRules(
    'network_rule(host = "API.example.", protocol = "https", decision = "deny")\nnetwork_rule("b.example", "http", "allow")\nnetwork_rule("::1", "http", "prompt")\nhost_executable(name = "git", paths = ["/usr/bin/git"])',
  );
  assert.deepEqual(config.layers, [{ source: "config", deny: ["WebFetch(domain:api.example)"] }]);
  assert.deepEqual(losses.map(({ code, effect }) => [code, effect]), [
    ["network-rule-narrowed", "weaker"],
    ["network-rule-dropped", "stricter"],
    ["network-rule-dropped", "weaker"],
    ["host-executable-dropped", "stricter"],
  ]);
});

/** A sequence that looks random, and is the same every time. */
function* numbers(seed) {
  for (let state = seed; ; yield state >>> 8) state = (Math.imul(state, 1664525) + 1013904223) | 0;
}

function picker(seed) {
  const source = numbers(seed);
  const pick = (list) => list[source.next().value % list.length];
  const many = (list, most) => Array.from({ length: 1 + (source.next().value % most) }, () => pick(list));
  const below = (most) => source.next().value % most;
  return { pick, many, below };
}

const STRICT = { allow: 0, passthrough: 1, ask: 2, deny: 3 };

test("over generated rules of Codex nothing is allowed that Codex would not, and nothing is held less", () => {
  const { pick, many } = picker(7);
  const words = ["git", "a", "ab", "-x", "a b", "*", "a*", "a:", "(a)", "\\", "", "A=1", "é"];
  const quoted = (word) => (/^[\w=:-]+$/.test(word) ? word : `'${word}'`);
  let allowed = 0;
  for (let round = 0; round < 400; round++) {
    const rules = many([0], 4).map(() => ({ pattern: many(words, 3).map((word) => pick([word, [word, pick(words)]])), decision: pick(["allow", "prompt", "forbidden"]) }));
    const result = fromCodexRules(rules.map(({ pattern, decision }) => `prefix_rule(${JSON.stringify(pattern)}, "${decision}")`).join("\n"));
    assertWhole(result, JSON.stringify(rules));
    const weaker = result.losses.some(({ effect }) => effect === "weaker");
    withPolicy(result.config, (policy) => {
      for (let call = 0; call < 12; call++) {
        const argv = many(words, 4);
        if (argv[0] === "" || argv[0] === "A=1") continue;
        const fits = ({ pattern }) => pattern.length <= argv.length && pattern.every((word, at) => [word].flat().includes(argv[at]));
        const decided = rules.filter(fits).map(({ decision }) => ({ allow: 0, prompt: 2, forbidden: 3 })[decision]);
        const theirs = decided.length === 0 ? 1 : Math.max(...decided);
        for (const line of [argv.map(quoted).join(" "), `true && ${argv.map(quoted).join(" ")}`]) {
          const ours = STRICT[policy.decide(bash(line)).kind];
          const title = `${JSON.stringify(rules)} ${line}`;
          if (ours === 0) assert.equal(theirs, 0, title);
          if (theirs >= 2 && !weaker) assert.ok(ours >= theirs, title);
          allowed += ours === 0;
        }
      }
    });
  }
  assert.ok(allowed > 20, `${allowed}`);
});

test("permissions of OpenCode keep their order by the sources of the layers", () => {
  const permission = {
    "*": "ask",
    bash: { "*": "deny", "git *": "allow", "git push *": "ask", "git push origin docs*": "allow", "npm:*": "allow" },
    read: { "*": "allow", "*.env": "deny" },
    edit: "deny",
    webfetch: { "https://example.com/*": "allow" },
  };
  const { config, diagnostics, losses } = fromOpenCodePermission(permission, { projectRoot: "/repo", home: "/home/u/" });
  assert.deepEqual(diagnostics, []);
  withPolicy(config, (policy) => {
    const state = { cwd: "/repo" };
    const decide = (call) => policy.decide(call, state).kind;
    for (const [command, kind] of [
      ["git status", "allow"],
      ["git", "deny"],
      ["git push", "ask"],
      ["git push origin main", "ask"],
      ["git push origin docs-2", "allow"],
      ["npm:x", "allow"],
      ["npm x", "deny"],
      ["git status && npm x", "deny"],
      ["git status /etc", "allow"],
      ["cat /etc/passwd", "deny"],
    ]) {
      assert.equal(decide(bash(command)), kind, command);
    }
    const read = (file_path) => decide({ tool: "Read", arguments: { file_path } });
    assert.deepEqual(["a", "/repo/a", "src/.env", "/etc/.env", "/etc/passwd", "../x"].map(read), ["allow", "allow", "deny", "deny", "passthrough", "passthrough"]);
    assert.equal(decide({ tool: "Write", arguments: { file_path: "a" } }), "deny");
    assert.equal(decide({ tool: "apply_patch" }), "deny");
    assert.equal(decide({ tool: "WebFetch", arguments: { url: "https://example.com/a" } }), "ask");
    assert.equal(decide({ tool: "Task" }), "ask");
  });
  assert.equal(config.home, "/home/u/");
  const found = losses.map(({ code, effect, path }) => `${code} ${effect} ${path.join("/")}`);
  for (const line of [
    "other-tools-not-held weaker *",
    "bare-command-asks stricter bash/git *",
    "more-is-held stricter bash/git push *",
    "more-is-held stricter read/*.env",
    "pattern-not-compared stricter webfetch/https://example.com/*",
    "no-counterpart weaker *",
  ]) {
    assert.ok(found.includes(line), `${line} is not among\n${found.join("\n")}`);
  }
});

test("what of OpenCode's permissions has no rule is dropped where it allows, and told where it held", () => {
  const report = (permission, options) => {
    const result = fromOpenCodePermission(permission, options);
    assertWhole(result, JSON.stringify(permission));
    return [result.config.layers, result.losses.map(({ code, effect }) => `${code} ${effect}`)];
  };
  assert.deepEqual(report(undefined), [[], []]);
  assert.deepEqual(report("allow")[0].map(({ source }) => source), ["config"]);
  assert.deepEqual(report({ bash: { "git status": "allow" } })[1], ["exact-not-carried stricter"]);
  assert.deepEqual(report({ bash: { "a?b *": "allow" } })[1], ["pattern-not-carried stricter"]);
  assert.deepEqual(report({ bash: { "a?b *": "deny" } }), [[{ source: "config", deny: ["Bash(a*b*)"] }], ["more-is-held stricter"]]);
  assert.deepEqual(report({ read: "allow" }), [[], ["needs-project-root stricter"]]);
  assert.deepEqual(report({ read: { "/etc/*": "allow", "~/x/*": "allow", "$HOME/y": "deny" } }), [
    [{ source: "config", deny: ["Read(~/y)"] }],
    ["needs-home weaker", "more-is-held stricter", "needs-home stricter", "absolute-pattern stricter"],
  ]);
  assert.deepEqual(report({ read: { "$HOME/y": "deny" } }, { home: "/home/u" })[0], [{ source: "config", deny: ["Read(/home/u/y)"] }]);
  assert.deepEqual(report({ external_directory: "deny", doom_loop: "allow" }), [[], ["no-counterpart weaker", "no-counterpart stricter"]]);
  assert.deepEqual(report({ write: "allow", linear_create: "deny", "git*": "ask" }), [
    [{ source: "config", deny: ["linear_create"] }],
    ["tool-name-not-carried stricter", "tool-name-not-carried weaker"],
  ]);
  assert.deepEqual(report({ bash: { "": "deny", " *": "ask" } })[0], [{ source: "userSettings", deny: ["Bash(**)"] }]);
  const cat = report({ bash: { "cat *": "allow", "*at x": "allow", "ls *": "allow" } });
  assert.deepEqual(cat[0], [
    {
      source: "config",
      allow: ["Bash(ls *)", "Bash(cat *)"],
      ask: ["Bash(cat * /*)", "Bash(cat * ~*)", "Bash(cat *..*)", "Bash(cat *$*)", "Bash(cat /*)", "Bash(cat ~*)"],
    },
  ]);
  assert.equal(cat[1].filter((line) => line === "outside-paths-ask stricter").length, 2);
  const outside = report({ bash: "allow", external_directory: "allow" });
  assert.deepEqual(outside[0], [{ source: "config", allow: ["Bash"] }]);
  const turns = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${"a".repeat(at)}*`, at % 2 ? "allow" : "deny"]));
  assert.ok(report({ bash: turns })[1].includes("order-approximated stricter"));
});

test("paths outside of the project ask, as OpenCode's other permission does", () => {
  for (const permission of [{ bash: "allow" }, { bash: { "*": "allow" } }, { bash: { "c*": "allow", "rm *": "allow" } }]) {
    const { config } = fromOpenCodePermission(permission);
    withPolicy(config, (policy) => {
      for (const command of ["cat /etc/passwd", "cat -n /etc/passwd", "cat '/etc/passwd'", "cat ../x", "cat a ~/x", 'cat "$HOME/x"', "rm -f ~/x", "cd /", "cat a && cat /etc/passwd"]) {
        assert.notEqual(policy.decide(bash(command)).kind, "allow", `${JSON.stringify(permission)} ${command}`);
      }
      assert.equal(policy.decide(bash("cat src/a.ts")).kind, "allow");
    });
  }
});

/** OpenCode's own matching, as its documents tell it. */
function theirMatch(text, pattern) {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*").replaceAll("?", ".");
  return new RegExp(`^${escaped.endsWith(" .*") ? `${escaped.slice(0, -3)}( .*)?` : escaped}$`, "s").test(text);
}

test("over generated permissions of OpenCode nothing is allowed that it would not, and nothing is held less", () => {
  const { pick, many } = picker(11);
  const pieces = ["git", "a", "ab", " ", " *", "*", "?", ":", "src/", ".env", "(", "b"];
  const commands = ["git", "git a", "git ab", "gita", "a b", "git (", "ab git", "a:b"];
  const files = ["a", "ab", "src/a", "src/b.env", ".env", "git/a", "b/src/a"];
  let allowed = 0;
  for (let round = 0; round < 500; round++) {
    const map = () => Object.fromEntries(many([0], 6).map(() => [pick(["*", many(pieces, 4).join("")]), pick(["allow", "ask", "deny"])]));
    const permission = Object.fromEntries(many(["bash", "read", "*", "*", "edit", "re*"], 3).map((key) => [key, pick([map(), "ask", "allow", "deny"])]));
    const result = fromOpenCodePermission(permission, { projectRoot: "/repo" });
    assertWhole(result, JSON.stringify(permission));
    const entries = Object.entries(permission).flatMap(([key, value]) =>
      (typeof value === "string" ? [["*", value]] : Object.entries(value)).map(([pattern, action]) => ({ key, pattern, action })),
    );
    const theirs = (name, text) => STRICT[entries.findLast(({ key, pattern }) => theirMatch(name, key) && theirMatch(text, pattern))?.action ?? "passthrough"];
    withPolicy(result.config, (policy) => {
      const check = (call, name, text) => {
        const wanted = theirs(name, text);
        const ours = STRICT[policy.decide(call, { cwd: "/repo" }).kind];
        const title = `${JSON.stringify(permission)} ${name} ${text}`;
        if (ours === 0) assert.equal(wanted, 0, title);
        if (wanted >= 2) assert.ok(ours >= wanted, title);
        allowed += ours === 0;
      };
      for (const command of commands) check(bash(command), "bash", command);
      for (const path of files) {
        for (const file_path of [path, `/repo/${path}`, `./x/../${path}`]) {
          check({ tool: "Read", arguments: { file_path } }, "read", path);
          check({ tool: "Write", arguments: { file_path } }, "edit", path);
        }
      }
    });
  }
  assert.ok(allowed > 500, `${allowed}`);
});

/** A text with a few edits: pieces of itself and of `bits` put in, and parts of it left out. */
function edited({ pick, below }, text, bits) {
  for (let edit = below(4); edit >= 0; edit--) {
    const [at, until] = [below(text.length + 1), below(text.length + 1)].sort((a, b) => a - b);
    text = text.slice(0, at) + pick([pick(bits), text.slice(at, until), ""]) + text.slice(pick([at, at, at + 1, until]));
  }
  return text;
}

test("files of Codex with mistakes in them never throw, and allow nothing without a rule", () => {
  const random = picker(13);
  const bits = ["[", "]", "(", ")", ",", "=", "+", '"', "'", '"""', "\\", "\\x4", "#", "\n", " ", "prefix_rule", "pattern", "decision", "allow", "forbidden", "é", "\u2028", "\0", "r'", "{", "for", "None", "-1"];
  let refused = 0;
  for (let round = 0; round < 3_000; round++) {
    const text = edited(random, RULES, bits);
    const result = fromCodexRules(text);
    assertWhole(result, text);
    refused += result.diagnostics.length > 0;
    for (const { span } of [...result.diagnostics, ...result.losses].filter(({ span }) => span)) {
      assert.ok(0 <= span.start && span.start <= span.end && span.end <= text.length, text);
    }
    if (!text.includes("prefix_rule")) assert.ok(result.config.layers.every(({ allow }) => allow === undefined), text);
  }
  assert.ok(refused > 500 && refused < 3_000, `${refused}`);
});

test("permissions of OpenCode with mistakes in them never throw, and what none of them allows is not allowed", () => {
  const random = picker(17);
  const bits = ["allow", "ask", "deny", '"', ":", "{", "}", ",", "*", "?", "~", "$HOME", "/", "\\\\", "\\ud800", "__proto__", "bash", "read", "1", "null", "[]", " ", "(", ")", "é"];
  const right = JSON.stringify({ "*": "ask", bash: { "*": "deny", "git *": "allow", "npm:*": "allow" }, read: { "*": "allow", "*.env": "deny", "~/x": "allow" }, edit: "deny" });
  let taken = 0;
  for (let round = 0; round < 4_000; round++) {
    let permission;
    const text = edited(random, right, bits);
    try {
      permission = JSON.parse(text);
    } catch {
      permission = text;
    }
    const result = fromOpenCodePermission(permission, random.pick([undefined, { projectRoot: "/repo", home: "/home/u" }]));
    assertWhole(result, text);
    taken += result.diagnostics.length === 0;
    if (!text.includes('"allow"')) assert.ok(result.config.layers.every(({ allow }) => allow === undefined), text);
  }
  assert.ok(taken > 200, `${taken}`);
});

function textOf(value) {
  try {
    return JSON.stringify(value);
  } catch {
    return "";
  }
}

test("hostile input never throws, and is never lost in silence", () => {
  const broken = { ...NO_JSON, cycle: cycle(), proxy: throwing(), revoked: revoked() };
  for (const [what, value] of Object.entries({ ...NO_TEXTS, ...broken, absent: undefined, none: null })) {
    const codex = fromCodexRules(value);
    assert.deepEqual(codex.diagnostics.map(({ code }) => code), ["not-a-string"], what);
    assertWhole(codex, what);
    if (value === undefined || value === null) continue;
    const open = fromOpenCodePermission(value);
    if (what !== "an object that says it is a text") assert.ok(open.diagnostics.length + open.losses.length > 0 || ["{}", undefined].includes(textOf(value)), what);
    assertWhole(open, what);
    for (const options of [value, { source: value, projectRoot: value }]) {
      assertWhole(fromCodexRules("", options), what);
      assertWhole(fromOpenCodePermission({}, options), what);
    }
  }
  const permissions = [
    [{ bash: { x: "alow" } }, "unknown-action", ["bash", "x"]],
    [{ bash: ["allow"] }, "unknown-action", ["bash"]],
    [{ bash: { x: { y: "allow" } } }, "unknown-action", ["bash", "x"]],
    ["ALLOW", "unknown-action", []],
    [[], "not-an-object", []],
    [7, "not-an-object", []],
    [{ bash: { "\ud800": "deny" } }, "lone-surrogate", []],
    [{ bash: "x".repeat(1_100_000) }, "input-too-large", []],
    [cycle(), "not-json", []],
  ];
  for (const [permission, code, path] of permissions) {
    const result = fromOpenCodePermission(permission);
    assert.deepEqual(result.diagnostics.map((found) => [found.code, found.path]), [[code, path]], code);
    assertWhole(result, code);
  }
  assertWhole(fromOpenCodePermission(JSON.parse('{"__proto__":{"x":"deny"},"toString":"deny","constructor":"allow"}')), "names of objects");
  assertWhole(fromOpenCodePermission({ bash: nested(5_000) }), "nested");
  const options = [
    [7, "not-an-object", ["options"]],
    [{ source: "x" }, "invalid-option", ["options", "source"]],
    [{ sauce: "x" }, "unknown-option", ["options", "sauce"]],
  ];
  for (const [given, code, path] of options) {
    assert.deepEqual(fromCodexRules("", given).diagnostics.map((found) => [found.code, found.path]), [[code, path]]);
  }
  for (const projectRoot of ["repo", "/", "/a/../b", "/a//b", "/a*", "/\ud800", "/a b", 7]) {
    assert.deepEqual(codes(fromOpenCodePermission({}, { projectRoot }).diagnostics), ["invalid-option"], String(projectRoot));
  }
  for (const [text, code] of [
    ["\ud800", "lone-surrogate"],
    ["x".repeat(1_100_000), "input-too-large"],
    ["(".repeat(500_000), "unsupported-syntax"],
    ["[".repeat(500_000), "unsupported-syntax"],
    [`x(${"[".repeat(500_000)}`, "too-deep"],
    ['"""'.repeat(300_000), "unsupported-syntax"],
    ["a=1; ".repeat(150_000) + "(", "unsupported-syntax"],
    ["'\n".repeat(500_000), "unsupported-syntax"],
    ['A = "aaaaaaaa"\n' + "A = A + A\n".repeat(60), "unsupported-syntax"],
    ["\\".repeat(900_000), "unsupported-syntax"],
    ["#".repeat(900_000) + "\n(", "unsupported-syntax"],
  ]) {
    const start = performance.now();
    const result = fromCodexRules(text);
    assert.ok(performance.now() - start < 5_000, `${text.slice(0, 20)} took ${performance.now() - start} ms`);
    assert.ok(codes(result.diagnostics).includes(code), `${text.slice(0, 20)} ${codes(result.diagnostics)}`);
    assertWhole({ ...result, diagnostics: result.diagnostics.slice(0, 5) }, code);
  }
  assertAlive("hostile rules");
});

test("files that are no files of rules never throw", () => {
  const { many } = picker(3);
  const pieces = ["prefix_rule(", "pattern", "=", "[", "]", '"a"', "'b", ",", ")", "\n", " ", "#", "+", "None", "x", '"""', "\\", "decision", '"allow"', ";", "r", "1"];
  for (let round = 0; round < 3_000; round++) {
    const text = many(pieces, 24).join("");
    assertWhole(fromCodexRules(text), JSON.stringify(text));
  }
});
