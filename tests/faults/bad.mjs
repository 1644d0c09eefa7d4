// What callbacks of a hostile host do instead of what they should.
import { revoked, throwing } from "../js/bad-input/values.mjs";

const SECRET = "SECRET of the host";

/** An error that throws when anything of it is read. */
const unreadable = new Proxy(new Error(SECRET), {
  get() {
    throw new Error(SECRET);
  },
});

const throwsIt = (error) => (call) => {
  call.thrown = error;
  throw error;
};
const rejectsWith = (error) => (call) => {
  call.thrown = error;
  return Promise.reject(error);
};
const gives = (value) => () => value;

/**
 * Each takes a call: `signal` if it has one, `answer()`, what a good host gives, and what it may do to what calls it: `again()`,
 * `free()`, `abort()`.
 */
export const BAD = {
  "throws an error": throwsIt(new Error(SECRET)),
  "throws a text": throwsIt(SECRET),
  "throws nothing": throwsIt(undefined),
  "throws what cannot be read": throwsIt(unreadable),
  "rejects with an error": rejectsWith(new Error(SECRET)),
  "rejects with a text": rejectsWith(SECRET),
  "rejects with nothing": rejectsWith(undefined),
  "rejects with what cannot be read": rejectsWith(unreadable),
  "rejects with a proxy that throws": rejectsWith(throwing()),
  "never settles": () => new Promise(() => {}),
  "settles when nobody waits": ({ signal, answer }) => new Promise((resolve) => signal?.addEventListener("abort", () => resolve(answer()))),
  "rejects when nobody waits": ({ signal }) => new Promise((_, reject) => signal?.addEventListener("abort", () => reject(new Error(SECRET)))),
  "a thenable that gives nothing, then rejects": gives({
    then(resolve, reject) {
      resolve(undefined);
      reject(new Error(SECRET));
    },
  }),
  "a thenable that rejects, then gives": ({ answer }) => ({
    then(resolve, reject) {
      reject(new Error(SECRET));
      resolve(answer());
    },
  }),
  "a thenable that throws": gives({
    then() {
      throw new Error(SECRET);
    },
  }),
  "a thenable that cannot be read": gives(Object.defineProperty({}, "then", { get: throwsIt(new Error(SECRET)) })),
  "a promise whose then was changed": () =>
    Object.defineProperty(Promise.resolve(), "then", {
      value(_, reject) {
        reject(new Error(SECRET));
        throw new Error(SECRET);
      },
    }),
  nothing: gives(undefined),
  null: gives(null),
  "a number": gives(7),
  "not a number": gives(NaN),
  "a bigint": gives(7n),
  "a symbol": gives(Symbol("answer")),
  "a function": gives(() => {}),
  "an object": gives({}),
  "a list": gives([]),
  "a boxed text": gives(new String('{"verdict":"allow"}')),
  "half a surrogate pair": gives("\ud800"),
  "a long text": gives("x".repeat(1_100_000)),
  "a revoked proxy": () => revoked(),
  "a proxy that throws": () => throwing(),
  "a list of proxies that throw": () => [throwing(), revoked([])],
};

/** Those that do give what a good host gives, and do something else meanwhile. */
export const MEANWHILE = {
  "gives it twice": ({ answer }) => ({
    then(resolve, reject) {
      resolve(answer());
      resolve(undefined);
      reject(new Error(SECRET));
    },
  }),
  "calls back in": ({ again, answer }) => (again(), answer()),
  "frees in the middle": ({ free, answer }) => (free(), answer()),
  "frees in the middle, and throws": (call) => (call.free(), throwsIt(new Error(SECRET))(call)),
  "frees twice, later": ({ free, answer }) => Promise.resolve().then(() => (free(), free(), answer())),
  "aborts in the middle": ({ abort, answer }) => (abort(), answer()),
  "aborts in the middle, and throws": (call) => (call.abort(), throwsIt(new Error(SECRET))(call)),
  "aborts later": ({ abort, answer }) => Promise.resolve().then(() => (abort(), answer())),
};
