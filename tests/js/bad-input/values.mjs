// Values that no host should hand in, and some do.

/** A proxy each of whose traps throws. */
export function throwing(target = {}) {
  const trap = () => {
    throw new Error("a trap of a proxy");
  };
  const handler = Object.fromEntries(Object.getOwnPropertyNames(Reflect).map((name) => [name, trap]));
  return new Proxy(target, handler);
}

/** A proxy that was revoked. */
export function revoked(target = {}) {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

/** An object one of whose members throws when it is read. */
export function withGetter(name, rest = {}) {
  return Object.defineProperty({ ...rest }, name, {
    enumerable: true,
    get() {
      throw new Error("a getter");
    },
  });
}

export function cycle() {
  const value = {};
  value.itself = value;
  return value;
}

/** Lists within lists. */
export function nested(depth) {
  let value = [];
  for (let at = 1; at < depth; at++) value = [value];
  return value;
}

export const throwingToJSON = {
  toJSON() {
    throw new Error("a toJSON");
  },
};

/** By what they are; none is a text. */
export const NO_TEXTS = {
  "a number": 7,
  "not a number": NaN,
  "a bigint": 7n,
  "a boolean": true,
  "a symbol": Symbol("text"),
  "a function": () => "text",
  "an object": {},
  "an object that says it is a text": { toString: () => "Bash", [Symbol.toPrimitive]: () => "Bash" },
  "a list": ["Bash"],
  "a boxed text": new String("Bash"),
  "a date": new Date(NaN),
  "bytes": new Uint8Array([66]),
  "a proxy that throws": throwing(),
  "a revoked proxy": revoked(),
};

/** By what they are; none has a JSON text. */
export const NO_JSON = {
  "a bigint inside": { inside: [1n] },
  "a cycle": cycle(),
  "a getter that throws": withGetter("rules"),
  "a getter that throws, inside": { rules: withGetter("allow") },
  "a toJSON that throws": throwingToJSON,
  "a toJSON that throws, inside": { rules: { allow: [throwingToJSON] } },
  "a toJSON that gives nothing": { toJSON() {} },
  "a proxy that throws": throwing(),
  "a proxy that throws, inside": { rules: { allow: throwing([]) } },
  "a revoked proxy": revoked(),
  "a revoked proxy, inside": { rules: { deny: revoked([]) } },
  "lists within lists, 100,000 deep": { rules: nested(100_000) },
};
