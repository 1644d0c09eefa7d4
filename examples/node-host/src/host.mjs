// What becomes of a call: the policy, the model, the model once more with the script in view, the person, in this order.
import {
  AutoStage,
  CLASSIFIER_EVENT,
  DenialTracker,
  EvidenceClassifier,
  Policy,
  callFingerprint,
  configFromSettings,
  deriveGrant,
  evidenceCandidates,
  fallbackConfirmation,
  foldClassifiers,
  foldPermissionMode,
  foldSessionAllow,
  normalizeConfirmation,
  sessionAllowEvent,
  setPermissionMode,
} from "toolgate";
import { createFileInspector } from "toolgate/node";

const ONCE = { id: "proceed_once", label: "Allow once", acpKind: "allow_once" };
const ALWAYS = { id: "proceed_always", label: "Allow for this session", acpKind: "allow_always" };
const REJECT = { id: "cancel", label: "Reject", acpKind: "reject_once" };

export class Host {
  #policy;
  #defaultMode;
  #stage;
  #evidence;
  #requests;
  #tracker = new DenialTracker();
  #person;
  #log;
  #cwd;

  constructor({ settings, complete, callModel, requests, person, log, cwd }) {
    const { config, autoMode, diagnostics } = configFromSettings(settings.permissions);
    for (const { severity, code, path } of diagnostics) person.say(`${severity}: ${code} at ${path.join("/")}`);
    this.#policy = new Policy(config);
    this.#defaultMode = config.defaultMode;
    this.#person = person;
    this.#log = log;
    this.#cwd = cwd;
    this.#requests = requests;
    this.#stage = new AutoStage({
      settings: () => autoMode,
      complete,
      resolveRoute: (alias) => settings.routes[alias],
      audit: (_, data) => log.append({ type: CLASSIFIER_EVENT, data }),
      warn: (message) => person.say(`warning: ${message}`),
      history: () => foldClassifiers(log.events),
    });
    const { statFile, inspectFile } = createFileInspector(cwd);
    this.#evidence = new EvidenceClassifier({
      callModel,
      statFile,
      inspectFile: (path, ...rest) => {
        person.say(`  the model looks at ${path}`);
        return inspectFile(path, ...rest);
      },
      // Calls are judged one after the other here, so of all that could change the mode is left. Models judge in one mode only.
      isCurrent: () => this.mode === "auto",
    });
  }

  get mode() {
    return foldPermissionMode(this.#log.events) ?? this.#defaultMode;
  }

  /** `{allowed, by, reason?}` */
  async judge(call) {
    const state = { mode: this.mode, cwd: this.#cwd, grants: foldSessionAllow(this.#log.events) };
    const decision = this.#policy.decide(call, state);
    const fingerprint = callFingerprint(call.tool, this.#cwd, call.arguments);
    if (!isOpenQuestion(decision)) return this.#settle(call, decision);

    const skipped = this.#tracker.shouldFallback(fingerprint);
    if (skipped !== undefined) return this.#fall(call, { kind: "fallback", reason: skipped }, fingerprint);
    const opinion = await this.#stage.maybeEscalate(decision, call, { sessionId: "terminal" });
    if (opinion === undefined) return this.#settle(call, decision);
    if (opinion === "allow") {
      this.#tracker.apply({ kind: "allow" }, fingerprint);
      return { allowed: true, by: "model" };
    }
    if (opinion.failure === undefined) return this.#look(call, opinion.reason, fingerprint);
    return this.#fall(call, { kind: "unavailable", reason: opinion.reason }, fingerprint);
  }

  /** How many records of the model's work the log has, by verdict or failure. */
  summary() {
    const counts = new Map();
    for (const { verdict, failure } of foldClassifiers(this.#log.events)) {
      counts.set(failure ?? verdict, (counts.get(failure ?? verdict) ?? 0) + 1);
    }
    return [...counts].map(([name, count]) => `${count} ${name}`).join(", ");
  }

  close() {
    this.#evidence.free();
    this.#stage.free();
    this.#tracker.free();
    this.#policy.free();
  }

  /** What needs no model: where nothing speaks, a person is asked. */
  #settle(call, { effective, reason }) {
    if (effective === "allow") return { allowed: true, by: "policy" };
    if (effective === "deny") return { allowed: false, by: "policy", reason };
    return this.#prompt(call, reason);
  }

  /** The model asks: where the command runs a script of the project, it may look at it first. */
  async #look(call, doubt, fingerprint) {
    const evidencePaths = call.tool === "Bash" ? evidenceCandidates(call.arguments.command) : [];
    if (evidencePaths.length === 0) return this.#prompt(call, doubt);
    const action = { toolName: call.tool, arguments: call.arguments };
    const { kind, reason, error } = await this.#evidence.classify({ action, humanRequests: this.#requests, evidencePaths });
    if (kind === "unavailable") return this.#fall(call, { kind, reason: error }, fingerprint);
    // A person may still know better than a model that has looked.
    if (kind === "deny") return this.#prompt(call, reason);
    this.#tracker.apply({ kind: "allow" }, fingerprint);
    return { allowed: true, by: "model", reason };
  }

  /** An ordinary prompt. */
  #prompt(call, reason) {
    return this.#ask(call, { options: [ONCE, ALWAYS, REJECT] }, reason);
  }

  /** No verdict: the prompt says why, and offers to switch the mode. */
  #fall(call, decision, fingerprint) {
    const outcome = this.#tracker.apply(decision, fingerprint);
    return this.#ask(call, fallbackConfirmation(outcome, [ONCE, ALWAYS, REJECT]), undefined);
  }

  async #ask(call, confirmation, reason) {
    const title = `${call.tool} ${call.arguments.command ?? ""}${reason ? ` (${reason})` : ""}`;
    const chosen = await this.#person.choose(title, confirmation);
    if (typeof chosen === "object") {
      this.#command(chosen.mode);
      return this.judge(call);
    }
    if (confirmation.autoModeFallback) this.#tracker.resolve(chosen);
    const { outcome, switchModeTo } = normalizeConfirmation(chosen);
    if (switchModeTo !== undefined) this.#switch(switchModeTo);
    if (outcome === "proceed_always") this.#grant(call);
    return { allowed: outcome !== "cancel", by: "person" };
  }

  /** `/permissions MODE` */
  #command(mode) {
    try {
      this.#switch(mode);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.#person.say(`  ${error.message}`);
    }
  }

  #switch(mode) {
    const before = this.mode;
    this.#log.append(...setPermissionMode({ events: this.#log.events, defaultMode: this.#defaultMode }, mode));
    if (this.mode === before) return;
    this.#tracker.reset();
    this.#person.say(`  the mode is ${this.mode} from now on`);
  }

  #grant(call) {
    const rule = deriveGrant(call);
    if (rule === undefined) return this.#person.say("  no rule is sound for this call: it is allowed once");
    this.#log.append(sessionAllowEvent(rule, call.tool, Date.now()));
    this.#person.say(`  ${rule} is allowed from now on`);
  }
}

/** Whether a model may be asked: what neither a rule nor a finding has settled. */
function isOpenQuestion({ mode, risk, kind, effective, readOnly }) {
  return mode === "auto" && risk.level === "LOW" && !readOnly && (kind === "passthrough" || (kind === "ask" && effective === "allow"));
}
