// The first view: calls by filter, and the one that is looked at.
import { CallList } from "./call_list.js";
import { Detail } from "./detail.js";
import { Filter } from "./filter.js";
import { Highlights } from "./highlights.js";
import { kindMark } from "./kind.js";
import { Suggestions } from "./suggestions.js";

const NARROW = matchMedia("(max-width: 56rem)");

export class Decisions {
  #root;
  #table;
  #given;
  #filter;
  #highlights;
  #list;
  #detail;
  #suggestions;
  /** The calls that are listed, by number; undefined: all. */
  #listed;
  #listing = 0;
  /** The number of the call that is looked at. */
  #chosen = -1;

  /**
   * `given`: `ask` takes a job of the worker and what it is asked, with the state of calls; `line` a call's number; `show` a place of the
   * settings, `add` a suggestion; `mode` gives the mode that was chosen, `changed` is told of another filter.
   */
  constructor(root, table, given) {
    this.#root = root;
    this.#table = table;
    this.#given = given;
    const at = (selector) => root.querySelector(selector);
    this.#filter = new Filter(at("#filter"), () => {
      given.changed();
      this.relist();
    });
    this.#highlights = new Highlights((indexes) => given.ask("matches", { indexes }), () => this.draw());
    this.#list = new CallList(at("#call-list"), (row) => this.#row(row), (row) => this.#look(row), (rows) => this.#seen(rows));
    this.#suggestions = new Suggestions(given.add);
    this.#detail = new Detail(at("#detail"), ({ shown }) => given.show(shown), this.#suggestions.element);
  }

  get state() {
    return this.#filter.state;
  }

  load(state) {
    this.#filter.load(state);
    this.#chosen = -1;
  }

  /** Something has changed: what is known of single calls does not hold any more. */
  forget() {
    this.#highlights.forget();
    this.#filter.widen();
  }

  /** Other calls: what was listed is gone. */
  renew() {
    this.#listed = undefined;
    if (this.#chosen >= this.#table.count) this.#chosen = -1;
    this.draw();
  }

  count() {
    this.#filter.counts(this.#table.counts, this.#table.count);
  }

  /** Lists only some calls: see `Filter.narrow`. */
  narrow(what) {
    this.#filter.load({});
    this.#filter.narrow(what);
    return this.relist();
  }

  /** Lists what the filter lets through. */
  async relist() {
    this.#listing += 1;
    const own = this.#listing;
    const asked = this.#filter.asked;
    const listed = asked && (await this.#given.ask("filter", { ...asked, rule: asked.path && this.#table.numberOf(asked.path) }));
    // Another filter may have been chosen meanwhile, or the worker was told to stop.
    if (own !== this.#listing || (asked !== undefined && listed === undefined)) return;
    this.#listed = listed;
    this.draw();
  }

  draw() {
    const { count } = this.#table;
    const rows = this.#listed?.length ?? count;
    this.#filter.says(rows, count);
    this.#list.render(rows, this.#listed === undefined ? this.#chosen : this.#listed.indexOf(this.#chosen));
  }

  /** Explains the call that is looked at. */
  async explain() {
    const index = this.#chosen;
    const answer = index < 0 ? undefined : await this.#given.ask("explain", { index });
    if (index !== this.#chosen) return;
    if (answer === undefined) return this.#detail.hide();
    this.#detail.render({ ...answer, number: this.#given.line(index) }, this.#given.mode());
    const isOpen = ["ask", "passthrough"].includes(answer.explanation.decision.effective);
    const suggestions = isOpen ? await this.#given.ask("suggest", { index }) : undefined;
    if (index === this.#chosen) this.#suggestions.render(suggestions);
  }

  #row(row) {
    const index = this.#index(row);
    const rule = this.#table.rule(index);
    const kind = this.#table.kind(index);
    return {
      kind,
      mark: [kindMark(kind)],
      call: this.#table.call(index),
      number: this.#given.line(index),
      said: (text) => this.#highlights.subject(index, text),
      aside: rule === undefined ? [] : this.#highlights.rule(index, rule.text),
    };
  }

  #index(row) {
    return this.#listed?.[row] ?? row;
  }

  #seen(rows) {
    this.#highlights.want(rows.map((row) => this.#index(row)).filter((index) => this.#table.rule(index) !== undefined));
  }

  async #look(row) {
    this.#chosen = this.#index(row);
    await this.explain();
    // Where one stands below the other, the answer would be out of sight.
    if (NARROW.matches) this.#root.querySelector("#detail").scrollIntoView({ block: "nearest" });
  }
}
