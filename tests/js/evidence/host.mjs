// Hosts for the evidence classifier, and what is said of their results.
import assert from "node:assert/strict";

export const allow = { text: '{"decision":"allow","reason":"The person asked for it."}', usage: { inputTokens: 5, outputTokens: 1 } };
export const deny = { text: '{"decision":"deny","reason":"Nobody asked for it."}', usage: { inputTokens: 5, outputTokens: 1 } };

/** A reply that asks for a file. */
export const ask = (path) => ({
  toolCalls: [{ name: "inspect_permission_file", arguments: { path } }],
  usage: { inputTokens: 5, outputTokens: 1 },
});

export const request = {
  action: { toolName: "bash", arguments: { command: "node a.mjs" } },
  humanRequests: ["Run a.mjs."],
};

/** A promise with its ends. */
export function deferred() {
  let ends;
  const promise = new Promise((resolve, reject) => (ends = { resolve, reject }));
  return { promise, ...ends };
}

export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The answer of `inspectFile` for a text. */
export function fileOf(text, stat = {}) {
  const bytes = new TextEncoder().encode(text);
  const seen = { dev: 1, ino: "18446744073709551615", size: bytes.length, mtimeMs: 1.5, ctimeMs: 1.5, nlink: 1, ...stat };
  return { status: "file", bytes, before: seen, after: { ...seen } };
}

/** A host whose model gives these replies in order; what was asked of it is noted. */
export function hostOf(replies, more = {}) {
  const seen = { calls: [], identities: [], receipts: [] };
  const host = {
    async callModel(call, signal) {
      seen.calls.push({ ...call, signal });
      const reply = replies[seen.calls.length - 1];
      return typeof reply === "function" ? reply(signal) : reply;
    },
    async statFile() {
      return { size: 10 };
    },
    async inspectFile(path) {
      return fileOf(`// ${path}\n`);
    },
    isCurrent(asked) {
      seen.identities.push(asked);
      return true;
    },
    onLateReceipt(receipt) {
      seen.receipts.push(receipt);
    },
    ...more,
  };
  return { host, seen };
}

/** Checks an `unavailable` result whole, times apart. */
export function assertUnavailable(result, error, returnPath, more = {}) {
  const { elapsedMs, ...diagnostic } = result.diagnostic;
  assert.ok(Number.isSafeInteger(elapsedMs) && elapsedMs >= 0);
  assert.deepEqual(
    { kind: result.kind, error: result.error, timerFired: diagnostic.timerFired, returnPath: diagnostic.returnPath },
    { kind: "unavailable", error, timerFired: more.timerFired ?? false, returnPath },
  );
  assert.equal(diagnostic.implementation, "auto-classifier-diagnostics-v1");
  assert.equal(diagnostic.evidenceLimit, more.limit);
  if ("usage" in more) assert.deepEqual(result.usage, more.usage);
}
