// Calls, the same in every runtime; each gives one line of JSON.

const settings = {
  rules: { allow: ["Bash(npm test)", "Read"], deny: ["Bash(rm )", "WebFetch(domain:*.example.com)"], ask: ["Bash(git push)"] },
  layers: [{ source: "projectSettings", allow: ["Bash(git )"] }],
};
const rule = (behavior, toolName, content) => ({
  toolName,
  ...(content === undefined ? {} : { content, matcher: { kind: "prefix", prefix: content } }),
  behavior,
  source: "config",
});

/** Runs `use` on a compiled policy, and frees it. */
function withPolicy({ Policy }, config, use) {
  const policy = new Policy(config);
  try {
    return use(policy);
  } finally {
    policy.free();
  }
}

/** What a stage says whose model allows, asks, never answers and rejects, and what it writes down. */
async function judged({ AutoStage }) {
  const says = {
    "make allow": () => '{"verdict":"allow"}',
    "make ask": async () => '```json\n{"verdict":"ask","reason":"a rule"}\n```',
    // It stops when nobody waits any more, which nobody has to catch.
    "make slow": (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    "make broken": () => Promise.reject(new Error("no connection")),
  };
  const audits = [];
  const stage = new AutoStage({
    settings: () => ({ classifier: { enabled: true, timeoutMs: 250 } }),
    resolveRoute: () => ({ provider: "p", model: "m" }),
    complete: ({ prompt }, signal) => says[/command: (.*)/.exec(prompt)[1]](signal),
    audit: (_, { latencyMs, ...record }) => audits.push({ ...record, isWhole: Number.isSafeInteger(latencyMs) }),
    warn: () => audits.push("warned"),
  });
  const decision = { kind: "passthrough", effective: "passthrough", mode: "auto", risk: { level: "LOW", reasons: [], findings: [] }, stage: "no-match", readOnly: false };
  const outcomes = [];
  for (const command of [...Object.keys(says), "make allow"]) {
    outcomes.push((await stage.maybeEscalate(decision, { tool: "Bash", arguments: { command } }, { sessionId: "s" })) ?? null);
  }
  const snapshot = stage.snapshot();
  stage.free();
  return { outcomes, audits, snapshot };
}

const cases = [
  (t) => t.parseRuleString("Bash(npm run test)"),
  (t) => t.parseRuleString("WebFetch(domain:*.Bücher.example)"),
  (t) => t.parseRuleString("Bash(git *)", "dsh-0.5"),
  (t) => t.parseRuleString("Bash(ls"),
  (t) => t.parseRuleString("Bash(é) tail"),
  (t) => t.ruleString("Bash", "echo (a) \\ b"),
  (t) => t.escapeRuleContent("psycopg2.connect()"),
  (t) => t.unescapeRuleContent("psycopg2.connect\\(\\) 😀"),
  (t) => t.contentMatches(t.parseRuleString("Bash(npm run *)"), "npm run test"),
  (t) => t.contentMatches(t.parseRuleString("Bash(npm run *)"), "npm run"),
  (t) => t.mergeRuleSets({ allow: [rule("allow", "Bash", "a")] }, { allow: [{ ...rule("allow", "Edit"), source: "session" }] }),
  (t) => t.evaluatePermission({ toolName: "Bash", subject: "rm -r x", rules: { deny: [rule("deny", "Bash", "rm ")] }, mode: "default" }),
  (t) => t.evaluatePermission({ toolName: "edit", subject: "a.ts", rules: {}, mode: "acceptEdits", isFileEdit: true, dialect: "dsh-0.5" }),
  (t) => t.evaluatePermission({ toolName: "Bash", rules: { deny: [{ behavior: "deny", source: "config" }] }, mode: "default" }),
  (t) => t.Policy.check({ rules: { allow: ["", "Bash(npm publish:*)"], deny: ["Bash(ls) "] } }),
  (t) => new t.Policy({ rules: { allow: ["Bash("], deny: ["(x)"] } }),
  (t) => withPolicy(t, settings, (policy) => [policy.dialect, policy.ruleCount, policy.fingerprint]),
  (t) => withPolicy(t, settings, (policy) => policy.decide({ tool: "Bash", arguments: { command: "npm test" } })),
  (t) => withPolicy(t, settings, (policy) => policy.decide({ tool: "WebFetch", arguments: { url: "https://a.Example.com/x" } })),
  (t) =>
    withPolicy(t, settings, (policy) => {
      const calls = ["git status", "git push", "rm x"].map((command) => ({ tool: "Bash", arguments: { command } }));
      return policy.decideMany([...calls, { tool: "Edit", subject: "a" }], { mode: "plan", cwd: "/repo" });
    }),
  judged,
];

/** An error as data: all that hosts may rely on. */
function refusal(error) {
  const { name, code, span, path, rule, hint, diagnostics } = error;
  return { threw: name, isTypeError: error instanceof TypeError, code, span, path, rule, hint, diagnostics };
}

/** A line for each. */
export async function* lines(toolgate) {
  for (const [at, run] of cases.entries()) {
    try {
      yield JSON.stringify({ case: at + 1, gives: await run(toolgate) });
    } catch (error) {
      yield JSON.stringify({ case: at + 1, ...refusal(error) });
    }
  }
}
