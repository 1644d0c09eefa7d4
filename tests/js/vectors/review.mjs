// Review gates: the functions by name, and scripts for sessions on a fake host in virtual time (review.md section 1).
import { settled, withClock } from "../stage/clock.mjs";

/** Every error of a fake carries this; nothing that a session hands out may. */
const SECRET = "SECRET-7f3a";
const ALLOW = { risk: "low", authorization: "unknown", categories: [], recommendation: "allow", rationale: "" };

/** Arguments of each function, in order. */
const PARAMETERS = {
  buildReviewContext: ["input", "policy"],
  createReviewSubject: ["basis", "request", "context"],
  subjectDigest: ["subject"],
  createReviewPolicy: ["policy"],
  evaluateAssessment: ["policy", "subject", "assessment"],
  combineAssessments: ["policy", "classifiers", "outcomes"],
  parseAssessment: ["text", "subject"],
};

/** The words of a refusal, or the error again. */
function refusal(error) {
  const { name, field, reason, message } = error ?? {};
  const isOne = error instanceof Error && name === "ReviewError" && message === `permission review refused ${field}: ${reason}`;
  if (!isOne) throw error;
  return { field, reason };
}

function fail(message) {
  throw new Error(`${SECRET} ${message}`);
}

/** `{"$policy":p}` is what was made of it, itself. */
function withPolicy(toolgate, value) {
  return value?.$policy ? toolgate.createReviewPolicy(value.$policy) : value;
}

export function review(toolgate, { call, ...given }) {
  try {
    if (call === "new ReviewSession") {
      new toolgate.ReviewSession(new World(toolgate, given.host).host).free();
      return { accepted: true };
    }
    const values = PARAMETERS[call].map((name) => (name === "policy" ? withPolicy(toolgate, given[name]) : given[name]));
    const value = toolgate[call](...values);
    assertFrozen(value);
    if (typeof value === "string") return { digest: value, accepted: true };
    if ("eligible" in value) return { decision: value };
    return { value, digest: value.basis?.subject_digest, accepted: true };
  } catch (error) {
    return { error: refusal(error) };
  }
}

function assertFrozen(value) {
  if (typeof value !== "object" || value === null) return;
  if (!Object.isFrozen(value)) throw new Error("a result can be changed");
  Object.values(value).forEach(assertFrozen);
}

export function reviewScript(toolgate, { host, gate, script }) {
  return withClock(async (clock) => {
    const world = new World(toolgate, host, clock, gate);
    const steps = [];
    for (const step of script) {
      if (step.expect !== undefined) steps.push(world.look());
      else await world.step(step);
    }
    steps.push(world.look());
    if (JSON.stringify(steps).includes(SECRET)) throw new Error("a secret came out");
    return { steps };
  });
}

/** A fake host, a session on it, and what was seen of it. */
class World {
  #log = [];
  #settled = {};
  #resolutions = {};
  #runs = []; // every call of `run`: { name, index, resolve, reject, isOpen, observe }
  #manual = { verify: [], append: [], audit: [] };
  #counts = new Map();
  #bases = new Map();

  constructor(toolgate, host, clock, gate) {
    this.clock = clock;
    this.gate = gate;
    this.fake = host;
    this.revision = host.policyRevision ?? host.policy?.revision;
    this.basis = host.currentBasis;
    this.host = this.#hostOf(toolgate, host);
    if (gate !== undefined) this.session = new toolgate.ReviewSession(this.host);
  }

