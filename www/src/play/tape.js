// What happened in a scene, in order: the steps of a timeline.
//
// Each step shows one line of it: an entry that is new, or one that has come to its end. What ends before anything else happens is
// one step.

export class Tape {
  steps = [];
  /** How things stand before anything has happened. */
  first;
  #clock;
  #state;
  #lines = 0;
  /** Entries that have not ended, by line. */
  #open = new Map();

  /** `state` gives how things stand, at each step: `[{ name, value, most? }]`. */
  constructor(clock, state) {
    this.#clock = clock;
    this.#state = state;
    this.first = state();
  }

  /**
   * Notes that something happened, or begins: `kind` is one of the words of the style, `title` and `what` say it, `came` what came
   * of it, `tone` how that is (`good`, `bad` or `odd`), `more` is `[caption, text]` for who wants to see it, `outcome` how it all
   * ended. Gives the line, for `end`.
   */
  note(entry) {
    const line = this.#lines++;
    const noted = { line, at: this.#clock.now, state: this.#state(), ...entry };
    if (entry.came === undefined) this.#open.set(line, noted);
    this.steps.push(noted);
    return line;
  }

  /** What came of an entry; the first end counts. */
  end(line, came, tone) {
    const begun = this.#open.get(line);
    if (begun === undefined) return;
    this.#open.delete(line);
    if (this.steps.at(-1) === begun) this.steps.pop();
    this.steps.push({ ...begun, until: this.#clock.now, came, tone, state: this.#state() });
  }
}
