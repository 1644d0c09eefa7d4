// Permission review gates: reviewers beside a gate that a person can answer at any moment.
import type { JsonValue } from "./index.js";

/** How bad a call could be, as a classifier sees it; ascending. `critical` is never approved without a person. */
export type ReviewRisk = "low" | "medium" | "high" | "critical";
/** How clearly the person asked for what the call does; ascending. */
export type Authorization = "unknown" | "low" | "medium" | "high";
/** What kind of harm a classifier sees. */
export type RiskCategory =
  | "data_exfiltration"
  | "credential_access"
  | "credential_probing"
  | "destructive_local"
  | "destructive_shared"
  | "persistent_security_weakening"
  | "production_mutation"
  | "protected_source_control"
  | "untrusted_code_execution"
  | "mutable_network"
  | "prompt_injection"
  | "authorization_conflict"
  | "target_ambiguity"
  | "insufficient_evidence";
/** How a classifier's part in a review ended. */
export type ReviewStatus = "allowed" | "needs_human" | "not_applicable" | "timed_out" | "failed" | "cancelled" | "stale";
/** Why a gate may, or may not, be approved without the person. */
export type ReviewReason =
  | "eligible"
  | "invalid_policy"
  | "invalid_assessment"
  | "basis_mismatch"
  | "recommendation"
  | "risk_ceiling"
  | "authorization"
  | "absolute_human"
  | "material_truncation"
  | "no_applicable_classifier"
  | "classifier_status";

/** What binds an assessment to one gate, one execution and one state of the world. Names are those of the canonical form. */
export interface ReviewBasis {
  readonly gate_id: string;
  readonly tool_execution_id: string;
  /** 64 lower-case hex digits; zeros on the way into construction. */
  readonly subject_digest: string;
  readonly context_revision: string;
  readonly gate_policy_revision: string;
  readonly classifier_revision: string;
  readonly security_ceiling: string;
}
/** A rule that a person could grant for a requirement. */
export interface ReviewCandidate {
  readonly kind: string;
  readonly match: string;
  readonly description: string;
  readonly grant_class: string;
  readonly grant_target: string;
}
/** Something that a call needs permission for. */
export interface ReviewRequirement extends ReviewCandidate {
  readonly scope: string;
  readonly candidates: readonly ReviewCandidate[];
}
/** What a call wants to do, as its gate shows it. */
export interface ReviewRequest {
  readonly tool_name: string;
  readonly summary: string;
  readonly execution_id: string;
  readonly command: string;
  readonly working_directory: string;
  /** Data for the host: compared with nothing. */
  readonly expires_at_unix_milli: number;
  readonly requirements: readonly ReviewRequirement[];
}
/** One message, request, result or other content of a conversation. */
export interface ReviewEntry {
  readonly origin: "user" | "assistant" | "tool" | "runtime" | "external" | "omission";
  readonly kind:
    | "user_message"
    | "assistant_message"
    | "assistant_tool_request"
    | "tool_result"
    | "runtime_context"
    | "external_content"
    | "omission";
  readonly content: string;
  readonly truncated: boolean;
}
/** What a reviewer is shown of the conversation. */
export interface ReviewContext {
  readonly coordinates: {
    readonly session_id: string;
    readonly loop_id: string;
    readonly turn_id: string;
    readonly step_id: string;
  };
  readonly context_revision: string;
  readonly workspace_root: string;
  readonly working_directory: string;
  readonly retry_reason: string;
  readonly security_ceiling: string;
  readonly gate_policy_revision: string;
  /** From the oldest to the newest. */
  readonly entries: readonly ReviewEntry[];
  /** What is missing in them, and whether that could matter. */
  readonly truncation: {
    readonly applied: number;
    readonly material: number;
    readonly omitted_entries: number;
    readonly omitted_bytes: number;
  };
}
/** How much of a conversation a reviewer may be shown. */
export interface ReviewContextPolicy {
  readonly revision: string;
  /** Of the canonical form of the context. */
  readonly max_bytes: number;
  /** A token is taken to be four bytes. */
  readonly max_estimated_tokens: number;
  readonly max_entries: number;
  readonly max_user_entry_bytes: number;
  readonly max_agent_entry_bytes: number;
  readonly max_tool_entry_bytes: number;
  readonly max_block_bytes: number;
  /** Of the call that is reviewed; it is never shortened. */
  readonly max_active_action_bytes: number;
}
/** What a classifier judges. */
export interface ReviewSubject {
  readonly basis: ReviewBasis;
  readonly request: ReviewRequest;
  readonly context: ReviewContext;
}
/** What a classifier says of a subject. */
export interface Assessment {
  readonly basis: ReviewBasis;
  readonly risk: ReviewRisk;
  readonly authorization: Authorization;
  readonly categories: readonly RiskCategory[];
  readonly recommendation: "allow" | "needs_human";
  /** For diagnosis alone: it decides nothing, and appears in no event, log or error. */
  readonly rationale: string;
}
/** Something that a classifier looked at, in the host's own terms; rechecked before a gate is claimed. */
export interface Observation {
  readonly target: string;
  readonly token: string;
}
/** Which assessments may approve. */
export interface ReviewPolicy {
  readonly revision: string;
  readonly maximum_auto_risk: "low" | "medium" | "high";
  readonly minimum_authorization: {
    readonly low: Authorization;
    readonly medium: Authorization;
    readonly high: Authorization;
  };
  /** Categories that want a person, whatever else is said. */
  readonly absolute_human: readonly RiskCategory[];
  /** Bits of `truncation.applied` that want a person; material truncation always does. */
  readonly material_truncation: number;
}
/** What a classifier made of its subject. */
export interface AssessmentOutcome {
  readonly subject: ReviewSubject;
  readonly applicable: boolean;
  readonly status: ReviewStatus;
  readonly assessment?: Assessment;
  readonly observations?: readonly Observation[];
}
/** Whether a gate may be approved without a person, and why or why not. */
export interface ReviewDecision {
  readonly eligible: boolean;
  readonly reason: ReviewReason;
}

