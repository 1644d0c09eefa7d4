// What the tarball holds, and what a user may rely on whatever the package is asked.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as toolgate from "toolgate";

const folder = join(import.meta.dirname, "node_modules/toolgate");
const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** Every file of the package, relative to it. */
function files(dir = "") {
  return readdirSync(join(folder, dir), { withFileTypes: true }).flatMap((entry) => {
    const path = dir === "" ? entry.name : `${dir}/${entry.name}`;
    return entry.isDirectory() ? files(path) : [path];
  });
}

/** Every file that the exports map names. */
function targets(exports) {
  return typeof exports === "string" ? [exports] : Object.values(exports).flatMap(targets);
}

test("the package depends on nothing and runs no script", () => {
  for (const key of ["dependencies", "peerDependencies", "optionalDependencies", "bundleDependencies", "scripts"]) {
    assert.equal(manifest[key], undefined, key);
  }
  assert.equal(readdirSync(join(import.meta.dirname, "node_modules")).filter((name) => !name.startsWith(".")).join(), "toolgate");
});

test("every file of the exports map is there", () => {
  for (const target of targets(manifest.exports)) assert.ok(existsSync(join(folder, target)), target);
  for (const target of Object.values(manifest.bin ?? {})) assert.ok(existsSync(join(folder, target)), target);
});

test("types come first, and the conditions in the order of the runtimes", () => {
  const conditions = Object.keys(manifest.exports["."]);
  assert.deepEqual(conditions, ["types", "workerd", "deno", "bun", "node", "browser", "default"]);
  for (const entry of Object.values(manifest.exports)) {
    if (typeof entry === "object" && "types" in entry) assert.equal(Object.keys(entry)[0], "types");
  }
});

test("nothing of the corpus, of tests or of a machine is in the package", () => {
  for (const path of files()) {
    assert.doesNotMatch(path, /corpus|test|\.jsonl$|\.map$/);
    assert.ok(statSync(join(folder, path)).size < 1 << 20, `${path} is large`);
  }
});

test("licences and the README travel with it", () => {
  for (const name of ["README.md", "SECURITY.md", "docs/errors.md", "LICENSE-MIT", "LICENSE-APACHE"]) assert.ok(statSync(join(folder, name)).size > 100, name);
});

test("a library that was taken in stands below its licence, and names nothing outside", () => {
  const text = readFileSync(join(folder, "cli/jsonc.js"), "utf8");
  assert.match(text, /^\/\*!\njsonc-parser \d+\.\d+\.\d+ \(MIT\):\n\n.*MIT License[^]*Copyright[^]*WITHOUT WARRANTY OF ANY KIND[^]*?\*\//);
  assert.doesNotMatch(text, /^import |from "|require\(/m);
});

test("everything that was taken in has its licence in one file, the module's crates as cargo names them", () => {
  const text = readFileSync(join(folder, "licenses.txt"), "utf8");
  const entries = text.split(/^\u2500+\n/m).slice(1).map((entry) => entry.trim().split("\n\n"));
  const titled = entries.filter(([title]) => /^\S.* \(.+\)$/.test(title));
  const names = titled.map(([title]) => title.replace(/ \(.*/, ""));
  const options = ["--prefix", "none", "--format", "{p}", "--edges", "normal,no-proc-macro", "--target", "wasm32-unknown-unknown"];
  const tree = execFileSync("cargo", ["tree", "--quiet", "--locked", "--package", "toolgate-module", ...options], { cwd: process.env.TOOLGATE_ROOT, encoding: "utf8" });
  const crates = [...new Set(tree.trim().split("\n").filter((line) => !/^toolgate/.test(line)).map((line) => line.replace(/ v([^ ]+).*/, " $1")))].sort();
  assert.ok(crates.some((name) => name.startsWith("sha2 ")) && crates.some((name) => name.startsWith("wasm-bindgen ")));
  assert.deepEqual(names.slice(0, crates.length), crates);
  assert.deepEqual(names.slice(crates.length, crates.length + 2), ["The Rust standard library", "compiler_builtins"]);
  assert.match(names[crates.length + 2], /^jsonc-parser \d/);
  const listed = text.match(/^- .+/gm).map((line) => line.slice(2).replace(/ \(.*/, ""));
  assert.deepEqual(names.slice(crates.length + 3), listed);
  for (const [title, ...rest] of titled) assert.match(rest.join("\n\n"), /Permission is hereby granted|Redistribution and use|As an exception/i, title);
});

test("the version is the manifest's", () => {
  assert.equal(toolgate.version, manifest.version);
});

test("the lists of words are frozen and in order", () => {
  assert.deepEqual(toolgate.PERMISSION_MODES, ["default", "acceptEdits", "plan", "bypassPermissions", "auto"]);
  assert.equal(toolgate.SOURCE_PRIORITY.join(), "session,cliArg,policySettings,flagSettings,localSettings,projectSettings,userSettings,config");
  assert.equal(toolgate.DIALECTS[0], "standard");
  for (const list of [toolgate.PERMISSION_MODES, toolgate.SOURCE_PRIORITY, toolgate.DIALECTS]) {
    assert.ok(Object.isFrozen(list));
  }
});

/** `null`, undefined members, accessors and foreign prototypes anywhere in a value. */
function* odd(value, at = "") {
  if (value === null) yield `${at} is null`;
  if (value === null || typeof value !== "object") return;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype) yield `${at} is of a class`;
  for (const [name, { value: member, get }] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
    if (get !== undefined) yield `${at}.${name} is an accessor`;
    else if (member === undefined) yield `${at}.${name} is present and undefined`;
    else yield* odd(member, `${at}.${name}`);
  }
}

test("what comes out is plain: no null, no accessor, no class; it can be cloned and written", () => {
  const policy = new toolgate.Policy({ rules: { allow: ["Bash(npm )"], deny: ["Bash(rm )"] } });
  const calls = ["npm test", "rm x", "ls"].map((command) => ({ tool: "Bash", arguments: { command } }));
  const outputs = [
    ...policy.decideMany(calls),
    toolgate.parseRuleString("WebFetch(domain:example.com)"),
    toolgate.parseRule("Bash", "deny", "cliArg"),
    toolgate.mergeRuleSets({ allow: [toolgate.parseRule("Bash(a)", "allow", "config")] }),
    toolgate.Policy.check({ rules: { allow: ["Bash(npm publish:*)", ""] } }),
  ];
  policy.free();
  for (const output of outputs) {
    assert.deepEqual([...odd(output)], []);
    assert.deepEqual(structuredClone(output), output);
    assert.deepEqual(JSON.parse(JSON.stringify(output)), output);
  }
});

test("a freed policy says so, and freeing twice is harmless", () => {
  const policy = new toolgate.Policy({});
  policy.free();
  policy.free();
  assert.throws(() => policy.decide({ tool: "Bash" }), (error) => error instanceof Error && !(error instanceof WebAssembly.RuntimeError));
  assert.equal(typeof new toolgate.Policy({})[Symbol.dispose], "function");
});
