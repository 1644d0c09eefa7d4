// Known ways around permission rules, through the package: the fixtures that `tests/bypasses.rs` runs natively.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Policy } from "toolgate";

const root = process.env.TOOLGATE_ROOT;
assert.ok(root, "TOOLGATE_ROOT names the repository");
const fixtures = JSON.parse(readFileSync(join(root, "tests/corpus/bypasses.json"), "utf8"));

const classOf = ({ id }) => id.split("/")[0];
for (const name of new Set(fixtures.map(classOf))) {
  const members = fixtures.filter((fixture) => classOf(fixture) === name);
  test(`bypasses: ${name}`, () => {
    for (const { id, config, call, state, expect } of members) {
      const policy = new Policy(config);
      try {
        const decision = policy.decide(call, state);
        assert.deepEqual({ kind: decision.kind, stage: decision.stage }, expect, id);
        assert.deepEqual(policy.explain(call, state).decision, decision, id);
      } finally {
        policy.free();
      }
    }
  });
}
