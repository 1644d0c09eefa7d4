// The person at the terminal: one question at a time, an answer a line.
import { createInterface } from "node:readline";

export class Person {
  #lines;
  #out;
  #reader;

  constructor(input, output) {
    this.#out = output;
    this.#reader = createInterface({ input, terminal: false });
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  say(text) {
    this.#out.write(`${text}\n`);
  }

  /**
   * Shows a confirmation and gives the id of the option that was chosen, or `{ mode }` for `/permissions MODE`. Where nobody answers, nothing is
   * approved.
   */
  async choose(title, { autoModeFallback, options }) {
    if (autoModeFallback) this.say(`! ${autoModeFallback.message}`);
    this.say(`? ${title}`);
    for (const [at, { label }] of options.entries()) this.say(`  ${at + 1} ${label}`);
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) return "cancel";
      const line = value.trim();
      if (line.startsWith("/permissions ")) return { mode: line.slice("/permissions ".length) };
      const option = /^\d$/.test(line) ? options[Number(line) - 1] : undefined;
      if (option) return option.id;
      this.say(`  1 to ${options.length}, or /permissions MODE`);
    }
  }

  close() {
    this.#reader.close();
  }
}
