// The notation of the vectors, in both directions: `null` is absent, `{"$repeat":[s,n]}`, `{"$concat":[…]}`,
// `{"$times":[v,n]}` in lists, `{"$utf16":[units]}`, `{"$number":"NaN"}`.

const texts = {
  $repeat: ([text, n]) => decode(text).repeat(n),
  $concat: (parts) => parts.map((part) => decode(part)).join(""),
  $utf16: (units) => units.map((unit) => String.fromCharCode(unit)).join(""),
  $number: (name) => Number(name),
};

function onlyKey(value) {
  const keys = Object.keys(value);
  return keys.length === 1 ? keys[0] : undefined;
}

/** From what is written to what is meant; `nothing` is what `null` stands for. */
export function decode(value, nothing = undefined) {
  if (value === null) return nothing;
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) return value.flatMap((item) => copies(item, nothing));
  const key = onlyKey(value);
  if (key !== undefined && Object.hasOwn(texts, key)) return texts[key](value[key]);
  const entries = Object.entries(value).map(([name, member]) => [name, decode(member, nothing)]);
  return Object.fromEntries(entries.filter(([, member]) => member !== undefined));
}

function copies(item, nothing) {
  if (item !== null && typeof item === "object" && onlyKey(item) === "$times") {
    const [value, n] = item.$times;
    return Array.from({ length: n }, () => decode(value, nothing));
  }
  return [decode(item, nothing)];
}

/** From what came to what JSON can say. */
export function encode(value) {
  if (value === undefined) return null;
  if (typeof value === "string") return value.isWellFormed() ? value : { $utf16: units(value) };
  if (typeof value === "number") return Number.isFinite(value) ? value : { $number: String(value) };
  if (value === null || typeof value !== "object") return typeof value === "bigint" ? { $bigint: String(value) } : value;
  if (Array.isArray(value)) return value.map(encode);
  if (value instanceof Uint8Array) return { $bytes: [...value] };
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, encode(member)]));
}

function units(text) {
  return Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
}
