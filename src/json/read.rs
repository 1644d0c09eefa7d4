//! The reader: RFC 8259, nothing more, in one pass.

use super::Json;
use crate::diagnostic::{Path, Step};
use crate::escape;
use crate::limits;
use crate::order::sorted;

/// Why a text is no value, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// `not-json`, `lone-surrogate`, `duplicate-member` or `too-deep`.
    pub code: &'static str,
    /// Where in the value.
    pub path: Path,
}

/// Reads one value that is the whole of `text`.
pub fn read(text: &str) -> Result<Json, JsonError> {
    let (value, problems) = read_with_problems(text);
    problems.into_iter().next().map_or(Ok(value), Err)
}

/// [`read`], going on behind what does not hinder it: half a surrogate pair is read as U+FFFD, of members with one name
/// the first is taken. What cannot be read at all ends the value; the problem about it comes last.
pub fn read_with_problems(text: &str) -> (Json, Vec<JsonError>) {
    read_to_depth(text, limits::INPUT_DEPTH)
}

/// [`read_with_problems`] with another bound on how deep lists and objects are nested.
pub fn read_to_depth(text: &str, depth: usize) -> (Json, Vec<JsonError>) {
    let mut reader = Reader { text, at: 0, depth, path: vec![], problems: vec![] };
    let value = reader.value().and_then(|value| {
        reader.skip_blanks();
        if reader.at == text.len() { Ok(value) } else { Err("not-json") }
    });
    let value = value.unwrap_or_else(|code| {
        reader.problem(code);
        Json::Null
    });
    (value, reader.problems)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    path: Path,
    problems: Vec<JsonError>,
}

type Part<T> = Result<T, &'static str>;

const NOT_JSON: &str = "not-json";

impl Reader<'_> {
    fn value(&mut self) -> Part<Json> {
        self.skip_blanks();
        match self.peek() {
            Some(b'{' | b'[') if self.path.len() >= self.depth => Err("too-deep"),
            Some(b'{') => self.object(),
            Some(b'[') => self.list(),
            Some(b'"') => self.string().map(Json::Text),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => {
                if self.take_text("true") {
                    Ok(Json::Bool(true))
                } else if self.take_text("false") {
                    Ok(Json::Bool(false))
                } else if self.take_text("null") {
                    Ok(Json::Null)
                } else {
                    Err(NOT_JSON)
                }
            }
        }
    }

    fn list(&mut self) -> Part<Json> {
        let mut items = vec![];
        self.take(b'[')?;
        self.skip_blanks();
        if self.take(b']').is_ok() {
            return Ok(Json::List(items));
        }
        loop {
            let item = self.inside(Step::Index(items.len()))?;
            items.push(item);
            self.skip_blanks();
            if self.take(b']').is_ok() {
                return Ok(Json::List(items));
            }
            self.take(b',')?;
        }
    }

    fn object(&mut self) -> Part<Json> {
        let mut members: Vec<(String, Json)> = vec![];
        self.take(b'{')?;
        self.skip_blanks();
        if self.take(b'}').is_ok() {
            return Ok(Json::Object(members));
        }
        loop {
            self.skip_blanks();
            let name = self.string()?;
            self.skip_blanks();
            self.take(b':')?;
            let value = self.inside(Step::named(&name))?;
            members.push((name, value));
            self.skip_blanks();
            if self.take(b'}').is_ok() {
                break;
            }
            self.take(b',')?;
        }
        if has_duplicates(&members) {
            self.problem("duplicate-member");
        }
        Ok(Json::Object(members))
    }

    /// A value one step further in. The step stays on the path where the value cannot be read.
    fn inside(&mut self, step: Step) -> Part<Json> {
        self.path.push(step);
        let value = self.value()?;
        self.path.pop();
        Ok(value)
    }

    fn number(&mut self) -> Part<Json> {
        let start = self.at;
        let _ = self.take(b'-');
        if self.take(b'0').is_err() {
            self.digits()?;
        }
        if self.take(b'.').is_ok() {
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.advance(1);
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.advance(1);
            }
            self.digits()?;
        }
        self.text.get(start..self.at).map(|text| Json::Number(text.into())).ok_or(NOT_JSON)
    }

    fn digits(&mut self) -> Part<()> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.advance(1);
        }
        if self.at > start { Ok(()) } else { Err(NOT_JSON) }
    }

    fn string(&mut self) -> Part<String> {
        self.take(b'"')?;
        let mut bytes = vec![];
        loop {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            let left = escape::unescape(rest, &mut bytes).len();
            self.at = self.text.len().saturating_sub(left);
            match self.peek() {
                Some(b'"') => {
                    self.advance(1);
                    // Taken from a text in whole characters, they are a text.
                    return String::from_utf8(bytes).map_err(|_| NOT_JSON);
                }
                Some(b'\\') => {
                    self.advance(1);
                    bytes.extend_from_slice(self.escape()?.encode_utf8(&mut [0; 4]).as_bytes());
                }
                _ => return Err(NOT_JSON),
            }
        }
    }

    fn escape(&mut self) -> Part<char> {
        let letter = self.peek().ok_or(NOT_JSON)?;
        self.advance(1);
        Ok(match letter {
            b'"' | b'\\' | b'/' => char::from(letter),
            b'b' => '\u{8}',
            b'f' => '\u{C}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unit_escape(),
            _ => return Err(NOT_JSON),
        })
    }

    fn unit_escape(&mut self) -> Part<char> {
        let first = self.hex_unit()?;
        if let Some(single) = char::from_u32(first) {
            return Ok(single);
        }
        let before = self.at;
        if self.take_text("\\u") {
            let second = self.hex_unit()?;
            if let (0xD800..0xDC00, 0xDC00..0xE000) = (first, second) {
                let pair = (first & 0x3FF) << 10 | (second & 0x3FF);
                return Ok(
                    char::from_u32(pair.saturating_add(0x1_0000)).unwrap_or(char::REPLACEMENT_CHARACTER)
                );
            }
            self.at = before;
        }
        self.problem("lone-surrogate");
        Ok(char::REPLACEMENT_CHARACTER)
    }

    fn hex_unit(&mut self) -> Part<u32> {
        let digits = self.text.get(self.at..self.at.saturating_add(4)).ok_or(NOT_JSON)?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(NOT_JSON);
        }
        self.advance(4);
        u32::from_str_radix(digits, 16).map_err(|_| NOT_JSON)
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.advance(1);
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> Part<()> {
        if self.peek() == Some(byte) {
            self.advance(1);
            Ok(())
        } else {
            Err(NOT_JSON)
        }
    }

    fn take_text(&mut self, text: &str) -> bool {
        let found = self.text.get(self.at..).is_some_and(|rest| rest.starts_with(text));
        if found {
            self.advance(text.len());
        }
        found
    }

    fn advance(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }

    fn problem(&mut self, code: &'static str) {
        self.problems.push(JsonError { code, path: self.path.clone() });
    }
}

