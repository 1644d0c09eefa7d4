// What happened in a scene, in order: the entries of a timeline.

export class Tape {
  entries = [];
  /** How things stand before anything has happened. */
  first;
  #clock;
  #state;

  /** `state` gives how things stand, at each entry: `[{ name, value, most?, unit? }]`. */
  constructor(clock, state) {
    this.#clock = clock;
    this.#state = state;
    this.first = state();
  }

  /**
   * Notes that something happened: `kind` is one of the words of the style, `title` and `what` say it, `came` what came of it,
   * `tone` how that is (`good`, `bad` or `odd`), `more` is `[caption, text]` for who wants to see it, `outcome` how it all ended.
   * The entry can be changed while the scene is recorded.
   */
  note(entry) {
    const noted = { at: this.#clock.now, state: this.#state(), ...entry };
    this.entries.push(noted);
    return noted;
  }

  /** Completes an entry: when it ended, and what came of it. */
  end(entry, came, tone) {
    if (entry.came === undefined) Object.assign(entry, { until: this.#clock.now, came, tone, state: this.#state() });
  }
}
