// Elements in one expression.

/** An element with properties and children. `data` becomes its data attributes, `aria` its other attributes. */
export function element(tag, { data = {}, aria = {}, ...properties } = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  Object.assign(made.dataset, data);
  for (const [name, value] of Object.entries(aria)) made.setAttribute(`aria-${name}`, value);
  made.append(...children);
  return made;
}

/** Unchanged text is left alone, so that nobody who listens is told it again. */
export function setText(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

export function quiet(text) {
  return element("span", { className: "quiet-text", textContent: text });
}
