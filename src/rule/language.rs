//! The texts that a rule accepts, as a program: what two rules are compared by (rules.md section 15).
//!
//! A program is a list of the instructions that braces in globs are matched with ([`Op`]); it accepts where it comes to
//! its end. Each kind of matcher becomes one of them, and says the same as its own `accepts` does.
//!
//! | matcher | program |
//! |---|---|
//! | exact, prefix | its characters; behind a prefix everything |
//! | wildcard | pieces, everything between them |
//! | domain | labels, runs without a dot for stars; everything and a dot in front where hosts below are meant |
//! | path | pieces of names, by the grammar of its globs |

pub use super::brace_glob::Op;

use super::brace_glob::{self, optional};
use super::domain::DomainPattern;
use super::matcher::Matcher;
use crate::dialect::DomainLabels;
use crate::text;

/// A set of texts.
#[derive(Clone, Debug, Default)]
pub struct Language {
    /// The program.
    pub ops: Vec<Op>,
}

impl Language {
    /// What a matcher accepts as it stands. `spaced` is the manner of patterns and hosts in which a star takes a blank along
    /// (qwen-code.md sections 4 and 7). None for what is no single text: paths, which start at an anchor, and parameters.
    pub fn of(matcher: &Matcher, spaced: bool) -> Option<Self> {
        let mut made = Self::default();
        match matcher {
            Matcher::Exact(exact) => made.text(exact),
            Matcher::Prefix(prefix) => {
                made.text(prefix);
                if spaced {
                    made.behind_blank(Op::Class { negated: false, ranges: text::BLANKS.to_vec() });
                } else {
                    made.everything();
                }
            }
            Matcher::Wildcard(wildcard) if spaced => made.spaced(wildcard.pattern()),
            Matcher::Wildcard(wildcard) => wildcard.write(&mut made),
            Matcher::Domain(domain) => made.domain(domain, spaced),
            Matcher::Path(..) | Matcher::Parameter(_) => return None,
        }
        Some(made)
    }

    /// One text more.
    pub fn text(&mut self, text: &str) {
        for c in text.chars() {
            self.ops.push(Op::Char(c));
        }
    }

    /// Any text more.
    pub fn everything(&mut self) {
        self.ops.push(Op::Everything);
    }

    /// A character of a class and any text, or nothing.
    pub fn behind_blank(&mut self, blank: Op) {
        optional(&mut self.ops, blank, Op::Everything);
    }

    /// Whatever another program accepts, behind what this one does.
    pub fn append(&mut self, other: &[Op]) {
        let shift = self.ops.len();
        for op in other {
            self.ops.push(match op {
                Op::Split(to) => Op::Split(to.saturating_add(shift)),
                Op::Jump(to) => Op::Jump(to.saturating_add(shift)),
                op => op.clone(),
            });
        }
    }

    /// What either accepts.
    pub fn or(self, other: &Self) -> Self {
        let own = self.ops.len();
        let mut both = Self { ops: vec![Op::Split(own.saturating_add(2))] };
        both.append(&self.ops);
        both.ops.push(Op::Jump(own.saturating_add(other.ops.len()).saturating_add(2)));
        both.append(&other.ops);
        both
    }

    /// The characters that every accepted text begins with, as far as the program spells them one behind the other.
    pub fn head(&self) -> String {
        let mut head = String::new();
        for op in &self.ops {
            let Op::Char(c) = op else { break };
            head.push(*c);
        }
        head
    }

    /// Whether it accepts a text.
    pub fn accepts(&self, text: &str) -> bool {
        brace_glob::run(&self.ops, text)
    }

    /// A star behind a blank takes the blank and any text, or nothing; any other star any text.
    fn spaced(&mut self, pattern: &str) {
        if pattern == "*" {
            return self.everything();
        }
        let mut pieces = pattern.split(['*']).peekable();
        while let Some(piece) = pieces.next() {
            if pieces.peek().is_none() {
                return self.text(piece);
            }
            match piece.strip_suffix(' ') {
                Some(piece) => {
                    self.text(piece);
                    self.behind_blank(Op::Char(' '));
                }
                None => {
                    self.text(piece);
                    self.everything();
                }
            }
        }
    }

    fn domain(&mut self, domain: &DomainPattern, or_below: bool) {
        let host = domain.hostname();
        let below = host.strip_prefix("*.");
        match (domain.labels(), below) {
            _ if or_below => {
                // A host, or one below it.
                optional(&mut self.ops, Op::Everything, Op::Char('.'));
                self.text(&host.to_ascii_lowercase());
            }
            (DomainLabels::Below, Some(rest)) => {
                self.everything();
                self.ops.push(Op::Char('.'));
                self.labels(rest);
            }
            (DomainLabels::AsWritten | DomainLabels::Ascii, Some(rest)) if !rest.contains(['*']) => {
                optional(&mut self.ops, Op::Everything, Op::Char('.'));
                self.text(rest);
            }
            _ => self.labels(host),
        }
    }

    /// Labels in which a star is any run without a dot.
    fn labels(&mut self, labels: &str) {
        for c in labels.chars() {
            if c == '*' {
                let at = self.ops.len();
                let label = Op::Class { negated: true, ranges: vec![('.', '.')] };
                optional(&mut self.ops, label, Op::Jump(at));
            } else {
                self.ops.push(Op::Char(c));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::dialect::{DIALECTS, QWEN_CODE_0_24};
    use crate::host::Host;
    use crate::rule;

    proptest! {
        /// A program is its matcher.
        #[test]
        fn accepts_what_the_matcher_accepts(content in "[ab* ]{1,6}|domain:[ab*.]{1,6}", subject in "[ab .]{0,7}", tool in "Bash|WebFetch") {
            for dialect in DIALECTS {
                let Ok(parsed) = rule::parse(&[&tool, "(", content.as_str(), ")"].concat(), dialect, Host::ASCII) else { continue };
                let Some(matcher) = &parsed.matcher else { continue };
                let spaced = dialect.name == QWEN_CODE_0_24.name;
                let Some(language) = Language::of(matcher, spaced) else { continue };
                let expected = match matcher {
                    // Hosts with stars are never met there, and the labels of hosts are never empty.
                    Matcher::Domain(domain) if spaced && (domain.hostname().contains(['*']) || domain.is_no_host()) => continue,
                    Matcher::Domain(_) if subject.is_empty() || subject.starts_with('.') || subject.ends_with('.') || subject.contains("..") => continue,
                    Matcher::Domain(domain) if domain.is_no_host() => continue,
                    Matcher::Domain(_) if spaced => rule::accepts_host(matcher, &subject),
                    _ if spaced => rule::accepts_line(matcher, &subject),
                    matcher => matcher.accepts(&subject),
                };
                prop_assert_eq!(language.accepts(&subject), expected, "{} {:?} {:?}", dialect.name, content, subject);
            }
        }
    }

    #[test]
    fn joins_programs() {
        let of = |content: &str| Language::of(&Matcher::of_content(content), false).unwrap();
        let both = of("a*c").or(&of("b"));
        for (text, expected) in [("axc", true), ("bx", true), ("ab", false), ("c", false)] {
            assert_eq!(both.accepts(text), expected, "{text}");
        }
        assert_eq!((of("ab*").head(), both.head()), ("ab".into(), String::new()));
    }
}
