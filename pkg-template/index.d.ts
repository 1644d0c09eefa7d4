/// <reference lib="esnext.disposable" />
/**
 * toolgate reads agent permission rules, decides a tool call under a named dialect, and says why.
 *
 * Offsets and lengths are UTF-16 code units, as JavaScript counts them. Nothing here reads a clock, a file or the
 * network by itself.
 *
 * @module toolgate
 */
/** What JSON can say. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
/** A half-open range of UTF-16 code units. */
export interface Span {
  /** First unit. */
  readonly start: number;
  /** One past the last unit. */
  readonly end: number;
}
/** A finding about a configuration. Errors stop construction, warnings and infos do not. */
export interface Diagnostic {
  readonly severity: "error" | "warning" | "info";
  /** Stable, kebab-case. */
  readonly code: string;
  /** One sentence. */
  readonly message: string;
  /** Where in the configuration, e.g. `["layers", 1, "allow", 3]`. */
  readonly path: readonly (string | number)[];
  /** Within the text at `path`. */
  readonly span?: Span;
  /** What to write instead. */
  readonly hint?: string;
}

// ── start-up

/**
 * Instantiates the module. Idempotent; concurrent calls share one instantiation. In Node, Deno, Bun and workerd the
 * package is ready when the import is; in a browser this fetches `toolgate.wasm` next to the script, unless it is given
 * a module, bytes, a place or a response.
 */
export function init(
  source?: WebAssembly.Module | BufferSource | URL | string | Response | Promise<Response>,
): Promise<void>;
/** The version of the package. */
export const version: string;

// ── vocabulary

/** What a rule says of the calls that it accepts. */
export type Behavior = "allow" | "deny" | "ask";
/** Where a rule comes from; highest priority first. */
export type RuleSource =
  | "session"
  | "cliArg"
  | "policySettings"
  | "flagSettings"
  | "localSettings"
  | "projectSettings"
  | "userSettings"
  | "config";
/** How calls that no rule settles are taken. `dontAsk` is a mode of `claude-code-2.1` alone. */
export type PermissionMode = "default" | "acceptEdits" | "plan" | "bypassPermissions" | "auto" | "dontAsk";
/** What the operating system lets a shell call do. */
export type SandboxMode = "read-only" | "workspace-write" | "danger-full-access";
/** Named, versioned rule semantics. `standard` is the default; `DIALECTS` lists those that this version has. */
export type Dialect = "standard" | "dsh-0.5" | "claude-code-2.1" | "qwen-code-0.24";
/** How dangerous a call is. */
export type RiskLevel = "LOW" | "MEDIUM" | "HIGH";

/** The five modes that every dialect has: default, acceptEdits, plan, bypassPermissions, auto. Frozen. */
export const PERMISSION_MODES: readonly PermissionMode[];
/** Highest priority first. Frozen. */
export const SOURCE_PRIORITY: readonly RuleSource[];
/** The dialects that this version has. Frozen. */
export const DIALECTS: readonly Dialect[];

// ── errors

/** A rule that does not parse. */
export class RuleError extends TypeError {
  readonly name: "RuleError";
  /** `empty-rule`, `unclosed-paren`, `content-after-paren`, `missing-tool-name`, `invalid-domain` or `rule-too-long`. */
  readonly code: string;
  /** The rule's text. */
  readonly rule: string;
  /** Where in it. */
  readonly span: Span;
  /** What to write instead, where a repair is evident. */
  readonly hint?: string;
}
/** A configuration that does not compile: every diagnostic, not only the first. */
export class PolicyError extends TypeError {
  readonly name: "PolicyError";
  /** The code of the first error. */
  readonly code: string;
  readonly diagnostics: Diagnostic[];
}
/** An input over a documented limit. Nothing was decided. */
export class LimitError extends RangeError {
  readonly name: "LimitError";
  readonly code: string;
  readonly limit: number;
}

/** A refused value of a review. Only the place and the kind; never the value. */
export class ReviewError extends Error {
  readonly name: "ReviewError";
  readonly field: string;
  readonly reason: string;
}

