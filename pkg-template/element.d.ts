// The entry `toolgate/element`: the custom element `<toolgate-preview>`. Importing it defines the element, where there is a document.
import type { CallState, Decision, Diagnostic, Dialect, PermissionMode, PolicyConfig, ToolCall } from "./index.js";

/** What a host may set. As attributes, what is no text is JSON. */
export interface ToolgatePreviewProperties {
  /**
   * The rules, and what else the policy is made of. Setting it drops what a person wrote, but for a value that says what the element
   * says itself: a host may give back what it was told. Reading it gives the configuration in force.
   */
  config?: PolicyConfig | null;
  /** The calls to try. */
  calls?: readonly ToolCall[] | null;
  /** What holds for every call, but for the mode. */
  state?: Omit<CallState, "mode"> | null;
  /** Stands over the configuration's own. Reading it gives the one in force. */
  dialect?: Dialect | null;
  /** The mode that calls are tried under; without one, the configuration's `defaultMode`. */
  mode?: PermissionMode | null;
  /** Further names of tools for the completion. */
  tools?: readonly string[] | null;
  /** Nothing but the mode can be changed. */
  readonly?: boolean;
  /** What `init` of `toolgate` is given, if the host does not call it. */
  source?: WebAssembly.Module | BufferSource | URL | string | Response | Promise<Response>;
}

/** A person changed the rules, the dialect or the mode. */
export interface ToolgateChange {
  /** The configuration in force; undefined where there never was one without errors. Safe to be kept. */
  readonly config: PolicyConfig | undefined;
  /** The configuration as it is written, with its errors. */
  readonly draft: PolicyConfig | undefined;
  readonly dialect: Dialect;
  readonly mode: PermissionMode;
  /** Whether `draft` is without errors, and so in force. */
  readonly valid: boolean;
  /** What `Policy.check` says of `draft`. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A person added, changed or removed a call. */
export interface ToolgateCalls {
  readonly calls: readonly ToolCall[];
}

/** Every call was decided again. */
export interface ToolgateDecide {
  readonly decisions: readonly {
    readonly index: number;
    readonly call: ToolCall;
    /** Absent where there is a problem. */
    readonly decision?: Decision;
    /** Why there is no decision, in words. */
    readonly problem?: string;
  }[];
}

/** The element's own events. All of them bubble and leave shadow roots. */
export interface ToolgatePreviewEventMap {
  "toolgate-change": CustomEvent<ToolgateChange>;
  "toolgate-calls": CustomEvent<ToolgateCalls>;
  "toolgate-decide": CustomEvent<ToolgateDecide>;
}

export class ToolgatePreview extends HTMLElement {
  get config(): PolicyConfig | undefined;
  set config(value: ToolgatePreviewProperties["config"]);
  /** The configuration as it is written, with its errors. */
  readonly draft: PolicyConfig | undefined;
  get calls(): ToolCall[];
  set calls(value: ToolgatePreviewProperties["calls"]);
  get state(): Omit<CallState, "mode">;
  set state(value: ToolgatePreviewProperties["state"]);
  get dialect(): Dialect;
  set dialect(value: ToolgatePreviewProperties["dialect"]);
  get mode(): PermissionMode;
  set mode(value: ToolgatePreviewProperties["mode"]);
  get tools(): string[];
  set tools(value: ToolgatePreviewProperties["tools"]);
  readonly: boolean;
  source: ToolgatePreviewProperties["source"];
  /** Settles once what was set before is shown. */
  readonly updateComplete: Promise<boolean>;
  /** Drops what was written since the rules were last without errors. */
  reset(): void;
  addEventListener<K extends keyof ToolgatePreviewEventMap>(
    type: K,
    listener: (this: ToolgatePreview, event: ToolgatePreviewEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<K extends keyof ToolgatePreviewEventMap>(
    type: K,
    listener: (this: ToolgatePreview, event: ToolgatePreviewEventMap[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

/** For JSX: the properties, and the events by the names that React gives them. */
export interface ToolgatePreviewJsx extends ToolgatePreviewProperties {
  "ontoolgate-change"?: (event: ToolgatePreviewEventMap["toolgate-change"]) => void;
  "ontoolgate-calls"?: (event: ToolgatePreviewEventMap["toolgate-calls"]) => void;
  "ontoolgate-decide"?: (event: ToolgatePreviewEventMap["toolgate-decide"]) => void;
}

declare global {
  interface HTMLElementTagNameMap {
    "toolgate-preview": ToolgatePreview;
  }
}
