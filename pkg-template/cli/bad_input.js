// What came in cannot be used: a sentence for people, the same as data for machines.

export class BadInput extends Error {
  name = "BadInput";
  code;
  #details;
  #excerpt;

  /** `excerpt` takes the inks and gives lines that show the place. */
  constructor(code, message, { details = {}, excerpt = () => [] } = {}) {
    super(message);
    this.code = code;
    this.#details = details;
    this.#excerpt = excerpt;
  }

  text(ink) {
    return [this.message, ...this.#excerpt(ink)].join("\n");
  }

  data() {
    return { code: this.code, message: this.message, ...this.#details };
  }
}

/** The command line itself is wrong, so its help is worth naming. */
export class MisusedOption extends BadInput {}
