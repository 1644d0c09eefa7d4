//! What a line runs and how dangerous it is, as JavaScript gets it.

use crate::json::Writer;
use crate::risk::Assessment;
use crate::shell::{Command, Reading};
use crate::span::Utf16;

/// How dangerous a call is, and why: `{level, reasons, findings: [{code, level, reason, span}]}`. The spans point into
/// `text`.
pub(super) fn write_risk(to: &mut Writer, risk: &Assessment, text: &str) {
    to.open("{");
    to.member("level", risk.level.as_str());
    to.name("reasons");
    to.open("[");
    for reason in risk.reasons() {
        to.string(reason);
    }
    to.close("]");
    to.name("findings");
    to.open("[");
    for finding in &risk.findings {
        to.open("{");
        to.member("code", finding.code);
        to.member("level", finding.level.as_str());
        to.member("reason", &finding.reason);
        to.span("span", finding.span.to_utf16(text));
        to.close("}");
    }
    to.close("]");
    to.close("}");
}

/// What a line runs: `{complete, problems: [{code, span}], commands}`. A word that is known only at run time is `null`
/// here and `undefined` in the façade.
pub(super) fn write_reading(to: &mut Writer, reading: &Reading<'_>) {
    let mut units = Utf16::of(reading.line());
    to.open("{");
    to.name("complete");
    to.flag(reading.is_complete());
    to.name("problems");
    to.open("[");
    for problem in reading.problems() {
        to.open("{");
        to.member("code", problem.code.as_str());
        to.span("span", units.span(problem.span));
        to.close("}");
    }
    to.close("]");
    to.name("commands");
    to.open("[");
    for command in reading.commands() {
        write_command(to, command, &mut units);
    }
    to.close("]");
    to.close("}");
}

/// `{words, assignments: [{name, value}], redirects: [{operator, target, span}], context, span}`
fn write_command(to: &mut Writer, command: &Command<'_>, units: &mut Utf16<'_>) {
    to.open("{");
    to.name("words");
    to.open("[");
    for word in &command.words {
        to.string_or_null(word.value());
    }
    to.close("]");
    to.name("assignments");
    to.open("[");
    for assignment in &command.assignments {
        to.open("{");
        to.member("name", &assignment.name);
        to.name("value");
        to.string_or_null(assignment.value.value());
        to.close("}");
    }
    to.close("]");
    to.name("redirects");
    to.open("[");
    for redirect in &command.redirects {
        to.open("{");
        to.member("operator", redirect.operator.as_str());
        to.name("target");
        to.string_or_null(redirect.target.value());
        to.span("span", units.span(redirect.span));
        to.close("}");
    }
    to.close("]");
    to.member("context", command.context.as_str());
    to.span("span", units.span(command.span));
    to.close("}");
}
