// The module's memory over many decisions: it can only grow, and it does not.
import { Policy } from "toolgate";
import { initSync } from "./node_modules/toolgate/core.js";
import { calls, lists } from "./cases.mjs";

const CALLS = 1_000_000;
const WARM = 20_000;

/** The instance that is there already; its exports have its memory. */
const bytes = () => initSync().memory.buffer.byteLength;

export function memory() {
  const policy = new Policy({ rules: lists(200) });
  const all = calls(400);
  const decide = (count) => {
    for (let at = 0; at < count; at++) policy.decide(all[at % all.length]);
  };
  decide(WARM);
  const before = bytes();
  decide(CALLS);
  const after = bytes();
  policy.free();
  return { calls: CALLS, before, after };
}