/**
 * Shortens entries and leaves out the oldest until the context fits the budget. What it returns makes a subject.
 * @throws ReviewError
 */
export function buildReviewContext(input: ReviewContext, policy: ReviewContextPolicy): ReviewContext;
/** Validates, copies, stamps the digest. @throws ReviewError */
export function createReviewSubject(basis: ReviewBasis, request: ReviewRequest, context: ReviewContext): ReviewSubject;
/** Recomputed; the stored digest is not trusted. @throws ReviewError */
export function subjectDigest(subject: ReviewSubject): string;
/** Checks and freezes. What this returned is sealed; no copy of it is. @throws ReviewError */
export function createReviewPolicy(policy?: Partial<ReviewPolicy>): ReviewPolicy;
/** Whether one assessment approves its subject. Never throws. */
export function evaluateAssessment(policy: ReviewPolicy, subject: ReviewSubject, assessment: Assessment): ReviewDecision;
/** Whether the outcomes of all classifiers together approve. Never throws. */
export function combineAssessments(
  policy: ReviewPolicy,
  classifiers: readonly { readonly name: string; readonly revision: string }[],
  outcomes: readonly AssessmentOutcome[],
): ReviewDecision;
/** A model's structured answer, checked byte for byte against the basis that it must echo. @throws ReviewError */
export function parseAssessment(text: string, subject: ReviewSubject): Assessment;

