// The page's side of the worker: jobs by number, progress, and an end to all that is under way.

/** A worker that does not stop within this time is ended, and a fresh one takes its place. */
const PATIENCE_MS = 400;

/** The job was stopped, or its worker has ended. */
export class JobEnded extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export class Engine {
  #worker;
  #open = new Map();
  #number = 0;
  #restarted;

  /** `restarted` is told when a worker was lost: it knows nothing of what the old one was told. */
  constructor(restarted) {
    this.#restarted = restarted;
  }

  /** Asks for a job. `heard` takes what comes on the way. @throws JobEnded */
  ask(name, asked, heard = () => {}) {
    this.#number += 1;
    const id = this.#number;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject, heard });
      // Who never looks at the workbench needs no worker.
      if (this.#worker === undefined) this.#start();
      this.#worker.postMessage({ id, name, asked });
    });
  }

  /** Stops everything that is under way. */
  stop() {
    if (this.#open.size === 0) return;
    const old = [...this.#open.keys()];
    for (const id of old) this.#worker.postMessage({ stop: id });
    const worker = this.#worker;
    setTimeout(() => {
      if (worker === this.#worker && old.some((id) => this.#open.has(id))) this.#lose(old);
    }, PATIENCE_MS);
  }

  #start() {
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.#worker.addEventListener("message", ({ data }) => this.#hear(data));
    this.#worker.addEventListener("error", () => this.#lose([...this.#open.keys()], "crashed"));
  }

  #hear({ id, progress, answer, failure, message }) {
    const job = this.#open.get(id);
    if (job === undefined) return;
    if (progress !== undefined) return job.heard(progress);
    this.#open.delete(id);
    if (failure === undefined) job.resolve(answer);
    else job.reject(new JobEnded(failure, message));
  }

  /** A fresh worker; `ended` are the jobs that ended with the old one, others only have to be asked again (`lost`). */
  #lose(ended, code = "stopped") {
    this.#worker.terminate();
    const open = [...this.#open];
    this.#open.clear();
    this.#start();
    this.#restarted();
    for (const [id, { reject }] of open) reject(new JobEnded(ended.includes(id) ? code : "lost", "the rules engine was started again"));
  }
}
