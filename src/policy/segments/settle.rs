//! What the rules make of a call, before its mode is asked (`qwen-code.md` sections 3, 5, 9 and 10).

use super::operations::{self, Operation, Operations, Start, Target};
use super::reads::{self, Effect};
use super::rules::{Asked, Rules, Settled, Tried};
use super::{Run, Segment, Trace, cut, mode};
use crate::dialect::{ContentKind, Grammar};
use crate::path::{Lexical, Root};
use crate::risk::Assessment;
use crate::rule::{self, tool};
use crate::shell;
use crate::span::Span;
use crate::vocabulary::{Kind, PermissionMode, Stage};

impl Run<'_> {
    /// Tries everything.
    pub(super) fn trace<'g>(&'g self, rules: &Rules<'g>) -> Trace<'g> {
        let name = tool::canonical_call(self.call.tool, self.config.dialect, &self.config.bash_tool);
        let kind = match self.config.dialect.grammar {
            Grammar::Verbatim(kinds) => rule::content_kind(name, kinds),
            Grammar::Escaped | Grammar::Literal(_) => ContentKind::Text,
        };
        let mut trace = Trace {
            tool: name,
            kind,
            subject: self.subject(name, kind),
            path: None,
            real_path: None,
            reading: None,
            segments: vec![],
            unread: false,
            operations: Operations::default(),
            operated: vec![],
            effect: Effect::Unknown,
            ruled: Settled::unruled(Kind::Passthrough, Stage::NoMatch),
            settled: Settled::unruled(Kind::Passthrough, Stage::NoMatch),
            risk: Assessment::default(),
        };
        if kind == ContentKind::Command {
            self.settle_line(rules, &mut trace);
        } else {
            trace.path =
                trace.subject.as_deref().filter(|_| kind == ContentKind::Path).map(|path| self.rooted(path));
            trace.real_path = self.state.real_path.map(|path| self.rooted(path));
            let path = trace.path.as_deref().map(Lexical::read);
            let real_path = trace.real_path.as_deref().map(Lexical::read);
            let tried = self.tried(&trace, path.as_ref(), real_path.as_ref());
            if let Some(settled) = rules.first(&self.book(self.call.tool), &tried, self.asked()) {
                trace.ruled = settled;
            }
        }
        trace.settled = mode::apply(self, &mut trace);
        trace
    }

    /// What a call that is no line is tried as.
    pub(super) fn tried<'t>(
        &'t self,
        trace: &'t Trace<'_>,
        path: Option<&'t Lexical<'t>>,
        real_path: Option<&'t Lexical<'t>>,
    ) -> Tried<'t> {
        let subject = trace.subject.as_deref();
        Tried {
            path,
            real_path: real_path.filter(|_| path.is_some()),
            host: subject.filter(|_| trace.kind == ContentKind::Host),
            text: subject.filter(|_| trace.kind == ContentKind::Literal),
            arguments: self.call.arguments,
            ..Tried::default()
        }
    }

    /// Which rules a call is settled by.
    fn asked(&self) -> Asked {
        if self.mode == PermissionMode::Auto { Asked::NotSuspended } else { Asked::All }
    }

    fn subject(&self, name: &str, kind: ContentKind) -> Option<String> {
        let call = self.call;
        let own = || call.subject.map(Into::into);
        match kind {
            ContentKind::Command => call.subject.or(call.command).map(Into::into),
            ContentKind::Path => {
                call.subject.or(call.file_path).or(call.notebook_path).or(call.path).map(Into::into)
            }
            ContentKind::Host => match call.subject {
                Some(subject) => self.host.of_subject(subject),
                None => self.host.of_url(call.url?),
            },
            ContentKind::Text => None,
            ContentKind::Literal => own().or_else(|| {
                let (_, argument) = self.tables.literals.iter().find(|(tool, _)| *tool == name)?;
                Some(call.arguments?.get(argument)?.as_str()?.into())
            }),
        }
    }

    /// A path from the root, as far as the places that it depends on are known.
    pub(super) fn rooted(&self, path: &str) -> String {
        let written = Lexical::read(path);
        match written.root() {
            Root::Relative => written.from(&Lexical::read(self.state.cwd.unwrap_or_default())).text(),
            Root::Home => match self.config.home.as_deref().filter(|home| !home.is_empty()) {
                Some(home) => written.at_home(&Lexical::read(home)).text(),
                None => written.text(),
            },
            Root::Absolute | Root::Drive | Root::Share => written.text(),
        }
    }

    fn settle_line<'g>(&'g self, rules: &Rules<'g>, trace: &mut Trace<'g>) {
        let line: &'g str = self.call.subject.or(self.call.command).unwrap_or_default();
        let reading = shell::read(line);
        trace.effect = reads::effect(&reading, self.tables);
        let start = Start { cwd: self.state.cwd, home: self.config.home.as_deref(), host: self.host };
        trace.operations = operations::of(&reading, start, self.tables);
        let spans = cut::cut(line, self.tables.most_segments);
        trace.unread = !reading.is_complete() || spans.len() > self.tables.most_segments;
        trace.segments = self.segments(line, spans, rules, trace);
        let mut strictest = None;
        let mut add = |settled: Settled| {
            strictest = Some(strictest.map_or(settled, |strictest| Settled::or_stricter(strictest, settled)));
        };
        for segment in &trace.segments {
            add(segment.settled);
        }
        for operation in &trace.operations.list {
            let operated = self.operated(operation, rules);
            trace.operated.push(operated);
            if let Some(settled) = operated {
                add(settled);
            }
        }
        if trace.operations.overflow && self.restricts_operations(rules) {
            add(Settled::unruled(Kind::Ask, Stage::NoMatch));
        }
        trace.ruled = strictest.unwrap_or(trace.ruled);
        trace.reading = Some(reading);
    }

    fn segments(
        &self,
        line: &str,
        mut spans: Vec<Span>,
        rules: &Rules<'_>,
        trace: &Trace<'_>,
    ) -> Vec<Segment> {
        let book = self.book(self.call.tool);
        if spans.is_empty() {
            spans.push(Span::of(line));
        }
        let mut texts = vec![];
        let mut moves = false;
        for span in spans {
            let text = rule::retokenise(span.slice(line).unwrap_or_default());
            moves |= self.tables.movers.has(text.split([' ']).next().unwrap_or_default());
            texts.push((span, text));
        }
        // Only calls of the shell itself are let through for reading.
        let judged = self.tables.shells.first() == Some(trace.tool);
        let mut segments = vec![];
        for (span, text) in texts {
            let tried = Tried { unread: trace.unread, ..self.tried_segment(&text) };
            let settled = rules.first(&book, &tried, self.asked()).unwrap_or_else(|| {
                let own = || {
                    let segment = shell::read(span.slice(line).unwrap_or_default());
                    reads::effect(&segment, self.tables)
                };
                // A part of what could not be read says nothing (invariant "seen").
                let reads = match (judged, trace.unread) {
                    (false, _) | (_, true) => false,
                    _ if moves => trace.effect == Effect::Reads,
                    _ => own() == Effect::Reads,
                };
                Settled::unruled(if reads { Kind::Allow } else { Kind::Ask }, Stage::NoMatch)
            });
            segments.push(Segment { span, text, settled });
        }
        segments
    }

    /// What a segment is tried as, put together again.
    pub(super) fn tried_segment<'t>(&'t self, text: &'t str) -> Tried<'t> {
        Tried { line: Some(text), arguments: self.call.arguments, ..Tried::default() }
    }

    /// What the rules that deny or ask make of an operation.
    fn operated(&self, operation: &Operation, rules: &Rules<'_>) -> Option<Settled> {
        let book = self.book(operation.tool);
        let settled = with_operation(operation, |tried| rules.first(&book, tried, Asked::Restricting));
        settled.or_else(|| {
            let unsure = matches!(operation.target, Target::Path { sure: false, .. });
            (unsure && rules.restricts(&book)).then_some(Settled::unruled(Kind::Ask, Stage::NoMatch))
        })
    }

    fn restricts_operations(&self, rules: &Rules<'_>) -> bool {
        let tools = &self.tables.virtual_tools;
        let all = [tools.read, tools.list, tools.write, tools.edit, tools.fetch];
        all.iter().any(|tool| rules.restricts(&self.book(tool)))
    }
}

/// Hands on what an operation is tried as.
pub(super) fn with_operation<T>(operation: &Operation, go_on: impl FnOnce(&Tried<'_>) -> T) -> T {
    match &operation.target {
        Target::Path { path, .. } => go_on(&Tried { path: Some(&Lexical::read(path)), ..Tried::default() }),
        Target::Host(host) => go_on(&Tried { host: Some(host), ..Tried::default() }),
    }
}
