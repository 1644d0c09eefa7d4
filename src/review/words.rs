//! The closed words of reviews (review.md section 3), and the bits of a truncation mask.

use crate::vocabulary::closed_words;

closed_words! {
    /// How bad a call could be, as a classifier sees it; ascending.
    Risk {
        /// Nothing that matters.
        Low = "low",
        /// Contained damage.
        Medium = "medium",
        /// Damage that is hard to undo.
        High = "high",
        /// Never approved without a person.
        Critical = "critical",
    }
}

closed_words! {
    /// How clearly the person asked for what the call does; ascending.
    Authorization {
        /// Nothing says so.
        Unknown = "unknown",
        /// It may be meant.
        Low = "low",
        /// It is most likely meant.
        Medium = "medium",
        /// It was asked for.
        High = "high",
    }
}

closed_words! {
    /// What a classifier says. It has no word to deny with.
    Recommendation {
        /// This call, once, may go on without the person.
        Allow = "allow",
        /// The person decides.
        NeedsHuman = "needs_human",
    }
}

closed_words! {
    /// How a classifier's part in a review ended.
    Status {
        /// It gave an assessment; at the end of a review: its gate was approved.
        Allowed = "allowed",
        /// It gave an assessment, and the gate stays with the person.
        NeedsHuman = "needs_human",
        /// It has nothing to say about such a call.
        NotApplicable = "not_applicable",
        /// It was given up.
        TimedOut = "timed_out",
        /// It could not be asked, or its answer was none.
        Failed = "failed",
        /// Its review was cancelled before a decision.
        Cancelled = "cancelled",
        /// Its gate was eligible, and was not approved by it.
        Stale = "stale",
    }
}

closed_words! {
    /// What kind of harm a classifier sees.
    Category {
        /// Data leaves.
        DataExfiltration = "data_exfiltration",
        /// Credentials are read.
        CredentialAccess = "credential_access",
        /// Credentials are looked for.
        CredentialProbing = "credential_probing",
        /// Local data is lost.
        DestructiveLocal = "destructive_local",
        /// Shared data is lost.
        DestructiveShared = "destructive_shared",
        /// A protection is weakened for good.
        PersistentSecurityWeakening = "persistent_security_weakening",
        /// Production changes.
        ProductionMutation = "production_mutation",
        /// Protected branches or histories change.
        ProtectedSourceControl = "protected_source_control",
        /// Code of unknown origin runs.
        UntrustedCodeExecution = "untrusted_code_execution",
        /// Something remote changes.
        MutableNetwork = "mutable_network",
        /// The context tries to instruct the reviewer.
        PromptInjection = "prompt_injection",
        /// The context forbids what the call does.
        AuthorizationConflict = "authorization_conflict",
        /// It is not clear what the call acts on.
        TargetAmbiguity = "target_ambiguity",
        /// The context says too little.
        InsufficientEvidence = "insufficient_evidence",
    }
}

closed_words! {
    /// Why a gate may, or may not, be approved without the person.
    DecisionReason {
        /// It may.
        Eligible = "eligible",
        /// The policy was not made by `createReviewPolicy`, or is not the one of the gate.
        InvalidPolicy = "invalid_policy",
        /// An assessment, subject or outcome is not what it must be.
        InvalidAssessment = "invalid_assessment",
        /// The assessment is of another subject.
        BasisMismatch = "basis_mismatch",
        /// The classifier wants a person.
        Recommendation = "recommendation",
        /// The risk is above what the policy lets pass.
        RiskCeiling = "risk_ceiling",
        /// The call is not clearly enough asked for.
        Authorization = "authorization",
        /// The policy wants a person for one of the categories.
        AbsoluteHuman = "absolute_human",
        /// The classifier did not see all that matters.
        MaterialTruncation = "material_truncation",
        /// No classifier had anything to say.
        NoApplicableClassifier = "no_applicable_classifier",
        /// A classifier failed, or its status does not fit.
        ClassifierStatus = "classifier_status",
    }
}

closed_words! {
    /// What can be answered at a gate.
    Action {
        /// This call, once.
        Approve = "Approve",
        /// This call, and those like it.
        ApproveAlways = "Approve always for this workspace",
        /// Not this call.
        Deny = "Deny",
    }
}

closed_words! {
    /// Who answered. The third is the session's own: nobody outside can use it.
    SourceKind {
        /// A person.
        User = "user",
        /// A rule or timer of the host.
        Policy = "policy",
        /// The review.
        Classifier = "classifier",
    }
}

closed_words! {
    /// What was refused. `classifiers` comes with an index.
    Field {
        /// A basis.
        Basis = "basis",
        /// A digest, or what it would be taken of.
        Digest = "digest",
        /// A request.
        Request = "request",
        /// A context but for its entries.
        Context = "context",
        /// An entry of a context.
        ContextEntry = "context_entry",
        /// The budget of a context.
        ContextPolicy = "context_policy",
        /// A subject's own members.
        Subject = "subject",
        /// A review policy.
        Policy = "policy",
        /// An assessment's shape.
        Assessment = "assessment",
        /// A list of categories.
        Categories = "categories",
        /// A risk.
        Risk = "risk",
        /// An authorization.
        Authorization = "authorization",
        /// A recommendation.
        Recommendation = "recommendation",
        /// A rationale.
        Rationale = "rationale",
        /// A model's text.
        Wire = "wire",
        /// A gate, or an answer to it.
        Gate = "gate",
        /// The host object.
        Host = "host",
        /// The breaker's thresholds.
        Limits = "limits",
        /// One classifier.
        Classifiers = "classifiers",
    }
}

closed_words! {
    /// Why it was refused.
    Reason {
        /// Not one of the closed words, or another version.
        Unsupported = "unsupported",
        /// There already.
        Duplicate = "duplicate",
        /// Too many items.
        TooMany = "too_many",
        /// Missing.
        Required = "required",
        /// Not of the shape, or against a rule.
        Invalid = "invalid",
        /// Over a limit.
        OutOfBounds = "out_of_bounds",
        /// Kept for the project's own use.
        Reserved = "reserved",
        /// Not the same as what it must agree with.
        Mismatch = "mismatch",
        /// No such gate, or it is resolved.
        NotFound = "not_found",
        /// Claimed by somebody else, or the session is closed.
        NotReady = "not_ready",
        /// No such answer to this gate.
        ActionInvalid = "action_invalid",
        /// The host could not make the resolution durable.
        AppendFailed = "append_failed",
    }
}

/// Bits of a truncation mask: what was shortened, or which budget left entries out.
pub mod bits {
    /// A user's message was shortened.
    pub const USER: i64 = 1;
    /// An assistant's message or earlier request was shortened.
    pub const AGENT: i64 = 2;
    /// A tool's result was shortened.
    pub const TOOL: i64 = 4;
    /// Something was shortened to the size of a block.
    pub const BLOCK: i64 = 8;
    /// Too many entries.
    pub const COUNT: i64 = 16;
    /// Too many bytes.
    pub const BYTES: i64 = 32;
    /// Too many estimated tokens.
    pub const TOKENS: i64 = 64;
    /// The bits of budgets. The others are those of entries; 128 is reserved and never set.
    pub const BUDGET: i64 = COUNT | BYTES | TOKENS;
    /// All bits that a mask can have.
    pub const ALL: i64 = 255;
}
