// Characters that people would not see, or not as a shell does: they get a box with their number, in editors and in views.
import { Decoration, MatchDecorator, ViewPlugin, highlightSpecialChars } from "@codemirror/view";
import { html } from "lit";
import { UNSEEN } from "../../pkg-template/cli/terminal.js";

/** Stands for a line break inside of a rule, since an editor shows one rule a line. */
export const BREAK = "\ue00a";

const WORDS = {
  "\t": "tab",
  "\n": "line break",
  [BREAK]: "line break",
  "\r": "carriage return",
  "\u00a0": "no-break space",
  "\u00ad": "soft hyphen",
  "\u061c": "Arabic letter mark",
  "\u200b": "zero-width space",
  "\u200c": "zero-width non-joiner",
  "\u200d": "zero-width joiner",
  "\u200e": "left-to-right mark",
  "\u200f": "right-to-left mark",
  "\u202a": "left-to-right embedding",
  "\u202b": "right-to-left embedding",
  "\u202c": "end of an embedding or override",
  "\u202d": "left-to-right override",
  "\u202e": "right-to-left override",
  "\u2060": "word joiner",
  "\u2066": "left-to-right isolate",
  "\u2067": "right-to-left isolate",
  "\u2068": "first strong isolate",
  "\u2069": "end of an isolate",
  "\ufeff": "zero-width no-break space",
};
const SIGNS = { "\n": "↵", [BREAK]: "↵", "\t": "⇥" };

/** What is drawn in the place of a character, and what it is called. */
function signOf(character) {
  const number = character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
  return { sign: SIGNS[character] ?? `U+${number}`, title: WORDS[character] ?? `invisible character U+${number}` };
}

/** Letters that are written from the right turn the order in which a line is seen. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+/gu;
const TURNED = "written from right to left: what is seen is not the order in which it is read";

/** A text in views: `marks` are `{ start, end, className }`, which may overlap. */
export function shownText(text, marks = [], most = Infinity) {
  const shown = text.slice(0, most);
  const inside = marks.filter(({ start, end }) => start < end && start < shown.length);
  const cuts = [...new Set([0, shown.length, ...inside.flatMap(({ start, end }) => [start, Math.min(end, shown.length)])])];
  cuts.sort((a, b) => a - b);
  const pieces = cuts.slice(0, -1).map((at, number) => {
    const piece = visible(shown.slice(at, cuts[number + 1]));
    const classes = inside.filter(({ start, end }) => start <= at && cuts[number + 1] <= end).map(({ className }) => className);
    return classes.length === 0 ? piece : html`<mark class=${classes.join(" ")}>${piece}</mark>`;
  });
  const rest = text.length - shown.length;
  const more = rest === 0 ? "" : html`<span class="quiet"> … and ${rest.toLocaleString("en")} more characters</span>`;
  return html`<bdi dir="ltr">${pieces}</bdi>${more}`;
}

function visible(text) {
  const parts = [];
  let at = 0;
  for (const match of text.matchAll(EITHER)) {
    if (match.index > at) parts.push(text.slice(at, match.index));
    at = match.index + match[0].length;
    const turned = match[0].match(RIGHT_TO_LEFT) !== null && match[0].match(UNSEEN) === null;
    if (turned) {
      parts.push(html`<bdi class="turned" title=${TURNED}>${match[0]}</bdi>`);
    } else {
      const { sign, title } = signOf(match[0]);
      parts.push(html`<span class="unseen" part="unseen" title=${title}>${sign}</span>${match[0] === "\n" ? "\n" : ""}`);
    }
  }
  parts.push(text.slice(at));
  return parts;
}

const EITHER = new RegExp(`${UNSEEN.source}|${BREAK}|${RIGHT_TO_LEFT.source}`, "gu");

/** The same in an editor, where a line break of `lines` is a line. */
export function unseenInEditor() {
  const turned = new MatchDecorator({
    regexp: RIGHT_TO_LEFT,
    decoration: Decoration.mark({ class: "turned", attributes: { title: TURNED } }),
  });
  return [
    highlightSpecialChars({ specialChars: new RegExp(`(?!\\n)(?:${UNSEEN.source}|${BREAK})`, "gu"), render: drawn }),
    ViewPlugin.define(
      (view) => ({
        decorations: turned.createDeco(view),
        update(update) {
          this.decorations = turned.updateDeco(update, this.decorations);
        },
      }),
      { decorations: (plugin) => plugin.decorations },
    ),
  ];
}

function drawn(code) {
  const { sign, title } = signOf(String.fromCodePoint(code));
  const span = Object.assign(document.createElement("span"), { className: "unseen", title, textContent: sign });
  span.setAttribute("role", "img");
  span.setAttribute("aria-label", title);
  return span;
}