/** The core stopped in the middle of a call (a trap). Nothing was decided; the next call finds a fresh instance. */
export class CoreError extends Error {
  readonly name: "CoreError";
  readonly code: "core-stopped";
}

// ── rules

/** What the content of a rule accepts. */
export type Matcher =
  | { readonly kind: "exact"; readonly text: string }
  | { readonly kind: "prefix"; readonly prefix: string }
  | { readonly kind: "wildcard"; readonly pattern: string }
  | { readonly kind: "domain"; readonly hostname: string }
  | { readonly kind: "path"; readonly anchor: "root" | "home" | "project" | "cwd"; readonly glob: string }
  | { readonly kind: "parameter"; readonly name: string; readonly value: string };

/** A rule's tool and, where it has content, what it accepts. */
export interface ParsedRule {
  /** The tool's name, trimmed. */
  readonly toolName: string;
  /** The unescaped content; a whole-tool rule has none. */
  readonly content?: string;
  /** What the content accepts; a whole-tool rule has none. */
  readonly matcher?: Matcher;
  /** Further conditions beside the matcher, where a dialect allows both. */
  readonly parameters?: readonly { readonly name: string; readonly value: string }[];
}
/** A parsed rule with what it says and where it comes from. */
export interface PermissionRule extends ParsedRule {
  readonly behavior: Behavior;
  readonly source: RuleSource;
}
/** Four lists of rules. Those of `bypassImmune` always deny. */
export interface PermissionRuleSet {
  readonly allow: readonly PermissionRule[];
  readonly deny: readonly PermissionRule[];
  readonly ask: readonly PermissionRule[];
  readonly bypassImmune: readonly PermissionRule[];
}

/**
 * Parses one rule: at most 4,096 units.
 * @throws RuleError
 */
export function parseRuleString(rule: string, dialect?: Dialect): ParsedRule;
/**
 * Parses one rule and adds what it says and where it comes from.
 * @throws RuleError
 */
export function parseRule(rule: string, behavior: Behavior, source: RuleSource, dialect?: Dialect): PermissionRule;
/** Renders a rule; parsing the result gives the same rule back. */
export function ruleString(toolName: string, content?: string, dialect?: Dialect): string;
/** Writes `\` `(` `)` of a content as a rule's text has them. */
export function escapeRuleContent(content: string, dialect?: Dialect): string;
/** The inverse of `escapeRuleContent`. */
export function unescapeRuleContent(content: string, dialect?: Dialect): string;
/** Concatenates in argument order, then sorts stably by source priority. Nothing is dropped. */
export function mergeRuleSets(...sets: readonly Partial<PermissionRuleSet>[]): PermissionRuleSet;
/** Whether a rule's matcher accepts one subject as it stands, with no tool, mode or policy around it. */
export function contentMatches(rule: ParsedRule, subject: string, dialect?: Dialect): boolean;

/** What the fold over one call says. */
export type PermissionDecision =
  | { readonly kind: "allow" }
  | { readonly kind: "deny"; readonly reason: string }
  | { readonly kind: "ask"; readonly reason?: string }
  | { readonly kind: "passthrough" };

/**
 * The pure fold over one call: rules and mode, no risk assessment. Flags count only when they are `true`.
 * @throws TypeError with `code` and `path` where the input is of another shape.
 */
export function evaluatePermission(input: {
  readonly toolName: string;
  readonly subject?: string;
  readonly rules: Partial<PermissionRuleSet>;
  readonly mode: PermissionMode;
  readonly bypassDisabled?: boolean;
  readonly isFileEdit?: boolean;
  readonly isReadOnly?: boolean;
  readonly sandboxedBashExempt?: boolean;
  readonly cwd?: string;
  readonly home?: string;
  readonly projectRoot?: string;
  readonly dialect?: Dialect;
}): PermissionDecision;

// ── risk

