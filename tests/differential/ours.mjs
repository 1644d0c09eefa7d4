// The commands of a reading that stand in the line itself, so that they can be laid beside a parser's.

/** What looks through a command to another one, which a parser does not do. */
const BEHIND = new Set(["wrapper", "xargs", "find-exec", "shell-text", "eval", "shell-input"]);

/** Constructs that a reading lists as a command, and a parser as something else. */
const CONSTRUCTS = new Set(["[[", "(("]);

export function commandsOf(reading) {
  // Everything inside a text has the span of the words that carry it.
  const texts = new Set();
  for (const { context, span } of reading.commands) {
    if (context === "shell-text" || context === "eval" || context === "shell-input") texts.add(`${span.start} ${span.end}`);
  }
  return reading.commands
    .filter(({ context, span, words, assignments }) => {
      if (BEHIND.has(context) || texts.has(`${span.start} ${span.end}`)) return false;
      return words.length > 0 ? !CONSTRUCTS.has(words[0]) : assignments.length > 0;
    })
    .map(({ span, words, assignments, redirects }) => ({
      start: span.start,
      words: [...words],
      assignments: assignments.map(({ name }) => name),
      redirects: redirects.map(({ operator }) => operator),
    }))
    .sort((a, b) => a.start - b.start);
}