/** What a classifier is bound to. Checked when the session is made; the digests are 64 lower-case hex digits. */
export interface ReviewClassifierDefinition {
  readonly name: string;
  readonly policyRevision: string;
  readonly blocking: true;
  readonly model: string;
  readonly output: { readonly schemaName: string; readonly schemaDigest: string; readonly revision: string };
  readonly evidenceTools: {
    readonly revision: string;
    readonly definitionsDigest: string;
    readonly producedNamesDigest: string;
  };
}
/** A reviewer. It can recommend one approval, once, and nothing else. */
export interface ReviewClassifier {
  readonly name: string;
  readonly revision: string;
  /** Absent: that the model is named, blocking and bound to its schema and tools is the host's to ensure. */
  readonly definition?: ReviewClassifierDefinition;
  /** Whether it has something to say of this subject, which is frozen. A throw fails the classifier. */
  applies(subject: ReviewSubject): boolean;
  /** What `run` gets: the model's input, as the host sends it. */
  marshalInput(subject: ReviewSubject): JsonValue;
  /** Asks the model. `observe` notes what the answer relies on, to be verified before the claim; the signal fires at the deadline. */
  run(input: JsonValue, observe: (observation: Observation) => void, signal: AbortSignal): Promise<unknown>;
  /** Makes an assessment of the answer: the place for `parseAssessment`. A throw fails the classifier. */
  validateResult(subject: ReviewSubject, result: unknown): Assessment;
  /** 1 to 600,000; default 90,000. */
  readonly timeoutMs?: number;
}
/** Thresholds of the breaker: of a turn, and of the session. Default 20 each; 0 switches one off. */
export interface ReviewLimits {
  readonly maxConsecutiveNeedsHuman?: number;
  readonly maxInvalidOrFailed?: number;
  readonly maxIdenticalSubjects?: number;
  readonly maxStaleResponses?: number;
  /** Whether `interrupt` is called when a turn trips. Default false. */
  readonly interruptOnTrip?: boolean;
  readonly session?: {
    readonly maxConsecutiveNeedsHuman?: number;
    readonly maxInvalidOrFailed?: number;
    readonly maxIdenticalSubjects?: number;
    readonly maxStaleResponses?: number;
  };
}
/** What a host does for a review session. `docs/review.md` tells when each is called, and what the answer is worth. */
export interface ReviewHost {
  readonly classifiers: readonly ReviewClassifier[];
  /** What `createReviewPolicy` returned, itself. */
  readonly policy: ReviewPolicy;
  readonly limits?: ReviewLimits;
  /** Re-read under the claim. */
  currentPolicyRevision(): string;
  /**
   * The live basis of a gate, re-read under the claim; any difference in execution, context revision or ceiling makes the
   * response stale. A host without it vouches that these cannot change while a gate is open.
   */
  currentBasis?(
    gateId: string,
  ): { readonly tool_execution_id: string; readonly context_revision: string; readonly security_ceiling: string } | undefined;
  /** Whether what was observed is still so, right before the claim. Anything but `true` within five seconds makes the response stale. */
  verifyObservations?(observations: readonly Observation[], signal: AbortSignal): Promise<boolean>;
  /** Makes a resolution durable; a rejection reopens the gate. */
  appendResolution(resolution: GateResolution): Promise<void>;
  /** Awaited, for five seconds at most. */
  audit(event: ReviewAudit): void | Promise<void>;
  /** A turn tripped its breaker, and `interruptOnTrip` is set. */
  interrupt?(coordinates: ReviewContext["coordinates"]): void;
  /** A fixed sentence; it repeats nothing of a subject, a model or a host. */
  warn?(message: string): void;
}
/** How a gate was answered. */
export interface GateResolution {
  readonly gateId: string;
  readonly action: "Approve" | "Approve always for this workspace" | "Deny";
  readonly source: { readonly kind: "user" | "policy" | "classifier"; readonly reason: string };
}
/** What is told of a review. It holds nothing of request, context, input, result, observations or errors. */
export interface ReviewAudit {
  readonly type: "PermissionReviewStarted" | "PermissionReviewCompleted";
  readonly v: 1;
  readonly gate_id: string;
  readonly tool_execution_id: string;
  readonly classifier: string;
  readonly classifier_revision: string;
  readonly status?: ReviewStatus;
  readonly risk?: ReviewRisk;
  readonly authorization?: Authorization;
  readonly categories?: readonly RiskCategory[];
  readonly auto_approved?: boolean;
}
/** Live gates of one session. A person may answer at any moment; whoever claims first wins. */
export class ReviewSession {
  /** @throws ReviewError */
  constructor(host: ReviewHost);
  /**
   * Opens a gate that a person can answer at once, and returns when it is open; review starts by itself and is not awaited.
   * No context: no review. Rejects with a ReviewError.
   */
  openGate(gate: {
    readonly basis: ReviewBasis;
    readonly request: ReviewRequest;
    readonly context?: ReviewContext | null;
    readonly actions?: readonly GateResolution["action"][];
  }): Promise<void>;
  /** Resolves once the gate is resolved by anyone. */
  resolution(gateId: string): Promise<GateResolution>;
  /** Rejects with a ReviewError: `not_found`, `not_ready`, `action_invalid`, `append_failed`. A `classifier` source is refused. */
  respond(gateId: string, answer: Omit<GateResolution, "gateId">): Promise<void>;
  /** Ends a turn: drops its breaker state and cancels its reviews. */
  endTurn(turnId: string): void;
  /** Cancels all reviews and forgets open gates. May be called again. */
  close(): void;
  /** A session breaker tripped, or an audit failed: no further review starts; people still answer. */
  readonly tripped: boolean;
  /** Closes, and gives the memory back once nothing is under way any more. */
  free(): void;
  /** The same as `free`, for `using`. */
  [Symbol.dispose](): void;
}
/** The threshold of each count of a breaker that `ReviewLimits` does not give. */
export const DEFAULT_REVIEW_BREAKER_THRESHOLD: 20;
