// What a call comes to: the policy first, then what the session has seen, then a model, then a person.
import {
  AutoStage,
  CLASSIFIER_EVENT,
  DenialTracker,
  callFingerprint,
  fallbackConfirmation,
  foldClassifiers,
  foldPermissionMode,
  normalizeConfirmation,
  setPermissionMode,
} from "toolgate";
import { modelOf } from "./model.mjs";
import { autoMode, defaultMode, policy, routes } from "./policy.mjs";

/** So many events of a session are kept. All of them go to the Worker's own log. */
const EVENTS = 200;

export class Judge {
  #store;
  #stage;
  #tracker;
  #events;
  #mode;
  #isChanged = false;

  constructor(store, model) {
    const kept = store.get();
    this.#store = store;
    this.#events = kept?.events ?? [];
    this.#mode = kept?.mode ?? defaultMode;
    const host = this.#host(modelOf(model));
    this.#stage = kept ? AutoStage.restore(host, kept.stage) : new AutoStage(host);
    this.#tracker = new DenialTracker(kept?.tracker);
  }

  /** `{decision: "allow" | "deny" | "ask", by, reason?, confirmation?}` */
  async check(session, { call, cwd }) {
    const decision = policy.decide(call, { mode: this.#mode, cwd });
    if (!isOpenQuestion(decision)) return byPolicy(decision);
    const fingerprint = callFingerprint(call.tool, cwd ?? "", call.arguments ?? {});
    const answer = await this.#judge(session, decision, call, fingerprint);
    this.#keep();
    return answer;
  }

  /** What the person chose in a prompt that a check asked for: `{outcome}`. */
  answer({ outcome: chosen }) {
    const { outcome, switchModeTo } = normalizeConfirmation(chosen);
    this.#tracker.resolve(chosen);
    if (switchModeTo !== undefined) {
      // The events are also what a host with a sandbox acts on.
      const events = setPermissionMode({ events: [], defaultMode: this.#mode }, switchModeTo);
      for (const event of events) this.#append(event);
      this.#mode = foldPermissionMode(events) ?? this.#mode;
      this.#tracker.reset();
    }
    this.#isChanged = true;
    this.#keep();
    return { outcome, mode: this.#mode };
  }

  /** The last events of the session. */
  log() {
    return { mode: this.#mode, events: this.#events };
  }

  async #judge(session, decision, call, fingerprint) {
    const skipped = this.#tracker.shouldFallback(fingerprint);
    if (skipped !== undefined) return this.#fall({ kind: "fallback", reason: skipped }, fingerprint);
    const opinion = await this.#stage.maybeEscalate(decision, call, { sessionId: session });
    if (opinion === undefined) return byPolicy(decision);
    if (opinion === "allow") {
      this.#apply({ kind: "allow" }, fingerprint);
      return { decision: "allow", by: "classifier" };
    }
    const { reason, failure } = opinion;
    if (failure === undefined || failure === "cancelled") return { decision: "ask", by: "classifier", reason };
    return this.#fall({ kind: "unavailable", reason }, fingerprint);
  }

  /** No verdict: a person is asked, with a prompt that says why. */
  #fall(decision, fingerprint) {
    const outcome = this.#apply(decision, fingerprint);
    return { decision: "ask", by: "fallback", reason: outcome.message, confirmation: fallbackConfirmation(outcome) };
  }

  #apply(decision, fingerprint) {
    const before = JSON.stringify(this.#tracker.state);
    const outcome = this.#tracker.apply(decision, fingerprint);
    this.#isChanged ||= JSON.stringify(this.#tracker.state) !== before;
    return outcome;
  }

  #host(complete) {
    return {
      settings: () => autoMode,
      complete,
      resolveRoute: (alias) => routes[alias],
      audit: (session, data) => {
        console.log(JSON.stringify({ session, type: CLASSIFIER_EVENT, data }));
        // A verdict that was kept changes nothing but the order in which verdicts are let go.
        if (!data.cacheHit) this.#append({ type: CLASSIFIER_EVENT, data });
      },
      warn: (message) => console.warn(message),
      history: () => foldClassifiers(this.#events),
    };
  }

  #append(event) {
    this.#events = [...this.#events, event].slice(-EVENTS);
    this.#isChanged = true;
  }

  /** Writes down what a restart must find. */
  #keep() {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    this.#store.put({ mode: this.#mode, events: this.#events, stage: this.#stage.snapshot(), tracker: this.#tracker.state });
  }
}

/** Whether a model may be asked: what neither a rule nor a finding has settled. */
function isOpenQuestion({ mode, risk, kind, effective, readOnly }) {
  return mode === "auto" && risk.level === "LOW" && !readOnly && (kind === "passthrough" || (kind === "ask" && effective === "allow"));
}

/** Where nothing speaks a person is asked: this host has no default of its own. */
function byPolicy({ effective, reason }) {
  return { decision: effective === "passthrough" ? "ask" : effective, by: "policy", reason };
}
