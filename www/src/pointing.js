// What belongs together lights up together: an element that is pointed at, or has the focus, shows its parts of the call.

/** `point` takes the parts to show, none to show nothing. */
export function pointsAt(element, spans, point) {
  for (const event of ["pointerenter", "focus"]) element.addEventListener(event, () => point(spans));
  for (const event of ["pointerleave", "blur"]) element.addEventListener(event, () => point([]));
}

/** Goes to a part of the call when it is pressed. A finger only looks: a keyboard would cover what it looks at. */
export function goesTo(button, span, { point, look, select }) {
  button.title = "Show in the call";
  pointsAt(button, [span], point);
  button.addEventListener("click", (event) => (event.pointerType === "touch" ? look(span) : select(span)));
}
