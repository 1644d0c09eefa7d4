//! Whatever the builder returns makes a subject, and is what the spec's own steps would choose.

use std::cell::Cell;
use std::rc::Rc;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};
use toolgate::json::Canonical;
use toolgate::review::{
    Context, ContextPolicy, Entry, MARKER, Part, Reason, Refusal, Subject, Truncation, bits, build_context,
};

use super::samples::{basis, context, entry, request};

const PAIRS: [(&str, &str); 6] = [
    ("user", "user_message"),
    ("assistant", "assistant_message"),
    ("assistant", "assistant_tool_request"),
    ("tool", "tool_result"),
    ("runtime", "runtime_context"),
    ("external", "external_content"),
];

/// Pieces of contents: characters of one to four bytes, with long escapes; rarely parts of the marker.
const PIECES: &[&str] = &["a", "é", "…", "😀", "<", "\n", "\"", "b ", "lorem ipsum "];
const MARKS: &[&str] = &["\n…[review", " context truncated]…\n", MARKER];

fn entries() -> impl Strategy<Value = Vec<Entry>> {
    let piece = prop_oneof![300 => select(PIECES), 1 => select(MARKS)];
    let content = (proptest::collection::vec(piece, 0..6), 0usize..10)
        .prop_map(|(pieces, times)| pieces.concat().repeat(times));
    let one =
        (select(&PAIRS[..]), content).prop_map(|((origin, kind), content)| entry(origin, kind, &content));
    proptest::collection::vec(one, 0..6)
}

/// Budgets that are often too small for all, and rarely for what must stay.
fn policy() -> impl Strategy<Value = ContextPolicy> {
    let limit = || prop_oneof![1 => 30i64..42, 60 => 42i64..300, 20 => Just(4_096i64)];
    let limits = (limit(), limit(), limit(), limit(), limit());
    let budgets = (
        850i64..2_500,
        prop_oneof![1 => 20i64..200, 2 => Just(4_096)],
        prop_oneof![1 => 3i64..10, 1 => Just(64)],
    );
    (budgets, limits).prop_map(|((bytes, tokens, entries), (user, agent, tool, block, action))| {
        ContextPolicy {
            revision: "p".into(),
            max_bytes: bytes,
            max_estimated_tokens: tokens,
            max_entries: entries,
            max_user_entry_bytes: user,
            max_agent_entry_bytes: agent,
            max_tool_entry_bytes: tool,
            max_block_bytes: block,
            max_active_action_bytes: action,
        }
    })
}

/// What must be there is put somewhere among the others.
fn case() -> impl Strategy<Value = (Context, ContextPolicy)> {
    (entries(), entries(), policy()).prop_map(|(before, after, policy)| {
        let mut context = context();
        let required = std::mem::take(&mut context.entries);
        context.entries = [before, required, after].concat();
        (context, policy)
    })
}

fn size_of(part: &impl Part) -> usize {
    let mut to = Canonical::counted();
    part.write(&mut to);
    to.len()
}

/// The budget bits that a context does not fit, measured on the context itself.
fn failing(context: &Context, policy: &ContextPolicy) -> i64 {
    let content: usize = context.entries.iter().map(|entry| entry.content.len()).sum();
    let over = |has: usize, most: i64| i64::try_from(has).unwrap() > most;
    let mut bits = 0;
    for (is_over, bit) in [
        (over(context.entries.len(), policy.max_entries), bits::COUNT),
        (over(size_of(context), policy.max_bytes), bits::BYTES),
        (over(content.div_ceil(4), policy.max_estimated_tokens), bits::TOKENS),
    ] {
        if is_over {
            bits |= bit;
        }
    }
    bits
}

/// Section 6.4, step by step on whole contexts: slow, and nothing is added up.
struct Reference<'c> {
    /// All entries as they are after shortening, with their applied and material bits.
    entries: &'c [(Entry, i64, i64)],
    frame: &'c Context,
    policy: &'c ContextPolicy,
    learned: i64,
}

