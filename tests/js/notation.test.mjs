// The notation of the vectors itself: a runner that misreads it would prove nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { decode, encode } from "./vectors/notation.mjs";

test("what is written is read", () => {
  assert.deepEqual(decode({ a: null, b: [null, 1] }), { b: [undefined, 1] });
  assert.equal(decode({ $repeat: ["ab", 3] }), "ababab");
  assert.equal(decode({ $concat: ["a", { $repeat: ["b", 2] }, { $utf16: [0xd83d, 0xde00] }] }), "abb😀");
  assert.equal(decode({ $utf16: [0xd83d] }), "\ud83d");
  assert.ok(Number.isNaN(decode({ $number: "NaN" })));
  assert.deepEqual(decode([{ $times: [{ x: null }, 2] }]), [{}, {}]);
  assert.deepEqual(decode({ a: null, b: [{ c: null }] }, null), { a: null, b: [{ c: null }] });
});

test("what came is written", () => {
  assert.deepEqual(encode({ a: undefined, b: "\ud83d", c: NaN, d: [1, true, null] }), {
    a: null,
    b: { $utf16: [0xd83d] },
    c: { $number: "NaN" },
    d: [1, true, null],
  });
  assert.deepEqual(encode(new Uint8Array([1, 2])), { $bytes: [1, 2] });
});

test("reading what was written gives the same back", () => {
  for (const value of ["", "a😀", "\udc00", 1.5, -Infinity, [["x"]], { a: { b: "\ud800" } }]) {
    assert.deepEqual(decode(encode(value)), value);
  }
});
