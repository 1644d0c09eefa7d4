// Keeps the address up to date, and copies it.
import { EXAMPLE } from "./example.js";
import { MOST_UNITS, toFragment } from "./fragment.js";

/** Browsers refuse to change the address at every key. */
const WAIT_MS = 300;

export class ShareBar {
  #fragment;
  #said;
  #timer;

  constructor(root, fragment, reset) {
    this.#fragment = fragment;
    this.#said = root.querySelector("#share-said");
    root.querySelector("#share").addEventListener("click", () => this.#copy());
    root.querySelector("#reset").addEventListener("click", reset);
  }

  /** The state has changed. */
  keep() {
    this.#said.textContent = "";
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#write(), WAIT_MS);
  }

  #write() {
    const fragment = this.#fragment();
    const first = fragment === toFragment(EXAMPLE);
    // What no link can carry does not stay in the address either: half of it would be wrong.
    const fits = fragment.length <= MOST_UNITS;
    history.replaceState(null, "", first || !fits ? location.pathname + location.search : fragment);
    return fits;
  }

  async #copy() {
    clearTimeout(this.#timer);
    if (!this.#write()) {
      this.#said.textContent = `Too long for a link: ${MOST_UNITS} characters at most.`;
      return;
    }
    const link = location.href.split("#")[0] + this.#fragment();
    try {
      await navigator.clipboard.writeText(link);
      this.#said.textContent = "Copied.";
    } catch {
      history.replaceState(null, "", link);
      this.#said.textContent = "The link is in the address bar.";
    }
  }
}
