// Long work in small steps: between two steps the worker hears what else it is told, also that it shall stop.

/** How long one step may take. */
const STEP_MS = 24;

export class Stopped extends Error {}

export class Job {
  #tell;
  #until = 0;
  stopped = false;

  /** `tell` takes what is known on the way. */
  constructor(tell) {
    this.#tell = tell;
    this.#until = performance.now() + STEP_MS;
  }

  /** Whether it is time to `rest`. */
  get tired() {
    return performance.now() >= this.#until;
  }

  /** Says how far the work is, lets others have their turn. @throws Stopped */
  async rest(done, total, part) {
    this.#tell({ done, total, part });
    await new Promise((go) => setTimeout(go));
    if (this.stopped) throw new Stopped();
    this.#until = performance.now() + STEP_MS;
  }

  /** Takes a list in slices; `work` gets the place of the first and the one behind the last. */
  async slices(total, size, work) {
    for (let from = 0; from < total; from += size) {
      const to = Math.min(total, from + size);
      work(from, to);
      if (this.tired) await this.rest(to, total);
    }
  }
}
