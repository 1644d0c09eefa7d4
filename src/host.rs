//! Host names: of URLs on the call's side, of `domain:` rules on the rule's side.
//!
//! What Unicode and the URL standard know is handed in (`src/wasm` hands in the runtime's own): a second parser in the
//! core would be large, and could disagree with the one that makes the request.

use crate::text;

/// What the runtime knows about names.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// The host name of a URL as the WHATWG URL standard parses it (`url.hostname`); none where it does not parse.
    pub url_hostname: fn(url: &str) -> Option<String>,
    /// A text in lower case (`String.prototype.toLowerCase`).
    pub lower_case: fn(text: &str) -> String,
}

impl Host {
    /// Knows ASCII alone, and no URL.
    pub const ASCII: Self = Self { url_hostname: |_| None, lower_case: str::to_ascii_lowercase };

    /// The subject of a fetch: the host name of `url`, without trailing dots and IPv6 brackets. A URL that does not
    /// parse, or has no host, gives none (rules.md section 5).
    pub fn of_url(self, url: &str) -> Option<String> {
        let host = (self.url_hostname)(url)?.to_ascii_lowercase();
        let host = unbracketed(host.trim_end_matches('.'));
        if host.is_empty() { None } else { Some(host.into()) }
    }

    /// The subject where the caller named it itself: a URL where it contains `://`, else a host name (rules.md section 7).
    /// A name that is not ASCII is brought into the form that URLs have.
    pub fn of_subject(self, subject: &str) -> Option<String> {
        if text::contains(subject, "://") {
            return self.of_url(subject);
        }
        let name = if subject.is_ascii() { None } else { self.of_url(&["http://", subject, "/"].concat()) };
        Some(name.unwrap_or_else(|| (self.lower_case)(subject).trim_end_matches('.').into()))
    }

    /// `label` in its ASCII form, as a URL's host would have it.
    pub fn ascii_label(self, label: &str) -> Option<String> {
        if label.is_ascii() {
            return Some(label.into());
        }
        let ascii = (self.url_hostname)(&["http://", label, "/"].concat())?;
        // A label that turns into several, or into none, was none.
        if ascii.is_empty() || ascii.contains(['.']) { None } else { Some(ascii) }
    }
}

/// Without one pair of outer `[` `]`.
pub fn unbracketed(host: &str) -> &str {
    host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUNTIME: Host = Host {
        url_hostname: |url| url::Url::parse(url).ok()?.host_str().map(Into::into),
        lower_case: str::to_lowercase,
    };

    #[test]
    fn subjects() {
        assert_eq!(RUNTIME.of_url("https://WWW.Example.com../p").as_deref(), Some("www.example.com"));
        assert_eq!(RUNTIME.of_url("http://[::1]:80/").as_deref(), Some("::1"));
        assert_eq!(RUNTIME.of_url("data:text/plain,x"), None);
        assert_eq!(RUNTIME.of_subject("Example.COM.").as_deref(), Some("example.com"));
        assert_eq!(RUNTIME.of_subject("B\u{FC}cher.example").as_deref(), Some("xn--bcher-kva.example"));
        assert_eq!(RUNTIME.of_subject("https://a.example/b").as_deref(), Some("a.example"));
    }
}
