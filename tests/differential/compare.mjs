// Where a reading and a parser's commands part: `undefined` where they do not, else the name of the first difference.

export function difference(line, ours, theirs) {
  // In backquotes the peer counts from their own start: there the order says nothing.
  const byPlace = !line.includes("`");
  // A redirect without a command is no command of a reading.
  const [one, other] = [ours, theirs].map((commands) => ordered(commands.filter(isCommand), byPlace));
  if (one.length !== other.length || (byPlace && starts(one) !== starts(other))) return "commands";
  if (one.some((command, at) => !sameWords(command, other[at]))) return "words";
  if (one.some((command, at) => command.redirects.join() !== other[at].redirects.join())) return "redirects";
  if (one.some((command, at) => command.assignments.join() !== other[at].assignments.join())) return "assignments";
  return undefined;
}

const isCommand = ({ words, assignments }) => words.length > 0 || assignments.length > 0;
const starts = (commands) => commands.map(({ start }) => start).join();

function ordered(commands, byPlace) {
  const key = ({ words, assignments }) => JSON.stringify([words, assignments]);
  return [...commands].sort(byPlace ? (a, b) => a.start - b.start : (a, b) => (key(a) < key(b) ? -1 : 1));
}

/** The peer does not expand braces: of such a command only the name is compared, and that where it is written without any. */
function sameWords(one, other) {
  if (other.braces) return other.words[0] === undefined || /[{}]/.test(other.words[0]) || one.words[0] === other.words[0];
  return one.words.length === other.words.length && one.words.every((word, at) => word === other.words[at]);
}