impl Reference<'_> {
    fn candidate(&self, kept: &[bool]) -> Context {
        let mut context = Context { entries: vec![], ..self.frame.clone() };
        let mut record =
            Truncation { applied: self.learned, material: self.learned, ..Truncation::default() };
        let mut gap = None;
        for ((entry, applied, material), is_kept) in self.entries.iter().zip(kept) {
            if *is_kept {
                context.entries.push(entry.clone());
                record.applied |= applied;
                record.material |= material;
            } else {
                gap.get_or_insert(context.entries.len());
                record.omitted_entries += 1;
                record.omitted_bytes += i64::try_from(entry.content.len()).unwrap();
            }
        }
        if let Some(at) = gap {
            let text =
                format!("omitted_entries={} omitted_bytes={}", record.omitted_entries, record.omitted_bytes);
            context.entries.insert(at, entry("omission", "omission", &text));
        }
        context.truncation = record;
        context
    }

    fn settles(&mut self, kept: &[bool]) -> bool {
        for _ in 0..4 {
            let failing = failing(&self.candidate(kept), self.policy);
            if failing & !self.learned == 0 {
                return failing == 0;
            }
            self.learned |= failing;
        }
        false
    }

    fn choose(mut self) -> Option<Context> {
        let all = vec![true; self.entries.len()];
        self.learned = failing(&self.candidate(&all), self.policy);
        if self.learned == 0 {
            return Some(self.candidate(&all));
        }
        let last = |kind: &str| self.entries.iter().rposition(|(entry, _, _)| entry.kind == kind).unwrap();
        let required = [last("user_message"), last("assistant_tool_request")];
        let optional: Vec<usize> = (0..self.entries.len()).filter(|at| !required.contains(at)).collect();
        let mut kept: Vec<bool> = (0..self.entries.len()).map(|at| required.contains(&at)).collect();
        let omission = self.candidate(&kept).entries.into_iter().find(|entry| entry.kind == "omission")?;
        let block = usize::try_from(self.policy.max_block_bytes).unwrap();
        if omission.content.len() > block || !self.settles(&kept) {
            return None;
        }
        for at in optional.iter().rev() {
            kept[*at] = true;
            if kept.iter().all(|is_kept| *is_kept) || !self.settles(&kept) {
                kept[*at] = false;
                break;
            }
        }
        while !self.settles(&kept) {
            let oldest = optional.iter().find(|at| kept[**at])?;
            kept[*oldest] = false;
        }
        Some(self.candidate(&kept))
    }
}

/// The entries as shortening leaves them, told from a budget that nothing fails.
fn shortened(context: &Context, policy: &ContextPolicy) -> Option<Vec<(Entry, i64, i64)>> {
    let roomy = ContextPolicy {
        max_bytes: 1_048_576,
        max_estimated_tokens: 1_048_576,
        max_entries: 4_096,
        ..policy.clone()
    };
    // Each entry by itself beside what must be there, so that the bits are its own.
    let mut entries = vec![];
    for (at, alone) in context.entries.iter().enumerate() {
        let is_last = |kind: &str| context.entries.iter().rposition(|entry| entry.kind == kind) == Some(at);
        let required =
            [entry("user", "user_message", "u"), entry("assistant", "assistant_tool_request", "t")];
        let mut small = Context { entries: vec![alone.clone()], ..context.clone() };
        if is_last("assistant_tool_request") {
            small.entries.insert(0, required[0].clone());
        } else {
            small.entries.extend(required);
        }
        let built = build_context(small, &roomy).ok()?;
        let place = usize::from(is_last("assistant_tool_request"));
        let Truncation { applied, material, .. } = built.truncation;
        entries.push((built.entries[place].clone(), applied, material));
    }
    Some(entries)
}

#[test]
fn every_context_that_is_built_makes_a_subject() {
    let mut runner =
        TestRunner::new(Config { cases: 33_000, failure_persistence: None, ..Config::default() });
    let (built, omitted, cut) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let count = |of: &Cell<usize>, is: bool| of.set(of.get() + usize::from(is));
    let result = runner.run(&case(), |(context, policy)| {
        let Ok(made) = build_context(context, &policy) else { return Ok(()) };
        prop_assert_eq!(failing(&made, &policy), 0);
        let Truncation { applied, omitted_entries, .. } = made.truncation;
        let subject = Subject::new(basis(), request(), Rc::new(made));
        prop_assert!(subject.is_ok(), "{:?}", subject);
        count(&built, true);
        count(&omitted, omitted_entries > 0);
        count(&cut, applied & !bits::BUDGET != 0);
        Ok(())
    });
    result.unwrap();
    // The cases are worth something: they are built, and many not as they came.
    let (built, omitted, cut) = (built.get(), omitted.get(), cut.get());
    assert!(built >= 30_000 && omitted > 8_000 && cut > 3_000, "{built} built, {omitted} omitted, {cut} cut");
}

#[test]
fn the_choice_is_that_of_the_spec_step_by_step() {
    let mut runner = TestRunner::new(Config { cases: 2_000, failure_persistence: None, ..Config::default() });
    let compared = Cell::new(0);
    let result = runner.run(&case(), |(context, policy)| {
        let Some(entries) = shortened(&context, &policy) else { return Ok(()) };
        let frame = Context { entries: vec![], ..context.clone() };
        let reference = Reference { entries: &entries, frame: &frame, policy: &policy, learned: 0 }.choose();
        let made = build_context(context, &policy);
        let refused = Refusal::new(toolgate::review::Field::ContextPolicy, Reason::OutOfBounds);
        prop_assert_eq!(made, reference.ok_or(refused));
        compared.set(compared.get() + 1);
        Ok(())
    });
    result.unwrap();
    assert!(compared.get() > 1_000, "{compared:?}");
}
