// One call of the list, explained: the call with its marks, the decision, and what led to it.
import { AnswersView } from "../answers_view.js";
import { DecisionView } from "../decision_view.js";
import { element } from "../element.js";
import { explanationIn } from "../explained.js";
import { ReadingView } from "../reading_view.js";
import { StagesView } from "../stages_view.js";
import { subjectOf } from "./call_of.js";
import { CallText } from "./call_text.js";
import { ruleLine } from "./rule_line.js";

export class Detail {
  #root;
  #text = new CallText();
  #head;
  #views;

  /** `show` takes a place of the settings; `more` are elements beneath. */
  constructor(root, show, ...more) {
    this.#root = root;
    this.#head = element("h3", { className: "detail-head" });
    const explained = explanationIn(element("div", { className: "detail-why" }));
    explained.querySelector('[data-part="dialects"]').remove();
    root.append(this.#head, this.#text.element, explained);
    explained.querySelector(".why").append(...more);
    const call = { point: (spans) => this.#text.point(spans), look: (span) => this.#text.look(span), select: (span) => this.#text.select(span) };
    this.#views = {
      decision: new DecisionView(explained, show),
      reading: new ReadingView(explained, call),
      stages: new StagesView(explained),
      answers: new AnswersView(explained, show, call),
    };
  }

  hide() {
    this.#root.hidden = true;
  }

  /** `number` is the line of the call in its text. */
  render({ call, explanation, places, number }, mode) {
    this.#root.hidden = false;
    this.#head.replaceChildren(`${call.tool}`, " ", element("span", { className: "quiet-text", textContent: number === undefined ? "" : `line ${number.toLocaleString("en")}` }));
    this.#text.render(explanation.subject ?? subjectOf(call), explanation);
    const outcome = { explanation, diagnostics: [], placeOf: (path) => ruleLine(places.get(path.join("/"))) };
    this.#views.decision.render(outcome, { mode: mode ?? explanation.decision.mode });
    this.#views.reading.render(explanation);
    this.#views.stages.render(explanation);
    this.#views.answers.render(outcome);
  }
}
