// The session's log: one event a line. It is all that a session is: mode, grants and counts are read from it again.
import { appendFileSync, existsSync, readFileSync } from "node:fs";

export class Log {
  #file;
  #events;

  constructor(file) {
    this.#file = file;
    this.#events = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean).map(parsed) : [];
  }

  /** What is on the disk before it counts. */
  append(...events) {
    for (const event of events) {
      appendFileSync(this.#file, `${JSON.stringify(event)}\n`);
      this.#events.push(event);
    }
  }

  get events() {
    return this.#events;
  }
}

/** A line that cannot be read is an event that nobody knows: it never costs the others. */
function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return { type: "unreadable" };
  }
}
