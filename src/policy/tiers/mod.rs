//! Decides by tiers: deny, ask, allow over all sources, and every part of a call covered (claude-code.md section 6).
//!
//! | room | what it knows |
//! |---|---|
//! | [`tool`], [`rule`], [`broad`] | names, and rules compiled for their list |
//! | [`place`], [`path_rule`], [`protected`] | paths from the root, patterns on anchors |
//! | [`spelling`], [`line`], [`forms`], [`files`] | words, runs, the texts and files of a run |
//! | [`read_only`], [`accepted`], [`removal`] | what programs do |
//! | [`subject`], [`restrict`], [`cover`] | what rules meet, what covers a part |
//! | [`suggest`] | what would cover a part |
//! | [`advice`] | what to tell the author of a rule |
//! | [`language`] | what rules are compared by |
//!
//! Invariants: (seen) in an incomplete reading no pattern and no table covers anything; (tightening) what is not known
//! is met by rules that restrict, and by no other.

mod accepted;
pub(super) mod advice;
pub(super) mod broad;
mod cover;
pub(super) mod explain;
mod files;
mod forms;
pub(super) mod grant;
mod index;
mod language;
mod line;
mod path_rule;
mod place;
mod protected;
mod read_only;
mod removal;
mod restrict;
mod rule;
mod spelling;
mod subject;
mod suggest;
mod tool;

pub(super) use index::Index;

use crate::dialect::Tiers;
use crate::dialect::tiers::CallKind;
use crate::engine::call::{Call, CallState};
use crate::engine::config::Config;
use crate::engine::decide::{Outcome, RuleRef};
use crate::engine::reason::{Reason, Saying};
use crate::engine::{Decision, unlocked};
use crate::host::Host;
use crate::order::Grow as _;
use crate::risk::{Assessment, Finding, RiskLevel};
use crate::rule::PermissionRule;
use crate::shell;
use crate::span::{Span, utf16_len};
use crate::vocabulary::{Kind, PermissionMode, RuleList, RuleSource, SandboxMode, Stage};
use cover::{Cover, Part};
use forms::AllowForms;
use index::Sought;
use line::Line;
use path_rule::Origin;
use place::{Ground, Place};
use protected::Protected;
use restrict::Sight;
use rule::{Candidate, Compiled, Test};
use subject::Subject;
use tool::Tool;

/// A policy as this engine needs it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules<'p> {
    pub(super) tiers: &'static Tiers,
    pub(super) config: &'p Config,
    pub(super) index: &'p Index,
    pub(super) host: Host,
}

/// A call with everything that rules look at.
#[derive(Debug)]
pub(super) struct Evaluation<'e> {
    ground: &'e Ground,
    tool: Tool<'e>,
    call: &'e Call<'e>,
    text: Option<&'e str>,
    subject: Subject<'e>,
    /// One for each run of a line.
    sights: Vec<Sight>,
    /// Rules and grants in consult order, but for those that no call of the tool is about; where nothing is explained
    /// also but for patterns of commands that accept no text of the line.
    candidates: Vec<Candidate<'e>>,
    mode: PermissionMode,
    /// A whole-tool ask rule spares the call.
    exempt: bool,
}

