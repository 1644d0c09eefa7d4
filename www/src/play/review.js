// One review of one gate by the package's own session, with scripted classifiers and a scripted person.
import { ReviewSession, buildReviewContext, combineAssessments, createReviewPolicy } from "toolgate";
import { Clock } from "./clock.js";
import { contextOf, gateOf, CONTEXT_POLICY } from "./review_gate.js";
import { COMMAND, POLICY_REVISION } from "./review_scripts.js";
import { Tape } from "./tape.js";

export { SCRIPTS as scripts } from "./review_scripts.js";

const CLASSIFIERS = [
  { name: "intent", revision: "intent/2", timeoutMs: 4000 },
  { name: "safety", revision: "safety/5", timeoutMs: 4000 },
];
const APPEND = { takes: 60, fails: false };
const VERIFY_MS = 20;

/** Why a gate stays with the person, by the reason of the combination. */
const STAYS = {
  recommendation: "A classifier wants a person to look.",
  risk_ceiling: "A classifier sees more risk than may be approved without a person.",
  authorization: "For this risk, the person had not asked clearly enough.",
  absolute_human: "A classifier sees a category that the policy keeps with the person.",
  material_truncation: "The classifiers were not shown everything that could matter.",
  classifier_status: "A classifier that applies has given no assessment.",
  no_applicable_classifier: "No classifier applies.",
};
const DRIFT = {
  policy: "The policy has changed since the assessments were made.",
  observation: "What a classifier had looked at has changed.",
  append: "The approval could not be written down.",
};
const WHO = { classifier: "the review", user: "the person" };
const RESOLVED = {
  classifier: "The review claimed first: every classifier that applies recommends it, and nothing had changed.",
  user: "The person claimed first. What the classifiers say changes nothing any more.",
};
const ACTIONS = { Approve: { kind: "allow", word: "Approved" }, Deny: { kind: "deny", word: "Denied" } };
/** How a part in a review ends before the parts are combined. */
const NO_ASSESSMENT = ["not_applicable", "timed_out", "failed"];

export function facts() {
  return [
    ["Call", COMMAND],
    ["Asked for", contextOf({}).entries[0].content],
    ["Classifiers", CLASSIFIERS.map(({ name }) => name).join(", then ")],
    ["Policy", POLICY_REVISION],
  ];
}

/** The timeline of a script. */
export async function record(script) {
  const clock = new Clock();
  const scene = new Scene(clock, script);
  await clock.play(() => scene.begin());
  scene.end();
  return scene.tape;
}

class Scene {
  #clock;
  #script;
  #gate = "not opened";
  #heard = 0; // classifiers that are done
  #policy;
  #session;
  /** What each classifier has come to, by name. */
  #outcomes = new Map(CLASSIFIERS.map(({ name }) => [name, {}]));
  #decision;
  #isCancelled = false;
  #why;

