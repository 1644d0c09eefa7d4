// The API, whatever the runtime.
import vocabulary from "./vocabulary.js";

export { fromCodexRules } from "./codex.js";
export { compareDialects, comparePolicies } from "./compare.js";
export { CoreError, LimitError, PolicyError, ReviewError, RuleError } from "./errors.js";
export {
  DenialTracker,
  callFingerprint,
  dangerousAllowRules,
  fallbackConfirmation,
  fromAcpOutcome,
  normalizeConfirmation,
  toAcpPermissionRequest,
} from "./fallback.js";
export {
  EvidenceClassifier,
  checkEvidencePath,
  containsSecret,
  evidenceCandidates,
  projectDiagnostic,
} from "./evidence.js";
export { fromOpenCodePermission } from "./opencode.js";
export { Policy, configFromSettings } from "./policy.js";
export {
  approveSandboxEscalation,
  checkModeEvents,
  deriveGrant,
  foldClassifiers,
  foldPermissionMode,
  foldResumeSandbox,
  foldSessionAllow,
  isSandboxEscalation,
  sessionAllowEvent,
  setPermissionMode,
} from "./session.js";
export { assessBashCommand, assessFilePath, readShellCommand } from "./shell.js";
export {
  buildReviewContext,
  combineAssessments,
  createReviewPolicy,
  createReviewSubject,
  evaluateAssessment,
  parseAssessment,
  subjectDigest,
} from "./review.js";
export { ReviewSession } from "./review_session.js";
export {
  contentMatches,
  escapeRuleContent,
  evaluatePermission,
  mergeRuleSets,
  parseRule,
  parseRuleString,
  ruleString,
  unescapeRuleContent,
} from "./rules.js";
export { AutoStage, expandSoftDeny, parseVerdict, trailingRouteFailureStreak } from "./stage.js";

export const { version } = vocabulary;
/** The modes that every dialect has. */
export const PERMISSION_MODES = Object.freeze(vocabulary.modes.filter((mode) => mode !== "dontAsk"));
export const SOURCE_PRIORITY = Object.freeze(vocabulary.sources);
export const DIALECTS = Object.freeze(vocabulary.dialects);
export const CLASSIFIER_BREAKER_THRESHOLD = vocabulary.breakerThreshold;
export const CLASSIFIER_EVENT = vocabulary.classifierEvent;
export const DEFAULT_REVIEW_BREAKER_THRESHOLD = vocabulary.reviewThreshold;