impl Rules<'_> {
    /// Decides one call, and shows what it looked at to `view`.
    pub(super) fn evaluate(
        &self,
        call: &Call<'_>,
        state: &CallState<'_>,
        grants: &[PermissionRule],
        explains: bool,
        view: &mut dyn FnMut(&Evaluation<'_>, &Verdict, &Decision),
    ) -> Decision {
        let Self { tiers, config, .. } = *self;
        let ground = &Ground::new(config, state);
        let tool = Tool::of(call.tool, tiers, config);
        let cwd = state.cwd.or(config.project_root.as_deref());
        let state = &CallState { cwd, ..*state };
        let text = subject::text_of(call, &tool, state);
        let is_shell = tool.row.kind == CallKind::Shell;
        let reading = text.as_deref().filter(|_| is_shell).map(shell::read);
        let line = reading.as_ref().map(|reading| Line::new(reading, tiers, ground));
        let sights = line.as_ref().map(|line| sights(line, ground)).unwrap_or_default();
        let granted = self.granted(grants);
        let found = match line.as_ref().filter(|_| !explains) {
            Some(line) => self.index.find(&tool, Sought::Accepting(&tried(line, &sights))),
            None => self.index.find(&tool, Sought::All),
        };
        let candidates = self.candidates(&tool, &found, grants, &granted);
        let evaluation =
            self.evaluation(call, state, ground, tool, text.as_deref(), line.as_ref(), sights, candidates);
        let (verdict, decision) = self.verdict(&evaluation, line.as_ref());
        view(&evaluation, &verdict, &decision);
        decision
    }

    #[inline(never)]
    fn granted(&self, grants: &[PermissionRule]) -> Vec<Compiled> {
        let mut granted = vec![];
        for grant in grants {
            granted.push(Compiled::of(grant, RuleList::Allow, self.tiers, &self.config.bash_tool));
        }
        granted
    }

    #[expect(clippy::too_many_arguments, reason = "what an evaluation borrows lives with its caller")]
    #[inline(never)]
    fn evaluation<'e>(
        &self,
        call: &'e Call<'e>,
        state: &CallState<'_>,
        ground: &'e Ground,
        tool: Tool<'e>,
        text: Option<&'e str>,
        line: Option<&'e Line<'e>>,
        sights: Vec<Sight>,
        candidates: Vec<Candidate<'e>>,
    ) -> Evaluation<'e> {
        let config = self.config;
        let asked_mode =
            if state.plan_active { PermissionMode::Plan } else { state.mode.unwrap_or(config.default_mode) };
        let sandboxed = state.sandbox.is_some_and(|sandbox| sandbox != SandboxMode::DangerFullAccess);
        Evaluation {
            subject: Subject::new(text, line, call, &tool, state, ground, self.host),
            candidates,
            ground,
            tool,
            call,
            text,
            sights,
            mode: unlocked(asked_mode, config.bypass_disabled),
            exempt: config.exempt_sandboxed && sandboxed && line.is_some(),
        }
    }

    #[inline(never)]
    fn verdict(&self, evaluation: &Evaluation<'_>, line: Option<&Line<'_>>) -> (Verdict, Decision) {
        let risk = self.risk(evaluation, line);
        let mut verdict = evaluation.run(&risk);
        if evaluation.mode == PermissionMode::DontAsk && verdict.outcome.kind == Kind::Ask {
            verdict.outcome.kind = Kind::Deny;
        }
        let assessment = Assessment::of(risk.findings);
        let text = evaluation.text.unwrap_or_default();
        let decision = Decision {
            effective: verdict.outcome.kind,
            mode: evaluation.mode,
            read_only: evaluation.tool.read_only,
            assessed: (!assessment.findings.is_empty()).then(|| text.into()),
            risk: assessment,
            outcome: verdict.outcome.clone(),
        };
        (verdict, decision)
    }

    /// Decides one call.
    pub(super) fn decide(
        &self,
        call: &Call<'_>,
        state: &CallState<'_>,
        grants: &[PermissionRule],
    ) -> Decision {
        self.evaluate(call, state, grants, false, &mut |_, _, _| {})
    }

    fn candidates<'e>(
        &'e self,
        tool: &Tool<'_>,
        found: &[(usize, bool)],
        grants: &'e [PermissionRule],
        granted: &'e [Compiled],
    ) -> Vec<Candidate<'e>> {
        let mut of_grants = vec![];
        for (place, (rule, compiled)) in grants.iter().zip(granted).enumerate() {
            let own = tool.is_answered_by(&rule.rule.tool, &compiled.name);
            if own || is_about_files(compiled, tool) {
                let origin = Origin { source: RuleSource::Session, directory: None };
                let (at, list) = (RuleRef::Grant(place), RuleList::Allow);
                of_grants.push(Candidate { at, list, rule, compiled, origin, own });
            }
        }
        let mut candidates = Vec::with_capacity(found.len().saturating_add(of_grants.len()));
        for (rank, own) in found {
            let Some(entry) = self.config.entries.get(*rank) else { continue };
            let Some(compiled) = self.index.compiled(*rank) else { continue };
            if entry.rule.source != RuleSource::Session {
                // Grants stand behind the session's own rules.
                candidates.append(&mut of_grants);
            }
            let origin = Origin { source: entry.rule.source, directory: entry.directory.as_deref() };
            let (at, list, rule, own) = (RuleRef::Rule(*rank), entry.list, &entry.rule, *own);
            candidates.push(Candidate { at, list, rule, compiled, origin, own });
        }
        candidates.append(&mut of_grants);
        candidates
    }

    /// What is found whatever the rules.
    fn risk(&self, evaluation: &Evaluation<'_>, line: Option<&Line<'_>>) -> Risk {
        let ground = evaluation.ground;
        let files = self.config.protected_files.as_deref().unwrap_or_default();
        let protected = Protected { tiers: self.tiers, files };
        let holds = |places: &[Place]| places.iter().any(|place| protected.holds(place, ground));
        let mut risk = Risk { findings: vec![], removal: false, protected: false, long: false };
        if let Some(line) = line {
            for span in line.critical_removals(ground) {
                risk.removal = true;
                risk.add("critical-removal", RiskLevel::High, "removes what no rule approves", span);
            }
            for sight in &evaluation.sights {
                for (file, places) in &sight.files {
                    if file.writes && holds(places) {
                        risk.protected = true;
                        risk.add("protected-path", RiskLevel::Medium, PROTECTED, file.span);
                    }
                }
            }
        }
        if let Subject::File(file) = &evaluation.subject
            && evaluation.tool.row.kind == CallKind::Edit
            && holds(&file.seen)
        {
            risk.protected = true;
            risk.add(
                "protected-path",
                RiskLevel::Medium,
                PROTECTED,
                Span::of(evaluation.text.unwrap_or_default()),
            );
        }
        let shell = matches!(evaluation.tool.row.kind, CallKind::Shell | CallKind::ForeignShell);
        if let Some(text) = evaluation.text.filter(|text| shell && utf16_len(text) > self.tiers.shell_units) {
            risk.long = true;
            risk.add(
                "command-too-long",
                RiskLevel::Medium,
                "the command is too long to be approved",
                Span::of(text),
            );
        }
        risk
    }
}

