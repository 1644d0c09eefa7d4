// What a call comes to: the policy first, then the session's history, then a model, then a person.
import {
  AutoStage,
  CLASSIFIER_EVENT,
  DenialTracker,
  callFingerprint,
  fallbackConfirmation,
  foldPermissionMode,
  normalizeConfirmation,
  setPermissionMode,
} from "toolgate";
import { modelOf } from "./model.mjs";
import { autoMode, defaultMode, policy, routes } from "./policy.mjs";

/** The type of what is logged of each check. */
const DECISION = "precheck/decision";

export class Judge {
  #store;
  #stage;
  #tracker;
  #mode;
  #isChanged = false;

  constructor(store, model) {
    this.#store = store;
    this.#mode = foldPermissionMode(store.events("permission/mode")) ?? defaultMode;
    const host = this.#host(modelOf(model));
    const memory = store.get("memory");
    this.#stage = memory ? AutoStage.restore(host, memory.stage) : new AutoStage(host);
    this.#tracker = new DenialTracker(memory?.tracker);
  }

  /** `{decision: "allow" | "deny" | "ask", by, reason?, confirmation?}` */
  async check(session, { call, cwd }) {
    const decision = policy.decide(call, { mode: this.#mode, cwd });
    const answer = isOpenQuestion(decision)
      ? await this.#judge(session, decision, call, callFingerprint(call.tool, cwd ?? "", call.arguments ?? {}))
      : byPolicy(decision);
    this.#store.append(DECISION, { tool: call.tool, decision: answer.decision, by: answer.by });
    this.#keep();
    return answer;
  }

  /** What the person chose in a prompt that a check asked for: `{outcome}`. */
  answer({ outcome: chosen }) {
    const { outcome, switchModeTo } = normalizeConfirmation(chosen);
    this.#tracker.resolve(chosen);
    if (switchModeTo !== undefined) {
      const events = setPermissionMode({ events: this.#store.events("permission/mode"), defaultMode }, switchModeTo);
      for (const { type, data } of events) this.#store.append(type, data);
      this.#mode = switchModeTo;
      this.#tracker.reset();
    }
    this.#isChanged = true;
    this.#keep();
    return { outcome, mode: this.#mode };
  }

  async #judge(session, decision, call, fingerprint) {
    const skipped = this.#tracker.shouldFallback(fingerprint);
    if (skipped !== undefined) return this.#fall(this.#apply({ kind: "fallback", reason: skipped }, fingerprint));
    const opinion = await this.#stage.maybeEscalate(decision, call, { sessionId: session });
    if (opinion === undefined) return byPolicy(decision);
    if (opinion === "allow") {
      this.#apply({ kind: "allow" }, fingerprint);
      return { decision: "allow", by: "classifier" };
    }
    const { reason, failure } = opinion;
    if (failure === undefined) return { decision: "ask", by: "classifier", reason };
    return this.#fall(this.#apply({ kind: "unavailable", reason }, fingerprint));
  }

  #apply(decision, fingerprint) {
    const before = JSON.stringify(this.#tracker.state);
    const outcome = this.#tracker.apply(decision, fingerprint);
    this.#isChanged ||= JSON.stringify(this.#tracker.state) !== before;
    return outcome;
  }

  /** No verdict: a person is asked, with a prompt that says why. */
  #fall(outcome) {
    return { decision: "ask", by: "fallback", reason: outcome.message ?? outcome.reason, confirmation: fallbackConfirmation(outcome) };
  }

  #host(complete) {
    return {
      settings: () => autoMode,
      complete,
      resolveRoute: (alias) => routes[alias],
      audit: (_, event) => {
        this.#store.append(CLASSIFIER_EVENT, event);
        // A verdict that was kept changes nothing but the order in which verdicts are let go.
        this.#isChanged ||= !event.cacheHit;
      },
      warn: (message) => console.warn(message),
      history: () => this.#store.events(CLASSIFIER_EVENT).map(({ data }) => data),
    };
  }

  /** Writes down what a restart must find. The answer leaves only when it is on the disk. */
  #keep() {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    this.#store.put("memory", { stage: this.#stage.snapshot(), tracker: this.#tracker.state });
  }
}

/** Whether a model may be asked: what neither a rule nor a finding has settled. */
function isOpenQuestion({ mode, risk, kind, effective, readOnly }) {
  return mode === "auto" && risk.level === "LOW" && !readOnly && (kind === "passthrough" || (kind === "ask" && effective === "allow"));
}

/** Nothing said is asked: this host has no default of its own. */
function byPolicy({ effective, reason }) {
  return { decision: effective === "passthrough" ? "ask" : effective, by: "policy", reason };
}
