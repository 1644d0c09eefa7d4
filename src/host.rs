//! Host names: of URLs on the call's side, of `domain:` rules on the rule's side.
//!
//! The WHATWG URL parser is handed in (`src/wasm` hands in the runtime's own `URL`): a second parser in the core would
//! be large, and could disagree with the one that makes the request.

/// The host name of a URL as the WHATWG URL standard parses it (`url.hostname`); none where it does not parse.
pub type HostParser = fn(url: &str) -> Option<String>;

/// The subject of a fetch: the host name of `url`, lower-cased, without trailing dots and IPv6 brackets. A URL that
/// does not parse, or has no host, gives none (rules.md section 5).
pub fn of_url(url: &str, parse: HostParser) -> Option<String> {
    let host = parse(url)?.to_lowercase();
    let host = unbracketed(host.trim_end_matches('.'));
    if host.is_empty() { None } else { Some(host.into()) }
}

/// The subject where the host named it itself: a URL where it contains `://`, else a host name (rules.md section 7).
pub fn of_subject(subject: &str, parse: HostParser) -> Option<String> {
    if subject.contains("://") {
        of_url(subject, parse)
    } else {
        Some(subject.to_lowercase().trim_end_matches('.').into())
    }
}

/// `label` in its ASCII form, as a URL's host would have it.
pub fn ascii_label(label: &str, parse: HostParser) -> Option<String> {
    if label.is_ascii() {
        return Some(label.into());
    }
    let ascii = parse(&format!("http://{label}/"))?;
    // A label that turns into several, or into none, was none.
    if ascii.is_empty() || ascii.contains('.') { None } else { Some(ascii) }
}

/// Without one pair of outer `[` `]`.
pub fn unbracketed(host: &str) -> &str {
    host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host)
}
