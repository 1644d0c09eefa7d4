//! How bad a call could be.

/// A level of risk, from harmless to catastrophic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum RiskLevel {
    /// Nothing was found.
    #[default]
    Low,
    /// Somebody should look.
    Medium,
    /// Denied in every mode.
    High,
}

impl RiskLevel {
    /// The level as it is printed.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "LOW",
            Self::Medium => "MEDIUM",
            Self::High => "HIGH",
        }
    }
}
