// Every place of the API that takes an object or a list from its host, each with a value that is well formed there.
import { ALLOW, OPEN, bash, fakeHost } from "../js/stage/host.mjs";
import { allow, hostOf, request } from "../js/evidence/host.mjs";
import { answer, assess, classifier, gateOf, opened } from "../js/review/host.mjs";

const config = {
  rules: { allow: ["Bash(npm )"], deny: ["Bash(rm )", "WebFetch(domain:example.com)"], ask: ["Bash(git push)"] },
  layers: [{ source: "projectSettings", deny: ["Read(/etc/)"] }],
  defaultMode: "plan",
  fileEditTools: ["Edit"],
};
const lists = { allow: [{ toolName: "Read", behavior: "allow", source: "config" }] };
const fold = { toolName: "Bash", subject: "rm x", rules: { deny: [{ toolName: "Bash", behavior: "deny", source: "config" }] }, mode: "default" };
const state = { mode: "auto", cwd: "/repo", planActive: false, sandbox: "read-only", grants: ["Bash(make)"], realPath: "/repo/a" };
const call = { tool: "Bash", arguments: { command: "rm x" }, subject: "rm x" };
const events = [
  { type: "permission/mode", data: { mode: "auto" } },
  { type: "permission/classifier", data: { tool: "Bash", verdict: "ask", latencyMs: 1, cacheHit: false } },
];
const records = [{ tool: "Bash", verdict: "ask", failure: "error", provider: "p", model: "m", latencyMs: 1, cacheHit: false }];
const denials = { consecutiveBlock: 1, consecutiveUnavailable: 0, totalBlock: 1, totalUnavailable: 0 };
const most = 1024;
const blocks = { max_user_entry_bytes: most, max_agent_entry_bytes: most, max_tool_entry_bytes: most, max_block_bytes: most, max_active_action_bytes: most };
const diagnostic = { implementation: "auto-classifier-diagnostics-v1", elapsedMs: 1, deadlineMs: 2, timerFired: false, returnPath: "verdict" };

/**
 * `give(value)` hands the value in at the place and gives what comes of it, a promise of it where the API waits; `value` is
 * well formed. A value is taken in other shapes as well, but for one that is taken only as the package itself made it.
 */
