//! Whether assessments approve: of one classifier, and of all of them together (review.md section 9).

use super::assessment::{Assessment, Observation};
use super::classifiers::{Named, check_names};
use super::policy::ReviewPolicy;
use super::refusal::{Checked, Refusal};
use super::shape::{parse, part};
use super::subject::{ReviewSubject, Subject};
use super::words::{DecisionReason, Field, Reason, Recommendation, Risk, Status};
use crate::diagnostic::Step;
use crate::json::{Json, read_with_problems, take_member};
use crate::limits;

/// What a classifier made of its subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What it judged, if that is valid.
    pub subject: Checked<Subject>,
    /// The revision that the subject names.
    pub classifier_revision: String,
    /// Whether it has something to say.
    pub applicable: bool,
    /// How it ended; `None` where that is no word.
    pub status: Option<Status>,
    /// What it said.
    pub assessment: Option<Checked<Assessment>>,
    /// What it looked at.
    pub observations: Option<Checked<Vec<Observation>>>,
}

/// Whether one assessment approves its subject; `None` stands for a policy, subject or assessment that is not valid.
pub fn evaluate(
    policy: Option<&ReviewPolicy>,
    subject: Option<&Subject>,
    assessment: Option<&Assessment>,
) -> DecisionReason {
    let Some(subject) = subject else { return DecisionReason::InvalidAssessment };
    let (basis, truncation) = (subject.basis(), &subject.context().truncation);
    let policy = policy.filter(|policy| policy.revision() == basis.gate_policy_revision);
    let Some(policy) = policy else { return DecisionReason::InvalidPolicy };
    let Some(assessment) = assessment else { return DecisionReason::InvalidAssessment };
    if assessment.basis != *basis {
        return DecisionReason::BasisMismatch;
    }
    let Ok(rating) = assessment.rate() else { return DecisionReason::InvalidAssessment };
    if rating.recommendation != Recommendation::Allow {
        DecisionReason::Recommendation
    } else if policy.wants_person_for(truncation.applied, truncation.material) {
        DecisionReason::MaterialTruncation
    } else if rating.risk == Risk::Critical || policy.is_above(rating.risk) {
        DecisionReason::RiskCeiling
    } else if policy.wants_person_of(&rating.categories) {
        DecisionReason::AbsoluteHuman
    } else if policy.is_below(rating.authorization, rating.risk) {
        DecisionReason::Authorization
    } else {
        DecisionReason::Eligible
    }
}

/// [`evaluate`] over JSON text.
pub fn evaluate_texts(policy: Option<&str>, subject: &str, assessment: &str) -> DecisionReason {
    let policy = policy.and_then(|text| ReviewPolicy::parse(Some(text)).ok());
    let subject = Subject::parse(subject).ok();
    let assessment = parse(assessment, Field::Assessment).ok();
    evaluate(policy.as_ref(), subject.as_ref(), assessment.as_ref())
}

/// Whether all of them together approve. An outcome that is none by its shape is `None`.
pub fn combine(
    policy: Option<&ReviewPolicy>,
    classifiers: &[Named],
    outcomes: &[Option<Outcome>],
) -> DecisionReason {
    let Some(policy) = policy else { return DecisionReason::InvalidPolicy };
    if classifiers.is_empty() || check_names(classifiers).is_err() || outcomes.len() != classifiers.len() {
        return DecisionReason::InvalidAssessment;
    }
    // Structure anywhere comes before eligibility.
    let mut common = None;
    for (classifier, outcome) in classifiers.iter().zip(outcomes) {
        let outcome = outcome.as_ref().filter(|outcome| outcome.classifier_revision == classifier.revision);
        if let Err(reason) = structure(policy, outcome, &mut common) {
            return reason;
        }
    }
    let mut reason = DecisionReason::NoApplicableClassifier;
    for outcome in outcomes.iter().flatten().filter(|outcome| outcome.applicable) {
        if outcome.status != Some(Status::Allowed) {
            return DecisionReason::ClassifierStatus;
        }
        let assessment = outcome.assessment.as_ref().and_then(|given| given.as_ref().ok());
        reason = evaluate(Some(policy), outcome.subject.as_ref().ok(), assessment);
        if reason != DecisionReason::Eligible {
            break;
        }
    }
    reason
}