fn has_duplicates(members: &[(String, Json)]) -> bool {
    let name = |index: usize| members.get(index).map(|(name, _)| name.as_str());
    let names = sorted(members.len(), &mut |a, b| name(a).cmp(&name(b)));
    names.array_windows().any(|[a, b]| name(*a) == name(*b))
}

#[cfg(test)]
mod tests {
    use super::super::write;
    use super::*;

    #[track_caller]
    fn check(text: &str, code: &str, path: &[Step]) {
        assert_eq!(
            read(text).map_err(|error| (error.code, error.path)),
            Err((code, path.to_vec())),
            "{text}"
        );
    }

    #[test]
    fn reads_and_writes_back() {
        let text =
            r#"{"b":[1.50,-0,1e+9,null,true,"x\ny\u0001"],"a":{"__proto__":"toString","é😀":{}},"c":[]}"#;
        let mut written = String::new();
        write(&read(text).unwrap(), &mut written);
        assert_eq!(written, text);
        assert_eq!(read(r#" [ "\u00e9\ud83d\ude00\/" ] "#), Ok(Json::List(vec![Json::Text("é😀/".into())])));
    }

    #[test]
    fn refuses_with_a_place() {
        check(r#"{"a":["x","\ud800"]}"#, "lone-surrogate", &["a".into(), 1.into()]);
        check(r#"{"a":{"b":"\udc00x"}}"#, "lone-surrogate", &["a".into(), "b".into()]);
        check(r#"["\ud800\ud800"]"#, "lone-surrogate", &[0.into()]);
        check(r#"[{"\ud83d":1}]"#, "lone-surrogate", &[0.into()]);
        check(r#"[{"a":1,"b":2,"a":3}]"#, "duplicate-member", &[0.into()]);
        check("[1,", "not-json", &[1.into()]);
        for text in [
            "",
            "1 2",
            "01",
            "1.",
            ".5",
            "+1",
            "1e",
            "nul",
            "'a'",
            "\"a",
            "\"\n\"",
            "[1,]",
            "{\"a\"}",
            "{a:1}",
            "\"\\x\"",
            "\"\\u00g0\"",
            "\u{FEFF}1",
        ] {
            assert_eq!(read(text).unwrap_err().code, "not-json", "{text:?}");
        }
    }

    #[test]
    fn goes_on_behind_a_lone_surrogate() {
        let (value, problems) = read_with_problems(r#"["a\ud800b",{"c":1,"c":2},"\udfff"]"#);
        assert_eq!(value.as_list().unwrap()[0].as_str(), Some("a\u{FFFD}b"));
        let codes: Vec<_> = problems.iter().map(|problem| problem.code).collect();
        assert_eq!(codes, ["lone-surrogate", "duplicate-member", "lone-surrogate"]);
    }

    #[test]
    fn bounds_the_depth() {
        let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
        assert_eq!(read(&deep).unwrap_err().code, "too-deep");
        let nested = |depth: usize| read(&format!("{}1{}", "[".repeat(depth), "]".repeat(depth)));
        assert!(nested(100).is_ok());
        assert_eq!(nested(101).unwrap_err().code, "too-deep");
    }
}