  #hostOf(toolgate, fake) {
    const { classifiers } = fake;
    const host = {
      classifiers: Array.isArray(classifiers) ? classifiers.map((one, index) => this.#classifierOf(one, index)) : classifiers,
      policy: fake.policyLiteral ?? toolgate.createReviewPolicy(fake.policy),
      currentPolicyRevision: () => (this.revision === "throw" ? fail("revision") : this.revision),
      appendResolution: (resolution) => {
        this.#log.push({ append: resolution });
        return this.#promise("append", fake.append ?? "ok");
      },
      audit: (event) => {
        this.#log.push({ audit: event });
        return fake.audit === "throw" ? fail("audit") : this.#promise("audit", fake.audit ?? "ok");
      },
      warn: (text) => void this.#log.push({ warn: text }),
    };
    if ("limits" in fake) host.limits = fake.limits;
    if ("currentBasis" in fake) host.currentBasis = (gateId) => this.#basisOf(gateId);
    if (fake.interrupt) host.interrupt = (coordinates) => void this.#log.push({ interrupt: coordinates });
    if (fake.verify !== undefined) {
      host.verifyObservations = (observations, signal) => {
        this.#log.push({ verify: observations });
        return this.#promise("verify", fake.verify, signal);
      };
    }
    for (const name of fake.missing ?? []) delete host[name];
    return host;
  }

  #classifierOf(fake, index) {
    const { name, runs = [{ answer: "allow" }] } = fake;
    const given = (value, usual) => (value === undefined ? usual : value === "throw" ? fail(name) : value);
    const classifier = {
      ...Object.fromEntries(["name", "revision", "timeoutMs", "definition"].filter((key) => key in fake).map((key) => [key, fake[key]])),
      applies: () => (this.#log.push(`applies ${name}`), given(fake.applies, true)),
      marshalInput: () => (this.#log.push(`marshalInput ${name}`), given(fake.marshalInput, {})),
      run: (input, observe, signal) => {
        this.#log.push(`run ${name}`);
        const count = this.#counts.get(index) ?? 0;
        this.#counts.set(index, count + 1);
        return this.#run(name, runs[Math.min(count, runs.length - 1)], observe, signal);
      },
      validateResult: (subject, run) => {
        this.#log.push(`validateResult ${name}`);
        if (run.throwValidate) fail(name);
        if ("returns" in run) return run.returns;
        const answer = run.answer === "allow" ? ALLOW : run.answer;
        return { ...answer, basis: { ...subject.basis, ...run.basis } };
      },
    };
    for (const method of fake.missing ?? []) delete classifier[method];
    return classifier;
  }

  #run(name, run, observe, signal) {
    if (run.throw) fail(name);
    const entry = { name, observe, isOpen: true };
    const promise = new Promise((resolve, reject) => Object.assign(entry, { resolve, reject }));
    this.#runs.push(entry);
    signal.addEventListener("abort", () => entry.isOpen && this.#log.push(`abort ${name}`));
    if (run.manual) for (const observation of run.observe ?? []) observe(observation);
    else this.#endRun(entry, run);
    return promise;
  }

  #endRun(entry, run) {
    entry.isOpen = false;
    for (const observation of run.observe ?? []) entry.observe(observation);
    if (run.reject) entry.reject(new Error(`${SECRET} ${entry.name}`));
    else entry.resolve(run);
  }

  #promise(kind, manner, signal) {
    if (manner === "reject") return Promise.reject(new Error(`${SECRET} ${kind}`));
    if (manner !== "manual") return Promise.resolve(manner !== "false");
    return new Promise((resolve, reject) => {
      const entry = { resolve, reject };
      this.#manual[kind].push(entry);
      signal?.addEventListener("abort", () => this.#manual[kind].includes(entry) && this.#log.push(`abort ${kind}`));
    });
  }

