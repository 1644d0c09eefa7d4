// The README of the installed package: what its tables say is so. Its samples are tried with those of the other documents.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as toolgate from "toolgate";
import { samplesOf } from "./docs/samples.mjs";

const readme = readFileSync(join(import.meta.dirname, "node_modules/toolgate/README.md"), "utf8");
const samples = samplesOf(readme).filter(({ language }) => language === "js");

test("there is a sample for Node, for the browser and for a worker", () => {
  assert.deepEqual([...new Set(samples.map(({ about }) => about))].sort(), ["", "browser", "worker"]);
});

test("samples import what there is", () => {
  for (const { text, line } of samples) {
    const names = [...text.matchAll(/^import \{ (.*) \} from "toolgate";$/gm)].flatMap(([, list]) => list.split(", "));
    assert.ok(names.length > 0, `line ${line}`);
    for (const imported of names) assert.ok(imported in toolgate, imported);
  }
});

test("the table of dialects is the package's", () => {
  const [, table] = readme.match(/<!-- generated: dialects -->\n([^]*?)<!-- end -->/);
  const named = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, dialect]) => dialect);
  assert.deepEqual(named, [...toolgate.DIALECTS]);
});

test("the rules of the table parse, and without an error", () => {
  const [, table] = readme.match(/\| rule \| answers for \|\n([^]*?)\n\n/);
  const rules = [...table.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell]) => cell.split(" · ").map((rule) => rule.slice(1, -1)));
  assert.ok(rules.length > 10);
  const diagnostics = toolgate.Policy.check({ rules: { deny: rules } });
  assert.deepEqual(diagnostics.filter(({ severity }) => severity === "error"), []);
  assert.equal(new toolgate.Policy({ rules: { deny: rules } }).ruleCount, rules.length);
});
