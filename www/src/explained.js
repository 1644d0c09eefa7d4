// The place where a decision is shown, and what led to it: made once for each tab that has one.

/** Fills a place. `ids`: its parts get their names as ids too, so that a link can lead to them. */
export function explanationIn(place, { ids = false } = {}) {
  place.append(document.querySelector("#explanation").content.cloneNode(true));
  if (ids) for (const part of place.querySelectorAll("[data-part]")) part.id = part.dataset.part;
  return place;
}
