//! Which paths may be offered, by their text alone (evidence.md section 6).
//!
//! The rules stand in an order, and the first broken one is the result. Name lists are compared after folding ASCII case,
//! U+017F to `s` and U+212A to `k`, as some file systems do.
//!
//! ```
//! use toolgate::evidence::check_path;
//! assert_eq!(check_path("src/main.ts"), None);
//! assert_eq!(check_path("config/.ENV"), Some("credential-name"));
//! ```

use crate::dialect::tiers::Words;
use crate::limits;
use crate::span::utf16_len;

/// The code of the confinement rule that `path` breaks first; none where it may be offered.
pub fn check_path(path: &str) -> Option<&'static str> {
    RULES.iter().find(|rule| (rule.is_broken)(path)).map(|rule| rule.code)
}

/// A rule: its code, and whether a path breaks it.
struct Rule {
    code: &'static str,
    is_broken: fn(&str) -> bool,
}

const fn rule(code: &'static str, is_broken: fn(&str) -> bool) -> Rule {
    Rule { code, is_broken }
}

const RULES: &[Rule] = &[
    rule("empty-path", |path| path.is_empty()),
    rule("path-too-long", |path| utf16_len(path) > limits::EVIDENCE_PATH_UNITS),
    // Half of a surrogate pair arrives as the replacement character.
    rule("invalid-unicode", |path| path.contains([char::REPLACEMENT_CHARACTER])),
    rule("control-character", |path| path.contains(is_control)),
    rule("invisible-character", |path| path.contains(is_invisible)),
    rule(
        "absolute-path",
        |path| matches!(path.as_bytes(), [b'/' | b'\\', ..] | [b'a'..=b'z' | b'A'..=b'Z', b':', ..]),
    ),
    rule("home-path", |path| path.starts_with(['~'])),
    // A letter and a colon is a drive, which was refused above.
    rule("url-scheme", has_scheme),
    rule("backslash", |path| path.contains(['\\'])),
    rule("colon", |path| path.contains([':'])),
    rule("parent-traversal", |path| has_segment(path, |segment| segment == "..")),
    rule("not-normalised", |path| has_segment(path, |segment| matches!(segment, "" | "."))),
    rule("trailing-dot-or-space", |path| has_segment(path, |segment| segment.ends_with(['.', ' ']))),
    rule("short-name", |path| has_segment(path, is_short_name)),
    rule("dependency-directory", |path| has_name(path, DEPENDENCIES)),
    rule("vcs-directory", |path| has_name(path, ".git .hg .svn")),
    rule("worktree-directory", |path| has_name(path, ".worktrees worktrees")),
    rule("credential-location", |path| has_name(path, LOCATIONS) || has_pair(path)),
    rule("credential-name", |path| has_segment(path, is_environment) || is_credential_file(path)),
];

const DEPENDENCIES: &str = "node_modules vendor .venv venv .pnpm-store .yarn bower_components site-packages";

const LOCATIONS: &str = ".ssh .aws .gnupg .kube .docker .azure .credentials .password-store secrets";

/// Two segments in a row.
const PAIRS: &str = ".config/gh .config/gcloud library/keychains";

/// Last segments.
const FILES: &str = ".npmrc .yarnrc .yarnrc.yml .netrc _netrc .pypirc .pgpass .htpasswd .envrc .git-credentials credentials \
    id_rsa id_dsa id_ecdsa id_ed25519";

/// What follows the last dot of a last segment.
const EXTENSIONS: &str = "pem key p12 pfx ppk jks keystore kdbx";

fn is_control(c: char) -> bool {
    matches!(c, '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}' | '\u{2028}' | '\u{2029}')
}

/// What some file systems ignore, and readers cannot see.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}

fn has_scheme(path: &str) -> bool {
    let scheme = path.split([':']).next().unwrap_or_default();
    scheme.len() < path.len()
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-'))
}

fn has_segment(path: &str, fits: fn(&str) -> bool) -> bool {
    path.split(['/']).any(fits)
}

/// Whether a segment, folded, is one of the names.
fn has_name(path: &str, names: &'static str) -> bool {
    path.split(['/']).any(|segment| Words(names).has(&folded(segment)))
}

fn has_pair(path: &str) -> bool {
    let mut before = String::new();
    for segment in path.split(['/']) {
        let segment = folded(segment);
        before.push('/');
        before.push_str(&segment);
        if Words(PAIRS).has(&before) {
            return true;
        }
        before = segment;
    }
    false
}

/// A tilde and a digit, as in the short names that stand for longer ones.
fn is_short_name(segment: &str) -> bool {
    segment.as_bytes().array_windows().any(|[mark, digit]| *mark == b'~' && digit.is_ascii_digit())
}

fn is_environment(segment: &str) -> bool {
    let name = folded(segment);
    name.strip_prefix(".env").is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '_', '-']))
}

fn is_credential_file(path: &str) -> bool {
    let name = folded(path.rsplit(['/']).next().unwrap_or_default());
    let extension = name.rsplit(['.']).next().filter(|extension| extension.len() < name.len());
    Words(FILES).has(&name) || extension.is_some_and(|extension| Words(EXTENSIONS).has(extension))
}

fn folded(segment: &str) -> String {
    let fold = |c: char| match c {
        '\u{17F}' => 's',
        '\u{212A}' => 'k',
        c => c.to_ascii_lowercase(),
    };
    segment.chars().map(fold).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: Option<&str>) {
        assert_eq!(check_path(path), expected, "{path:?}");
    }

    #[test]
    fn rules_stand_in_order() {
        check("C:\\x", Some("absolute-path"));
        check("c:", Some("absolute-path"));
        check("cd:x", Some("url-scheme"));
        check("a.b+c-d:x", Some("url-scheme"));
        check("1a:x", Some("colon"));
        check(":x", Some("colon"));
        check("é:x", Some("colon"));
        check("a/b:c", Some("colon"));
        check("a\\b:c", Some("backslash"));
        check("a/../~/b", Some("parent-traversal"));
        check("a/./b", Some("not-normalised"));
        check("a/.. /b", Some("trailing-dot-or-space"));
        check("PROGRA~1/x", Some("short-name"));
        check("a/.git./node_modules", Some("trailing-dot-or-space"));
        check("secrets/node_modules/.env", Some("dependency-directory"));
    }

    #[test]
    fn folds_names() {
        check("x/worKtrees/a", Some("worktree-directory"));
        check("x/creden\u{17F}/a.js", None);
        check("\u{17F}ite-packages/a.js", Some("dependency-directory"));
        check("a/.CONFIG/GCloud/x", Some("credential-location"));
        check("a/.config/x/gh", None);
        check("a/.pem", Some("credential-name"));
        check("pem", None);
        check("a/.env-x/y", Some("credential-name"));
        check("a/.envx", None);
        check("a/.Yarnrc.YML", Some("credential-name"));
    }

    #[test]
    fn counts_units() {
        let name = "é".repeat(4_096);
        check(&name, None);
        check(&(name + "é"), Some("path-too-long"));
    }
}
