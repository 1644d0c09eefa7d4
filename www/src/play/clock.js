// Time that only a script moves: what takes seconds is recorded at once, and every time the same.
//
// The package looks its clock and timers up on `globalThis` at each use. They are replaced while microtasks run and put back
// before anything else of the page gets a turn, so nobody but the script ever meets them.

/** More than any chain of promises between two timers has links. */
const TURNS = 200;
/** A script that goes on for ever is a mistake in it. */
const MOST_EVENTS = 1000;

/** The scene that is recorded; the next one waits for it. */
let recording = Promise.resolve();

export class Clock {
  #now = 0;
  #timers = new Map();
  #last = 0;

  get now() {
    return this.#now;
  }

  /** A promise of what `give` gives, that long from now. */
  after(ms, give) {
    return new Promise((resolve, reject) => {
      this.at(this.#now + ms, () => {
        try {
          resolve(give());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  at(due, work) {
    this.#timers.set(++this.#last, { due, work });
    return this.#last;
  }

  /** Begins a scene and moves time from event to event until none is left. */
  play(begin) {
    const played = recording.then(() => this.#play(begin));
    recording = played.catch(() => {});
    return played;
  }

  async #play(begin) {
    const { setTimeout, clearTimeout } = globalThis;
    globalThis.setTimeout = (work, ms) => this.at(this.#now + ms, work);
    globalThis.clearTimeout = (timer) => void this.#timers.delete(timer);
    globalThis.performance.now = () => this.#now;
    try {
      begin();
      await settle();
      for (let events = 0; this.#timers.size > 0 && events < MOST_EVENTS; events += 1) {
        this.#next();
        await settle();
      }
    } finally {
      Object.assign(globalThis, { setTimeout, clearTimeout });
      delete globalThis.performance.now;
    }
  }

  /** What was set first comes first among those that are due together. */
  #next() {
    const [timer, { due, work }] = [...this.#timers].reduce((first, other) => (other[1].due < first[1].due ? other : first));
    this.#timers.delete(timer);
    this.#now = due;
    work();
  }
}

async function settle() {
  for (let turn = 0; turn < TURNS; turn += 1) await undefined;
}
