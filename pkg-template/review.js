// Reviews without a session around them: contexts, subjects, policies, and what assessments come to.
import { elements, member, tryJsonText } from "./arguments.js";
import { inBytes } from "./bytes.js";
import { CoreError, reviewError } from "./errors.js";
import { run } from "./instance.js";
import vocabulary from "./vocabulary.js";

/** Policies that `createReviewPolicy` made, and their JSON text. A copy of one is not among them. */
const sealed = new WeakMap();

export function buildReviewContext(input, policy) {
  const texts = [given(input, "context"), given(policy, "context_policy")];
  return made("buildReviewContext", texts);
}

export function createReviewSubject(basis, request, context) {
  const texts = [given(basis, "basis"), given(request, "request"), given(context, "context")];
  return made("createReviewSubject", texts);
}

export function subjectDigest(subject) {
  return called("subjectDigest", [given(subject, "subject")]);
}

export function createReviewPolicy(policy) {
  const text = policy === undefined ? undefined : given(policy, "policy");
  const json = called("createReviewPolicy", [text]);
  const result = frozen(JSON.parse(json));
  sealed.set(result, json);
  return result;
}

export function evaluateAssessment(policy, subject, assessment) {
  const texts = [sealedText(policy), readable(subject), readable(assessment)];
  return decision("evaluateAssessment", texts);
}

export function combineAssessments(policy, classifiers, outcomes) {
  const texts = [sealedText(policy), namesOf(classifiers), readable(outcomes)];
  return decision("combineAssessments", texts);
}

export function parseAssessment(text, subject) {
  const crosses = typeof text === "string" && text.length <= vocabulary.answerUnits && text.isWellFormed();
  const json = given(subject, "subject");
  return made("parseAssessment", [crosses ? text : undefined, json]);
}

/** The text of a policy that was made here, or undefined. */
export function sealedText(policy) {
  return sealed.get(policy);
}

/** The JSON text of an argument; of what has none, a text that is none, which the core refuses by the argument's name. */
function given(value, field) {
  const json = value === undefined ? undefined : tryJsonText(value);
  if (json !== undefined && json.length > vocabulary.inputUnits) throw reviewError(field, "out_of_bounds");
  return json ?? "";
}

/** The JSON text of a value, or a text that is none. */
export function readable(value) {
  const json = tryJsonText(value);
  return json === undefined || json.length > vocabulary.inputUnits ? "" : json;
}

/** Only names and revisions of classifiers are read. */
function namesOf(classifiers) {
  try {
    const names = Array.from(elements(classifiers, []), (classifier) => ({
      name: member(classifier, "name", []),
      revision: member(classifier, "revision", []),
    }));
    return readable(names);
  } catch {
    return "";
  }
}

/** What the core makes of the texts of the arguments. */
function called(name, texts) {
  return inBytes(texts, (bytes) => run((core) => core.review(name, ...bytes)));
}

function made(name, texts) {
  return frozen(JSON.parse(called(name, texts)));
}

/** A decision is never an error: where the core stopped, nothing was assessed. */
function decision(name, texts) {
  let reason;
  try {
    reason = called(name, texts);
  } catch (error) {
    if (!(error instanceof CoreError)) throw error;
    reason = "invalid_assessment";
  }
  return Object.freeze({ eligible: reason === "eligible", reason });
}

/** The value, and everything in it, so that nobody can change it. */
export function frozen(value) {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