const PROTECTED: &str = "writes a protected path";

/// Findings, and which steps they are for.
struct Risk {
    findings: Vec<Finding>,
    removal: bool,
    protected: bool,
    long: bool,
}

impl Risk {
    fn add(&mut self, code: &'static str, level: RiskLevel, reason: &'static str, span: Span) {
        self.findings.push(Finding { code, level, reason: reason.into(), span });
    }

    fn reason(&self, code: &str) -> String {
        let found = self.findings.iter().find(|finding| finding.code == code);
        let reason = found.map(|finding| finding.reason.as_ref()).unwrap_or_default();
        ["requires approval by risk classifier: ", reason].concat()
    }
}

/// Whether a rule is about files, which look at what lines and tools do to them.
fn is_about_files(compiled: &Compiled, tool: &Tool<'_>) -> bool {
    matches!(compiled.kind, CallKind::Read | CallKind::Edit)
        && matches!(tool.row.kind, CallKind::Shell | CallKind::Edit)
}

/// Every text of a line that a rule about commands is tried on.
fn tried<'t>(line: &Line<'t>, sights: &'t [Sight]) -> Vec<&'t str> {
    let mut texts = vec![];
    for sight in sights {
        for forms in [&sight.forms, &sight.allowed.exact, &sight.allowed.wild, &sight.allowed.written] {
            texts.grow(forms.iter().map(String::as_str));
        }
    }
    if !line.reading.is_complete() {
        let raw = line.reading.line();
        texts.grow([raw, crate::text::trim(raw)]);
    }
    texts
}

fn sights(line: &Line<'_>, ground: &Ground) -> Vec<Sight> {
    let mut sights = vec![];
    for (at, run) in line.runs.iter().enumerate() {
        let mut files = vec![];
        for file in line.files(run) {
            let places = file.seen(line, run, ground);
            files.push((file, places));
        }
        let allows = line.reading.is_complete() && run.for_allow && run.is_root();
        let allowed = if allows { line.allow_forms(at, ground) } else { AllowForms::default() };
        sights.push(Sight { forms: line.seen_forms(run), allowed, files });
    }
    sights
}

/// What the steps came to, and the parts where they were looked at.
#[derive(Debug)]
pub(super) struct Verdict {
    outcome: Outcome,
    parts: Vec<Part>,
}

/// Which rules restrict, in the order in which they are tried.
const RESTRICTING: [(Stage, RuleList); 5] = [
    (Stage::BypassImmune, RuleList::BypassImmune),
    (Stage::ToolDeny, RuleList::Deny),
    (Stage::ContentRule, RuleList::Deny),
    (Stage::ToolAsk, RuleList::Ask),
    (Stage::ContentRule, RuleList::Ask),
];

