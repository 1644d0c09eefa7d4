// The tabs of the page: one panel at a time, by pointer or by arrow keys.

/** How far each key goes among `count` tabs. */
const KEYS = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (at, count) => count - 1,
};

export class Tabs {
  #tabs;
  #changed;

  /** `root` has the tabs; `changed` is told when another tab was chosen by hand. */
  constructor(root, changed) {
    this.#tabs = [...root.querySelectorAll("[role=tab]")];
    this.#changed = changed;
    for (const tab of this.#tabs) {
      tab.addEventListener("click", () => this.#choose(tab));
      tab.addEventListener("keydown", (event) => this.#key(event));
    }
  }

  get chosen() {
    return this.#tabs.find((tab) => tab.getAttribute("aria-selected") === "true").dataset.tab;
  }

  choose(name) {
    for (const tab of this.#tabs) {
      const isChosen = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      panelOf(tab).hidden = !isChosen;
    }
  }

  /** Goes to the first control of the panel that is shown. */
  enter() {
    const tab = this.#tabs.find(({ dataset }) => dataset.tab === this.chosen);
    panelOf(tab).querySelector("[data-first]").focus();
  }

  #choose(tab) {
    this.choose(tab.dataset.tab);
    tab.focus();
    this.#changed();
  }

  #key(event) {
    const go = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : undefined;
    if (go === undefined) return;
    event.preventDefault();
    this.#choose(this.#tabs[go(this.#tabs.indexOf(event.currentTarget), this.#tabs.length)]);
  }
}

function panelOf(tab) {
  return document.getElementById(tab.getAttribute("aria-controls"));
}
