// The calls: a row each with its decision; open, a row says why.
import { html, nothing } from "lit";
import { badge } from "./badge.js";
import { kindOf, labelOf, subjectOf, toolOf } from "./call_text.js";
import { decisionCard } from "./decision_card.js";
import { shownText } from "./unseen.js";
import { KINDS, plural } from "./words.js";

/** A browser has to lay them out at every key. */
export const MOST_CALLS = 100;
const MOST_UNITS = 300;

/** `outcomes` are `{ decision }` or `{ problem }`, one for each call; `open` says which row is open and what is in it. */
export function callsView({ calls, outcomes, changed, open, editing, most, readonly, actions }) {
  const rest = calls.length - most;
  return html`
    ${calls.length === 0 ? html`<p class="quiet">There is no call to try yet.</p>` : summary(outcomes)}
    <ol class="calls" role="list">
      ${calls.slice(0, most).map((call, index) => {
        if (editing?.index === index) return html`<li class="call" part="call">${callForm(editing, actions)}</li>`;
        return row({ call, index, outcome: outcomes[index], was: changed?.get(index), open, readonly, actions });
      })}
    </ol>
    ${rest > 0 ? html`<p><button type="button" part="button" @click=${actions.more}>Show ${Math.min(rest, MOST_CALLS)} more of ${rest.toLocaleString("en")}</button></p>` : nothing}
    ${readonly ? nothing : editing?.index === calls.length ? callForm(editing, actions) : html`<p><button type="button" part="button" class="add" @click=${actions.create}>Add a call</button></p>`}
  `;
}

/** How many of each kind. */
function summary(outcomes) {
  const counts = new Map();
  for (const outcome of outcomes) counts.set(kindOf(outcome), (counts.get(kindOf(outcome)) ?? 0) + 1);
  const kinds = Object.keys(KINDS).filter((kind) => counts.has(kind));
  return html`<ul class="tally" part="tally" role="list" aria-label="Decisions">
    ${kinds.map((kind) => html`<li>${badge(kind)} <strong>${counts.get(kind).toLocaleString("en")}</strong></li>`)}
  </ul>`;
}

function row({ call, index, outcome, was, open, readonly, actions }) {
  const isOpen = open?.index === index;
  const kind = kindOf(outcome);
  const subject = subjectOf(call);
  const name = `${toolOf(call)} ${subject.slice(0, 60)}`;
  return html`<li class="call" part="call" data-kind=${kind} data-index=${index}>
    <div class="row">
      <button type="button" class="open" aria-expanded=${isOpen} aria-controls="why-${index}" @click=${() => actions.toggle(index)}>
        ${badge(kind)}
        <span class="what"><span class="tool">${shownText(toolOf(call), [], MOST_UNITS)}</span> <code>${shownText(subject, [], MOST_UNITS)}</code></span>
        ${was === undefined ? nothing : html`<span class="was">was ${KINDS[was].toLowerCase()}</span>`}
        <span class="chevron" aria-hidden="true"></span>
      </button>
      ${readonly
        ? nothing
        : html`<span class="changes"
            ><button type="button" class="small" part="button" @click=${() => actions.edit(index)}>Edit<span class="for-readers"> the call ${name}</span></button
            ><button type="button" class="small" part="button" @click=${() => actions.remove(index)}>Remove<span class="for-readers"> the call ${name}</span></button></span
          >`}
    </div>
    <div class="why" part="explanation" id="why-${index}" ?hidden=${!isOpen}>
      ${isOpen ? content(open, outcome, actions, readonly) : nothing}
    </div>
  </li>`;
}

function content({ explained, suggested }, { problem }, actions, readonly) {
  if (explained?.explanation === undefined) return html`<p>${explained?.problem ?? problem}</p>`;
  return decisionCard(explained.explanation, suggested, actions, { readonly });
}

/** Two fields; the second one is an editor, which shows what a text field would hide. */
function callForm({ index, isNew, tool, subject, call, bashToolName }, actions) {
  return html`<form
    class="form"
    part="form"
    aria-label=${isNew ? "A call to add" : "The call"}
    @submit=${(event) => {
      event.preventDefault();
      actions.save();
    }}
    @keydown=${(event) => {
      if (event.key === "Escape" && !event.defaultPrevented) actions.cancel();
    }}
  >
    <label class="field"
      ><span>Tool</span>
      <input id="call-tool" part="input" list="call-tools" .value=${tool} required autocomplete="off" autocapitalize="none" spellcheck="false" @input=${(event) => actions.rename(event.target.value)}
    /></label>
    <div class="field whole"><span id="call-subject-label">${labelOf({ ...call, tool }, bashToolName)}</span>${subject.dom}</div>
    <div class="line">
      <button type="submit" part="button" class="strong">${isNew ? "Add" : "Save"}</button>
      <button type="button" part="button" @click=${actions.cancel}>Cancel</button>
    </div>
  </form>`;
}

/** What changed, in words. */
export function changesInWords(changed, count) {
  if (changed === undefined || count === 0) return "";
  return `Against the rules that were set, ${plural(changed.size, "decision")} ${changed.size === 1 ? "differs" : "differ"}.`;
}
