// How far a long file is, on standard error where that is a terminal.

const FIRST_AFTER_MS = 1000;
const EVERY_MS = 200;

export class Progress {
  #stream;
  #size;
  #next;
  #written = false;

  constructor(stream, size) {
    this.#stream = stream.isTTY ? stream : undefined;
    this.#size = size;
    this.#next = performance.now() + FIRST_AFTER_MS;
  }

  at(bytes, lines) {
    const now = performance.now();
    if (this.#stream === undefined || now < this.#next) return;
    this.#next = now + EVERY_MS;
    this.#written = true;
    const part = this.#size ? `, ${Math.floor((bytes / this.#size) * 100)}%` : "";
    this.#stream.write(`\r${lines.toLocaleString("en")} lines${part} `);
  }

  end() {
    // Back to the start of the line, and clear it.
    if (this.#written) this.#stream.write("\r\u001b[K");
  }
}
