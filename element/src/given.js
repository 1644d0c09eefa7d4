// What a host gives, read once: through JSON, so that no getter or proxy of it is met a second time.

/** The JSON text of a value, or undefined where there is none. */
export function jsonOf(value) {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** A value through JSON; undefined where it has no JSON text. */
export function snapshot(value) {
  const json = jsonOf(value);
  return json === undefined ? undefined : JSON.parse(json);
}

/** What goes out is the receiver's own. */
export function copyOf(value) {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

export function textOf(value) {
  return value === undefined || value === null ? undefined : String(value);
}

/** The texts of a list; none of what is no list. */
export function textsOf(value) {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** `{ calls, refusal? }`: each call on its own, so that one that cannot be read costs none of the others. */
export function callsOf(value) {
  if (value === undefined || value === null) return { calls: [] };
  try {
    if (!Array.isArray(value)) return { calls: [], refusal: "The calls are not a list, so there is nothing to try." };
    // `null` is no call, and is refused as one.
    return { calls: Array.from(value, (call) => snapshot(call) ?? null) };
  } catch {
    return { calls: [], refusal: "The calls cannot be read, so there is nothing to try." };
  }
}

/** An attribute with JSON in it; what is none is kept as the text that it is, and refused as that. */
export const fromJson = {
  fromAttribute(text) {
    if (text === null) return undefined;
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  },
};
