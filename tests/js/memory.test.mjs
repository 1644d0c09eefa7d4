// Bad calls leave nothing behind: the module's memory, which can only grow, does not.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as toolgate from "toolgate";
import { assertAlive, instance, pages } from "./bad-input/alive.mjs";
import { cycle, revoked, throwing } from "./bad-input/values.mjs";
import { allow, ask, deny, fileOf, hostOf, request } from "./evidence/host.mjs";
import { ALLOW, ASK, OPEN, bash, fakeHost } from "./stage/host.mjs";

const { Policy } = toolgate;
const policy = new Policy({ rules: { allow: ["Bash(npm )"], deny: ["WebFetch(domain:example.com)"] } });
const rule = { toolName: "Bash", content: "x", behavior: "allow", source: "config" };
const fold = { toolName: "Bash", rules: {}, mode: "default" };
const texts = ["x".repeat(400), "é".repeat(200), "😀".repeat(150)];
const text = (at) => texts[at % texts.length];

/** Each throws, most of them from within the core, some with a good deal of text on its way. */
const BAD = [
  (at) => toolgate.parseRuleString(`Bash(${text(at)}`),
  (at) => toolgate.parseRuleString(`WebFetch(domain:${text(at)}/)`),
  (at) => toolgate.parseRuleString(`Bash(${text(at)})`, text(at)),
  (at) => toolgate.parseRuleString(`${text(at)}\ud800`),
  (at) => toolgate.escapeRuleContent(text(at), "toString"),
  (at) => toolgate.contentMatches({ ...rule, matcher: { kind: text(at) } }, text(at)),
  (at) => toolgate.mergeRuleSets({ allow: [rule, { ...rule, content: `${text(at)}\udc00` }] }),
  (at) => toolgate.mergeRuleSets({ deny: text(at) }),
  (at) => toolgate.evaluatePermission({ ...fold, rules: { deny: [rule, { ...rule, content: text(at) }] } }),
  (at) => toolgate.evaluatePermission({ ...fold, [text(at)]: 1 }),
  (at) => toolgate.configFromSettings({ deny: [text(at)] }, { [text(at)]: 1 }),
  (at) => new Policy({ rules: { allow: ["Bash", text(at), `Bash(${text(at)}`] } }),
  (at) => new Policy({ layers: [{ source: text(at), deny: [text(at), 7] }] }),
  () => new Policy(cycle()),
  (at) => policy.decide({ tool: "Bash", arguments: { command: `${text(at)}\ud800` } }),
  (at) => policy.decide({ tool: "Bash", arguments: { command: text(at) } }, { grants: ["Read", `Bash(${text(at)}`] }),
  (at) => policy.decide({ tool: "Bash", arguments: { command: text(at) } }, { mode: "dontAsk" }),
  (at) => toolgate.assessBashCommand(text(at), ["(", text(at)]),
  (at) => toolgate.assessFilePath(text(at), { cwd: "/repo", [text(at)]: 1 }),
  (at) => policy.explain({ tool: "Bash", arguments: { command: text(at) } }, { grants: [`(${text(at)}`] }),
  () => policy.decide(throwing()),
  () => policy.decide(revoked()),
];

/** One bad call; it must throw an error that has a code. */
function provoke(at) {
  let code;
  try {
    BAD[at % BAD.length](at);
  } catch (error) {
    code = error.code;
  }
  assert.equal(typeof code, "string", String(BAD[at % BAD.length]));
}

test("memory is flat over 100,000 bad calls", () => {
  for (let at = 0; at < 2_000; at++) provoke(at);
  const [live, warm] = [instance(), pages()];
  for (let at = 0; at < 100_000; at++) provoke(at);
  assert.equal(instance(), live, "the core stopped");
  assert.equal(pages(), warm, "pages of the module's memory");
  assertAlive("100,000 bad calls");
});

test("memory is flat over policies that are made and freed", () => {
  const use = (at) => {
    const made = new Policy({ rules: { allow: [`Bash(${text(at)})`], deny: ["Read"] } });
    made.decide({ tool: "Bash", arguments: { command: text(at) } }, { grants: [`Bash(${text(at)})`] });
    made.decide({ tool: "WebFetch", arguments: { url: `https://example.com/${at}` } });
    made.free();
  };
  for (let at = 0; at < 500; at++) use(at);
  const warm = pages();
  for (let at = 0; at < 2_000; at++) use(at);
  assert.equal(pages(), warm, "pages of the module's memory");
});

test("memory is flat over 20,000 calls of a stage, and over stages that are made and freed", async () => {
  const answers = [ALLOW, ASK, "?", () => Promise.reject(new Error("x"))];
  let at = 0;
  const { host } = fakeHost([() => answers[at % answers.length]]);
  // Another host's audit log would grow.
  host.audit = () => {};
  const stage = new toolgate.AutoStage(host);
  const use = async (stage) => {
    at += 1;
    const controller = new AbortController();
    const context = { sessionId: `s${at % 50}`, signal: controller.signal };
    const asking = stage.maybeEscalate(OPEN, bash(`${at % 600} ${text(at)}`), context);
    if (at % 7 === 0) controller.abort();
    await asking;
    if (at % 10 === 0) stage.rebuild();
  };
  for (let n = 0; n < 2_000; n++) await use(stage);
  const [live, warm] = [instance(), pages()];
  for (let n = 0; n < 20_000; n++) await use(stage);
  for (let n = 0; n < 1_000; n++) {
    const other = toolgate.AutoStage.restore(host, stage.snapshot());
    await use(other);
    other.free();
  }
  assert.equal(instance(), live, "the core stopped");
  assert.equal(pages(), warm, "pages of the module's memory");
});

test("memory is flat over classifications", async () => {
  const replies = [ask("a.mjs"), deny, allow, { text: "?" }, () => Promise.reject(new Error("no model"))];
  const use = async (at) => {
    const { host } = hostOf(replies.slice(at % 4), { inspectFile: async () => fileOf(`// ${text(at)}`) });
    const classifier = new toolgate.EvidenceClassifier(host);
    const asked = { ...request, evidencePaths: ["a.mjs"], restrictions: [text(at)], history: Array(at % 9).fill(request.action) };
    for (let n = 0; n < 3; n++) await classifier.classify(n === at % 5 ? { ...asked, humanRequests: text(at) } : asked);
    classifier.free();
  };
  for (let n = 0; n < 200; n++) await use(n);
  const [live, warm] = [instance(), pages()];
  for (let n = 0; n < 1_500; n++) await use(n);
  assert.equal(instance(), live, "the core stopped");
  assert.equal(pages(), warm, "pages of the module's memory");
});
