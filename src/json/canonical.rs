//! Canonical JSON (RFC 8785): one text for one value, however its members stand.

use super::Json;
use crate::order::sort;

impl Json {
    /// The compact text with the members of every object sorted by UTF-16 units. A number keeps the text that it has:
    /// `JSON.stringify` wrote it as ECMAScript does, which is the canonical form.
    pub fn canonical(&self) -> String {
        self.sorted().text()
    }

    fn sorted(&self) -> Self {
        match self {
            Self::List(items) => Self::List(items.iter().map(Self::sorted).collect()),
            Self::Object(members) => {
                let members = members.iter().map(|(name, value)| (name.clone(), value.sorted())).collect();
                Self::Object(sort(members, |a: &(String, Self), b| {
                    a.0.encode_utf16().cmp(b.0.encode_utf16())
                }))
            }
            plain => plain.clone(),
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
