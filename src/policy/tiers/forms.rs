//! The texts by which rules know a run (claude-code.md section 7.2).
//!
//! A text is the words as written, one blank between, without redirects and comments. Rules that restrict are tried on
//! many spellings of it; allow rules on few, and patterns only where every word is known.

use super::line::{Line, Run, base};
use super::place::Ground;
use crate::dialect::tiers::NeverApproved;
use crate::shell::{Assignment, Command, Word};

/// What allow rules are tried on.
#[derive(Debug, Default)]
pub(super) struct AllowForms {
    /// The command as written, first without, then with its redirects. A rule that spells it covers what it contains.
    pub(super) written: Vec<String>,
    /// By rules without a star.
    pub(super) exact: Vec<String>,
    /// By patterns.
    pub(super) wild: Vec<String>,
    /// Why there are none for patterns.
    pub(super) why: Option<&'static str>,
}

impl<'r> Line<'r> {
    /// What allow rules are tried on for a root.
    pub(super) fn allow_forms(&self, at: usize, ground: &Ground) -> AllowForms {
        let Some(root) = self.runs.get(at) else { return AllowForms::default() };
        let inner = self.innermost(at);
        let full = self.assigned_text(root);
        let mut forms = AllowForms { written: vec![full.clone()], ..AllowForms::default() };
        if !root.redirects.is_empty() {
            forms.written.push(self.text_with_redirects(root));
        }
        forms.exact.clone_from(&forms.written);
        let safe = self.assigns_safely(inner);
        let Some(stripped) = self.runs.get(inner) else { return forms };
        let mut wild = vec![];
        if safe {
            forms.exact.push(self.text(stripped.words));
            wild.push((stripped, false));
        }
        // A rule may spell assignments out, wrappers not.
        if inner == at && !root.assignments.is_empty() {
            wild.push((root, true));
        }
        forms.why = if self.redefines || self.is_never_approved(at) {
            Some("never-auto-approved")
        } else if self.is_wrapper_left(inner) {
            Some("wrapper-not-looked-past")
        } else {
            None
        };
        if forms.why.is_some() {
            return forms;
        }
        if !safe {
            forms.why = Some("assignment-not-safe");
        }
        for (run, assigned) in wild {
            if !self.is_known(run, assigned) {
                forms.why = Some("unknown-word");
                continue;
            }
            let before = if assigned { self.assignments_text(run) } else { String::new() };
            forms.wild.push([&before, self.text(run.words).as_str()].concat());
            if let Some(words) = self.without_harmless_options(run, ground) {
                let short = [&before, words.as_str()].concat();
                forms.exact.push(short.clone());
                forms.wild.push(short);
            }
        }
        forms
    }

    /// The last run that allow rules see in the place of a root.
    pub(super) fn innermost(&self, root: usize) -> usize {
        let mut at = root;
        for (index, run) in self.runs.iter().enumerate() {
            if run.outer == Some(at) && run.for_allow {
                at = index;
            }
        }
        at
    }

    /// Whether allow rules look past every assignment of a run and of those on the way from its root.
    pub(super) fn assigns_safely(&self, at: usize) -> bool {
        let mut next = self.runs.get(at);
        while let Some(run) = next {
            if !run.assignments.iter().all(|assigned| self.is_safe(assigned, run)) {
                return false;
            }
            next = run.outer.and_then(|outer| self.runs.get(outer));
        }
        true
    }

