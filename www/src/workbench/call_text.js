// The text of a call, shown with marks: what is risky, what could not be read, what is pointed at.
import { element } from "../element.js";
import { marked } from "../hidden.js";

/** More than that in one call is no help. */
const MOST_MARKS = 100;
/** A browser lays out every one. */
const MOST_UNITS = 20_000;

export class CallText {
  #place;
  #text = "";
  #marks = [];

  constructor() {
    this.#place = element("code", {});
    this.element = element("pre", { className: "call-whole", tabIndex: -1 }, this.#place);
  }

  render(text, explanation) {
    this.#text = text;
    this.element.dataset.kind = explanation?.decision.effective ?? "none";
    const findings = explanation?.decision.risk.findings ?? [];
    const problems = explanation?.shell?.problems ?? [];
    const accepted = explanation?.rules.find(({ decided }) => decided)?.subjectSpans ?? [];
    const mark = (list, className) => list.slice(0, MOST_MARKS).map(({ span, level, ...own }) => ({ ...(span ?? own), className: className ?? (level === "HIGH" ? "error" : "warning") }));
    this.#marks = [...mark(accepted, "accepted"), ...mark(findings), ...mark(problems, "doubt")];
    this.point([]);
  }

  /** Shows parts of the call, until others are shown. */
  point(spans) {
    const pointed = spans.slice(0, MOST_MARKS).map(({ start, end }) => ({ start, end, className: "pointed" }));
    const shown = this.#text.slice(0, MOST_UNITS);
    const rest = this.#text.length > MOST_UNITS ? [element("i", { textContent: ` … ${(this.#text.length - MOST_UNITS).toLocaleString("en")} units more` })] : [];
    this.#place.replaceChildren(...marked(shown, [...this.#marks, ...pointed]), ...rest);
  }

  look(span) {
    this.point([span]);
    this.element.scrollIntoView({ block: "nearest" });
  }

  select(span) {
    this.look(span);
    const mark = this.#place.querySelector(".pointed");
    if (mark !== null) getSelection().selectAllChildren(mark);
  }
}