  constructor(clock, script) {
    this.#clock = clock;
    this.#script = { append: APPEND, ...script };
    this.tape = new Tape(clock, () => [
      { name: "gate", value: this.#gate },
      { name: "classifiers", value: this.#heard, most: CLASSIFIERS.length },
    ]);
  }

  begin() {
    const { policy, person } = this.#script;
    this.#policy = createReviewPolicy({ revision: POLICY_REVISION, ...policy });
    this.#session = new ReviewSession(this.#host());
    const gate = gateOf(buildReviewContext(contextOf(this.#script), CONTEXT_POLICY));
    this.#session.openGate(gate).then(() => {
      this.#gate = "open";
      this.tape.note({ kind: "gate", title: "Gate", what: COMMAND, came: "open: a person can answer from now on" });
      this.#session.resolution(gate.basis.gate_id).then((resolution) => this.#resolved(resolution), () => {});
    });
    if (person !== undefined) this.#clock.at(person.at, () => this.#answer(gate.basis.gate_id, person));
  }

  end() {
    if (this.#gate === "open") {
      const outcome = { kind: "ask", word: "Stays with the person", says: this.#why };
      this.tape.note({ kind: "verdict", title: "The gate stays open", came: this.#why, tone: "odd", outcome });
    }
    this.#session.free();
  }

  #host() {
    return {
      classifiers: CLASSIFIERS.map((classifier, index) => this.#classifier(classifier, this.#script.classifiers[index])),
      policy: this.#policy,
      currentPolicyRevision: () => this.#revision(),
      verifyObservations: (observations) => this.#verify(observations),
      appendResolution: (resolution) => this.#append(resolution),
      audit: (event) => this.#audit(event),
      warn: (text) => void this.tape.note({ kind: "warning", title: "Warning", came: text, tone: "odd" }),
    };
  }

  #classifier({ name, revision, timeoutMs }, { applies = true, after, answer, isThrown, observes }) {
    const outcome = this.#outcomes.get(name);
    const note = (what, end) => this.tape.note({ kind: "classifier", title: `Classifier ${name}`, what, ...end });
    return {
      name,
      revision,
      timeoutMs,
      applies: (subject) => {
        Object.assign(outcome, { subject, applicable: applies });
        if (!applies) note("is asked whether it applies", { came: "it does not" });
        return applies;
      },
      marshalInput: ({ request }) => ({ command: request.command }),
      run: (input, observe, signal) => {
        const entry = note(`judges, within ${timeoutMs.toLocaleString("en")}\u00a0ms`);
        if (isThrown) {
          this.tape.end(entry, "throws an error", "bad");
          throw new Error("the model is not there");
        }
        signal.addEventListener("abort", () => this.tape.end(entry, "no answer yet: its signal fires", "odd"));
        return this.#clock.after(after, () => {
          if (signal.aborted) note("answers after all", { came: "dropped", tone: "odd" });
          this.tape.end(entry, inWords(answer), answer.recommendation === "allow" ? "good" : "odd");
          if (observes !== undefined) observe(observes);
          return answer;
        });
      },
      validateResult: (subject, result) => {
        const assessment = { basis: subject.basis, ...result };
        const observations = observes === undefined ? [] : [observes];
        Object.assign(outcome, { status: "allowed", assessment, observations });
        this.#heard += 1;
        return assessment;
      },
    };
  }

  #audit({ classifier, status, auto_approved: isApproved }) {
    if (status === "cancelled") this.#isCancelled = true;
    const hasNone = NO_ASSESSMENT.includes(status);
    if (hasNone) {
      const { subject, applicable } = this.#outcomes.get(classifier);
      this.#outcomes.set(classifier, { subject, applicable, status });
      this.#heard += 1;
    } else if (status !== undefined) this.#combine();
    const came = status === undefined ? "started" : `completed: ${status}${isApproved ? ", approved automatically" : ""}`;
    this.tape.note({ kind: "audit", title: "Audit", what: classifier, came });
    if (hasNone) this.#combine();
  }

  /** Once, when every classifier has come to something: what the session makes of it. */
  #combine() {
    const outcomes = [...this.#outcomes.values()];
    if (this.#decision !== undefined || this.#isCancelled || outcomes.some(({ status }) => status === undefined)) return;
    this.#decision = combineAssessments(this.#policy, CLASSIFIERS, outcomes);
    const { eligible, reason } = this.#decision;
    if (!eligible) this.#why = STAYS[reason];
    const came = eligible ? "together they may approve" : `they may not approve: ${this.#why}`;
    this.tape.note({ kind: "decision", title: "Combination", what: reason, came, tone: eligible ? "good" : "odd" });
  }

  #verify(observations) {
    this.#combine();
    const what = observations.map(({ target }) => target).join(", ");
    const entry = this.tape.note({ kind: "check", title: "Observations", what });
    return this.#clock.after(VERIFY_MS, () => this.#checked(entry, this.#script.holds !== false, "observation"));
  }

  #revision() {
    this.#combine();
    const isSame = !(this.#clock.now >= this.#script.policyAt);
    this.#checked(this.tape.note({ kind: "check", title: "Policy", what: "read again under the claim" }), isSame, "policy");
    return isSame ? POLICY_REVISION : "team-policy/4";
  }

  #checked(entry, isSame, drift) {
    if (!isSame) this.#why = DRIFT[drift];
    this.tape.end(entry, isSame ? "still the same" : "another one", isSame ? "good" : "bad");
    return isSame;
  }

  #append({ action, source: { kind } }) {
    const { takes, fails } = this.#script.append;
    this.#gate = `claimed by ${WHO[kind]}`;
    const entry = this.tape.note({ kind: "claim", title: "Claim", what: `by ${WHO[kind]}: ${action}` });
    return this.#clock.after(takes, () => {
      if (fails) this.#gate = "open";
      if (fails && kind === "classifier") this.#why = DRIFT.append;
      this.tape.end(entry, fails ? "not written down: the gate is open again" : "written down", fails ? "bad" : "good");
      if (fails) throw new Error("the disk is full");
    });
  }

  #answer(gateId, { action }) {
    const entry = this.tape.note({ kind: "person", title: "Person", what: `answers ${action}` });
    this.#session.respond(gateId, { action, source: { kind: "user", reason: "answered" } }).then(
      () => this.tape.end(entry, "it counts", "good"),
      ({ reason }) => this.tape.end(entry, `it does not count: ${reason}`, "odd"),
    );
  }

  #resolved({ action, source: { kind } }) {
    this.#gate = "resolved";
    const outcome = { ...ACTIONS[action], says: RESOLVED[kind] };
    const tone = action === "Approve" ? "good" : "bad";
    this.tape.note({ kind: "verdict", title: "Resolved", what: `${action}, by ${WHO[kind]}`, came: RESOLVED[kind], tone, outcome });
  }
}

function inWords({ risk, authorization, categories, recommendation }) {
  const says = recommendation === "allow" ? "recommends to approve" : "wants a person";
  return [`${says}: risk ${risk}`, `authorization ${authorization}`, ...categories].join(", ");
}
