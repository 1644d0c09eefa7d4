//! Host patterns of `domain:` rules (rules.md section 5).
//!
//! | pattern | accepts |
//! |---|---|
//! | no star | that host |
//! | first label `*`, no other star | the rest, and every host below it |
//! | other stars | as many labels, each equal or `*` |

use super::matcher::Wildcard;
use crate::dialect::DomainLabels;
use crate::host::{Host, unbracketed};
use crate::text;

/// A normal host pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DomainPattern {
    hostname: String,
    labels: DomainLabels,
}

impl DomainPattern {
    /// Takes a pattern as it stands (a host handed it in as a matcher's `hostname`).
    pub fn as_it_stands(hostname: &str, labels: DomainLabels) -> Self {
        Self { hostname: hostname.into(), labels }
    }

    /// Takes a pattern whose labels are read as [`DomainLabels::Below`]. One that is no host name accepts nothing.
    pub fn below(written: &str, names: Host) -> Self {
        let lower = (names.lower_case)(written);
        let host = lower.trim_end_matches(['.']);
        let mut hostname = String::new();
        for label in host.split(['.']) {
            let ascii = names.ascii_label(label);
            hostname.push_str(ascii.as_deref().unwrap_or(label));
            hostname.push('.');
        }
        hostname.pop();
        Self { hostname, labels: DomainLabels::Below }
    }

    /// Whether no host name can be accepted.
    pub fn is_no_host(&self) -> bool {
        self.hostname.is_empty()
            || self.hostname.contains([':', '/', '?', '#', '@'])
            || self.hostname.contains(text::is_blank)
    }

    /// The host pattern of what follows `domain:`, or why it is none.
    pub fn read(written: &str, labels: DomainLabels, names: Host) -> Result<Self, &'static str> {
        let lower = (names.lower_case)(text::trim(written));
        if lower.contains(['/', ':', '?', '#']) {
            return Err("a host name has no scheme, port or path");
        }
        let host = unbracketed(lower.trim_end_matches(['.']));
        if host.is_empty() {
            return Err("a host name is needed after `domain:`");
        }
        let (mut stars_alone, mut has_empty) = (true, false);
        for label in host.split(['.']) {
            if label != "*" {
                if label.contains(['*']) {
                    return Err("a star is a whole label");
                }
                stars_alone = false;
            }
            has_empty |= label.is_empty();
        }
        if stars_alone {
            return Err("a pattern of stars alone accepts every host");
        }
        match labels {
            DomainLabels::AsWritten | DomainLabels::Below => Ok(Self { hostname: host.into(), labels }),
            DomainLabels::Ascii => {
                if has_empty || host.contains(text::is_blank) {
                    return Err("a host name has no empty labels and no blanks");
                }
                let mut hostname = String::new();
                for label in host.split(['.']) {
                    hostname.push_str(&names.ascii_label(label).ok_or("a label is no host name")?);
                    hostname.push('.');
                }
                hostname.pop();
                Ok(Self { hostname, labels })
            }
        }
    }

    /// The pattern: lower case, without trailing dots.
    pub fn hostname(&self) -> &str {
        &self.hostname
    }

    pub(super) const fn labels(&self) -> DomainLabels {
        self.labels
    }

    /// Whether `host`, in the form that [`host::of_url`] gives it, is accepted.
    pub fn accepts(&self, host: &str) -> bool {
        if self.labels == DomainLabels::Below {
            return !self.is_no_host() && self.accepts_below(&host.to_ascii_lowercase());
        }
        if !self.hostname.contains(['*']) {
            return self.hostname == host;
        }
        if let Some(rest) = self.hostname.strip_prefix("*.")
            && !rest.contains(['*'])
        {
            return host.strip_suffix(rest).is_some_and(|front| front.is_empty() || front.ends_with('.'));
        }
        let (mut own, mut labels) = (self.hostname.split(['.']), host.split(['.']));
        loop {
            match (own.next(), labels.next()) {
                (None, None) => return true,
                (Some(pattern), Some(label)) if pattern == "*" || pattern == label => {}
                _ => return false,
            }
        }
    }

    fn accepts_below(&self, host: &str) -> bool {
        let host = host.trim_end_matches(['.']);
        let (pattern, below) = match self.hostname.strip_prefix("*.") {
            Some(rest) => (rest, true),
            None => (self.hostname.as_str(), false),
        };
        // From the last label on; of hosts below there are more.
        let (mut own, mut labels) = (pattern.rsplit(['.']), host.rsplit(['.']));
        loop {
            match (own.next(), labels.next()) {
                (None, more) => return !host.is_empty() && more.is_some() == below,
                (Some(own), Some(label)) if Wildcard::literal(own, false).accepts(label) => {}
                _ => return false,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, host: &str, expected: bool) {
        let pattern = DomainPattern::read(pattern, DomainLabels::AsWritten, Host::ASCII).unwrap();
        assert_eq!(pattern.accepts(host), expected, "{pattern:?} on {host}");
    }

    #[test]
    fn matches_labels() {
        check(" Example.COM. ", "example.com", true);
        check("example.com", "www.example.com", false);
        check("*.example.com", "example.com", true);
        check("*.example.com", "a.b.example.com", true);
        check("*.example.com", "badexample.com", false);
        check("a.*.com", "a.b.com", true);
        check("a.*.com", "a.b.c.com", false);
        check("*.*.example.com", "example.com", false);
    }

    #[track_caller]
    fn refuse(pattern: &str, labels: DomainLabels) {
        assert!(DomainPattern::read(pattern, labels, Host::ASCII).is_err(), "{pattern:?}");
    }

    #[test]
    fn refuses_what_is_no_host() {
        for pattern in ["", "  ", ".", "*", "*.*", "*x.com", "x:443", "https://x", "a/b", "a?b", "a#b", "[]"]
        {
            refuse(pattern, DomainLabels::AsWritten);
            refuse(pattern, DomainLabels::Ascii);
        }
        for pattern in ["a..b", ".a", "a b", "bücher.example"] {
            refuse(pattern, DomainLabels::Ascii);
            assert!(
                DomainPattern::read(pattern, DomainLabels::AsWritten, Host::ASCII).is_ok(),
                "{pattern:?}"
            );
        }
    }
}
