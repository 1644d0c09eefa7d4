// Values that a hostile host hands in, and other shapes of a value that is well formed.
import { NO_JSON, NO_TEXTS, nested, revoked, throwing, withGetter } from "../js/bad-input/values.mjs";

const noise = () => {
  throw new Error("SECRET of the host");
};

// Whether so deep a value has a JSON text depends on the engine; `tests/js/bad-input.test.mjs` has it.
const { "lists within lists, 100,000 deep": _, ...NO_JSON_ANYWHERE } = NO_JSON;

/** Things that no place of the API takes as they are. */
export const HOSTILE = {
  ...NO_TEXTS,
  ...NO_JSON_ANYWHERE,
  nothing: null,
  "a list of holes": new Array(1_000_000),
  "lists within lists": nested(101),
  "half a surrogate pair": "\ud800",
  "a text past the limit of a subject": "x".repeat(1_048_577),
  "a toJSON that gives itself": { toJSON() { return this; } },
  "a toJSON that gives a bigint": { toJSON: () => 1n },
  "a prototype as a member": JSON.parse('{"__proto__":{"tool":"Bash","rules":{"allow":["Bash"]}},"constructor":{"prototype":{}}}'),
  "a prototype that says everything": Object.create({ tool: "Bash", rules: { allow: ["Bash"] }, dialect: "standard", kind: "allow" }),
  "a generator": (function* () {})(),
  "a map": new Map([["tool", "Bash"]]),
  "a promise": Promise.resolve({ tool: "Bash" }),
  "a thenable": { then: noise },
  "a list whose length throws": throwing([]),
  "a list with a member that throws": Object.defineProperty([1], 0, { get: noise, enumerable: true }),
  "a member that cannot be turned to a text": { tool: { [Symbol.toPrimitive]: noise }, toString: noise },
  "an error": Object.defineProperty(new Error("SECRET"), "message", { get: noise, enumerable: true }),
};

/** What stands in the place of one member of a value that is well formed. */
export const INSIDE = {
  "a getter that throws": undefined,
  "a revoked proxy": revoked(),
  "a proxy that throws": throwing(),
  "a bigint": 1n,
  "a symbol": Symbol("inside"),
  "a function": noise,
  "half a surrogate pair": "\udc00",
  "a toJSON that throws": { toJSON: noise },
  "a prototype as a member": JSON.parse('{"__proto__":{"allow":["Bash"]}}'),
  "a list of holes": new Array(3),
  "not a number": NaN,
  "lists within lists": nested(120),
};

/** `value` with something else in the place of one of its members. */
export function replaced(value, name, title) {
  if (title === "a getter that throws") return Array.isArray(value) ? Object.defineProperty([...value], name, { get: noise, enumerable: true }) : withGetter(name, value);
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[name] = INSIDE[title];
  return copy;
}

/** Whether a value is one that other shapes of can be made: plain data of more than one word. */
export function isPlain(value) {
  return typeof value === "object" && value !== null && [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value));
}

/** A value made anew, each object of it by `make`. */
function rebuilt(value, make) {
  if (typeof value !== "object" || value === null) return value;
  return make(value, (inner) => rebuilt(inner, make));
}

const members = (value, inner) => Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inner(member)]));
const copied = (value, inner) => (Array.isArray(value) ? value.map(inner) : members(value, inner));

class Host {
  constructor(from) {
    Object.assign(this, from);
  }
}

/** Other shapes that say the same; whatever takes the value has to take them, and give the same. */
export const SHAPES = {
  frozen: (value) => rebuilt(value, (each, inner) => Object.freeze(copied(each, inner))),
  sealed: (value) => rebuilt(value, (each, inner) => Object.seal(copied(each, inner))),
  "of a class": (value) => rebuilt(value, (each, inner) => (Array.isArray(each) ? each.map(inner) : new Host(members(each, inner)))),
  "without a prototype": (value) =>
    rebuilt(value, (each, inner) => (Array.isArray(each) ? each.map(inner) : Object.assign(Object.create(null), members(each, inner)))),
  "behind proxies": (value) => rebuilt(value, (each, inner) => new Proxy(copied(each, inner), {})),
  "of members that answer once": (value) => rebuilt(value, (each, inner) => once(copied(each, inner))),
};

/** Of another realm: its objects and lists are of classes that nobody here knows. */
export function inRealm(value, { Array: List, Object: Plain }) {
  return rebuilt(value, (each, inner) => {
    const copy = Array.isArray(each) ? new List() : new Plain();
    for (const [name, member] of Object.entries(each)) copy[name] = inner(member);
    return copy;
  });
}

/** Each member says the truth when it is read for the first time, and something else ever after. */
function once(target) {
  const read = new Set();
  return new Proxy(target, {
    get(target, name) {
      // Lists are asked for their length more than once; that it is a list, and how long, is not what is hidden here.
      const isFirst = typeof name === "symbol" || (Array.isArray(target) && name === "length") || !read.has(name);
      read.add(name);
      return isFirst ? target[name] : "rm -r / # changed";
    },
  });
}
