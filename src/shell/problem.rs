//! Why a line could not be read with certainty: a closed set of codes, each with a place.

use super::named::named;
use crate::span::Span;

/// A doubt of the reader. A reading with at least one problem is incomplete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// Where, in bytes of the line.
    pub span: Span,
    /// What.
    pub code: ProblemCode,
}

named! {
    /// The stable codes of `risk.md` section 2.8.
    ProblemCode {
        /// A quote without its partner.
        UnterminatedQuote = "unterminated-quote",
        /// An expansion or substitution without its end.
        UnterminatedSubstitution = "unterminated-substitution",
        /// A construct without its closing word or parenthesis.
        UnterminatedCompound = "unterminated-compound",
        /// An operator where a command was due.
        UnexpectedOperator = "unexpected-operator",
        /// A parenthesis, closing word or other word where none may stand.
        UnexpectedToken = "unexpected-token",
        /// Nothing follows an operator that needs a command.
        MissingCommand = "missing-command",
        /// Nothing follows a redirect operator.
        MissingRedirectTarget = "missing-redirect-target",
        /// Syntax that this reader leaves alone.
        UnsupportedSyntax = "unsupported-syntax",
        /// More commands than the limit.
        TooManyCommands = "too-many-commands",
        /// Deeper nesting than the limit.
        TooDeep = "too-deep",
        /// A longer text than the limit.
        TooLong = "too-long",
        /// A heredoc that the text ends.
        UnterminatedHeredoc = "unterminated-heredoc",
        /// A control character other than tab and newline.
        ControlCharacter = "control-character",
        /// A character that a reader of the line would not see, or not see as the shell does.
        HiddenCharacter = "hidden-character",
        /// A command name known only at run time.
        DynamicCommand = "dynamic-command",
        /// A program text known only at run time.
        DynamicCode = "dynamic-code",
        /// An option of a wrapper that its table does not list.
        UnknownWrapperOption = "unknown-wrapper-option",
        /// More words from braces than the limit.
        ExpansionLimit = "expansion-limit",
        /// A redirect target that is not one word.
        AmbiguousRedirect = "ambiguous-redirect",
        /// A loop that sets a variable which changes how later commands run.
        SensitiveLoopVariable = "sensitive-loop-variable",
    }
}