/** How dangerous a call is, and why. */
export interface RiskAssessment {
  readonly level: RiskLevel;
  /** Empty for LOW. */
  readonly reasons: readonly string[];
  /** One per reason: a stable code and where in the command or path it was seen. */
  readonly findings: readonly {
    readonly code: string;
    readonly level: RiskLevel;
    readonly reason: string;
    readonly span: Span;
  }[];
}
/**
 * Assesses a command line by its text alone. `patterns` with at least one entry replaces the built-in table with
 * linear-time regular expressions.
 * @throws PolicyError for a pattern that does not compile.
 */
export function assessBashCommand(command: string, patterns?: readonly string[], dialect?: Dialect): RiskAssessment;
/** Assesses a path that a tool would write. */
export function assessFilePath(
  filePath: string,
  options: {
    readonly cwd: string;
    readonly home?: string;
    readonly additionalDirectories?: readonly string[];
    readonly protectedFiles?: readonly string[];
    readonly dialect?: Dialect;
  },
): RiskAssessment;

/** What a command line runs, as the engine reads it. */
export interface ShellReading {
  /** False where some part could not be read with certainty; such a command is never allowed by a content rule. */
  readonly complete: boolean;
  /** Why not, with the place. */
  readonly problems: readonly { readonly code: string; readonly span: Span }[];
  readonly commands: readonly {
    /** Words after quote removal; `undefined` where the value is known only at run time. */
    readonly words: readonly (string | undefined)[];
    readonly assignments: readonly { readonly name: string; readonly value: string | undefined }[];
    readonly redirects: readonly { readonly operator: string; readonly target: string | undefined; readonly span: Span }[];
    /** `top` or the construct that the command sits in: subshell, substitution, wrapper argument, `sh -c` text, … */
    readonly context: string;
    readonly span: Span;
  }[];
}
/** Reads a command line as bash would. Never fails: what is in doubt is a problem with a place. At most 65,536 units. */
export function readShellCommand(command: string): ShellReading;

// ── a compiled policy

/** Rule strings by what they say. */
export interface RuleLists {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly ask?: readonly string[];
  readonly bypassImmune?: readonly string[];
}
/** What a policy is compiled from: at most 20,000 rules. */
export interface PolicyConfig {
  readonly dialect?: Dialect;
  /** Rules of source `config`. */
  readonly rules?: RuleLists;
  /** Settings layers. Between sources the source decides; layers of one source keep their order. */
  readonly layers?: readonly (RuleLists & {
    readonly source: RuleSource;
    /** The folder that the settings file's own paths are anchored at, where the source alone does not say. */
    readonly directory?: string;
  })[];
  /** The mode of calls whose state has none. Default `default`. */
  readonly defaultMode?: PermissionMode;
  /** `true` or `"disable"`: `bypassPermissions` counts as `default`. */
  readonly disableBypassPermissionsMode?: boolean | "disable";
  /** What the shell tool is called. Default `Bash`. */
  readonly bashToolName?: string;
  /** Tools whose calls `acceptEdits` allows. The default is the dialect's. */
  readonly fileEditTools?: readonly string[];
  /** Tools whose calls `plan` allows. The default is the dialect's. */
  readonly readOnlyTools?: readonly string[];
  /** A call in a sandbox is spared the question of a whole-tool ask rule. Default false. */
  readonly exemptSandboxedBashFromToolAsk?: boolean;
  /** False: no call is assessed for risk. Default true. */
  readonly classifierEnabled?: boolean;
  /** Folders beside `cwd` that file tools may write to without being asked for it. */
  readonly additionalDirectories?: readonly string[];
  /** Stands in the place of the built-in list of files whose writing is a risk. */
  readonly protectedFiles?: readonly string[];
  /** Regular expressions that take linear time, in the place of the built-in table of commands. */
  readonly dangerousPatterns?: readonly string[];
  /** The absolute path of the home folder: what `~` means in rules and calls. */
  readonly home?: string;
  /** The absolute path of the project, for dialects that anchor rules there. */
  readonly projectRoot?: string;
}
/** The settings of an agent's automatic mode. */
export interface AutoModeSettings {
  readonly soft_deny?: readonly string[];
  readonly classifier?: {
    readonly enabled?: boolean;
    readonly route?: string;
    readonly timeoutMs?: number;
    readonly cacheMaxEntries?: number;
  };
}
/**
 * Turns an agent's permission settings, as they are, into a configuration. What settings say stands over `base`;
 * `bypassImmune` never comes from settings. Nothing is lost in silence: a setting that is not taken is an info.
 */