  #basisOf(gateId) {
    if (this.basis === "throw") fail("basis");
    if (this.basis === null) return undefined;
    const { tool_execution_id, context_revision, security_ceiling } = this.#bases.get(gateId);
    return { tool_execution_id, context_revision, security_ceiling, ...this.basis };
  }

  #settle(kind, value) {
    const { resolve, reject } = this.#manual[kind].shift();
    if (value === "reject") reject(new Error(`${SECRET} ${kind}`));
    else resolve(value);
  }

  #label(name, promise) {
    if (name !== undefined) this.#settled[name] = "pending";
    const end = (value) => name !== undefined && (this.#settled[name] = value);
    promise.then(
      () => end("ok"),
      (error) => end(refusal(error)),
    );
  }

  #openGate(step) {
    const gate = changed(this.gate, step);
    const id = gate.basis.gate_id;
    if (!this.#bases.has(id)) this.#bases.set(id, gate.basis);
    const opened = this.session.openGate(gate);
    this.#label(step.as, opened);
    opened.then(
      () => {
        this.#log.push({ opened: id });
        this.#resolutions[id] = "pending";
        this.session.resolution(id).then(
          (resolution) => (this.#resolutions[id] = resolution),
          (error) => (this.#resolutions[id] = refusal(error)),
        );
      },
      () => {},
    );
  }

  async step(step) {
    const gate = step.gate ?? this.gate.basis.gate_id;
    const steps = {
      openGate: () => this.#openGate(step),
      respond: () => this.#label(step.as, this.session.respond(gate, step.answer)),
      humanAnswers: () => {
        const answer = { action: step.action, source: { kind: "user", reason: "answered" } };
        this.#label(step.as, this.session.respond(gate, answer));
      },
      resolution: () => this.#label(step.as, this.session.resolution(gate)),
      settleRun: () => {
        const open = this.#runs.filter(({ name, isOpen }) => name === step.classifier && isOpen);
        this.#endRun(open.at(step.newest ? -1 : 0), step.with);
      },
      observe: () => {
        const { observe } = this.#runs.filter(({ name }) => name === step.classifier).at(-1);
        for (let n = 0; n < (step.times ?? 1); n++) observe(step.observation);
      },
      settleVerify: () => this.#settle("verify", step.value),
      settleAppend: () => this.#settle("append", step.ok ? undefined : "reject"),
      settleAudit: () => this.#settle("audit", step.ok ? undefined : "reject"),
      setPolicyRevision: () => (this.revision = step.value),
      setCurrentBasis: () => (this.basis = step.value),
      advance: () => this.clock.advance(step.ms),
      endTurn: () => this.session.endTurn(step.turn),
      close: () => this.session.close(),
      repeat: async () => {
        for (let n = step.from; n <= step.to; n++) {
          const text = JSON.stringify(step.steps).replaceAll("{n}", n.toString(16).padStart(4, "0"));
          for (const inner of JSON.parse(text)) await this.step(inner);
        }
      },
    };
    await steps[step.do]();
    await settled();
  }

  /** What is seen now, and since the last look. */
  look() {
    const log = this.#log;
    this.#log = [];
    const of = (name) => log.filter((entry) => Object.hasOwn(Object(entry), name)).map((entry) => entry[name]);
    const audits = of("audit");
    const ofType = (type) => audits.filter((event) => event.type === type);
    const flat = (kind, values) => Object.fromEntries(Object.entries(values).map(([name, value]) => [`${kind} ${name}`, value]));
    return structuredClone({
      log,
      audits,
      reviewed: ofType("PermissionReviewStarted").map(({ gate_id }) => gate_id),
      completed: ofType("PermissionReviewCompleted").map(({ gate_id, classifier, status }) => [gate_id, classifier, status]),
      warns: of("warn"),
      interrupts: of("interrupt").length,
      appends: of("append"),
      tripped: this.session.tripped,
      ...flat("settled", this.#settled),
      ...flat("resolutions", this.#resolutions),
    });
  }
}

/** The gate with values put or removed at JSON pointers. */
function changed(gate, { set = {}, unset = [] }) {
  const changed = structuredClone(gate);
  const at = (pointer) => {
    const path = pointer.split("/").slice(1);
    return [path.slice(0, -1).reduce((value, name) => value[name], changed), path.at(-1)];
  };
  for (const [pointer, value] of Object.entries(set)) {
    const [parent, name] = at(pointer);
    parent[name] = value;
  }
  for (const pointer of unset) {
    const [parent, name] = at(pointer);
    delete parent[name];
  }
  return changed;
}
