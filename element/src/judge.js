// The package behind the element: the last good policy decides, whatever is typed meanwhile.
import { PERMISSION_MODES, Policy } from "toolgate";

export class Judge {
  #policy;
  #key;
  #taken;
  /** The configuration that is in force; undefined before there was a good one. */
  config;
  /** The modes that the policy's dialect has. */
  modes = PERMISSION_MODES;

  /** Takes a configuration into force where it has no errors. Gives all that is to be said of it; never throws. */
  take(config) {
    if (this.#taken?.config !== config || this.#policy === undefined) this.#taken = { config, ...this.#take(config) };
    return this.#taken;
  }

  #take(config) {
    const diagnostics = checked(config);
    if (diagnostics.some(({ severity }) => severity === "error")) return { valid: false, diagnostics };
    const key = JSON.stringify(config);
    if (key === this.#key) return { valid: true, diagnostics };
    try {
      const policy = new Policy(config);
      this.#policy?.free();
      [this.#policy, this.#key, this.config] = [policy, key, config];
      this.modes = [...PERMISSION_MODES, "dontAsk"].filter((mode) => this.decide({ tool: "Read" }, { mode }).decision !== undefined);
      return { valid: true, diagnostics };
    } catch (error) {
      return { valid: false, diagnostics: [...(error.diagnostics ?? [fault(error)])] };
    }
  }

  /** `{ decision }`, or `{ problem }` in words. */
  decide(call, state) {
    return this.#ask(() => ({ decision: this.#policy.decide(call, state) }));
  }

  /** `{ explanation }`, or `{ problem }`. */
  explain(call, state) {
    return this.#ask(() => ({ explanation: this.#policy.explain(call, state) }));
  }

  /** `{ suggestions }`, or `{ problem }`. */
  suggest(call, state) {
    return this.#ask(() => ({ suggestions: this.#policy.suggest(call, state) }));
  }

  findings() {
    return this.#ask(() => ({ findings: this.#policy.lint() })).findings ?? [];
  }

  /** Gives the memory back; `wake` brings the same rules back into force. */
  rest() {
    this.#policy?.free();
    this.#policy = this.#key = this.#taken = undefined;
  }

  wake() {
    if (this.#policy === undefined && this.config !== undefined) this.take(this.config);
  }

  free() {
    this.rest();
    this.config = undefined;
  }

  #ask(work) {
    if (this.#policy === undefined) return { problem: "There are no rules in force." };
    try {
      return work();
    } catch (error) {
      return { problem: inWords(error) };
    }
  }
}

function checked(config) {
  try {
    return Policy.check(config);
  } catch (error) {
    return [fault(error)];
  }
}

function fault(error) {
  return { severity: "error", code: error?.code ?? "failed", message: inWords(error), path: [] };
}

/** What an error says, and where. */
export function inWords(error) {
  const message = typeof error?.message === "string" && error.message !== "" ? error.message : "it failed";
  return Array.isArray(error?.path) && error.path.length > 0 ? `${message} (${error.path.join(" / ")})` : message;
}
