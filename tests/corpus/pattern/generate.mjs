// Writes cases for the expression engine, with what this runtime's RegExp says about each.
//
//   node generate.mjs [count] [seed] > node.json
//
// A case is [source, text, start, end], [source, text, null] where nothing matches, or [source] where the source
// does not parse. Texts stay in the basic plane, where a code point is a code unit.
const count = Number(process.argv[2] ?? 1500);
let state = Number(process.argv[3] ?? 1) >>> 0;
const random = (n) => {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = state;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) % n;
};
const pick = (list) => list[random(list.length)];

const plain = ["a", "b", "a", "b", "c", "-", " ", "{", "}", "]", ",", "1", "_", "é"];
const escapes = ["\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\t", "\\n", "\\x61", "\\x6", "\\u0062", "\\u00", "\\cA", "\\c", "\\c1",
  "\\.", "\\*", "\\/", "\\a", "\\-", "\\{", "\\]", "\\0", "\\_", "\\é"];
const member = () => pick([() => pick(plain), () => pick(["a", "b", "^", "[", ".", "*"]), () => pick(["\\d", "\\w", "\\s", "\\b", "\\S", "\\cA", "\\c1", "\\c_", "\\c", "\\-", "\\x62"]), () => pick(["a-b", "a-c", "-", "b-a", "\\w-a", "a-\\d", "0-9"])])().replace(/^\]$/, "\\]");
const klass = () => "[" + pick(["", "^", ""]) + Array.from({ length: random(4) }, member).join("") + "]";
const repeat = () => pick(["*", "+", "?", "{2}", "{0}", "{1,}", "{0,2}", "{1,2}", "{0,1}", "{2,1}", "{,2}", "{", "{3,"]) + pick(["", "", "?"]);
let names = 0;
const atom = (depth) => {
  const kind = random(12);
  if (kind < 5 || depth <= 0) return pick(plain);
  if (kind < 6) return ".";
  if (kind < 7) return klass();
  if (kind < 8) return pick(escapes);
  return pick(["(", "(?:", "(", "(?:", `(?<n${names++}>`]) + branches(depth - 1) + ")";
};
const term = (depth) => (random(9) === 0 ? pick(["^", "$", "\\b", "\\B"]) : atom(depth)) + (random(5) < 2 ? repeat() : "");
const branch = (depth) => Array.from({ length: random(4) }, () => term(depth)).join("");
const branches = (depth) => Array.from({ length: 1 + (random(3) === 0 ? 1 + random(2) : 0) }, () => branch(depth)).join("|");
// Pieces that may be empty, repeated: the place where engines differ.
const hollow = (depth) => {
  if (depth <= 0) return pick(["a", "b", "", "a?", "b*", "\\b", "a??", "^"]);
  const inner = Array.from({ length: 1 + random(3) }, () => hollow(depth - 1));
  return "(?:" + inner.join(pick(["|", "", "|"])) + ")" + pick(["*", "+", "?", "??", "*?", "+?", "{0,2}", "{1,2}?", "{2,}", "", "{2}", "{0,3}?", "{1,3}"]);
};
const text = () => Array.from({ length: random(9) }, () => pick(["a", "b", "a", "b", "c", "-", " ", "\n", "1", "_", "{", "}", "]", ",", "é", "\\", "\u2028", "\u0001", "\u0011", "d"])).join("");
const short = () => Array.from({ length: random(5) }, () => pick(["a", "b"])).join("");

const cases = [];
while (cases.length < count) {
  names = 0;
  const [source, subject] = random(3) === 0 ? [hollow(1 + random(2)) + pick(["", "", "b", "$"]), short()] : [branches(3), text()];
  if (source === "" || source.length > 200) continue;
  let found;
  try {
    found = new RegExp(source).exec(subject);
  } catch {
    cases.push([source]);
    continue;
  }
  cases.push(found === null ? [source, subject, null] : [source, subject, found.index, found.index + found[0].length]);
}
process.stdout.write("[\n" + cases.map((c) => JSON.stringify(c)).join(",\n") + "\n]\n");
