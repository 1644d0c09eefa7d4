//! What must come of a plan: the table of evidence.md section 7, told as one story from the start to the end.

use super::plan::{File, Identity, Plan, Reply, Size, index};

/// All that can be seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Story {
    /// `allow`, `deny` or the error.
    pub(crate) said: String,
    pub(crate) place: &'static str,
    pub(crate) limit: Option<&'static str>,
    pub(crate) timer_fired: bool,
    pub(crate) returned_at: u64,
    /// Tokens; none where they are unknown.
    pub(crate) usage: Option<u64>,
    pub(crate) memory: Option<bool>,
    pub(crate) stats: Vec<&'static str>,
    pub(crate) identity_checks: usize,
    /// Of each call: whether it had the tool, and its deadline.
    pub(crate) calls: Vec<(bool, u64)>,
    pub(crate) inspected: Vec<&'static str>,
    pub(crate) aborted: Option<&'static str>,
    /// When it came, and its tokens.
    pub(crate) receipt: Option<(u64, Option<u64>)>,
    /// When the lease was free again.
    pub(crate) released_at: Option<u64>,
}

/// The end: what is said, where, which limit.
struct End(&'static str, &'static str, Option<&'static str>);

type Step<T> = Result<T, End>;

struct Teller<'p> {
    plan: &'p Plan,
    now: u64,
    story: Story,
    /// A callback that was open when the result was returned: its end, and its usage if it is a model call.
    open: Option<(Option<u64>, Option<Option<u64>>)>,
    left: usize,
}

pub(crate) fn tell(plan: &Plan) -> Story {
    let story = Story { usage: Some(0), memory: plan.writes_memory.then_some(false), ..Story::default() };
    let mut teller = Teller { plan, now: 0, story, open: None, left: plan.room };
    let End(said, place, limit) = match teller.rounds() {
        Ok(end) | Err(end) => end,
    };
    let Teller { now, mut story, open, .. } = teller;
    (story.said, story.place, story.limit, story.returned_at) = (said.to_owned(), place, limit, now);
    match open {
        None => story.released_at = Some(now),
        Some((end, model)) => {
            story.released_at = end;
            story.receipt = end.zip(model);
        }
    }
    story
}

impl Teller<'_> {
    fn rounds(&mut self) -> Step<End> {
        let plan = self.plan;
        if plan.cancelled_before {
            return Err(End("cancelled", "preflight", None));
        }
        if plan.paths.len() > 8 {
            return Err(End("evidence-limit", "preflight", Some("path-count")));
        }
        let mut candidates = vec![];
        for path in plan.paths.iter().filter(|_| plan.has_files) {
            if self.story.stats.contains(path) {
                continue;
            }
            self.story.stats.push(path);
            let size = plan.sizes[index(path)];
            self.wait(size.after, "preflight", "stat", None, None)?;
            if matches!(size.answer, Size::Fits | Size::Missing) {
                candidates.push(*path);
            }
        }
        let mut place = "preflight";
        loop {
            let round = self.story.calls.len();
            self.check(place)?;
            place = "provider";
            if self.now >= plan.overall_ms {
                return Err(End("timeout", if round == 0 { "preflight" } else { "provider" }, None));
            }
            let deadline = plan.timeout_ms.min(plan.overall_ms - self.now);
            self.story.calls.push((round < 2 && !candidates.is_empty(), deadline));
            let (reply, usage) = (plan.replies[round], plan.usages[round]);
            let is_rejected = matches!(reply.answer, Reply::TimesOut | Reply::Overflows | Reply::Fails);
            let usage = if is_rejected || reply.answer == Reply::NoObject { None } else { usage };
            self.wait(reply.after, "provider", "model", Some(self.now + deadline), Some(usage))?;
            self.story.usage = self.story.usage.zip(usage).map(|(sum, tokens)| sum + tokens);
            match reply.answer {
                Reply::TimesOut => return Err(End("timeout", "provider", None)),
                Reply::Overflows => return Err(End("context-overflow", "provider", None)),
                Reply::Fails => return Err(End("provider-error", "provider", None)),
                _ => {}
            }
            self.check("provider-result")?;
            let asks = matches!(reply.answer, Reply::Ask(_) | Reply::AskTwo | Reply::AskOtherwise);
            if asks && round == 2 && !candidates.is_empty() {
                return Err(End("evidence-limit", "evidence", Some("provider-rounds")));
            }
            let path = match reply.answer {
                Reply::Allow | Reply::Deny => {
                    self.check("verdict")?;
                    let allows = reply.answer == Reply::Allow && plan.has_request;
                    return Ok(End(if allows { "allow" } else { "deny" }, "verdict", None));
                }
                Reply::Ask(path) if !candidates.is_empty() => path,
                _ => return Err(End("invalid-response", "provider-result", None)),
            };
            if self.story.inspected.contains(&path) {
                return Err(End("evidence-limit", "evidence", Some("duplicate-file")));
            }
            if !candidates.contains(&path) {
                return Err(End("evidence-unavailable", "evidence", None));
            }
            self.read(path)?;
        }
    }

    fn read(&mut self, path: &'static str) -> Step<()> {
        self.check("evidence")?;
        if self.now >= self.plan.overall_ms {
            return Err(End("timeout", "evidence", None));
        }
        let file = self.plan.files[self.story.inspected.len()];
        self.story.inspected.push(path);
        self.wait(file.after, "evidence", "inspect", None, None)?;
        self.check("evidence")?;
        let content = match file.answer {
            File::Text(text) => text,
            File::Secret => return Err(End("redacted-context", "evidence", None)),
            File::TooLarge => return Err(End("evidence-limit", "evidence", Some("file-stat-bytes"))),
            File::Grown => return Err(End("evidence-limit", "evidence", Some("file-read-bytes"))),
            File::WithNonce | File::Missing | File::Changed | File::Linked | File::NotText | File::Fails => {
                return Err(End("evidence-unavailable", "evidence", None));
            }
        };
        let cost = path.len() + 1 + content.len() + 1;
        if cost > self.left {
            return Err(End("evidence-limit", "evidence", Some("context-bytes")));
        }
        self.left -= cost;
        Ok(())
    }

    fn check(&mut self, place: &'static str) -> Step<()> {
        if !self.plan.has_identity {
            return Err(End("stale", place, None));
        }
        let answer = self.plan.identities[self.story.identity_checks];
        self.story.identity_checks += 1;
        self.wait(answer.after, place, "identity", None, None)?;
        if answer.answer == Identity::Yes { Ok(()) } else { Err(End("stale", place, None)) }
    }

    /// Waits for a callback. What comes first wins: its end, then the caller, then a timer.
    fn wait(
        &mut self,
        after: Option<u64>,
        place: &'static str,
        name: &'static str,
        deadline: Option<u64>,
        model: Option<Option<u64>>,
    ) -> Step<()> {
        let end = after.map(|after| self.now + after);
        let timer = self.plan.overall_ms.min(deadline.unwrap_or(u64::MAX));
        let cancel = self.plan.cancel_at.unwrap_or(u64::MAX);
        let stop = timer.min(cancel);
        if end.is_some_and(|end| end <= stop) {
            self.now = end.unwrap();
            return Ok(());
        }
        self.now = stop;
        self.story.aborted = Some(name);
        self.story.timer_fired = cancel > timer;
        self.open = Some((end, model));
        Err(End(if cancel <= timer { "cancelled" } else { "timeout" }, place, None))
    }
}
