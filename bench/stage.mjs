// What the auto stage costs of its own: everything but the model, at a payload of 4 KB.
import { createHash } from "node:crypto";
import { AutoStage } from "toolgate";
import { measureAsync } from "./clock.mjs";

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
  const to = (row, name) => ({ name, nanoseconds: row.nanoseconds, bare_nanoseconds: base.nanoseconds, ratio: row.ratio, most: 30, stable: true });
  const promised = { name: "a call of the stage, 4 KB, to the promised time", nanoseconds: fresh.nanoseconds, bare_nanoseconds: PROMISED_NS, ratio: fresh.nanoseconds / PROMISED_NS, most: 1, stable: false };
  return [to(fresh, "a call of the stage, 4 KB, to SHA-256"), to(kept, "a kept verdict of the stage, 4 KB, to SHA-256"), promised];
}
