// Parts of a whole as a bar. What it shows stands beside it in words, so listeners are spared it.

const SVG = "http://www.w3.org/2000/svg";

/** `parts` are `[className, number]`, from left to right; `whole` is as wide as the bar. */
export function bar(parts, whole) {
  const svg = make("svg", { class: "bar", "aria-hidden": "true", focusable: "false", preserveAspectRatio: "none", viewBox: "0 0 1000 10" });
  let x = 0;
  for (const [className, number] of parts) {
    // What is there at all can be seen.
    const width = whole === 0 || number === 0 ? 0 : Math.max(3, (1000 * number) / whole);
    if (width > 0) svg.append(make("rect", { class: className, x, y: 0, width, height: 10 }));
    x += width;
  }
  return svg;
}

function make(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}
