// Session state: what an event log says, and the events to append.
import type { Dialect, PermissionMode, SandboxMode, ToolCall } from "./index.js";

/** An event of a session's log. What is of another type, or of another shape, is skipped. */
export interface SessionEvent {
  readonly type: string;
  readonly data?: unknown;
}
/** A record of the auto stage, as it stands in a session's log. */
export interface ClassifierAudit {
  readonly tool: string;
  readonly digest?: string;
  readonly verdict: "allow" | "ask";
  readonly failure?: "timeout" | "error" | "malformed" | "unarmed" | "breaker" | "cancelled";
  readonly route?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly latencyMs: number;
  readonly cacheHit: boolean;
}

/** The mode of the last switch, or undefined. */
export function foldPermissionMode(events: readonly SessionEvent[]): PermissionMode | undefined;
/** The sandbox that the last switch into `bypassPermissions` which names one came from. */
export function foldResumeSandbox(events: readonly SessionEvent[]): SandboxMode | undefined;
/**
 * The rules that were granted for the session, each once, since they were last cleared: at most 20,000. One that does not
 * parse in the dialect is skipped. They are what `CallState.grants` takes.
 */
export function foldSessionAllow(events: readonly SessionEvent[], dialect?: Dialect): string[];
/** The records of the auto stage, in order. */
export function foldClassifiers(events: readonly SessionEvent[]): ClassifierAudit[];
/**
 * The events to append for a switch of the mode, in order; none where the mode is in force already.
 * @throws TypeError with `code` and `path`: `mode-not-switchable` for `plan` and `dontAsk`, `unknown-mode`, `bypass-disabled`.
 */
export function setPermissionMode(
  current: {
    readonly events: readonly SessionEvent[];
    /** The mode of a session that has recorded none. */
    readonly defaultMode?: PermissionMode;
    /** The session's sandbox, where the host knows it better than the log. */
    readonly sandbox?: SandboxMode;
    /** The sandbox that shell calls have by configuration. */
    readonly shellSandbox?: SandboxMode;
    readonly bypassDisabled?: boolean;
  },
  mode: PermissionMode,
): SessionEvent[];
/**
 * The event to append when a person grants a rule for the session.
 * @throws RuleError for a rule that does not parse in the dialect.
 */
export function sessionAllowEvent(rule: string, toolName: string, timestamp: number, dialect?: Dialect): SessionEvent;
/** Violations of the `permission/mode` invariant, one text per bad event; empty where all hold. */
export function checkModeEvents(events: readonly SessionEvent[]): { readonly index: number; readonly message: string }[];
/** Whether a reason of the sandbox runtime speaks of the sandbox. */
export function isSandboxEscalation(reason: string | undefined): boolean;
/**
 * `allowed-once` and the event to append, or undefined: pass on to the next approver. The reason is evidence from the
 * sandbox runtime; never let the model write it.
 */
export function approveSandboxEscalation(request: {
  readonly reason?: string;
  readonly toolName: string;
  readonly mode?: PermissionMode;
  readonly workspace?: string;
  readonly timestamp: number;
}): { readonly outcome: "allowed-once"; readonly event: SessionEvent } | undefined;
/** The rule that "always allow" would store for a call, or undefined where none is sound. */
export function deriveGrant(call: ToolCall, dialect?: Dialect): string | undefined;
