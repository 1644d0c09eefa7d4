// What cases check with: it runs wherever the package does.

/** The runtime's own: cases replace them. */
const { setTimeout, clearTimeout } = globalThis;

/** Ends a case that does not hold. */
export function fail(message) {
  throw new Error(message);
}

export function ok(holds, message) {
  if (!holds) fail(message);
}

/** Plain data of the same text. */
export function same(came, expected, message) {
  const [one, other] = [text(came), text(expected)];
  if (one !== other) fail(`${message}: came ${one.slice(0, 400)}, not ${other.slice(0, 400)}`);
}

/** A value as one line; what JSON leaves out is told apart. */
export function text(value) {
  return JSON.stringify(value, (_, inner) => (inner === undefined ? "<absent>" : inner)) ?? String(value);
}

/** Lets everything that waits for nothing but its turn come to its end. */
export function settled() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** What a promise comes to; one that does not settle in time fails. */
export async function within(ms, promise, message) {
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(`${message}: not settled after ${ms} ms`)), ms)));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Counts words, and gives them in the order of the alphabet. */
export class Tally {
  #counts = new Map();

  add(word) {
    this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
  }

  get words() {
    return [...this.#counts.keys()];
  }

  toJSON() {
    return Object.fromEntries([...this.#counts].sort(([one], [other]) => (one < other ? -1 : 1)));
  }
}
