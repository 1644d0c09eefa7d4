// Virtual time in the place of the runtime's: timers and clock are replaced on `globalThis`, and only `advance` moves them.

const REPLACED = ["setTimeout", "clearTimeout", "performance", "Date"];
const { setImmediate } = globalThis;

export class Clock {
  #now = 0;
  #next = 1;
  #timers = new Map();
  #originals = {};

  install() {
    for (const name of REPLACED) this.#originals[name] = globalThis[name];
    const now = () => this.#now;
    globalThis.setTimeout = (fire, ms) => {
      this.#timers.set(this.#next, { fire, due: this.#now + ms });
      return this.#next++;
    };
    globalThis.clearTimeout = (id) => void this.#timers.delete(id);
    Object.defineProperty(globalThis, "performance", { value: { now }, configurable: true, writable: true });
    globalThis.Date = class extends this.#originals.Date {
      static now = now;
    };
  }

  uninstall() {
    for (const name of REPLACED) {
      Object.defineProperty(globalThis, name, { value: this.#originals[name], configurable: true, writable: true });
    }
  }

  /** How many timers run. */
  get timers() {
    return this.#timers.size;
  }

  /** Lets time pass; timers fire when they are due, and all promise work that comes of it is done. */
  async advance(ms) {
    const until = this.#now + ms;
    for (;;) {
      await this.rest();
      const due = [...this.#timers].filter(([, timer]) => timer.due <= until).sort((a, b) => a[1].due - b[1].due || a[0] - b[0]);
      if (due.length === 0) break;
      const [[id, { fire, due: at }]] = due;
      this.#timers.delete(id);
      this.#now = at;
      fire();
    }
    this.#now = until;
  }

  /** All promise work that is ready is done. */
  async rest() {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
