// Model verdicts and the auto stage.
import type { AutoModeSettings, Decision, JsonValue, ToolCall } from "./index.js";
import type { ClassifierAudit } from "./session.js";

/** What a model said. */
export interface Verdict {
  readonly verdict: "allow" | "ask";
  /** As the model gave it; empty where it gave none. */
  readonly reason: string;
}
/** A verdict, or that a text is none. */
export type VerdictResult =
  | { readonly ok: true; readonly value: Verdict }
  | { readonly ok: false; readonly error: "malformed"; readonly reason: "classifier output unparseable" };
/**
 * Reads a verdict strictly: one JSON object, alone or in one code fence. Whatever else a text is, it is no verdict; nothing of
 * it is in the result then.
 */
export function parseVerdict(text: string): VerdictResult;
/** Replaces each `$defaults` entry by the built-in rules; without entries these alone. */
export function expandSoftDeny(entries?: readonly string[]): string[];
/**
 * How often a route (`provider/model`) failed since its last verdict, at most `threshold`. Records that cannot be read are
 * passed over.
 */
export function trailingRouteFailureStreak(
  events: readonly ClassifierAudit[],
  routeKey: string,
  threshold: number,
): number;
/** So many failures in a row, and a route is not asked any more. */
export const CLASSIFIER_BREAKER_THRESHOLD: 3;
/** The type of the session event that a `ClassifierAudit` is kept as. */
export const CLASSIFIER_EVENT: "permission/classifier";

/** What the stage needs of its host. Each callback is called as a method, and only while a call is under way. */
export interface AutoStageHost {
  /** The live settings, from layers that the host trusts. Read for every call. */
  settings(): AutoModeSettings | undefined;
  /** One completion. Absent: the stage is unarmed. The signal fires at the deadline, or with the caller's own. */
  complete?(
    request: {
      readonly provider: string;
      readonly model: string;
      readonly system: string;
      readonly prompt: string;
      readonly maxTokens: number;
    },
    signal: AbortSignal,
  ): Promise<string>;
  /** The model behind an alias, for this call of this session. Throwing counts as none. */
  resolveRoute(
    alias: string,
    call: ToolCall,
    sessionId: string,
  ): { readonly provider: string; readonly model: string } | undefined;
  /** Writes a record down. Must be done when it returns. */
  audit(sessionId: string, event: ClassifierAudit): void;
  /** Tells whoever runs the host. */
  warn(message: string): void;
  /** Earlier audit records of a session, read once when it is first seen. */
  history?(sessionId: string): readonly ClassifierAudit[];
}
/**
 * `"allow"` and an ask are final; `undefined` is no opinion: go on with `decision.effective`. `failure` tells an ask that no
 * model gave.
 */
export type StageOutcome =
  | "allow"
  | {
      readonly kind: "ask";
      readonly reason: string;
      readonly failure?: "timeout" | "error" | "malformed" | "cancelled";
    }
  | undefined;
/**
 * The risk stage of auto mode: one model call that may turn an undecided LOW call into an allow or an ask. It can never deny,
 * and never lift a deny or an ask that the decision itself did not lift.
 */
export class AutoStage {
  /** @throws TypeError where a callback is missing. */
  constructor(host: AutoStageHost);
  /**
   * What the stage says of a call. Calls may overlap.
   * @throws (rejects with) whatever `settings`, `history` or `audit` of the host throw, and a TypeError with `code` and `path`
   * for an argument of another shape. Nothing else.
   */
  maybeEscalate(
    decision: Decision,
    call: ToolCall,
    context: { readonly sessionId: string; readonly readOnly?: boolean; readonly signal?: AbortSignal },
  ): Promise<StageOutcome>;
  /** Call it when the settings have changed: routes are asked again, and verdicts given again. */
  rebuild(): void;
  /**
   * What it remembers, as plain data. Whoever can write it can write verdicts: keep it where only the host does. Calls in
   * flight are not part of it.
   */
  snapshot(): JsonValue;
  /** Goes on exactly where a snapshot was taken. @throws TypeError (`invalid-snapshot`) for anything else. */
  static restore(host: AutoStageHost, snapshot: JsonValue): AutoStage;
  /** Ends open calls as cancelled, and gives the memory back. */
  free(): void;
  /** The same as `free`, for `using`. */
  [Symbol.dispose](): void;
}