export function configFromSettings(
  permissions: unknown,
  options?: {
    readonly base?: PolicyConfig;
    /** Default `userSettings`. */
    readonly source?: RuleSource;
    readonly directory?: string;
  },
): { readonly config: PolicyConfig; readonly autoMode?: AutoModeSettings; readonly diagnostics: Diagnostic[] };
/** Something that another agent's rules say and the configuration does not, or says otherwise. */
export interface ImportLoss {
  /** Stable, kebab-case. */
  readonly code: string;
  /**
   * What it does to decisions: more is asked or denied than in the other agent, or less is allowed (`stricter`); a deny or an
   * ask holds less (`weaker`); nothing (`none`).
   */
  readonly effect: "stricter" | "weaker" | "none";
  /** A fixed sentence. */
  readonly message: string;
  /** The entry, e.g. `["bash", "git *"]`; empty in texts. */
  readonly path: readonly (string | number)[];
  /** The statement, in texts. */
  readonly span?: Span;
}
/** Another agent's rules as a configuration. */
export interface Imported {
  /**
   * Rules of `standard`, in layers. It always compiles; where `diagnostics` are not empty it has no rule that allows, since
   * what was not read may have denied.
   */
  readonly config: PolicyConfig;
  /** What could not be read; each is an error. */
  readonly diagnostics: readonly Diagnostic[];
  /** What was read and is not carried over as it stands. An allow is never broader than in the other agent. */
  readonly losses: readonly ImportLoss[];
}
/**
 * Reads a file of Codex's rules (`.rules`: `prefix_rule`, `network_rule`, `host_executable` with plain values). Never throws.
 */
export function fromCodexRules(
  text: string,
  options?: {
    /** Of the layer. Default `config`, the lowest: what it asks about stands in no other source's way. */
    readonly source?: RuleSource;
  },
): Imported;
/**
 * Reads the `permission` object of OpenCode's `opencode.json`, in which the last entry that matches decides. Its order is
 * kept by the sources of the layers, from `config` upwards: the host's own denials belong above them, or into
 * `bypassImmune`. Never throws.
 */
export function fromOpenCodePermission(
  permission: unknown,
  options?: {
    /** The project's directory, from the root; without it no file is allowed. */
    readonly projectRoot?: string;
    /** The home directory, from the root; without it no pattern that begins with it allows anything. */
    readonly home?: string;
  },
): Imported;
/** A tool call, as the agent makes it. */
export interface ToolCall {
  readonly tool: string;
  /** The call's arguments; the subject is taken from them (`command`, `file_path`, `url`, …). */
  readonly arguments?: { readonly [key: string]: unknown };
  /** Overrides the subject taken from `arguments`: at most 1,048,576 units. */
  readonly subject?: string;
}
/** What a decision depends on beside the policy. */
export interface CallState {
  /** Stands over `defaultMode`. */
  readonly mode?: PermissionMode;
  /** The folder that relative paths start from. */
  readonly cwd?: string;
  /** True: the mode is `plan`, whatever else is said. */
  readonly planActive?: boolean;
  /** What the sandbox lets a shell call do, where it runs in one. */
  readonly sandbox?: SandboxMode;
  /** Session grants (rule strings). */
  readonly grants?: readonly string[];
  /** Real path of the call's file, where the host resolved links. An allow rule must then accept both, a deny rule either. */
  readonly realPath?: string;
}
/** A step of the pipeline, in table order. */
export type Stage =
  | "bypass-immune"
  | "risk"
  | "tool-deny"
  | "tool-ask"
  | "content-rule"
  | "mode"
  | "tool-allow"
  | "no-match"
  | "plan-wrap";