/// What must hold of an outcome, whatever it says.
fn structure(
    policy: &ReviewPolicy,
    outcome: Option<&Outcome>,
    common: &mut Option<String>,
) -> Result<(), DecisionReason> {
    let invalid = Err(DecisionReason::InvalidAssessment);
    let Some(outcome) = outcome else { return invalid };
    let is_not_applicable = outcome.status == Some(Status::NotApplicable);
    if outcome.status.is_none() || outcome.applicable == is_not_applicable {
        return Err(DecisionReason::ClassifierStatus);
    }
    let is_allowed = outcome.status == Some(Status::Allowed);
    if !is_allowed && outcome.assessment.is_some() {
        return invalid;
    }
    let Ok(subject) = &outcome.subject else { return invalid };
    if subject.basis().gate_policy_revision != policy.revision() {
        return Err(DecisionReason::InvalidPolicy);
    }
    let digest = subject.common_digest();
    if *common.get_or_insert_with(|| digest.clone()) != digest {
        return invalid;
    }
    let holds = match (&outcome.assessment, &outcome.observations) {
        (_, Some(Err(_))) => false,
        (None, observations) => !is_allowed && observations.is_none(),
        (Some(given), observations) => {
            let keeps_rules = |given: &Assessment| given.basis == *subject.basis() && given.rate().is_ok();
            let fits = |all: &Vec<Observation>| {
                all.len() <= limits::REVIEW_OBSERVATIONS && all.iter().all(Observation::is_valid)
            };
            let observed = observations.as_ref().and_then(|given| given.as_ref().ok());
            given.as_ref().is_ok_and(keeps_rules) && observed.is_none_or(fits)
        }
    };
    if holds { Ok(()) } else { invalid }
}

/// [`combine`] over JSON text: a list of names and revisions, and a list of outcomes.
pub fn combine_texts(policy: Option<&str>, classifiers: &str, outcomes: &str) -> DecisionReason {
    let Some(policy) = policy.and_then(|text| ReviewPolicy::parse(Some(text)).ok()) else {
        return DecisionReason::InvalidPolicy;
    };
    let Ok(classifiers) = parse::<Vec<Named>>(classifiers, Field::Classifiers) else {
        return DecisionReason::InvalidAssessment;
    };
    let (Json::List(items), problems) = read_with_problems(outcomes) else {
        return DecisionReason::InvalidAssessment;
    };
    let mut read = vec![];
    for (index, item) in items.into_iter().enumerate() {
        let mut broken = vec![];
        for problem in &problems {
            if problem.path.first() == Some(&Step::Index(index)) {
                broken.push(match problem.path.get(1) {
                    Some(Step::Key(member)) => member.as_ref(),
                    _ => "",
                });
            }
        }
        read.push(read_outcome(item, &broken));
    }
    combine(Some(&policy), &classifiers, &read)
}

/// An outcome; `broken` names the members that hold something that is no JSON value. What is wrong inside of the subject,
/// the assessment and the observations is found later, in its turn.
fn read_outcome(value: Json, broken: &[&str]) -> Option<Outcome> {
    let Json::Object(mut members) = value else { return None };
    let mut take = |name: &str| take_member(&mut members, name);
    let (subject, applicable, status) = (take("subject")?, take("applicable")?, take("status")?);
    let (assessment, observations) = (take("assessment"), take("observations"));
    let is_known = |name: &&str| matches!(*name, "subject" | "assessment" | "observations");
    let (Json::Bool(applicable), Json::Text(status)) = (applicable, status) else { return None };
    let has_types = assessment.as_ref().is_none_or(Json::is_object)
        && observations.as_ref().is_none_or(|value| value.as_list().is_some());
    if !members.is_empty() || !broken.iter().all(is_known) || !has_types {
        return None;
    }
    let revision =
        subject.get("basis").and_then(|basis| basis.get("classifier_revision")).and_then(Json::as_str);
    let unless_broken = |name, field| {
        if broken.contains(&name) { Err(Refusal::new(field, Reason::Invalid)) } else { Ok(()) }
    };
    Some(Outcome {
        classifier_revision: revision?.into(),
        applicable,
        status: Status::parse(&status),
        subject: unless_broken("subject", Field::Subject)
            .and_then(|()| part::<ReviewSubject>(Some(subject), Field::Subject))
            .and_then(Subject::stamped),
        assessment: assessment.map(|value| {
            unless_broken("assessment", Field::Assessment).and_then(|()| part(Some(value), Field::Assessment))
        }),
        observations: observations.map(|value| {
            unless_broken("observations", Field::Assessment)
                .and_then(|()| part(Some(value), Field::Assessment))
        }),
    })
}
