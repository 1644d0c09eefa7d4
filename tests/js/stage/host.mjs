// A host of the stage that does what its test says, and remembers what it was asked.

export const ALLOW = '{"verdict":"allow","reason":"fine"}';
export const ASK = '{"verdict":"ask","reason":"a rule"}';

/** A decision that leaves the question open. */
export const OPEN = { kind: "passthrough", effective: "passthrough", mode: "auto", risk: { level: "LOW", reasons: [], findings: [] }, stage: "no-match", readOnly: false };

export const bash = (command) => ({ tool: "Bash", arguments: { command } });

/** What is said where no model gave an answer. */
export const failed = (failure) => {
  const reasons = {
    cancelled: "classification cancelled by caller",
    timeout: "classifier timed out",
    error: "classifier error",
    malformed: "classifier output unparseable",
  };
  return { kind: "ask", reason: reasons[failure], failure };
};

/** The host, and what it saw. `answers` are what model calls give, in order; the last one goes on. */
export function fakeHost(answers = [ALLOW], members = {}) {
  const seen = { prompts: [], signals: [], audits: [], warnings: [], settings: 0, routes: 0, histories: 0 };
  const host = {
    settings() {
      seen.settings += 1;
      return { classifier: { enabled: true, timeoutMs: 100 } };
    },
    resolveRoute() {
      seen.routes += 1;
      return { provider: "p", model: "m" };
    },
    complete({ prompt }, signal) {
      seen.prompts.push(prompt);
      seen.signals.push(signal);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      return typeof answer === "function" ? answer(signal) : answer;
    },
    history() {
      seen.histories += 1;
      return [];
    },
    audit: (session, record) => void seen.audits.push({ session, ...record }),
    warn: (message) => void seen.warnings.push(message),
    ...members,
  };
  return { host, seen, failures: () => seen.audits.map(({ failure }) => failure) };
}

/** A promise that its holder settles. */
export function held() {
  let settle;
  const promise = new Promise((resolve, reject) => {
    settle = { resolve, reject };
  });
  return Object.assign(promise, settle);
}
