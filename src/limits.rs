//! Every bound of the project, in one table.
//!
//! Lengths of text are UTF-16 code units unless a name says bytes.

/// Units of one rule string (`rule-too-long`).
pub const RULE_UNITS: usize = 4_096;
/// Rules of one configuration, over all lists (`too-many-rules`).
pub const RULES: usize = 20_000;
/// Units of one subject (`LimitError` `subject-too-long`).
pub const SUBJECT_UNITS: usize = 1_048_576;
/// Units of one shell line; a longer one is an incomplete reading (`too-long`).
pub const SHELL_LINE_UNITS: usize = 65_536;
/// Commands of one shell line (`too-many-commands` at the next).
pub const SHELL_COMMANDS: usize = 64;
/// Nesting of constructs, substitutions and texts in one shell line (`too-deep` past it).
pub const SHELL_DEPTH: usize = 32;
/// Words that brace expansion may make of one word (`expansion-limit` past it).
pub const BRACE_WORDS: usize = 256;
/// Units of one `dangerousPatterns` entry (`pattern-too-large`).
pub const PATTERN_UNITS: usize = 1_000;
/// Bytes of one compiled pattern (`pattern-too-large`).
pub const PATTERN_PROGRAM_BYTES: usize = 256 * 1_024;
/// The largest count in a pattern's repeat (`unsupported-pattern` past it).
pub const PATTERN_REPEAT: u32 = 1_000;
/// States of the product of two rules that `lint` walks through; the pair is skipped past it (`lint-limit`).
pub const LINT_STATES: usize = 200_000;
/// Steps that one search of `lint` takes, each counted by the states that it leads to; the pair is skipped past it
/// (`lint-limit`).
pub const LINT_SEARCH: usize = 1_000_000;
/// Steps that one `lint` takes in all of its searches (`lint-limit` past it).
pub const LINT_WORK: usize = 8_000_000;
/// Pairs of rules that one `lint` compares (`lint-limit` past it); two long ones count as several.
pub const LINT_PAIRS: usize = 40_000;
/// Calls by which one `lint` tries what it would say (`lint-limit` past it); among very many rules one counts as several.
pub const LINT_CALLS: usize = 20_000;
/// Bytes of JSON text that the boundary reads in one argument (`LimitError` `input-too-large`).
pub const INPUT_BYTES: usize = 64 * 1_024 * 1_024;
/// Nesting of a JSON argument (`too-deep`).
pub const INPUT_DEPTH: usize = 100;
/// Bytes of a name or revision in a review: of classifiers, their definitions, review policies, `gate_policy_revision`.
pub const REVIEW_NAME_BYTES: usize = 128;
/// Bytes of an assessment's rationale.
pub const REVIEW_RATIONALE_BYTES: usize = 2_048;
/// Requirements of a review's request, and candidates of all of them together.
pub const REVIEW_REQUIREMENTS: usize = 4_096;
/// Bytes of one string of a review's request, and of all of them together.
pub const REVIEW_REQUEST_BYTES: usize = 1_024 * 1_024;
/// Entries of a review's context.
pub const REVIEW_ENTRIES: usize = 4_096;
/// Bytes of a string of a review's context that is not in an entry.
pub const REVIEW_ROOT_BYTES: usize = 64 * 1_024;
/// Bytes of one entry of a review's context.
pub const REVIEW_ENTRY_BYTES: usize = 2 * 1_024 * 1_024;
/// Bytes of all text of a review's context.
pub const REVIEW_TEXT_BYTES: usize = 4 * 1_024 * 1_024;
/// The largest `max_bytes` and `max_estimated_tokens` of a context policy.
pub const REVIEW_BUDGET: usize = 1_048_576;
/// Bytes of a review subject's canonical form.
pub const REVIEW_SUBJECT_BYTES: usize = 1_024 * 1_024;
/// Bytes of a model's answer that `parseAssessment` reads.
pub const REVIEW_ANSWER_BYTES: usize = 64 * 1_024;
/// Observations of one run of a review's classifier.
pub const REVIEW_OBSERVATIONS: usize = 256;
/// Bytes of an observation's target, and of its token.
pub const REVIEW_OBSERVATION_BYTES: usize = 4_096;
/// Bytes of the reason of an answer at a gate.
pub const REVIEW_REASON_BYTES: usize = 4_096;
/// Turns whose reviews are counted at the same time.
pub const REVIEW_TURNS: usize = 1_024;
/// Requests that are told apart in one turn or session of reviews.
pub const REVIEW_KEYS: usize = 64;
/// Milliseconds that a review's classifier may have for one run.
pub const REVIEW_RUN_MS: u32 = 600_000;
/// Milliseconds that it has where it does not say.
pub const REVIEW_RUN_DEFAULT_MS: u32 = 90_000;
/// Milliseconds for one verification of observations, and for one audit event of a review.
pub const REVIEW_CALL_MS: u32 = 5_000;
/// A threshold of a review's breaker that is not given.
pub const REVIEW_BREAKER_THRESHOLD: usize = 20;
/// Units of what a model is shown of a call, its tool's name included; the rest is cut.
pub const SHOWN_UNITS: usize = 4_096;
/// Units of what a model is shown of a file's new content.
pub const SHOWN_BODY_UNITS: usize = 512;
/// Units of a model's reason that a person is shown.
pub const REASON_UNITS: usize = 500;
/// Milliseconds of the longest timer: what `setTimeout` takes.
pub const TIMER_MS: u32 = 2_147_483_647;
/// Refused calls in a row after which a person is asked (`consecutive_block`).
pub const BLOCKS_IN_A_ROW: u64 = 3;
/// Calls in a row without a verdict after which a person is asked (`consecutive_unavailable`).
pub const UNAVAILABLE_IN_A_ROW: u64 = 2;
/// Calls of one session, refused or without a verdict, after which a person is asked (`total_denial`).
pub const DENIALS: u64 = 20;
/// Units of a model's reason in a message of the fallback; what is longer is cut.
pub const INERT_REASON_UNITS: usize = 200;
/// The largest count that a state of denials holds: the largest safe integer of JavaScript. It stays there.
pub const COUNT: u64 = 9_007_199_254_740_991;
/// Units of the value of a credential key; a longer one is a secret whatever it says.
pub const SECRET_VALUE_UNITS: usize = 1_024;
/// Units between a type and the `=` behind it, for the value to belong to the key before the type.
pub const SECRET_ANNOTATION_UNITS: usize = 256;
/// Files that a request may offer as evidence.
pub const EVIDENCE_PATHS: usize = 8;
/// Units of the path of one (`path-too-long`).
pub const EVIDENCE_PATH_UNITS: usize = 4_096;
/// Segments of a compound shell action that offers files.
pub const COMPOUND_SEGMENTS: usize = 4;
/// Units of such an action.
pub const COMPOUND_UNITS: usize = 8_192;
/// Model calls of one classification.
pub const MODEL_CALLS: usize = 3;
/// Files that one classification looks at.
pub const EVIDENCE_FILES: usize = 2;
/// Bytes of one of them.
pub const EVIDENCE_FILE_BYTES: usize = 8_192;
/// Milliseconds of a model call, at most and by default.
pub const MODEL_CALL_MS: u32 = 20_000;
/// Milliseconds of a classification at most; by default three times those of a call.
pub const CLASSIFICATION_MS: u32 = 60_000;
/// Bytes of what a classification sends by default; a budget that is given may be larger.
pub const CLASSIFIER_BYTES: usize = 131_072;
/// The largest budget; one that is given and is larger counts as this.
pub const CLASSIFIER_MOST_BYTES: usize = 1_048_576;
/// Bytes of the text of a classifier's verdict.
pub const VERDICT_BYTES: usize = 4_096;
/// Units of its reason.
pub const VERDICT_REASON_UNITS: usize = 500;
/// Bytes of a classifier's request as JSON text.
pub const CLASSIFIER_REQUEST_BYTES: usize = 16 * 1_024 * 1_024;
/// Nesting of a classifier's request.
pub const CLASSIFIER_REQUEST_DEPTH: usize = 128;
