// How things stand: what is chosen, whether what is written is in force, and what is to be said of no rule in particular.
import { DIALECTS } from "toolgate";
import { html, nothing } from "lit";
import { changesInWords } from "./calls_view.js";
import { note } from "./rules_view.js";
import { MODES, plural, tally } from "./words.js";

export function loading() {
  return html`<div class="frame" part="frame" lang="en" dir="ltr"><p role="status">Loading the rules engine.</p></div>`;
}

export function failed(failure, again) {
  return html`<div class="frame" part="frame" lang="en" dir="ltr">
    <div role="alert" class="standing" part="status" data-standing="bad">
      <p><strong>The rules engine did not start.</strong> Nothing is decided here. What went wrong: ${failure}</p>
      <button type="button" part="button" @click=${again}>Try again</button>
    </div>
  </div>`;
}

export function choices(trial, isReadOnly, { chooseDialect, chooseMode }) {
  return html`<div class="choices" part="choices">
    ${choice("Dialect", trial.dialect, DIALECTS, (dialect) => dialect, chooseDialect, isReadOnly)}
    ${choice("Mode", trial.mode, trial.modes, (mode) => MODES[mode] ?? mode, chooseMode)}
  </div>`;
}

/** A list to choose from; a value that is not in it stands at its end. */
export function choice(label, value, values, said, chosen, isDisabled = false) {
  const all = values.includes(value) ? values : [...values, value];
  return html`<label class="choice"
    ><span>${label}</span>
    <select part="select" .value=${value} ?disabled=${isDisabled} @change=${(event) => chosen(event.target.value)}>
      ${all.map((each) => html`<option value=${each} ?selected=${each === value}>${said(each)}</option>`)}
    </select></label
  >`;
}

export function standing(trial, isReadOnly, { discard, notes }) {
  const { valid, isInForce, problems, draft, changed, calls } = trial;
  const elsewhere = problems.filter(({ place }) => place === undefined);
  const isOffered = !valid && isInForce && !isReadOnly;
  return html`<div class="standing" part="status" data-standing=${valid ? "good" : "bad"}>
      <div role="status">${valid ? html`<p>${inForce(draft, problems)} ${changesInWords(changed, calls.length)}</p>` : notInForce(problems, isInForce)}</div>
      ${isOffered ? html`<button type="button" part="button" @click=${discard}>Go back to the last good rules</button>` : nothing}
    </div>
    ${elsewhere.length === 0
      ? nothing
      : html`<ul class="notes" part="notes" role="list" aria-label="About the configuration">
          ${elsewhere.map((problem) => note(problem, true, notes))}
        </ul>`}`;
}

function inForce(draft, problems) {
  const rules = draft.groups.flatMap((group) => [...group.texts.values()]).reduce((sum, text) => sum + text.rules.length, 0);
  const found = tally(problems);
  return `${plural(rules, "rule")} in force${found === "" ? "" : `, with ${found}`}.`.replace(/^no/, "No");
}

function notInForce(problems, isInForce) {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  return html`<p>
    <strong>${errors === 1 ? "One error" : plural(errors, "error")}: these rules are not in force.</strong>
    ${isInForce
      ? "The last good rules stay in force, and the decisions here are theirs. What you wrote is kept."
      : "Nothing is in force, so nothing is decided here."}
  </p>`;
}
