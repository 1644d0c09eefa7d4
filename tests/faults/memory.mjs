// The core's memory has an end: in a test build it is small (`faulty.mjs`). What does not fit is denied or refused, whatever was asked;
// the module comes back, nothing else is lost, and many such calls leave nothing behind.
import { answer, gateOf, opened } from "../js/review/host.mjs";
import { allow, hostOf, request } from "../js/evidence/host.mjs";
import { ALLOW, OPEN, bash, fakeHost } from "../js/stage/host.mjs";
import { bystanders } from "./bystanders.mjs";
import { Tally, ok, same } from "./is.mjs";

/** Texts that are larger than the memory, or not much smaller: in three bytes a character. */
const large = (units) => "語".repeat(units);
const CORE = "CoreError core-stopped";

export function cases(t, { instance }) {
  const policy = () => new t.Policy({ rules: { allow: ["Bash(npm )"], deny: ["Bash(rm )"] } });
  const line = bash(`npm ${large(1_000_000)}`);
  const works = {
    "a configuration": [() => new t.Policy({ rules: { allow: Array.from({ length: 3_000 }, (_, at) => `Bash(${large(900)}${at})`) } }), CORE],
    "a configuration that is checked": [() => t.Policy.check({ home: large(3_000_000) })[0].code, "core-stopped"],
    "a call": [() => policy().decide({ ...line, subject: large(1_000_000) }).risk.findings[0].code, "core-stopped"],
    "a call among others": [() => policy().decideMany([bash("npm x"), { ...line, subject: large(1_000_000) }, bash("rm x")]).map(({ kind }) => kind).join(), "allow,deny,deny"],
    "many calls": [() => policy().decideMany(Array(512).fill(bash(`npm ${"x".repeat(20_000)}`))).every(({ kind }) => kind === "allow"), true],
    "an explanation": [() => policy().explain({ ...line, subject: large(1_000_000) }), CORE],
    "grants": [() => policy().decide(bash("npm x"), { grants: [`Bash(${large(3_000_000)})`] }).kind, "deny"],
    "a log": [() => t.foldClassifiers(Array(20).fill({ type: "permission/classifier", data: { tool: large(200_000) } })), CORE],
    "a rule set": [() => t.mergeRuleSets({ allow: [{ toolName: large(3_000_000), behavior: "allow", source: "config" }] }), CORE],
    "a text for secrets": [() => t.containsSecret(large(3_000_000)), CORE],
    "a verdict": [() => t.parseVerdict(large(3_000_000)), CORE],
    "a call of a stage": [
      async () => {
        const { host } = fakeHost([ALLOW], { settings: () => ({ classifier: { enabled: true }, soft_deny: [large(3_000_000)] }) });
        const stage = new t.AutoStage(host);
        return (await stage.maybeEscalate(OPEN, bash("make"), { sessionId: "s" })).failure;
      },
      "error",
    ],
    "an answer of a stage's model": [
      async () => (await new t.AutoStage(fakeHost([large(3_000_000)]).host).maybeEscalate(OPEN, bash("make"), { sessionId: "s" })).failure,
      "error",
    ],
    "a classification": [
      async () => (await new t.EvidenceClassifier(hostOf([allow]).host).classify({ ...request, humanRequests: [large(3_000_000)] })).error,
      "provider-error",
    ],
    "a reply of a classifier's model": [
      async () => (await new t.EvidenceClassifier(hostOf([{ text: large(3_000_000) }]).host).classify(request)).error,
      "provider-error",
    ],
    "a gate": [
      async () => {
        const { session } = opened([]);
        const gate = gateOf();
        gate.context.entries[0].content = large(3_000_000);
        await session.openGate(gate);
      },
      CORE,
    ],
    "an answer at a gate": [
      async () => {
        const { session } = opened([]);
        await session.openGate(gateOf());
        await session.respond(gateOf().basis.gate_id, { ...answer("Deny"), note: large(3_000_000) });
      },
      CORE,
    ],
  };
  const one = Object.entries(works).map(([title, [work, expected]]) => ({
    title,
    async run() {
      const others = await bystanders(t);
      for (let at = 0; at < 3; at++) {
        same(await came(work), expected, title);
        others.check(title);
      }
      await others.end();
      return { tried: 3, line: expected };
    },
  }));
  return [...one, { title: "over and over", run: () => overAndOver(t, instance, works["a call"][0]) }];
}

async function came(work) {
  try {
    return await work();
  } catch (error) {
    return `${error.name} ${error.code}`;
  }
}

async function overAndOver(t, instance, work) {
  const others = await bystanders(t);
  const pages = () => instance().memory.buffer.byteLength / 65_536;
  const seen = new Tally();
  for (let at = 0; at < 300; at++) {
    const before = instance();
    same(await came(work), "core-stopped", `time ${at}`);
    others.check(`time ${at}`);
    ok(instance() !== before, `time ${at}: the instance was kept`);
    seen.add(pages());
  }
  same(seen.words.length, 1, `pages of a fresh instance: ${JSON.stringify(seen)}`);
  await others.end();
  return { tried: 300, line: "as many pages each time" };
}
