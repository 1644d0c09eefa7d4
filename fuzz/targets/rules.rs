//! Rules and expressions.

use toolgate::dialect::DIALECTS;
use toolgate::pattern::Pattern;
use toolgate::rule;

use super::question::HOST;
use super::{halves, is_known_code, on, picked};

pub fn patterns(text: &str) {
    let (source, text) = halves(text);
    match Pattern::compile(source) {
        Ok(pattern) => pattern.find(text).into_iter().for_each(|span| on(text, span)),
        Err(error) => on(source, error.span),
    }
}

pub fn rules(text: &str) {
    let (dialect, text) = picked(DIALECTS, text);
    let (text, subject) = halves(text);
    assert_eq!(rule::unescape(&rule::escape(text)), text, "an escape that does not come back");
    match rule::parse(text, dialect, HOST) {
        Ok(parsed) => {
            parsed.accepts(subject);
            assert!(parsed.agreement(subject) <= parsed.content.as_deref().unwrap_or_default().len());
            let text = rule::text_of(&parsed.tool, parsed.content.as_deref(), dialect);
            assert_eq!(rule::parse(&text, dialect, HOST).as_ref(), Ok(&parsed), "{}: {text}", dialect.name);
        }
        Err(error) => {
            on(text, error.span);
            is_known_code(error.code);
        }
    }
}