impl Evaluation<'_> {
    /// The steps of section 6, in their order.
    fn run(&self, risk: &Risk) -> Verdict {
        let settled = |outcome: Outcome| Verdict { outcome, parts: vec![] };
        if let Some(outcome) = self.restricted().or_else(|| self.held(risk)) {
            return settled(outcome);
        }
        if self.mode == PermissionMode::BypassPermissions {
            return settled(outcome(Kind::Allow, Stage::Mode));
        }
        if self.mode == PermissionMode::Plan && self.tool.row.kind == CallKind::Edit {
            return settled(because(outcome(Kind::Deny, Stage::PlanWrap), PLAN.into()));
        }
        let parts = self.parts();
        let covered = parts.iter().all(|part| part.cover.is_some());
        let outcome = if covered { self.allowed(&parts) } else { self.open() };
        Verdict { outcome, parts }
    }

    /// Steps 1 to 5: rules that deny or ask.
    fn restricted(&self) -> Option<Outcome> {
        for (stage, list) in RESTRICTING {
            for candidate in self.candidates.iter().filter(|candidate| candidate.list == list) {
                let holds = match stage {
                    Stage::BypassImmune => self.holds_whole(candidate) || self.met(candidate).is_some(),
                    Stage::ToolDeny => self.holds_whole(candidate),
                    Stage::ToolAsk => self.holds_whole(candidate) && !(self.exempt && candidate.own),
                    _ => self.met(candidate).is_some(),
                };
                if holds {
                    return Some(ruled(candidate, stage));
                }
            }
        }
        None
    }

    /// Steps 6 to 9: what asks whatever the allow rules.
    fn held(&self, risk: &Risk) -> Option<Outcome> {
        let bypass = self.mode == PermissionMode::BypassPermissions;
        let plan_edit = self.mode == PermissionMode::Plan && self.tool.row.kind == CallKind::Edit;
        let asks = |code: &str| because(outcome(Kind::Ask, Stage::Risk), risk.reason(code));
        if self.tool.row.kind == CallKind::Question {
            return Some(outcome(Kind::Ask, Stage::NoMatch));
        }
        if risk.removal {
            return Some(asks("critical-removal"));
        }
        if risk.protected && !bypass && !plan_edit {
            return Some(asks("protected-path"));
        }
        (risk.long && !bypass).then(|| asks("command-too-long"))
    }

    /// Every part is covered.
    fn allowed(&self, parts: &[Part]) -> Outcome {
        let shell = matches!(self.tool.row.kind, CallKind::Shell | CallKind::ForeignShell);
        if self.mode == PermissionMode::Plan && shell && !parts.iter().all(|part| part.free) {
            return because(outcome(Kind::Ask, Stage::PlanWrap), PLAN.into());
        }
        let (mut content, mut tool, mut mode) = (None, None, false);
        let mut settled_by = vec![];
        for part in parts {
            match part.cover {
                Some(Cover::Content(at)) => {
                    content = content.or(Some(at));
                    settled_by.push(at);
                }
                Some(Cover::Tool(at)) => {
                    tool = tool.or(Some(at));
                    settled_by.push(at);
                }
                Some(Cover::Mode) => mode = true,
                Some(Cover::Free) | None => {}
            }
        }
        let stage = match (content, tool) {
            (Some(_), _) => Stage::ContentRule,
            (None, Some(_)) => Stage::ToolAllow,
            (None, None) if mode => Stage::Mode,
            (None, None) => Stage::NoMatch,
        };
        Outcome { rule: content.or(tool), settled_by, ..outcome(Kind::Allow, stage) }
    }

    /// Some part is not covered.
    fn open(&self) -> Outcome {
        let closed = self.tool.row.kind == CallKind::Directory
            && self.candidates.iter().any(|candidate| {
                let consulted = candidate.own && !matches!(candidate.compiled.test, Test::Nothing);
                consulted && candidate.list == RuleList::Allow
            });
        outcome(if closed { Kind::Deny } else { Kind::Ask }, Stage::NoMatch)
    }
}

const PLAN: &str = "plan mode is read-only";

#[inline(never)]
fn outcome(kind: Kind, stage: Stage) -> Outcome {
    Outcome {
        kind,
        stage,
        rule: None,
        reason: None,
        settled_at: Some(stage),
        settled_by: vec![],
        is_answer: false,
    }
}

#[inline(never)]
fn because(outcome: Outcome, reason: String) -> Outcome {
    Outcome { reason: Some(Reason::Text(reason)), ..outcome }
}

#[inline(never)]
fn ruled(candidate: &Candidate<'_>, stage: Stage) -> Outcome {
    let outcome = outcome(candidate.list.behavior().into(), stage);
    let reason = Saying::of(outcome.kind, stage).map(|saying| saying.by(candidate.at, candidate.rule));
    Outcome { rule: Some(candidate.at), reason, settled_by: vec![candidate.at], ..outcome }
}
