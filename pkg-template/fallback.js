// When no verdict comes: counters, prompts and their answers.
import { elements, jsonText, member, object, optionalText, text } from "./arguments.js";
import { call } from "./instance.js";
import vocabulary from "./vocabulary.js";

export class DenialTracker {
  // The state after the last change, as text: it is all that there is, so a stop of the core in the middle of a call
  // leaves it as it was.
  #state;

  constructor(state) {
    this.#step(state === undefined ? undefined : jsonText(state, ["state"]), "state");
  }

  get state() {
    return JSON.parse(this.#live());
  }

  shouldFallback(fingerprint) {
    const same = optionalText(fingerprint, ["fingerprint"]);
    return this.#step(this.#live(), "shouldFallback", undefined, same) || undefined;
  }

  apply(decision, fingerprint) {
    const same = optionalText(fingerprint, ["fingerprint"]);
    const [kind, reason] = [said(decision, "kind"), said(decision, "reason")];
    // From here on no host code runs: what is read and what is written is one step.
    return JSON.parse(this.#step(this.#live(), `apply ${kind}`, reason, same));
  }

  resolve(outcome) {
    const choice = text(outcome, ["outcome"]);
    this.#step(this.#live(), `resolve ${choice}`);
  }

  reset() {
    this.#live();
    this.#step(undefined, "state");
  }

  free() {
    this.#state = undefined;
  }

  [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
    this.free();
  }

  /** What comes of a step; the state that follows is kept. */
  #step(state, ...rest) {
    const [next, came] = call("denialStep", state, ...rest).split("\n");
    this.#state = next;
    return came;
  }

  #live() {
    if (this.#state === undefined) throw Object.assign(new Error("the tracker was freed"), { code: "freed" });
    return this.#state;
  }
}

export function fallbackConfirmation(outcome, options) {
  const json = jsonText(outcome, ["outcome"]);
  const list = options === undefined ? undefined : jsonText(options, ["options"]);
  return JSON.parse(call("fallbackConfirmation", json, list));
}

export function normalizeConfirmation(outcome) {
  return JSON.parse(call("normalizeConfirmation", text(outcome, ["outcome"])));
}

export function toAcpPermissionRequest(confirmation, content = []) {
  const json = jsonText(confirmation, ["confirmation"]);
  const blocks = [...elements(JSON.parse(jsonText(content, ["content"])), ["content"])];
  const request = JSON.parse(call("toAcpPermissionRequest", json));
  // One by one: a spread of very many ends the stack.
  for (const block of blocks) request.content.push(block);
  return request;
}

export function fromAcpOutcome(confirmation, outcome) {
  const path = ["outcome"];
  const json = jsonText(confirmation, ["confirmation"]);
  const kind = text(member(object(outcome, path), "outcome", path), [...path, "outcome"]);
  const option = kind === "selected" ? text(member(outcome, "optionId", path), [...path, "optionId"]) : undefined;
  return call("fromAcpOutcome", json, kind, option);
}

export function dangerousAllowRules(rules, dialect) {
  const name = optionalText(dialect, ["dialect"]);
  return JSON.parse(call("dangerousAllowRules", jsonText(rules, ["rules"]), name));
}

export function callFingerprint(toolName, cwd, params) {
  const [tool, folder] = [text(toolName, ["toolName"]), text(cwd, ["cwd"])];
  return call("callFingerprint", tool, folder, jsonText(params, ["params"], exact));
}

/** A member of a decision as text: what is none, or cannot be read, says nothing, and half a character is replaced. */
function said(decision, name) {
  try {
    const value = decision[name];
    return typeof value === "string" ? value.slice(0, vocabulary.subjectUnits).toWellFormed() : "";
  } catch {
    return "";
  }
}

/** A replacer that refuses what JSON would write as `null`: two different calls must not become one. */
function exact(key, value) {
  const plain = value instanceof Number ? Number(value) : value;
  const absent = plain === undefined || typeof plain === "function" || typeof plain === "symbol";
  if ((typeof plain === "number" && !Number.isFinite(plain)) || (absent && Array.isArray(this))) throw new TypeError();
  return plain;
}
