// Faults through the packed package in Node, Chromium and workerd: the same cases, which have to come to the same lines everywhere, and to
// those of `expected.txt`. Traps and limits of the memory are forced in a test build of the module. `node run.mjs TARBALL [--accept]`
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { openPage } from "../consumers/browser.mjs";
import { linesOfWorker } from "../consumers/in_workerd.mjs";
import { install, linesOf } from "../consumers/install.mjs";
import { faulty } from "./faulty.mjs";

const [tarball, flag] = process.argv.slice(2);
const here = fileURLToPath(new URL(".", import.meta.url));
const expectedFile = join(here, "expected.txt");

/** By the build of the module. */
const GROUPS = { sound: ["objects", "callbacks", "reentry", "killed"], faulty: ["traps", "memory"] };

/** Helpers of the tests in Node name an assertion that the cases here do not use. */
const withoutNode = {
  name: "without-node",
  enforce: "pre",
  resolveId: (id) => (id.startsWith("node:") ? { id, external: true, moduleSideEffects: false } : undefined),
};

/** Each takes a folder where the package is installed, and names of groups; it gives the lines of their cases. */
const RUNTIMES = {
  Node: (dir, groups) => linesOf("node", ["faults/node.mjs", ...groups], dir),
  async Chromium(dir, groups) {
    const outDir = join(dir, "page");
    const worker = { format: "es", plugins: () => [withoutNode] };
    await build({ root: join(dir, "faults/page"), configFile: false, logLevel: "error", plugins: [withoutNode], worker, build: { outDir, target: "es2022" } });
    return openPage(outDir, `/index.html?groups=${groups}`, {}, 300_000);
  },
  workerd: (dir, groups) => linesOfWorker(dir, "faults", `/?groups=${groups}`, [withoutNode]),
};

/** The package in a folder of its own, with the cases beside it. */
function prepare(root, build) {
  const dir = join(root, build);
  mkdirSync(dir);
  install(tarball, dir);
  for (const name of ["faults", "js"]) cpSync(join(here, "..", name), join(dir, name), { recursive: true });
  const module = join(dir, "node_modules/toolgate/toolgate.wasm");
  if (build === "faulty") writeFileSync(module, faulty(readFileSync(module)));
  return dir;
}

const root = mkdtempSync(join(tmpdir(), "toolgate-faults-"));
const came = new Map(); // by case: the lines, by runtime
const complaints = [];
let [passed, tried] = [0, 0];
try {
  for (const [build, groups] of Object.entries(GROUPS)) {
    const dir = prepare(root, build);
    for (const [runtime, run] of Object.entries(RUNTIMES)) {
      const begun = performance.now();
      const counts = Object.fromEntries(groups.map((group) => [group, 0]));
      try {
        for (const text of await run(dir, groups)) {
          const { group, title, tried: values, line, failed } = JSON.parse(text);
          if (failed !== undefined) {
            complaints.push(`${runtime}, ${group}, ${title}: ${failed}`);
            continue;
          }
          const name = `${group}, ${title}`;
          if (!came.has(name)) came.set(name, new Map());
          came.get(name).set(runtime, JSON.stringify({ case: name, line }));
          counts[group] += 1;
          passed += 1;
          tried += values;
        }
      } catch (error) {
        complaints.push(`${runtime}: ${error.message}`);
      }
      const told = Object.entries(counts).map(([group, count]) => `${group} ${count}`);
      console.log(`${runtime}: ${told.join(", ")}, ${Math.round(performance.now() - begun)} ms`);
    }
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}

const [first] = Object.keys(RUNTIMES);
const lines = [...came.values()].map((by) => by.get(first)).filter((line) => line !== undefined);
if (flag === "--accept" && complaints.length === 0) writeFileSync(expectedFile, `${lines.join("\n")}\n`);
const expected = new Map(existsSync(expectedFile) ? readFileSync(expectedFile, "utf8").trimEnd().split("\n").map((line) => [JSON.parse(line).case, line]) : []);
// Workers that can be killed are not to be had everywhere.
const runtimesOf = (name) => Object.keys(RUNTIMES).filter((runtime) => runtime !== "workerd" || !name.startsWith("killed,"));
for (const name of new Set([...expected.keys(), ...came.keys()])) {
  for (const runtime of runtimesOf(name)) {
    const [line, other] = [came.get(name)?.get(runtime) ?? "nothing", expected.get(name) ?? "nothing"];
    if (line === other) continue;
    const at = Math.max([...line].findIndex((unit, at) => unit !== other[at]) - 80, 0);
    complaints.push(`${runtime}, ${name}, at ${at}:\n  expected ${other.slice(at, at + 300)}\n  came     ${line.slice(at, at + 300)}`);
  }
}
console.log(`${tried} faults tried`);
if (complaints.length > 0) {
  console.log(`${complaints.join("\n")}\n${complaints.length} failed`);
  process.exit(1);
}
console.log(`${passed} passed`);