/** What a policy says of one call. */
export interface Decision {
  /** What rules, risk and mode say. In `auto` mode an `ask` at LOW risk may still be lifted: see `effective`. */
  readonly kind: "allow" | "deny" | "ask" | "passthrough";
  /** `kind` after the risk proxy of `auto` mode, with no model asked. The same as `kind` in every other mode. */
  readonly effective: "allow" | "deny" | "ask" | "passthrough";
  readonly reason?: string;
  /** The stage that decided. */
  readonly stage: Stage;
  /** The rule that decided, if one did. A policy's own rules are shared between decisions, and frozen. */
  readonly rule?: PermissionRule & { readonly text: string; readonly path: readonly (string | number)[] };
  readonly risk: RiskAssessment;
  /** The mode in force after overlays (`plan`) and locks (`bypassDisabled`). */
  readonly mode: PermissionMode;
  /** Whether the tool only reads, by the configured list. */
  readonly readOnly: boolean;
}

/** A decision with everything that led to it. */
export interface Explanation {
  readonly decision: Decision;
  /** The text that the call is matched by. */
  readonly subject?: string;
  /** What the line runs, for a shell call. */
  readonly shell?: ShellReading;
  /** Every stage in order, also those after the one that decided. */
  readonly stages: readonly {
    readonly stage: Stage;
    readonly outcome: "decided" | "passed" | "skipped";
    readonly note: string;
  }[];
  /** Every rule that answers to this tool, in the order in which they are consulted. */
  readonly rules: readonly {
    readonly text: string;
    readonly path: readonly (string | number)[];
    readonly behavior: Behavior | "bypassImmune";
    readonly source: RuleSource;
    readonly matched: boolean;
    readonly decided: boolean;
    /** Where it parted from the call, or why it did not decide: a stable code (`prefix-differs`, `earlier-rule`, …). */
    readonly why?: string;
    /** Parts of the subject that the rule accepted. */
    readonly subjectSpans: readonly Span[];
    /** The part of the rule's text that accepted, or first refused. */
    readonly ruleSpan?: Span;
  }[];
}

/** Something that is wrong with a rule. */
export interface Finding {
  readonly code: string;
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
  /** Where the rule stands in the configuration. */
  readonly path: readonly (string | number)[];
  /** The part of the rule's text, where `Policy.check` points at it as well. */
  readonly span?: Span;
  /** Other rules involved. */
  readonly related: readonly { readonly path: readonly (string | number)[]; readonly note: string }[];
  /** A call that shows it: `explain` says of it what the finding says of the rule. */
  readonly witness?: ToolCall;
  /** A replacement for the rule's text; empty: remove the rule. */
  readonly fix?: string;
}

/** A configuration compiled once. Immutable; every method is a pure function of its arguments. */
export class Policy {
  /** @throws PolicyError with every diagnostic. */
  constructor(config: PolicyConfig);
  /** The same diagnostics, and warnings, without throwing. */
  static check(config: PolicyConfig): Diagnostic[];
  readonly dialect: Dialect;
  readonly ruleCount: number;
  /** Hex SHA-256 over the canonical form: equal policies have equal fingerprints. */
  readonly fingerprint: string;
  /**
   * Decides one call.
   * @throws TypeError with `code` and `path`, RuleError for a grant, LimitError for a text over a limit.
   */
  decide(call: ToolCall, state?: CallState): Decision;
  /** Decides each call under one state. */
  decideMany(calls: readonly ToolCall[], state?: CallState): Decision[];
  /** Decides one call and says of every stage and rule why; it always agrees with `decide`. */
  explain(call: ToolCall, state?: CallState): Explanation;
  /**
   * What is wrong with the rules, in the order of their places: rules that do nothing, contradict one another, or say more or
   * less than they seem to, each with a call that shows it where one exists. What was not looked at for a limit is the
   * finding `lint-limit`.
   */
  lint(): Finding[];
  /**
   * The smallest safe rules that would cover the call, in the order of its commands, the narrower before the wider. Empty
   * where something else decides the call, where its risk is not LOW or its line was not read completely, and where one of
   * its commands can have no safe rule: what runs or ruins anything (`bash`, `rm`, `git push`, a wrapper) never has one.
   * @throws what `decide` throws; CoreError where the core stops.
   */
  suggest(call: ToolCall, state?: CallState): Suggestion[];
  /**
   * Which rules decided which calls, and which calls fell through. Calls are counted in the core, batch by batch.
   * @throws what `decideMany` throws; CoreError where the core stops, so that no count is of half the calls.
   */
  coverage(calls: readonly ToolCall[], state?: CallState): Coverage;
  /** Gives the memory back. A freed policy decides nothing more. */
  free(): void;
  /** The same as `free`, for `using`. */
  [Symbol.dispose](): void;
}

