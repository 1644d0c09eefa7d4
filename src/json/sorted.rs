//! JSON as RFC 8785 has it: one text for one value, however its members stand.

use super::Json;
use super::write::{write, write_string};
use crate::order::sorted;

impl Json {
    /// The compact text with the members of every object sorted by UTF-16 units. A number keeps the text that it has:
    /// `JSON.stringify` wrote it as ECMAScript does, which is the canonical form.
    pub fn canonical(&self) -> String {
        let mut text = String::new();
        self.write_canonical(&mut text);
        text
    }

    fn write_canonical(&self, text: &mut String) {
        match self {
            Self::List(items) => {
                text.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        text.push(',');
                    }
                    item.write_canonical(text);
                }
                text.push(']');
            }
            Self::Object(members) => {
                let units = |at: usize| members.get(at).map(|(name, _)| name.encode_utf16());
                let order = sorted(members.len(), &mut |a, b| {
                    units(a).into_iter().flatten().cmp(units(b).into_iter().flatten())
                });
                text.push('{');
                for (index, (name, value)) in order.iter().filter_map(|at| members.get(*at)).enumerate() {
                    if index > 0 {
                        text.push(',');
                    }
                    write_string(name, text);
                    text.push(':');
                    value.write_canonical(text);
                }
                text.push('}');
            }
            plain => write(plain, text),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::json::read;

    #[track_caller]
    fn check(text: &str, canonical: &str) {
        assert_eq!(read(text).unwrap().canonical(), canonical);
    }

    #[test]
    fn sorts_members_by_units_at_every_depth() {
        check(
            r#"{"b":[{"d":1,"c":null}],"a":{"z":2,"y":1}}"#,
            r#"{"a":{"y":1,"z":2},"b":[{"c":null,"d":1}]}"#,
        );
        check("{\"\u{FB33}\":1,\"😀\":2,\"1\":3,\"\":4}", "{\"\":4,\"1\":3,\"😀\":2,\"\u{FB33}\":1}");
        check(r#"[ 1e+21, -0.5, "\u001f\u0008\/é" ]"#, r#"[1e+21,-0.5,"\u001f\b/é"]"#);
    }
}
