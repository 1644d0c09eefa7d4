// When no verdict comes: counters, prompts and their answers.
import type { Dialect, JsonValue } from "./index.js";

/** Why a person is asked where an automatic mode would have decided. */
export type FallbackReason =
  | "safety_check"
  | "ask_rule"
  | "plan_mode_floor"
  | "external_write"
  | "classifier_unavailable"
  | "classifier_blocked_retry"
  | "consecutive_block"
  | "consecutive_unavailable"
  | "total_denial";
/** What a classifier, a guard or a rule came to. `block` is a verdict, `unavailable` is none. */
export type AutoModeDecision =
  | { readonly kind: "allow" }
  | { readonly kind: "block"; readonly reason: string }
  | { readonly kind: "unavailable"; readonly reason: string }
  | { readonly kind: "destructive"; readonly reason: string }
  | { readonly kind: "fallback"; readonly reason: FallbackReason };
/** What follows from it. The message of `blocked` goes back to the agent, that of `fallback` to the person. */
export type AutoModeOutcome =
  | { readonly kind: "approved" }
  | {
      readonly kind: "blocked";
      readonly code: "classifier_blocked";
      readonly message: string;
      readonly permissionDeniedHook: boolean;
    }
  | {
      readonly kind: "fallback";
      readonly reason: FallbackReason;
      readonly message?: string;
      readonly permissionDeniedHook: boolean;
    };
/** Counters of one session: safe integers that are not negative, and the call that may be sent once more. */
export interface DenialState {
  readonly consecutiveBlock: number;
  readonly consecutiveUnavailable: number;
  readonly totalBlock: number;
  readonly totalUnavailable: number;
  readonly pendingManualRetryFingerprint?: string;
}
/**
 * The counters of one session: 3 blocks in a row, 2 results without a verdict in a row, 20 in all. Every method is one
 * step: calls that are judged side by side never lose a count.
 */
export class DenialTracker {
  /** @throws TypeError for a state of another shape: no counter begins anew by mistake. */
  constructor(state?: DenialState);
  /** A fresh plain object; what `new DenialTracker` takes. */
  readonly state: DenialState;
  /** Why a person is asked in the place of the classifier; undefined: ask the classifier. */
  shouldFallback(fingerprint?: string): FallbackReason | undefined;
  /** Counts a result and says what follows. What is no decision becomes a prompt. */
  apply(decision: AutoModeDecision, fingerprint?: string): AutoModeOutcome;
  /** Takes in what the person chose in a prompt that a fallback opened. */
  resolve(outcome: ConfirmationOutcome): void;
  /** Forgets everything; for when the mode really changes. */
  reset(): void;
  /** A freed tracker says nothing more. */
  free(): void;
  /** The same as `free`, for `using`. */
  [Symbol.dispose](): void;
}
/**
 * SHA-256, in hex, of the canonical JSON of a call: equal for equal calls alone.
 * @throws TypeError for what JSON cannot say: a lone surrogate, a number that is not finite.
 */
export function callFingerprint(toolName: string, cwd: string, params: JsonValue): string;
/** What a person chose in a prompt. */
export type ConfirmationOutcome =
  | "proceed_once"
  | "proceed_once_and_switch_to_default"
  | "proceed_always"
  | "proceed_always_project"
  | "proceed_always_user"
  | "proceed_always_server"
  | "proceed_always_tool"
  | "modify_with_editor"
  | "restore_previous"
  | "cancel";
/** An option of a prompt. */
export interface ConfirmationOption {
  readonly id: ConfirmationOutcome;
  readonly label: string;
  readonly acpKind: "allow_once" | "allow_always" | "reject_once";
}
/** What a prompt is decorated with. */
export interface FallbackConfirmation {
  /** Approvals that last are not offered; never approve such a prompt because "always" was chosen in another one. */
  readonly hideAlwaysAllow: boolean;
  /** What comes before the details. */
  readonly autoModeFallback?: { readonly reason: FallbackReason; readonly message: string };
  readonly options: readonly ConfirmationOption[];
}
/** Decorates a prompt. Without options of the caller's own it offers to allow once and to reject. */
export function fallbackConfirmation(
  outcome: AutoModeOutcome & { kind: "fallback" },
  options?: readonly ConfirmationOption[],
): FallbackConfirmation;
/** The switch becomes `proceed_once` and a change of mode; every other choice is returned as it is. */
export function normalizeConfirmation(outcome: ConfirmationOutcome): {
  readonly outcome: ConfirmationOutcome;
  readonly switchModeTo?: "default";
  readonly telemetry: "accept" | "auto_accept" | "modify" | "reject";
};
/** The notice of a prompt, as a block of the Agent Client Protocol. */
export type AcpNotice = { type: "content"; content: { type: "text"; text: string } };
/**
 * A confirmation as the Agent Client Protocol has it: the notice, then the caller's content; the options without
 * `allow_always` under a fallback.
 */
export function toAcpPermissionRequest<Block = JsonValue>(
  confirmation: FallbackConfirmation,
  content?: readonly Block[],
): {
  content: (Block | AcpNotice)[];
  options: { optionId: string; name: string; kind: ConfirmationOption["acpKind"] }[];
};
/**
 * What a client answered. The switch is returned as it is: normalise it next.
 * @throws TypeError with `code` `unoffered-option` or `unknown-outcome`.
 */
export function fromAcpOutcome(
  confirmation: FallbackConfirmation,
  outcome: { readonly outcome: "cancelled" } | { readonly outcome: "selected"; readonly optionId: string },
): ConfirmationOutcome;
/**
 * Of some allow rules those that would let an agent run anything unjudged, as they were written: interpreters, package
 * runners, whole shells, agents. An automatic mode sets them aside.
 */
export function dangerousAllowRules(rules: readonly string[], dialect?: Dialect): string[];
