// What the custom element costs, and whom.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

const folder = join(import.meta.dirname, "node_modules/toolgate");
const read = (name) => readFileSync(join(folder, name), "utf8");

/** Every file that a file of the package loads, itself included. */
function loads(file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, target] of read(file).matchAll(/(?:from|import)\s*["'](\.[^"']+)["']/g)) loads(join(dirname(file), target), seen);
  return seen;
}

test("only who imports the element pays for it", () => {
  for (const entry of ["browser.js", "node.js", "workerd.js", "inspector.js", "cli.js"]) {
    assert.ok(loads(entry).size > 1, entry);
    assert.ok(!loads(entry).has("element.js"), entry);
  }
});

test("it has no core of its own: it loads the package's entry and nothing else", () => {
  const code = read("element.js");
  const imports = [...code.matchAll(/(?:^|[;}])(?:import|export)\s*\{[^}]*\}\s*from\s*["'`]([^"'`]+)["'`]/g)].map(([, target]) => target);
  assert.deepEqual(imports, ["./browser.js"]);
  assert.doesNotMatch(code, /\bimport\s*["'`(]|WebAssembly/);
});

test("it stays small enough", () => {
  const kilobytes = gzipSync(read("element.js"), { level: 9 }).length / 1024;
  assert.ok(kilobytes <= 150, `${kilobytes.toFixed(1)} KB after gzip`);
});

test("the licence of everything in it travels with it", () => {
  const texts = read("licenses.txt").split("The file element.js contains parts of these packages:")[1];
  for (const name of ["lit", "lit-html", "@lit/reactive-element", "@codemirror/view", "@codemirror/state", "@codemirror/lint", "style-mod", "crelt", "w3c-keyname"]) {
    assert.ok(texts.includes(`\n${name} `), name);
  }
  const [list, ...rest] = texts.split(/^\u2500+$/m);
  assert.equal(rest.length, list.match(/^- /gm).length);
  for (const text of rest) assert.match(text, /Copyright \(c\) [^]+(?:Permission is hereby granted|Redistribution and use)/i, "a text for each");
});

test("where there is no document, importing it does nothing", async () => {
  const { ToolgatePreview } = await import("toolgate/element");
  assert.equal(typeof ToolgatePreview, "function");
  assert.equal(globalThis.document, undefined);
  assert.equal(globalThis.customElements, undefined);
  assert.equal(globalThis.HTMLElement, undefined);
});
