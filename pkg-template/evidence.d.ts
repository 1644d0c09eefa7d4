// The evidence classifier: a part of the main entry.
import type { JsonValue } from "./index.js";

/** What is asked: may this one action run? */
export interface AutoPermissionRequest {
  readonly action: { readonly toolName: string; readonly arguments: { readonly [key: string]: JsonValue } };
  /** What people asked for; never truncated. Without a request nothing is allowed. */
  readonly humanRequests: readonly string[];
  /** What people forbade; never truncated. */
  readonly restrictions?: readonly string[];
  /** Earlier actions, oldest first; whole records are dropped, oldest first, to fit. */
  readonly history?: readonly { readonly toolName: string; readonly arguments: { readonly [key: string]: JsonValue } }[];
  /** Exact project-relative files that the host chose for this action: at most 8. Absent or empty: one call, no tools. */
  readonly evidencePaths?: readonly string[];
  /** Sent for the tools `mem_save` and `mem_session_summary` only. */
  readonly memoryContext?: JsonValue;
  /** Milliseconds of one model call; default and most 20,000. */
  readonly timeoutMs?: number;
  /** Milliseconds of all of it, files and calls; default three times `timeoutMs`, most 60,000. */
  readonly overallTimeoutMs?: number;
  /** Bytes of what is sent, fixed texts apart; default 131,072, most 1,048,576. */
  readonly inputByteBudget?: number;
}
/** Tokens of one model call, or of several. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
}
/** One call that the host is to make of its model, as it stands. */
export interface ModelCall {
  readonly round: 1 | 2 | 3;
  readonly system: string;
  readonly prompt: string;
  readonly tools: readonly {
    readonly name: "inspect_permission_file";
    readonly description: string;
    readonly inputSchema: JsonValue;
  }[];
  readonly toolChoice: "auto" | "none";
  readonly deadlineMs: number;
}
/** What the model said. Arguments of a tool call are parsed by the host. */
export interface ModelReply {
  readonly text?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly usage?: Usage;
  readonly stopReason?: string;
}
/** What `fstat` says of a file; device and inode numbers that are no safe integers as decimal strings. */
export interface FileStat {
  readonly dev: number | string;
  readonly ino: number | string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly nlink: number;
}
/** A file that was read, or why not; the reason goes nowhere. */
export type FileInspection =
  | { readonly status: "file"; readonly bytes: Uint8Array; readonly before: FileStat; readonly after: FileStat }
  | { readonly status: "missing" | "blocked"; readonly reason?: string };
/** What a host does for the classifier. Whatever it throws ends the classification, and goes nowhere. */
export interface ClassifierHost {
  /** Asks the model once. The signal fires at the deadline; a rejection ends the classification. */
  callModel(call: ModelCall, signal: AbortSignal): Promise<ModelReply>;
  /** Size of a candidate, or undefined where it does not exist. Absent: no candidate is offered. */
  statFile?(path: string, signal: AbortSignal): Promise<{ readonly size: number } | undefined>;
  /** Reads at most `maxBytes` of one file that was offered. `createFileInspector` of `toolgate/node` does. */
  inspectFile?(path: string, maxBytes: number, signal: AbortSignal): Promise<FileInspection>;
  /** Whether action, session, mode, model and permission context are still those of the request. A host without it gets `stale`. */
  isCurrent(request: AutoPermissionRequest): boolean | Promise<boolean>;
  /** A model call settled after its classification had returned. */
  onLateReceipt?(receipt: { readonly usage: Usage | "unknown"; readonly diagnostic: ClassifierDiagnostic }): void;
}
/** Why there is no verdict. */
export type ClassifierError =
  | "timeout"
  | "evidence-limit"
  | "evidence-unavailable"
  | "redacted-context"
  | "context-overflow"
  | "cancelled"
  | "stale"
  | "busy"
  | "provider-error"
  | "invalid-request"
  | "invalid-response";
/** How a classification went; no prompt, path or content is in it. */
export interface ClassifierDiagnostic {
  readonly implementation: "auto-classifier-diagnostics-v1";
  readonly elapsedMs: number;
  /** The configured deadline of one model call. */
  readonly deadlineMs: number;
  readonly timerFired: boolean;
  readonly returnPath: "preflight" | "provider" | "provider-result" | "evidence" | "verdict" | "late-settlement";
  /** Exactly with the error `evidence-limit`. */
  readonly evidenceLimit?:
    | "path-count"
    | "provider-rounds"
    | "file-count"
    | "duplicate-file"
    | "context-bytes"
    | "invalid-byte-budget"
    | "file-stat-bytes"
    | "file-read-bytes";
}
/** The verdict, or why there is none. It is for this moment: files can change afterwards. */
export type ClassifierResult = (
  | { readonly kind: "allow" | "deny"; readonly reason: string }
  | { readonly kind: "unavailable"; readonly error: ClassifierError; readonly message: string }
) & {
  readonly usage: Usage | "unknown";
  readonly diagnostic: ClassifierDiagnostic;
  /** Only for `mem_save` and `mem_session_summary`. */
  readonly memoryContextAttached?: boolean;
};
/**
 * Lets a model judge one action, in at most three calls between which it may look at two files. One lease: a second call while one
 * is held is `busy`; after a timeout or a cancel the lease is kept until the host has settled.
 */
export class EvidenceClassifier {
  /** @throws TypeError where the host is no object. */
  constructor(host: ClassifierHost);
  /** Never rejects: every failure is an `unavailable` result. */
  classify(request: AutoPermissionRequest, options?: { readonly signal?: AbortSignal }): Promise<ClassifierResult>;
  /** Whether a classification runs, or its last callback has not settled yet. */
  readonly leased: boolean;
  /** Cancels, and gives the memory back once the host has settled. Every later call is `cancelled`. */
  free(): void;
  /** The same as `free`, for `using`. */
  [Symbol.dispose](): void;
}
/** Files to offer for a compound shell action: empty unless every segment is one of the two known shapes. */
export function evidenceCandidates(command: string): string[];
/** Undefined where the path may be offered, else the code of the confinement rule that it breaks. */
export function checkEvidencePath(path: string): string | undefined;
/** Whether a text appears to hold a credential. Nothing of the text is kept or told. */
export function containsSecret(text: string): boolean;
/** Takes a diagnostic out of a value that came from elsewhere; undefined where it is none. */
export function projectDiagnostic(value: unknown): ClassifierDiagnostic | undefined;
