//! The closed words of the classifier, and what a person reads of each error (evidence.md section 17).

use crate::vocabulary::closed_words;

closed_words! {
    /// Why there is no verdict.
    ClassifierError {
        /// A deadline passed.
        Timeout = "timeout",
        /// A budget of files is used up; [`EvidenceLimit`] says which.
        EvidenceLimit = "evidence-limit",
        /// A file that was offered or asked for cannot be used.
        EvidenceUnavailable = "evidence-unavailable",
        /// What would be sent appears to hold a secret.
        RedactedContext = "redacted-context",
        /// The request is too large, for the budget or for the model.
        ContextOverflow = "context-overflow",
        /// The caller gave up.
        Cancelled = "cancelled",
        /// The request is not the current one any more, or nobody says that it is.
        Stale = "stale",
        /// The lease is held by another classification.
        Busy = "busy",
        /// The model failed, or there is no randomness for the fences.
        ProviderError = "provider-error",
        /// The request is of another shape.
        InvalidRequest = "invalid-request",
        /// The model's reply is neither a verdict nor a request for one file.
        InvalidResponse = "invalid-response",
    }
}

closed_words! {
    /// Where a classification ended.
    ReturnPath {
        /// Before the first model call.
        Preflight = "preflight",
        /// While a model was to be called.
        Provider = "provider",
        /// On its reply.
        ProviderResult = "provider-result",
        /// On a file.
        Evidence = "evidence",
        /// With the verdict.
        Verdict = "verdict",
        /// Of a receipt: a model call settled after the result.
        LateSettlement = "late-settlement",
    }
}

closed_words! {
    /// Which limit on file evidence was reached.
    EvidenceLimit {
        /// Too many paths are offered.
        PathCount = "path-count",
        /// The last call asked for a file.
        ProviderRounds = "provider-rounds",
        /// A third file was asked for.
        FileCount = "file-count",
        /// A file was asked for again.
        DuplicateFile = "duplicate-file",
        /// The file does not fit.
        ContextBytes = "context-bytes",
        /// The budget of the request is no number of bytes.
        InvalidByteBudget = "invalid-byte-budget",
        /// The file is too large.
        FileStatBytes = "file-stat-bytes",
        /// More was read than a file may have.
        FileReadBytes = "file-read-bytes",
    }
}

impl ClassifierError {
    /// The fixed sentence that a person reads.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Timeout => "The permission check gave no verdict in time.",
            Self::EvidenceLimit => "A limit on file evidence was reached.",
            Self::EvidenceUnavailable => {
                "A file that the permission check asked for could not be used as evidence."
            }
            Self::RedactedContext => {
                "The permission check was stopped because its input appears to contain a secret."
            }
            Self::ContextOverflow => "The request is too large for the permission check.",
            Self::Cancelled => "The permission check was cancelled.",
            Self::Stale => "The request changed while it was being checked.",
            Self::Busy => "Another permission check is still running.",
            Self::ProviderError => "The model behind the permission check failed.",
            Self::InvalidResponse => "The permission check gave no usable answer.",
            Self::InvalidRequest => "The permission check was asked in a form that it does not know.",
        }
    }

    /// Whether the sentence goes on with the diagnostic.
    pub const fn shows_diagnostic(self) -> bool {
        matches!(self, Self::Timeout | Self::EvidenceLimit)
    }
}
