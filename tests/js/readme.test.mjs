// The samples of the README, and of the page about importers, do what their comments say, on the installed package.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import * as toolgate from "toolgate";

const here = import.meta.dirname;
const readme = readFileSync(join(here, "node_modules/toolgate/README.md"), "utf8");

/** The fenced blocks of JavaScript: where each is meant to run, and its text. */
const samplesOf = (title, page) =>
  [...page.matchAll(/^```js ?(\w*)\n([^]*?)^```$/gm)].map(([, place, text], at) => ({
    name: `${title}sample ${at + 1}${place && `, ${place}`}`,
    place,
    text,
    // Lines of comment are what the lines before them print.
    prints: text.split("\n").flatMap((line) => (line.startsWith("// ") ? [line.slice(3)] : [])),
  }));
const importers = readFileSync(join(process.env.TOOLGATE_ROOT, "docs/importers.md"), "utf8");
const samples = [...samplesOf("", readme), ...samplesOf("importers, ", importers)];

/** A file of its own beside the installed package. */
function withFile(text, use) {
  const dir = mkdtempSync(join(here, "readme-"));
  const file = join(dir, "sample.mjs");
  writeFileSync(file, text);
  const done = () => rmSync(dir, { recursive: true, force: true });
  try {
    const result = use(file);
    return result instanceof Promise ? result.finally(done) : (done(), result);
  } catch (error) {
    done();
    throw error;
  }
}

test("there is a sample for Node, for the browser and for a worker", () => {
  assert.deepEqual([...new Set(samples.map(({ place }) => place))].sort(), ["", "browser", "worker"]);
});

for (const { name, place, text, prints } of samples) {
  test(`${name}: imports what there is`, () => {
    const names = [...text.matchAll(/^import \{ (.*) \} from "toolgate";$/gm)].flatMap(([, list]) => list.split(", "));
    assert.ok(names.length > 0);
    for (const imported of names) assert.ok(imported in toolgate, imported);
  });

  if (place === "worker") {
    test(`${name}: answers a request`, async () => {
      const { default: worker } = await withFile(text, (file) => import(pathToFileURL(file)));
      const call = { tool: "WebFetch", arguments: { url: "https://a.internal.example/" } };
      const response = await worker.fetch(new Request("https://example.com/", { method: "POST", body: JSON.stringify(call) }));
      assert.equal((await response.json()).kind, "deny");
    });
  } else {
    // A browser's sample has nothing of a browser's but `init`, which Node has as well.
    test(`${name}: prints what it says`, () => {
      assert.ok(prints.length > 0);
      const printed = withFile(text, (file) => execFileSync(process.execPath, [file], { encoding: "utf8" }));
      assert.deepEqual(printed.trimEnd().split("\n").map((line) => line.trimEnd()), prints);
    });
  }
}

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