/** A rule that would cover a call, or one of its commands. */
export interface Suggestion {
  /** As it is written in an allow list. */
  readonly rule: string;
  readonly behavior: Behavior;
  /** Subjects beside the call's own that it would accept; empty where it accepts nothing else, for hosts and for whole tools. */
  readonly alsoCovers: readonly string[];
  /** What it accepts, and what of the line it leaves to other rules. A fixed sentence. */
  readonly note: string;
}
/** What rules did over calls. */
export interface Coverage {
  /**
   * Every rule, also one that did nothing, in the order of the configuration: layers, then `rules`; in each `allow`, `deny`,
   * `ask`, `bypassImmune`. The session's grants stand last.
   */
  readonly rules: readonly {
    readonly path: readonly (string | number)[];
    readonly text: string;
    /** Calls that it decided, or of which it settled a command. */
    readonly decided: number;
    /** Calls of which it accepts a part. */
    readonly matched: number;
  }[];
  /** How many calls were decided so. */
  readonly byKind: { readonly [kind in Decision["kind"]]: number };
  /** Indexes of the calls that no rule and no mode settled. */
  readonly uncovered: readonly number[];
}
/** A call that is decided differently. */
export interface DecisionChange {
  readonly index: number;
  /** The call as it was given. */
  readonly call: ToolCall;
  readonly before: Decision;
  readonly after: Decision;
}
/**
 * The calls whose `kind` or `effective` differ between two policies, in order. Another reason or rule alone is no change.
 * @throws TypeError with code `not-a-policy` for anything but two policies of this package.
 */
export function comparePolicies(
  before: Pick<Policy, "fingerprint">,
  after: Pick<Policy, "fingerprint">,
  calls: readonly ToolCall[],
  state?: CallState,
): DecisionChange[];

/** How another agent reads a configuration. */
export interface DialectDifference {
  /** Its dialect. */
  readonly dialect: Dialect;
  /**
   * All that `Policy.check` says of the configuration there. Where one of them is an error nothing could be compared: the
   * configuration does not compile, or the state has a mode or a grant that the dialect does not know (`path` begins with
   * `state`).
   */
  readonly diagnostics: readonly Diagnostic[];
  /** The calls that it decides differently: `before` is the configuration's own dialect. Absent where nothing could be compared. */
  readonly changes?: readonly DecisionChange[];
}
/**
 * Which calls another agent would decide differently under the same configuration: one entry for each other dialect, in the
 * order of `DIALECTS`, or for those that are named.
 * @throws PolicyError where the configuration does not compile in its own dialect; what `decideMany` throws.
 */
export function compareDialects(
  config: PolicyConfig,
  calls: readonly ToolCall[],
  options?: { readonly state?: CallState; readonly dialects?: readonly Dialect[] },
): DialectDifference[];

// ── session state, and when no verdict comes

export * from "./evidence.js";
export * from "./fallback.js";
export * from "./review.js";
export * from "./session.js";
export * from "./stage.js";
