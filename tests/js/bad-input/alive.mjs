// What every case of bad input ends with: a typed error of exactly this shape, nothing decided, and the same instance
// of the core, which still gives a known answer.
import assert from "node:assert/strict";
import { LimitError, Policy, PolicyError, RuleError, parseRuleString } from "toolgate";
import { initSync } from "../node_modules/toolgate/core.js";

const CLASSES = { RuleError, PolicyError, LimitError, TypeError };
const BASES = { RuleError: TypeError, PolicyError: TypeError, LimitError: RangeError, TypeError };

const policy = new Policy({ rules: { allow: ["Bash(npm )"], deny: ["Bash(rm )"] } });
const npm = { tool: "Bash", arguments: { command: "npm test" } };
const known = structuredClone(policy.decide(npm));

/** The live instance's own exports: another object where the core has stopped and was made again. */
export const instance = () => initSync();

/** Pages of the live instance's memory. */
export const pages = () => instance().memory.buffer.byteLength / 65_536;

/** The known-good call gives the known answer. */
export function assertAlive(title) {
  assert.equal(known.kind, "allow");
  assert.deepEqual(policy.decide(npm), known, title);
  assert.equal(policy.decide({ tool: "Bash", arguments: { command: "rm x" } }).kind, "deny", title);
  assert.deepEqual(parseRuleString("Bash"), { toolName: "Bash" }, title);
}

/** An error as data. Diagnostics as `[code, path]`, which is what identifies them. */
function shapeOf(error) {
  const { code, path, span, hint, limit, diagnostics } = error;
  const shape = { name: error.name, code, path, span, hint, limit };
  shape.diagnostics = diagnostics?.map(({ code, path }) => [code, path]);
  return Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined));
}

/** `work` throws the error that `expected` describes, in a core that goes on. */
export function assertRefused(title, work, expected) {
  const before = instance();
  let gave;
  try {
    gave = work();
  } catch (error) {
    assert.deepEqual(shapeOf(error), expected, title);
    assert.ok(error instanceof CLASSES[expected.name] && error instanceof BASES[expected.name], title);
    assert.equal(Object.getPrototypeOf(error), CLASSES[expected.name].prototype, title);
    assert.ok(error.message.length > 0, title);
    assert.equal(instance(), before, `${title}: the core stopped`);
    assertAlive(title);
    return;
  }
  assert.fail(`${title}: gave ${JSON.stringify(gave)?.slice(0, 200)}`);
}

/** An argument error. */
export const argument = (code, path) => ({ name: "TypeError", code, path });
