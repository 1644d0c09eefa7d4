// Parts of a text.

/**
 * The parts that hold no other one. A rule that accepts a whole line and commands in it is best shown by those commands.
 */
export function innermost(spans) {
  return spans.filter((own) => !spans.some((other) => other !== own && holds(own, other) && !holds(other, own)));
}

function holds({ start, end }, other) {
  return start <= other.start && other.end <= end;
}
