// Keeps the address up to date, and copies it.
import { MOST_UNITS } from "./fragment.js";

/** Browsers refuse to change the address at every key. */
const WAIT_MS = 300;

export class ShareBar {
  #fragment;
  #said;
  #timer;
  #fits = true;

  /** `fragment` gives a promise of the state as a fragment, or of undefined where it is too much. */
  constructor(root, fragment, reset) {
    this.#fragment = fragment;
    this.#said = root.querySelector("#share-said");
    root.querySelector("#share").addEventListener("click", () => this.#copy());
    root.querySelector("#reset").addEventListener("click", reset);
    // What no link holds would be gone.
    addEventListener("beforeunload", (event) => {
      if (!this.#fits) event.preventDefault();
    });
  }

  /** The state has changed. */
  keep() {
    this.say("");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#write(), WAIT_MS);
  }

  say(text) {
    this.#said.textContent = text;
  }

  /** Gives the fragment; undefined where it is too long for a link. */
  async #write() {
    const fragment = await this.#fragment();
    // What no link can carry does not stay in the address either: half of it would be wrong.
    this.#fits = fragment !== undefined && fragment.length <= MOST_UNITS;
    history.replaceState(null, "", fragment === "" || !this.#fits ? location.pathname + location.search : fragment);
    return this.#fits ? fragment : undefined;
  }

  async #copy() {
    clearTimeout(this.#timer);
    const fragment = await this.#write();
    if (fragment === undefined) {
      this.say(`Too long for a link: ${MOST_UNITS.toLocaleString("en")} characters at most. The workbench can be saved as a file.`);
      return;
    }
    const link = location.href.split("#")[0] + fragment;
    try {
      await navigator.clipboard.writeText(link);
      this.say("Copied.");
    } catch {
      history.replaceState(null, "", link);
      this.say("The link is in the address bar.");
    }
  }
}
