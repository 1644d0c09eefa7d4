// A clock and timers that only a script moves, in the place of those on `globalThis`.

const WAITS = ["setTimeout", "clearTimeout"];

export class Clock {
  #now = 0;
  #timers = new Map();
  #last = 0;
  #replaced = new Map();

  /** Puts itself in the place of the real one until `restore`. */
  constructor() {
    for (const name of WAITS) this.#replaced.set(name, globalThis[name]);
    globalThis.performance.now = () => this.#now;
    globalThis.setTimeout = (work, ms) => {
      this.#timers.set(++this.#last, { due: this.#now + ms, work });
      return this.#last;
    };
    globalThis.clearTimeout = (timer) => void this.#timers.delete(timer);
  }

  get now() {
    return this.#now;
  }

  restore() {
    for (const [name, real] of this.#replaced) globalThis[name] = real;
    delete globalThis.performance.now;
  }

  /** Lets time pass; a timer that is due at that very moment fires only `withLast`. What can run has run then. */
  async pass(until, withLast) {
    await settle();
    for (;;) {
      const due = [...this.#timers].filter(([, timer]) => timer.due < until || (withLast && timer.due === until));
      if (due.length === 0) break;
      const next = due.reduce((first, other) => (other[1].due <= first[1].due ? other : first));
      this.#now = Math.max(this.#now, next[1].due);
      this.#timers.delete(next[0]);
      next[1].work();
      await settle();
    }
    this.#now = until;
  }
}

/** Everything that waits for nothing but its turn runs. */
export async function settle() {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}
