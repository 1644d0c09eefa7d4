// Select elements.

/** Fills a select with words; each change is told. */
export function fill(select, words, changed) {
  select.replaceChildren(...words.map((word) => new Option(word, word)));
  select.addEventListener("change", changed);
}
