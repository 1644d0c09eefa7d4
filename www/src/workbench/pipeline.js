// From texts to decisions, step by step in the worker: only what has changed is done again, and a change ends what is under way.
import { Engine, JobEnded } from "./engine.js";

/** While someone types, nothing is done for every key. */
const WAIT_MS = 120;

export class Pipeline {
  #engine = new Engine(() => this.#forget());
  #stale = new Set(["before", "after", "calls", "decided"]);
  #turn = 0;
  #timer;
  #given;
  #heard;
  #bar;
  #awake = false;
  /** Whether texts are still on their way to decisions. */
  #isOnWay = false;
  #shell = "Bash";
  #works = { before: false, after: false };

  /**
   * `given()` has the texts `before`, `after` and `calls`, the `options` of a configuration and the `state` of calls. `heard` is told of
   * `settings`, `calls`, `part`, `decided` and, at the end, `rest(works)`, which may ask for more.
   */
  constructor(given, heard, bar) {
    this.#given = given;
    this.#heard = heard;
    this.#bar = bar;
  }

  /** Something has changed; `slots` of it. */
  touch(...slots) {
    for (const slot of slots) this.#stale.add(slot);
    this.#turn += 1;
    this.#engine.stop();
    clearTimeout(this.#timer);
    if (!this.#awake) return;
    this.#bar.busy(true);
    this.#timer = setTimeout(() => this.run(), WAIT_MS);
  }

  /** Someone looks: from now on changes are followed. */
  wake() {
    if (this.#awake) return;
    this.#awake = true;
    this.run();
  }

  /** Stops what is under way, until someone goes on. */
  cancel() {
    this.#turn += 1;
    this.#isOnWay = false;
    this.#engine.stop();
    this.#bar.stop("Stopped. What you see may be incomplete.");
  }

  /** Asks for one thing beside. Undefined where it was stopped, or cannot be said. */
  async ask(name, asked) {
    try {
      return await this.#engine.ask(name, asked);
    } catch (error) {
      if (error instanceof JobEnded) return undefined;
      throw error;
    }
  }

  /** Asks for something that takes long. @throws JobEnded */
  work(says, name, asked, heard = () => {}) {
    this.#bar.begin(says);
    return this.#engine.ask(name, asked, ({ done, total, part }) => {
      this.#bar.progress(says, done, total);
      if (part !== undefined) heard(part);
    });
  }

  /** Another view is looked at. What leads up to all of them goes on; what was worked out for the old one ends. */
  turned() {
    if (!this.#isOnWay) this.run();
  }

  async run() {
    clearTimeout(this.#timer);
    this.#turn += 1;
    this.#engine.stop();
    const turn = this.#turn;
    const live = () => turn === this.#turn;
    this.#isOnWay = true;
    try {
      await this.#steps(live);
      if (!live()) return;
      this.#isOnWay = false;
      await this.#heard.rest(this.#works, live);
      if (live()) this.#bar.end();
    } catch (error) {
      if (!live()) return;
      this.#isOnWay = false;
      if (!(error instanceof JobEnded)) throw error;
      if (error.code === "lost") await this.run();
      else this.#bar.stop(error.code === "crashed" ? "The rules engine stopped and was started again." : `This went wrong: ${error.message}.`);
    }
  }

  async #steps(live) {
    for (const slot of ["before", "after"]) if (live() && this.#stale.has(slot)) await this.#settings(slot, live);
    if (live() && this.#stale.has("calls")) await this.#calls(live);
    if (live() && this.#stale.has("decided")) await this.#decide(live);
  }

  async #settings(slot, live) {
    const given = this.#given();
    const answer = await this.work("Reading the settings", "settings", { slot, text: given[slot], options: given.options });
    if (!live()) return;
    this.#stale.delete(slot);
    this.#works[slot] = answer.works;
    if (slot === "before") {
      this.#stale.add("decided");
      if (answer.shell !== this.#shell) this.#stale.add("calls");
      this.#shell = answer.shell;
    }
    this.#heard.settings(slot, answer);
  }

  async #calls(live) {
    const text = this.#given().calls;
    const answer = await this.work("Reading the calls", "calls", { text, shell: this.#shell });
    if (!live()) return;
    this.#stale.delete("calls");
    this.#stale.add("decided");
    this.#heard.calls(text, this.#shell, answer);
  }

  async #decide(live) {
    this.#heard.undecided();
    if (this.#works.before) {
      const part = (fresh) => live() && this.#heard.part(fresh);
      const answer = await this.work("Deciding", "decide", { state: this.#given().state }, part);
      if (!live()) return;
      this.#heard.part(answer);
      this.#heard.decided(answer);
    }
    this.#stale.delete("decided");
  }

  /** A fresh worker knows nothing. */
  #forget() {
    for (const slot of ["before", "after", "calls", "decided"]) this.#stale.add(slot);
  }
}
