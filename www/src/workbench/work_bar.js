// How far the worker is, and the button that stops it.
import { setText } from "../element.js";

/** Work that is done sooner is not worth a bar. */
const WAIT_MS = 200;

export class WorkBar {
  #root;
  #timer;

  constructor(root, cancel, again) {
    this.#root = root;
    root.querySelector("#work-cancel").addEventListener("click", cancel);
    root.querySelector("#work-again").addEventListener("click", again);
  }

  /** Something will be done soon, or nothing is done any more. */
  busy(isBusy) {
    this.#root.dataset.busy = String(isBusy);
  }

  begin(says) {
    clearTimeout(this.#timer);
    this.busy(true);
    this.#says(says);
    this.#root.querySelector("#work-progress").removeAttribute("value");
    this.#stopped(false);
    this.#timer = setTimeout(() => {
      this.#root.hidden = false;
    }, WAIT_MS);
  }

  progress(says, done, total) {
    this.#root.querySelector("#work-progress").value = total === 0 ? 1 : done / total;
    this.#says(`${says} ${Math.floor((100 * done) / Math.max(1, total))} %`);
  }

  end() {
    clearTimeout(this.#timer);
    this.busy(false);
    this.#root.hidden = true;
  }

  /** It stays as it is until someone goes on. */
  stop(says) {
    clearTimeout(this.#timer);
    this.busy(false);
    const hadFocus = this.#root.contains(document.activeElement);
    this.#says(says);
    this.#stopped(true);
    this.#root.hidden = false;
    if (hadFocus) this.#root.querySelector("#work-again").focus();
  }

  #stopped(isStopped) {
    this.#root.querySelector("#work-cancel").hidden = isStopped;
    this.#root.querySelector("#work-progress").hidden = isStopped;
    this.#root.querySelector("#work-again").hidden = !isStopped;
  }

  #says(text) {
    setText(this.#root.querySelector("#work-says"), text);
  }
}
