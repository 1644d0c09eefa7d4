// The lists of a group: an editor each, and below it what is to be said of its rules.
import { html, nothing } from "lit";
import { shownText } from "./unseen.js";
import { inOrder } from "./problems.js";
import { subjectOf, toolOf } from "./call_text.js";
import { LISTS, plural } from "./words.js";

/** Nobody reads more, and a browser has to lay them out at every key. */
const MOST_NOTES = 20;

/** `lists`: `{ list, editor?, problems }`; a list without an editor is none of texts. */
export function rulesView(lists, readonly, actions) {
  return lists.map(
    ({ list, editor, problems }) => html`<div class="list" part="list list-${list}" data-kind=${list === "bypassImmune" ? "deny" : list}>
      <h3 id="list-${list}"><span class="name">${list}</span> <span class="quiet">${LISTS[list]}</span></h3>
      ${editor === undefined ? html`<p class="note" data-severity="error">This list is not one of texts, so it cannot be edited here; it stays as it is.</p>` : html`<div class="editor" part="editor">${editor.dom}</div>`}
      <div id="notes-${list}" ?hidden=${problems.length === 0}>${notesOf(problems, readonly, actions)}</div>
    </div>`,
  );
}

/** What is only worth knowing is there for those who ask. */
function notesOf(problems, readonly, actions) {
  const pressing = problems.filter(({ severity }) => severity !== "info");
  const others = problems.filter(({ severity }) => severity === "info");
  return html`${pressing.length === 0 ? nothing : notes(pressing, readonly, actions)}
  ${others.length === 0 ? nothing : html`<details class="more"><summary>${plural(others.length, "note")}</summary>${notes(others, readonly, actions)}</details>`}`;
}

function notes(problems, readonly, actions) {
  return html`<ul class="notes" part="notes" role="list">
    ${inOrder(problems)
      .slice(0, MOST_NOTES)
      .map((problem) => note(problem, readonly, actions))}
    ${problems.length > MOST_NOTES ? html`<li class="note">and ${problems.length - MOST_NOTES} more, marked above</li>` : nothing}
  </ul>`;
}

/** A problem, the way to its place, and its fixes. */
export function note(problem, readonly, actions) {
  const { severity, code, message, hint, place, fixes, witness, related } = problem;
  return html`<li class="note" part="note note-${severity}" data-severity=${severity} data-code=${code}>
    <strong class="severity">${severity === "info" ? "note" : severity}</strong>
    ${place === undefined ? where(problem.path) : html`<button type="button" class="link" @click=${() => actions.show(place, problem.columns)}>${place.list}, line ${place.line + 1}</button>`}
    <span class="message">${message}</span>
    ${hint === undefined ? nothing : html`<span class="hint">Hint: ${quoted(hint)}</span>`}
    ${witness === undefined ? nothing : html`<span class="hint">For example: ${toolOf(witness)} <code>${shownText(subjectOf(witness), [], 300)}</code></span>`}
    ${related.map(({ note: said, path }) => relation(said, actions.placeOf({ path }), actions))}
    ${readonly
      ? nothing
      : fixes.map(
          (fix) => html`<button type="button" class="fix" part="button fix" @click=${() => actions.fix(problem, fix)}>
            ${fix.name}${fix.text === undefined ? nothing : html` <code>${shownText(fix.text)}</code>`}<span class="for-readers"> in ${place.list}, line ${place.line + 1}</span>
          </button>`,
        )}
  </li>`;
}

/** What stands between backticks is to be written as it is. */
function quoted(hint) {
  return hint.split("`").map((part, index) => (index % 2 === 0 ? shownText(part) : html`<code>${shownText(part)}</code>`));
}

function relation(said, place, actions) {
  if (place === undefined) return html`<span class="hint">${said}</span>`;
  return html`<span class="hint"><button type="button" class="link" @click=${() => actions.show(place)}>${place.name}</button> ${said}</span>`;
}

function where(path) {
  return path.length === 0 ? nothing : html`<code>${path.join(" / ")}</code>`;
}