export function entries(t) {
  const policy = new t.Policy(config);
  const made = (make, use = () => "made") => {
    const thing = make();
    try {
      return use(thing);
    } finally {
      thing.free();
    }
  };
  const stage = () => new t.AutoStage(fakeHost([ALLOW]).host);
  const escalate = async (...given) => {
    const asked = stage();
    try {
      return await asked.maybeEscalate(...given);
    } finally {
      asked.free();
    }
  };
  const classify = async (...given) => {
    const classifier = new t.EvidenceClassifier(hostOf([allow]).host);
    try {
      const { kind, error } = await classifier.classify(...given);
      return { kind, error };
    } finally {
      classifier.free();
    }
  };
  const confirmation = t.fallbackConfirmation({ kind: "fallback", reason: "ask_rule", permissionDeniedHook: false });
  const snapshot = made(stage, (one) => one.snapshot());
  const gate = gateOf();
  const { request: asked, context } = gate;
  const basis = { ...gate.basis, classifier_revision: "a-1" };
  const contextPolicy = { revision: "c", max_bytes: 4096, max_estimated_tokens: 4096, max_entries: 8, ...blocks };
  const subject = t.createReviewSubject(basis, asked, context);
  const assessment = assess(subject, { recommendation: "needs_human" });
  const reviewPolicy = t.createReviewPolicy({ revision: basis.gate_policy_revision });
  const named = [{ name: "a", revision: "a-1" }];
  const session = async (use) => {
    const { session } = opened([]);
    try {
      return await use(session);
    } finally {
      session.free();
    }
  };
  const answered = (use) =>
    session(async (one) => {
      await one.openGate(gate);
      await use(one);
      return (await one.resolution(basis.gate_id)).action;
    });
  const list = [
    ["new Policy", (x) => made(() => new t.Policy(x), (one) => [one.fingerprint, one.decide(call).kind]), config],
    ["Policy.check", (x) => t.Policy.check(x), config],
    ["decide: call", (x) => policy.decide(x), call],
    ["decide: state", (x) => policy.decide(call, x), state],
    ["decideMany: calls", (x) => policy.decideMany(x), [call, call]],
    ["decideMany: state", (x) => policy.decideMany([call], x), state],
    ["explain: call", (x) => policy.explain(x), call],
    ["explain: state", (x) => policy.explain(call, x), state],
    ["suggest: call", (x) => policy.suggest(x), call],
    ["coverage: calls", (x) => policy.coverage(x), [call]],
    ["coverage: state", (x) => policy.coverage([call], x), state],
    ["comparePolicies: calls", (x) => t.comparePolicies(policy, policy, x), [call]],
    ["comparePolicies: before", (x) => t.comparePolicies(x, policy, [call]), policy],
    ["compareDialects: config", (x) => t.compareDialects(x, [call], { dialects: ["dsh-0.5"] }), { rules: config.rules }],
    ["compareDialects: options", (x) => t.compareDialects({ rules: config.rules }, [call], x), { dialects: ["dsh-0.5"] }],
    ["configFromSettings: settings", (x) => t.configFromSettings(x), { allow: ["Read"], defaultMode: "plan" }],
    ["configFromSettings: options", (x) => t.configFromSettings({ allow: ["Read"] }, x), { source: "userSettings" }],
    ["contentMatches: rule", (x) => t.contentMatches(x, "rm x"), { toolName: "Bash", content: "rm ", matcher: { kind: "prefix", prefix: "rm " } }],
    ["mergeRuleSets: a set", (x) => t.mergeRuleSets(x), lists],
    ["evaluatePermission", (x) => t.evaluatePermission(x), fold],
    ["assessBashCommand: patterns", (x) => t.assessBashCommand("ls", x), ["^ls"]],
    ["assessFilePath: options", (x) => t.assessFilePath("a", x), { cwd: "/repo", protectedFiles: ["a"] }],
    ["fromCodexRules: options", (x) => t.fromCodexRules('prefix_rule(pattern=["ls"], decision="forbidden")', x), { source: "session" }],
    ["fromOpenCodePermission", (x) => t.fromOpenCodePermission(x), { bash: { "rm *": "deny" }, read: "deny" }],
    ["fromOpenCodePermission: options", (x) => t.fromOpenCodePermission({ read: "deny" }, x), { home: "/home/a" }],
    ["foldPermissionMode: events", (x) => t.foldPermissionMode(x), events],
    ["foldResumeSandbox: events", (x) => t.foldResumeSandbox(x), events],
    ["foldSessionAllow: events", (x) => t.foldSessionAllow(x), events],
    ["foldClassifiers: events", (x) => t.foldClassifiers(x), events],
    ["checkModeEvents: events", (x) => t.checkModeEvents(x), events],
    ["setPermissionMode: current", (x) => t.setPermissionMode(x, "acceptEdits"), { events, defaultMode: "default" }],
    ["approveSandboxEscalation", (x) => t.approveSandboxEscalation(x), { reason: "escalate", toolName: "Bash", timestamp: 1 }],
    ["deriveGrant: call", (x) => t.deriveGrant(x), call],
    ["trailingRouteFailureStreak: events", (x) => t.trailingRouteFailureStreak(x, "p/m", 3), records],
    ["expandSoftDeny", (x) => t.expandSoftDeny(x), ["Bash(rm )"]],
    ["dangerousAllowRules", (x) => t.dangerousAllowRules(x), ["Bash(npm )"]],
    ["callFingerprint: params", (x) => t.callFingerprint("Bash", "/repo", x), { command: "ls" }],
    ["new DenialTracker", (x) => made(() => new t.DenialTracker(x), (one) => one.state), denials],
    ["DenialTracker.apply", (x) => made(() => new t.DenialTracker(denials), (one) => [one.apply(x), one.state]), { kind: "block", reason: "no" }],
    ["fallbackConfirmation: outcome", (x) => t.fallbackConfirmation(x), { kind: "fallback", reason: "ask_rule", permissionDeniedHook: false }],
    ["fallbackConfirmation: options", (x) => t.fallbackConfirmation({ kind: "fallback", reason: "ask_rule", permissionDeniedHook: false }, x), confirmation.options],
    ["toAcpPermissionRequest: confirmation", (x) => t.toAcpPermissionRequest(x), confirmation],
    ["toAcpPermissionRequest: content", (x) => t.toAcpPermissionRequest(confirmation, x), [{ type: "text" }]],
    ["fromAcpOutcome: confirmation", (x) => t.fromAcpOutcome(x, { outcome: "cancelled" }), confirmation],
    ["fromAcpOutcome: outcome", (x) => t.fromAcpOutcome(confirmation, x), { outcome: "cancelled" }],
    ["projectDiagnostic", (x) => t.projectDiagnostic(x), diagnostic],
    ["buildReviewContext: input", (x) => t.buildReviewContext(x, contextPolicy), context],
    ["buildReviewContext: policy", (x) => t.buildReviewContext(context, x), contextPolicy],
    ["createReviewSubject: basis", (x) => t.createReviewSubject(x, asked, context), basis],
    ["createReviewSubject: request", (x) => t.createReviewSubject(basis, x, context), asked],
    ["createReviewSubject: context", (x) => t.createReviewSubject(basis, asked, x), context],
    ["subjectDigest", (x) => t.subjectDigest(x), subject],
    ["createReviewPolicy", (x) => t.createReviewPolicy(x), { revision: "r" }],
    ["evaluateAssessment: policy", (x) => t.evaluateAssessment(x, subject, assessment), reviewPolicy, "as it is"],
    ["evaluateAssessment: subject", (x) => t.evaluateAssessment(reviewPolicy, x, assessment), subject],
    ["evaluateAssessment: assessment", (x) => t.evaluateAssessment(reviewPolicy, subject, x), assessment],
    ["combineAssessments: classifiers", (x) => t.combineAssessments(reviewPolicy, x, []), named],
    ["combineAssessments: outcomes", (x) => t.combineAssessments(reviewPolicy, named, x), [{ subject, applicable: true, status: "failed" }]],
    ["parseAssessment: subject", (x) => t.parseAssessment(JSON.stringify({ version: "command_safety_output.v1", ...assessment }), x), subject],
    ["new AutoStage", (x) => made(() => new t.AutoStage(x)), fakeHost().host],
    ["AutoStage.restore: snapshot", (x) => made(() => t.AutoStage.restore(fakeHost().host, x), (one) => one.snapshot()), snapshot],
    ["maybeEscalate: decision", (x) => escalate(x, bash("make"), { sessionId: "s" }), { ...OPEN, mode: "plan" }],
    ["maybeEscalate: call", (x) => escalate({ ...OPEN, mode: "plan" }, x, { sessionId: "s" }), bash("make")],
    ["maybeEscalate: context", (x) => escalate({ ...OPEN, mode: "plan" }, bash("make"), x), { sessionId: "s", readOnly: true }],
    ["new EvidenceClassifier", (x) => made(() => new t.EvidenceClassifier(x)), hostOf([allow]).host],
    ["classify: request", (x) => classify(x), { ...request, humanRequests: [] }],
    ["classify: options", (x) => classify({ ...request, humanRequests: [] }, x), {}],
    ["new ReviewSession", (x) => made(() => new t.ReviewSession(x)), reviewHost(t)],
    ["openGate", (x) => session(async (one) => (await one.openGate(x), "opened")), gate],
    ["respond: gate", (x) => answered((one) => one.respond(x, answer("Deny"))), basis.gate_id],
    ["respond: answer", (x) => answered((one) => one.respond(basis.gate_id, x)), answer("Deny")],
    ["resolution: gate", (x) => session(async (one) => (await one.openGate(gate), await one.respond(basis.gate_id, answer("Deny")), one.resolution(x))), basis.gate_id],
  ];
  return list.map(([name, give, value, as]) => ({ name, give, value, hasShapes: as === undefined }));
}

const reviewHost = (t) => ({
  classifiers: [classifier("a")],
  policy: t.createReviewPolicy(),
  currentPolicyRevision: () => "",
  appendResolution: async () => {},
  audit() {},
});
