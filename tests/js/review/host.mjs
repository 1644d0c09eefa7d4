// A session of review gates on a host that does what its test says, and remembers what it was asked.
import { ReviewSession, createReviewPolicy } from "toolgate";

/** What no error, event, warning or result may ever hold. */
export const SECRET = "SECRET-7f3a";
export const REVISION = "gate-policy-v1";
const ZEROS = "0".repeat(64);

/** An id that ends in those digits. */
export const id = (digits) => `123e4567-e89b-12d3-a456-426614174${digits}`;
export const GATE = id("109");
export const TURN = id("103");

/** A gate; `members` of the basis stand over its own. */
export function gateOf(members = {}) {
  const basis = {
    gate_id: GATE,
    tool_execution_id: id("110"),
    subject_digest: ZEROS,
    context_revision: "context-v1",
    gate_policy_revision: REVISION,
    classifier_revision: "",
    security_ceiling: "workspace-write",
    ...members,
  };
  const requirement = { kind: "file.write", scope: "", match: "/workspace/a", description: "write a", grant_class: "", grant_target: "", candidates: [] };
  const request = {
    tool_name: "Write",
    summary: "write a",
    execution_id: "",
    command: "",
    working_directory: "/workspace",
    expires_at_unix_milli: 0,
    requirements: [requirement],
  };
  const context = {
    coordinates: { session_id: id("101"), loop_id: id("102"), turn_id: TURN, step_id: id("104") },
    context_revision: "context-v1",
    workspace_root: "/workspace",
    working_directory: "/workspace/repo",
    retry_reason: "",
    security_ceiling: "workspace-write",
    gate_policy_revision: REVISION,
    entries: [
      { origin: "user", kind: "user_message", content: `please ${SECRET}`, truncated: false },
      { origin: "assistant", kind: "assistant_tool_request", content: '{"path":"a"}', truncated: false },
    ],
    truncation: { applied: 0, material: 0, omitted_entries: 0, omitted_bytes: 0 },
  };
  return { basis, request, context };
}

/** An assessment of a subject; `members` stand over those of one that allows. */
export const assess = (subject, members = {}) => ({
  basis: subject.basis,
  risk: "low",
  authorization: "unknown",
  categories: [],
  recommendation: "allow",
  rationale: SECRET,
  ...members,
});

/** A classifier that allows; `members` stand over its own. */
export function classifier(name, members = {}) {
  return {
    name,
    revision: `${name}-1`,
    applies: () => true,
    marshalInput: () => ({ secret: SECRET }),
    run: async () => SECRET,
    validateResult: (subject) => assess(subject),
    ...members,
  };
}

/** The session, and what its host saw. */
export function opened(classifiers, members = {}) {
  const seen = { events: [], appends: [], warnings: [], interrupts: [] };
  const host = {
    classifiers,
    policy: createReviewPolicy({ revision: REVISION }),
    currentPolicyRevision: () => REVISION,
    appendResolution: async (resolution) => void seen.appends.push(resolution),
    audit: (event) => void seen.events.push(event),
    interrupt: (coordinates) => void seen.interrupts.push(coordinates),
    warn: (text) => void seen.warnings.push(text),
    ...members,
  };
  const session = new ReviewSession(host);
  const statuses = () => seen.events.filter(({ status }) => status !== undefined).map(({ classifier, status }) => [classifier, status]);
  return { session, seen, statuses, host };
}

export const answer = (action, kind = "user") => ({ action, source: { kind, reason: "" } });

/** What became of a promise: `pending`, its value, or the reason of its refusal. */
export function outcome(promise) {
  const state = { is: "pending" };
  promise.then(
    (value) => (state.is = value ?? "done"),
    (error) => (state.is = error.name === "ReviewError" ? `${error.field}/${error.reason}` : error.name),
  );
  return state;
}
