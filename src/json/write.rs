//! The writer: compact, members in their order, as `JSON.stringify` writes.

use super::Json;
use super::digest::hex_digit;
use crate::diagnostic::Step;
use crate::escape::plain_run;
use crate::span::Span;

/// Writes JSON text piece by piece, and the commas by itself: one is due unless something was just opened or named.
///
/// ```
/// let mut to = toolgate::json::Writer::default();
/// to.open("{");
/// to.member("code", "x");
/// to.name("path");
/// to.open("[");
/// to.number(1);
/// to.number(2);
/// to.close("]");
/// to.close("}");
/// assert_eq!(to.text, r#"{"code":"x","path":[1,2]}"#);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Writer {
    /// What is written.
    pub text: String,
}

impl Writer {
    /// What needs no escapes, as it stands.
    #[inline(never)]
    pub fn plain(&mut self, text: &str) {
        if !self.text.is_empty() && !self.text.ends_with(['{', '[', ':']) {
            self.text.push(',');
        }
        self.text.push_str(text);
    }

    /// Opens a list or an object.
    pub fn open(&mut self, bracket: &str) {
        self.plain(bracket);
    }

    /// Closes it.
    pub fn close(&mut self, bracket: &str) {
        self.text.push_str(bracket);
    }

    /// A string.
    #[inline(never)]
    pub fn string(&mut self, string: &str) {
        self.plain("");
        write_string(string, &mut self.text);
    }

    /// The name of a member, whose value follows.
    #[inline(never)]
    pub fn name(&mut self, name: &str) {
        self.plain("\"");
        self.text.push_str(name);
        self.text.push_str("\":");
    }

    /// A string, or `null`.
    pub fn string_or_null(&mut self, string: Option<&str>) {
        match string {
            Some(string) => self.string(string),
            None => self.plain("null"),
        }
    }

    /// A number that counts places or units.
    pub fn number(&mut self, number: usize) {
        self.count(u64::try_from(number).unwrap_or(u64::MAX));
    }

    /// A number of any size.
    #[inline(never)]
    pub fn count(&mut self, count: u64) {
        self.plain("");
        self.digits(count);
    }

    /// The digits of a number whose sign is written.
    pub fn digits(&mut self, number: u64) {
        if number > 9 {
            self.digits(number / 10);
        }
        self.text.push(char::from(hex_digit(u8::try_from(number % 10).unwrap_or(0))));
    }

    /// `true` or `false`.
    pub fn flag(&mut self, flag: bool) {
        self.plain(if flag { "true" } else { "false" });
    }

    /// A member that is a string.
    #[inline(never)]
    pub fn member(&mut self, name: &str, string: &str) {
        self.name(name);
        self.string(string);
    }

    /// A member that is a string, where there is one.
    #[inline(never)]
    pub fn optional_member(&mut self, name: &str, string: Option<&str>) {
        if let Some(string) = string {
            self.member(name, string);
        }
    }

    /// A member that is a range.
    #[inline(never)]
    pub fn span(&mut self, name: &str, span: Span) {
        self.name(name);
        self.range(span);
    }

    /// A range.
    #[inline(never)]
    pub fn range(&mut self, span: Span) {
        self.open("{");
        self.name("start");
        self.number(span.start);
        self.name("end");
        self.number(span.end);
        self.close("}");
    }

    /// A member that is a place.
    #[inline(never)]
    pub fn path(&mut self, path: &[Step]) {
        self.name("path");
        self.open("[");
        for step in path {
            match step {
                Step::Index(index) => self.number(*index),
                Step::Key(key) => self.string(key),
            }
        }
        self.close("]");
    }
}

/// Appends the compact text of `value`.
pub fn write(value: &Json, text: &mut String) {
    match value {
        Json::Null => text.push_str("null"),
        Json::Bool(true) => text.push_str("true"),
        Json::Bool(false) => text.push_str("false"),
        Json::Number(number) => text.push_str(number),
        Json::Text(string) => write_string(string, text),
        Json::List(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write(item, text);
            }
            text.push(']');
        }
        Json::Object(members) => {
            text.push('{');
            for (index, (name, value)) in members.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_string(name, text);
                text.push(':');
                write(value, text);
            }
            text.push('}');
        }
    }
}

pub(super) fn write_string(string: &str, text: &mut String) {
    text.push('"');
    let mut rest = string;
    loop {
        let (plain, behind) = rest.split_at_checked(plain_run(rest.as_bytes())).unwrap_or((rest, ""));
        text.push_str(plain);
        let Some(byte) = behind.as_bytes().first() else { break };
        let short = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\x08' => "\\b",
            b'\x0C' => "\\f",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            _ => "\\u00",
        };
        text.push_str(short);
        if short.len() > 2 {
            for digit in [byte >> 4, byte & 15] {
                text.push(char::from(hex_digit(digit)));
            }
        }
        rest = behind.get(1..).unwrap_or_default();
    }
    text.push('"');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn writes_what_reads_as_the_same(text in r#"[ab"\\\u{0}-\u{1F}\u{20}é😀\u{7F}\u{80}\u{FF}]{0,40}"#) {
            let mut ours = String::new();
            write_string(&text, &mut ours);
            prop_assert_eq!(&ours, &serde_json::to_string(&text).unwrap());
            let first = text.bytes().position(|byte| byte < b' ' || byte == b'"' || byte == b'\\');
            prop_assert_eq!(plain_run(text.as_bytes()), first.unwrap_or(text.len()));
        }
    }
}
