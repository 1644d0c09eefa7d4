// What the auto stage costs of its own: everything but the model, at a payload of 4 KB.
import { createHash } from "node:crypto";
import { AutoStage } from "toolgate";
import { measureAsync } from "./clock.mjs";
import { promised, row } from "./rows.mjs";

const PROMISED_NS = 120_000;
const payload = "x".repeat(4_096 - 20);
const decision = { kind: "passthrough", effective: "passthrough", mode: "auto", risk: { level: "LOW", reasons: [], findings: [] }, stage: "no-match", readOnly: false };

const host = {
  settings: () => ({ classifier: { enabled: true } }),
  resolveRoute: () => ({ provider: "p", model: "m" }),
  complete: async () => '{"verdict":"allow","reason":"fine"}',
  audit() {},
  warn() {},
};

export async function stage() {
  const live = new AutoStage(host);
  let count = 0;
  const ask = (command) => live.maybeEscalate(decision, { tool: "Bash", arguments: { command } }, { sessionId: "s" });
  const [base, fresh, kept] = await measureAsync([
    () => createHash("sha256").update(payload).digest("hex"),
    // Another line each time, so that no verdict is there; past what a stage keeps, the first ones are gone.
    () => ask(`${count++ % 1_000_000} ${payload}`),
    () => ask(payload),
  ]);
  live.free();
  const to = (name, time) => row(name, "SHA-256", [base, time], { most: 30 });
  const name = "a call of the stage, 4 KB";
  return [to(name, fresh), to("a kept verdict of the stage, 4 KB", kept), promised(name, fresh.nanoseconds, PROMISED_NS)];
}
