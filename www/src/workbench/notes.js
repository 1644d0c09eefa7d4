// What is wrong with a text, and where: line, column, and the place itself with a caret under it.
import { element } from "../element.js";
import { marked, visible } from "../hidden.js";

/** Nobody reads more at a time. */
const MOST = 8;

/** Notes `{ severity, code, message, hint, place }` as a list; `show` takes a place. `count`: how many there are in all. */
export function renderNotes(root, notes, count, show) {
  const old = root.querySelector("details")?.open ?? false;
  const [first, rest] = [notes.slice(0, MOST), notes.slice(MOST)];
  const parts = [list(first, show)];
  if (rest.length > 0) {
    const unseen = count - notes.length;
    const says = unseen > 0 ? `${rest.length} more, and ${unseen.toLocaleString("en")} that are only counted` : `${rest.length} more`;
    parts.push(element("details", { open: old }, element("summary", { textContent: says }), list(rest, show)));
  }
  root.replaceChildren(...(notes.length === 0 ? [] : parts));
}

function list(notes, show) {
  return element("ul", { className: "notes" }, ...notes.map((note) => item(note, show)));
}

function item({ severity, code, message, hint, place }, show) {
  const parts = [element("span", { className: "severity", textContent: severity })];
  if (place !== undefined) {
    const button = element("button", { type: "button", textContent: `line ${place.line}, column ${place.column}` });
    button.addEventListener("click", () => show(place));
    parts.push(button);
  }
  parts.push(element("span", { className: "message", textContent: message }), " ", element("code", { className: "quiet-text", textContent: code }));
  if (hint !== undefined) parts.push(element("span", { className: "hint" }, "Hint: ", ...visible(hint)));
  if (place !== undefined) parts.push(excerpt(place.excerpt));
  return element("li", { className: severity, data: { code } }, ...parts);
}

/** A line, and under the place as many carets as it is wide. Marks of hidden characters are wider than one, so the room in front is the same text, unseen. */
export function excerpt({ text, start, end, before, after }) {
  const lead = before ? "…" : "";
  const line = element("span", { className: "excerpt-line" }, lead, ...marked(text, [{ start, end, className: "at" }], { line: true }), after ? "…" : "");
  const room = element("span", { className: "excerpt-room" }, lead, ...visible(text.slice(0, start), { line: true }));
  const carets = element("span", { className: "carets", textContent: "^".repeat(Math.max(1, Math.min(end, text.length) - start)) });
  return element("div", { className: "excerpt" }, line, element("span", { className: "excerpt-line", ariaHidden: "true" }, room, carets));
}

export function plural(count, one, many = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

