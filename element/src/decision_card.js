// Why a call is decided as it is: reason and rule first, then the command with its parts, the rules that were asked, and what would
// cover it.
import { html, nothing } from "lit";
import { innermost } from "../../pkg-template/cli/spans.js";
import { PROBLEMS, WHY, inWords } from "../../pkg-template/cli/words.js";
import { shownText } from "./unseen.js";
import { MEANS, MODES, plural } from "./words.js";

/** A browser has to lay them out. */
const MOST_RULES = 100;
const MOST_UNITS = 4000;

/** `actions`: `show(rule)`, `suggest()`, `add(suggestion)`; `suggested` is undefined before somebody asked. */
export function decisionCard(explanation, suggested, actions, { readonly }) {
  const { decision, subject, shell, stages, rules } = explanation;
  return html`
    <p class="meaning">${meaningOf(decision)}</p>
    <dl class="facts">
      ${fact("Rule", decision.rule === undefined ? html`<span class="quiet">none</span>` : ruleOf(decisive(rules) ?? decision.rule, actions))}
      ${decision.reason === undefined ? nothing : fact("Reason", shownText(decision.reason))}
      ${fact("Stage", html`<code>${decision.stage}</code> <span class="quiet">${stages.find(({ stage }) => stage === decision.stage)?.note}</span>`)}
      ${fact("Mode", html`${MODES[decision.mode] ?? decision.mode}`)}
      ${fact("Risk", html`${decision.risk.level.toLowerCase()}${decision.readOnly ? ", the tool only reads" : ""}`)}
    </dl>
    ${subject === undefined ? nothing : command(subject, decision, rules)} ${doubts(shell)} ${findings(decision.risk)} ${asked(rules, actions)}
    ${decision.effective === "allow" ? nothing : suggestions(suggested, actions, readonly)}
  `;
}

function fact(name, value) {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function meaningOf({ kind, effective, mode }) {
  if (effective === kind) return MEANS[kind];
  return `${MEANS[effective]} The rules would ask; its risk is low, and the mode ${MODES[mode] ?? mode} lifts the question.`;
}

export function decisive(rules) {
  return rules.find(({ decided }) => decided);
}

/** The command with what the deciding rule accepted, and what the risk assessment saw. */
function command(subject, { risk, effective }, rules) {
  const accepted = innermost(decisive(rules)?.subjectSpans ?? []).map((span) => ({ ...span, className: "accepted" }));
  const seen = risk.findings.map(({ span }) => ({ ...span, className: "seen" }));
  const legend = [accepted.length > 0 ? "underlined: what the rule accepts" : "", seen.length > 0 ? "wavy: what the risk assessment saw" : ""];
  const said = legend.filter((text) => text !== "").join("; ");
  return html`
    <pre class="command" part="command" data-kind=${effective} tabindex="0" role="group" aria-label="The call's content">${shownText(subject, [...accepted, ...seen], MOST_UNITS)}</pre>
    ${said === "" ? nothing : html`<p class="legend">${said}</p>`}
  `;
}

function doubts(shell) {
  if (shell === undefined || shell.complete) return nothing;
  return html`
    <h3>Not readable with certainty</h3>
    <ul class="notes">
      ${shell.problems.map(({ code }) => html`<li class="note" data-severity="warning"><span>${inWords(PROBLEMS, code)}</span> <code>${code}</code></li>`)}
    </ul>
  `;
}

function findings({ findings, level }) {
  if (findings.length === 0) return nothing;
  return html`
    <h3>Risk: ${level.toLowerCase()}</h3>
    <ul class="notes">
      ${findings.map(
        (finding) => html`<li class="note" data-severity=${finding.level === "HIGH" ? "error" : "warning"}>
          <strong>${finding.level.toLowerCase()}</strong> <span>${finding.reason}</span> <code>${finding.code}</code>
        </li>`,
      )}
    </ul>
  `;
}

function asked(rules, actions) {
  const matched = rules.filter((rule) => rule.matched && !rule.decided);
  const missed = rules.filter((rule) => !rule.matched);
  if (rules.length === 0) return html`<p class="quiet">No rule answers for this tool.</p>`;
  return html`
    ${matched.length === 0 ? nothing : html`<h3>Other rules that accept it, or a part of it</h3>${list(matched, actions)}`}
    ${missed.length === 0
      ? nothing
      : html`<details>
          <summary>${plural(missed.length, "rule")} of this tool ${missed.length === 1 ? "does" : "do"} not accept it</summary>
          ${list(missed, actions)}
        </details>`}
  `;
}

function list(rules, actions) {
  const rest = rules.length - MOST_RULES;
  return html`<ul class="asked">
    ${rules.slice(0, MOST_RULES).map((rule) => html`<li>${ruleOf(rule, actions)} ${because(rule.why)}</li>`)}
    ${rest > 0 ? html`<li class="quiet">and ${plural(rest, "more rule", "more rules")}</li>` : nothing}
  </ul>`;
}

function because(why) {
  if (why === undefined) return nothing;
  const said = inWords(WHY, why);
  return html`<span class="because">${said === why ? "" : said} <code>${why}</code></span>`;
}

/** A rule as it is written, with the part that accepted or first refused; pressed, it shows the line that it stands in. */
function ruleOf(rule, actions) {
  const { text, behavior, source, ruleSpan, matched = true } = rule;
  const place = actions.placeOf(rule);
  const marks = ruleSpan === undefined ? [] : [{ ...ruleSpan, className: matched ? "agrees" : "parts" }];
  const where = place?.name ?? source;
  return html`<button
      type="button"
      class="rule"
      part="rule"
      data-kind=${behavior === "bypassImmune" ? "deny" : behavior}
      ?disabled=${place === undefined}
      @click=${() => actions.show(place, ruleSpan)}
    >
      <span class="for-readers">Show the rule </span><code>${shownText(text, marks, MOST_UNITS)}</code>
    </button>
    <span class="quiet">${where}</span>`;
}

function suggestions(suggested, actions, readonly) {
  if (suggested === undefined) {
    return html`<p><button type="button" part="button" @click=${actions.suggest}>Which rule would cover this call?</button></p>`;
  }
  return html`<div class="suggested" tabindex="-1">${offers(suggested, actions, readonly)}</div>`;
}

function offers({ problem, suggestions }, { add }, readonly) {
  if (problem !== undefined) return html`<p>${problem}</p>`;
  if (suggestions.length === 0) return html`<p>No rule would cover this call safely.</p>`;
  return html`<h3>Rules that would cover this call</h3>
    <ul class="suggestions" role="list">
      ${suggestions.map((suggestion) => offer(suggestion, add, readonly))}
    </ul>`;
}

function offer(suggestion, add, readonly) {
  const { rule, behavior, note } = suggestion;
  const button = html`<button type="button" part="button" @click=${() => add(suggestion)}>Add to ${behavior}<span class="for-readers"> the rule ${rule}</span></button>`;
  return html`<li class="suggestion" part="suggestion">
    <div class="line"><code class="rule" data-kind=${behavior}>${shownText(rule)}</code> ${readonly ? nothing : button}</div>
    <p class="quiet">${note}</p>
    ${covers(suggestion)}
  </li>`;
}

function covers({ alsoCovers }) {
  if (alsoCovers.length === 0) return html`<p>It covers nothing else that is known.</p>`;
  return html`<p>It would also cover</p>
    <ul class="covers">
      ${alsoCovers.map((text) => html`<li><code>${shownText(text, [], MOST_UNITS)}</code></li>`)}
    </ul>`;
}
