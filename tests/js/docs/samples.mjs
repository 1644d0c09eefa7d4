// The samples of the documents: fenced blocks, each of a language that says how it is tried.
//
//   js, ts        a module; its lines of comment are what the lines before them print. `js worker` answers a request,
//                 `js browser` has nothing of a browser's but `init`, which Node has as well
//   sh            lines for a shell; its lines of comment are what the lines before them print, on both outputs
//   sh typed      what a person types elsewhere: the installation, or a verb of `cargo xtask` that exists
//   json, jsonl   with a name: a file that later samples of the page find
//   html, jsx, vue, `ts react`   what only a page can run (`tests/element` does): its script parses, and imports what there is
//   yaml          a workflow, whose lines a test of the command runs
//   text          a picture
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after } from "node:test";
import { pathToFileURL } from "node:url";

/** Beside `node_modules`, so that samples import the package by its name. */
const here = join(import.meta.dirname, "..");
const root = process.env.TOOLGATE_ROOT;
assert.ok(root, "TOOLGATE_ROOT names the repository");

/** The samples of a page, in order: `{ language, about, text, line }`. */
export function samplesOf(page) {
  const found = [];
  let open;
  page.split("\n").forEach((line, at) => {
    const fence = /^```(.*)$/.exec(line);
    if (open === undefined && fence !== null) {
      const [language, about = ""] = fence[1].split(" ");
      open = { language, about, line: at + 1, lines: [] };
    } else if (open !== undefined && line === "```") {
      const { lines, ...rest } = open;
      found.push({ ...rest, text: `${lines.join("\n")}\n` });
      open = undefined;
    } else open?.lines.push(line);
  });
  assert.equal(open, undefined, "a fence is never closed");
  return found;
}

/** A folder for the samples of one page. */
export function folder() {
  const dir = mkdtempSync(join(here, "page-"));
  after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const ts = createRequire(join(root, "package.json"))("typescript");
const RUN = { js: javascript, ts: typescript, sh: shell, json: data, jsonl: data, html: page, vue: page, jsx: page };
const NOT_RUN = ["yaml", "text"];

/** Tries one sample in the folder of its page. */
export async function run({ language, about, text }, dir) {
  if (NOT_RUN.includes(language)) return;
  assert.ok(Object.hasOwn(RUN, language), `nobody knows how to try a sample of \`${language}\``);
  await RUN[language](text, about, dir);
}

function data(text, name, dir) {
  assert.match(name, /^[a-z][\w-]*\.(json|jsonl|jsonc)$/, "a sample of data has a name");
  writeFileSync(join(dir, name), text);
}

/** What the lines of comment say is printed. */
function says(text, mark) {
  return text.split("\n").flatMap((line) => (line === mark || line.startsWith(`${mark} `) ? [line.slice(mark.length + 1)] : []));
}

function printed(text) {
  return text.trimEnd().split("\n").map((line) => line.trimEnd());
}

async function javascript(text, place, dir) {
  const file = join(dir, "sample.mjs");
  writeFileSync(file, text);
  assert.match(text, /from "toolgate/, "a sample shows the import");
  if (place === "worker") return answers(file);
  assert.ok(["", "browser"].includes(place), `no such place: ${place}`);
  const expected = says(text, "//");
  assert.ok(expected.length > 0, "a sample says what it prints");
  assert.deepEqual(printed(execFileSync(process.execPath, [file], { cwd: dir, encoding: "utf8" })), expected);
}

/** A worker answers with a decision. */
async function answers(file) {
  const { default: worker } = await import(`${pathToFileURL(file)}?${Math.random()}`);
  const call = { tool: "WebFetch", arguments: { url: "https://a.internal.example/" } };
  const response = await worker.fetch(new Request("https://example.com/", { method: "POST", body: JSON.stringify(call) }));
  assert.equal((await response.json()).kind, "deny");
}

/** A script, or the one inside of a page or component. */
function page(text) {
  const [, script] = /<script[^>]*>\n([^]*?)<\/script>/.exec(text) ?? [undefined, text];
  const options = { reportDiagnostics: true, fileName: "sample.tsx", compilerOptions: { jsx: ts.JsxEmit.Preserve, target: ts.ScriptTarget.ES2022 } };
  const { diagnostics } = ts.transpileModule(script, options);
  assert.deepEqual(diagnostics.map(({ messageText }) => messageText), []);
  const { exports } = JSON.parse(readFileSync(join(here, "node_modules/toolgate/package.json"), "utf8"));
  const entries = [...script.matchAll(/(?:import|from) "toolgate(.*?)"/g)].map(([, entry]) => `.${entry}`);
  assert.ok(entries.length > 0, "a sample shows the import");
  for (const entry of entries) assert.ok(Object.hasOwn(exports, entry), entry);
}

async function typescript(text, about, dir) {
  if (about === "react") return page(text);
  const file = join(dir, "sample.mts");
  writeFileSync(file, text);
  const options = {
    strict: true, noEmit: true, module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022, lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.esnext.disposable.d.ts"], types: [],
  };
  const program = ts.createProgram([file], options);
  const complaints = ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  assert.deepEqual(complaints, []);
  const { outputText } = ts.transpileModule(text, { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, removeComments: false } });
  // What is printed is said in the sample, not in what is left of it.
  writeFileSync(join(dir, "sample.mjs"), outputText);
  assert.deepEqual(printed(execFileSync(process.execPath, [join(dir, "sample.mjs")], { cwd: dir, encoding: "utf8" })), says(text, "//"));
}

function shell(text, about, dir) {
  if (about === "typed") return typed(text);
  if (text.startsWith("#!")) {
    // A script of its own; what it does is another test's.
    execFileSync("sh", ["-n"], { input: text });
    return;
  }
  // The package is installed; `npx` would look for it anew each time, and that it finds it is asked of a real repository.
  const head = 'npx() { if [ "$1" = --no-install ]; then shift; fi; "$@"; }\n';
  const env = { ...process.env, PATH: `${join(here, "node_modules/.bin")}:${process.env.PATH}`, NO_COLOR: "1" };
  const { stdout } = spawnSync("bash", ["-c", `exec 2>&1\n${head}${text}`], { cwd: dir, env, encoding: "utf8" });
  assert.deepEqual(printed(stdout), says(text, "#").length === 0 ? [""] : says(text, "#"));
}

/** Every line is a verb that there is, or installs this package. */
function typed(text) {
  const known = [...readFileSync(join(root, "xtask/src/main.rs"), "utf8").matchAll(/name: "(\w+)"/g)].map(([, name]) => `cargo xtask ${name}`);
  const { name } = JSON.parse(readFileSync(join(here, "node_modules/toolgate/package.json"), "utf8"));
  const lines = text.trimEnd().split("\n").map((line) => line.split(" #")[0].trimEnd());
  assert.deepEqual(lines.filter((line) => ![...known, `npm install ${name}`].includes(line)), [], "verbs of cargo xtask, or the installation");
}
