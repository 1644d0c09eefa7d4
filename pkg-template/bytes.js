// Long texts cross as bytes: several times faster than as strings, which the glue looks at unit by unit.
const encoder = new TextEncoder();

/** What texts are encoded into, one behind the other; it is kept for the next ones, unless it is large. */
let scratch = new Uint8Array(0);
const KEPT = 4 * 1024 * 1024;

/** Hands the bytes of texts on; they are valid during `use` only. A text may be absent. */
export function inBytes(texts, use) {
  const most = texts.reduce((sum, text = "") => sum + 3 * text.length, 0);
  const into = most <= scratch.length ? scratch : new Uint8Array(most);
  if (most <= KEPT) scratch = into;
  let at = 0;
  const bytes = texts.map((text) => {
    if (text === undefined) return undefined;
    const start = at;
    at += encoder.encodeInto(text, into.subarray(at)).written;
    return into.subarray(start, at);
  });
  return use(bytes);
}