    /// Whether an assignment is one that allow rules look past.
    pub(super) fn is_safe(&self, assigned: &Assignment<'_>, run: &Run<'_>) -> bool {
        let written = assigned.value.written(self.reading.line());
        let plain = written.strip_prefix(assigned.name.as_ref()).and_then(|rest| rest.strip_prefix('='));
        let spelling = self.spelling(&assigned.value, run);
        let value = assigned.value.value();
        let harmless =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ',' | ':' | '@' | '+' | '/' | '-');
        self.tiers.safe_variables.has(&assigned.name)
            && plain.is_some_and(|value| !value.contains(['$', '`']))
            && spelling.known
            && value
                .is_some_and(|value| !value.starts_with(['/', '.', '~', ':']) && value.chars().all(harmless))
    }

    /// Whether no pattern approves what the root starts.
    pub(super) fn is_never_approved(&self, root: usize) -> bool {
        let row = |row: &NeverApproved, words: &[Word<'_>]| {
            let mut words = words.iter();
            let name = words.next().and_then(Word::value).map(base);
            let given = |word: &Word<'_>| {
                let text = word.value().unwrap_or(word.literal());
                let attached = |option: &str| {
                    option.starts_with("--")
                        && text.strip_prefix(option).is_some_and(|rest| rest.starts_with(['=']))
                };
                let cluster = |option: &str| {
                    let letter = option.strip_prefix('-').filter(|letter| letter.len() == 1);
                    letter.is_some_and(|letter| {
                        text.starts_with('-')
                            && !text.starts_with("--")
                            && crate::text::contains(text, letter)
                    })
                };
                row.with.any(&mut |option| option == text || attached(option) || cluster(option))
            };
            name.is_some_and(|name| row.names.has(name)) && (row.with.is_empty() || words.any(given))
        };
        let mut runs = self.runs.iter().filter(|run| run.root == root);
        runs.any(|run| self.tiers.never_approved.iter().any(|rule| row(rule, run.words)))
    }

    /// Whether a run is a wrapper that is looked past, but not by allow rules.
    fn is_wrapper_left(&self, at: usize) -> bool {
        let Some(run) = self.runs.get(at) else { return false };
        let name = run.words.first().and_then(Word::value).map(base).unwrap_or_default();
        let row = self.wrapper(name).is_some_and(|row| row.for_allow);
        row && self.runs.iter().any(|other| other.outer == Some(at))
    }

    /// Whether every word, and every assigned value where they count, is known.
    pub(super) fn is_known(&self, run: &Run<'_>, assigned: bool) -> bool {
        // What `xargs` adds stands nowhere; the words of one brace list share a token.
        let known = |word: &Word<'_>| self.is_added(word) || self.spelling(word, run).known;
        run.words.iter().all(known)
            && (!assigned || run.assignments.iter().all(|assigned| known(&assigned.value)))
    }

    /// Whether a word stands nowhere in the line.
    fn is_added(&self, word: &Word<'_>) -> bool {
        word.written(self.reading.line()).is_empty()
    }

    /// The text of git behind options that change nothing for a reader of its command.
    fn without_harmless_options(&self, run: &Run<'r>, ground: &Ground) -> Option<String> {
        let (name, rest) = run.words.split_first()?;
        if name.written(self.reading.line()) != "git" {
            return None;
        }
        let mut rest = rest;
        let mut skipped = false;
        loop {
            match rest {
                [option, more @ ..] if matches!(option.value(), Some("--no-pager" | "-P")) => rest = more,
                [option, directory, more @ ..] if option.value() == Some("-C") => {
                    let spelling = self.spelling(directory, run);
                    let places = self.certain(&spelling.text, run, ground).filter(|_| spelling.known)?;
                    if places.is_empty() || !places.iter().all(|place| ground.is_inside(place)) {
                        return None;
                    }
                    rest = more;
                }
                _ => break,
            }
            skipped = true;
        }
        if !skipped {
            return None;
        }
        let mut text = String::from("git");
        for word in rest {
            add(&mut text, &without_continuations(word.written(self.reading.line())));
        }
        Some(text)
    }

    /// What rules that restrict are tried on.
    pub(super) fn seen_forms(&self, run: &Run<'_>) -> Vec<String> {
        let mut texts = vec![];
        let mut push = |text: String| {
            if !text.is_empty() && !texts.contains(&text) {
                texts.push(text);
            }
        };
        push(self.assigned_text(run));
        push(self.text(run.words));
        let Some((first, rest)) = run.words.split_first() else { return texts };
        let skipped = Command::git_options(rest);
        for quoted in [true, false] {
            // The words behind the name, and those behind the options of git.
            let mut words = String::new();
            let mut behind = String::new();
            for (index, word) in rest.iter().enumerate() {
                let form = self.form(word, run, quoted);
                add(&mut words, &form);
                if index >= skipped {
                    add(&mut behind, &form);
                }
            }
            let own = self.form(first, run, quoted);
            for name in [own.as_str(), base(&own)] {
                push([name, &words].concat());
                if base(name) == "git" && skipped > 0 {
                    push([name, &behind].concat());
                }
            }
            if !run.assignments.is_empty() && !quoted {
                let mut text = String::new();
                for assigned in run.assignments {
                    let value = assigned.value.value_or_written(self.reading.line());
                    if !value.contains(['=']) {
                        text.push_str(&assigned.name);
                        text.push('=');
                    }
                    text.push_str(value);
                    text.push(' ');
                }
                push([&text, own.as_str(), &words].concat());
            }
        }
        texts
    }

    fn form(&self, word: &Word<'_>, run: &Run<'_>, quoted: bool) -> String {
        if quoted || word.value().is_none() {
            let written = without_continuations(word.written(self.reading.line()));
            return if quoted { written } else { self.spelling(word, run).text_or(written) };
        }
        word.value_or_written(self.reading.line()).to_owned()
    }

    /// The words as written, one blank between.
    pub(super) fn text(&self, words: &[Word<'_>]) -> String {
        let mut text = String::new();
        // The words of one brace list share a token.
        let mut before = None;
        for word in words.iter().filter(|word| !self.is_added(word)) {
            if before.replace(word.span()) != Some(word.span()) {
                add(&mut text, &without_continuations(word.written(self.reading.line())));
            }
        }
        unblanked(text)
    }

    fn assignments_text(&self, run: &Run<'_>) -> String {
        let mut text = String::new();
        for assigned in run.assignments {
            text.push_str(&without_continuations(assigned.value.written(self.reading.line())));
            text.push(' ');
        }
        text
    }

    /// The command with its assignments.
    fn assigned_text(&self, run: &Run<'_>) -> String {
        let text = [self.assignments_text(run), self.text(run.words)].concat();
        text.trim_end_matches(' ').into()
    }

    /// Every token in its order, redirects too.
    fn text_with_redirects(&self, run: &Run<'_>) -> String {
        let line = self.reading.line();
        let mut tokens = vec![];
        for assigned in run.assignments {
            tokens.push(assigned.value.span());
        }
        for word in run.words.iter().filter(|word| !self.is_added(word)) {
            tokens.push(word.span());
        }
        for redirect in run.redirects {
            tokens.push(redirect.span);
        }
        let mut text = String::new();
        let mut before = None;
        for span in crate::order::sort(tokens, |a, b| a.start.cmp(&b.start)) {
            if before.replace(span) != Some(span) {
                add(&mut text, span.slice(line).unwrap_or_default());
            }
        }
        unblanked(text)
    }
}

impl super::spelling::Spelling {
    fn text_or(self, written: String) -> String {
        if self.text.is_empty() { written } else { self.text }
    }
}

/// A token without line continuations outside single quotes.
fn without_continuations(token: &str) -> String {
    if !token.contains(['\n']) || token.contains(['\'']) {
        return token.into();
    }
    let mut text = String::with_capacity(token.len());
    let mut rest = token.chars().peekable();
    while let Some(c) = rest.next() {
        match (c, rest.peek()) {
            ('\\', Some('\n')) => {
                rest.next();
            }
            ('\\', Some(_)) => {
                text.push(c);
                text.extend(rest.next());
            }
            _ => text.push(c),
        }
    }
    text
}

/// One more word, behind a blank.
#[inline(never)]
fn add(text: &mut String, word: &str) {
    text.push(' ');
    text.push_str(word);
}

/// Without the blank before the first word.
fn unblanked(text: String) -> String {
    text.strip_prefix(' ').unwrap_or_default().into()
}
