// Installs the packed package once, lets every kind of consumer run the same cases on it, and compares what they print:
// with one another, and with `expected.txt`. `node run.mjs TARBALL [--accept]`
import { mkdtempSync, rmSync, cpSync, readFileSync, writeFileSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { consumers } from "./consumers.mjs";
import { install } from "./install.mjs";

const [tarball, flag] = process.argv.slice(2);
const here = fileURLToPath(new URL(".", import.meta.url));
const expectedFile = join(here, "expected.txt");

const dir = mkdtempSync(join(tmpdir(), "toolgate-consumers-"));
const printed = new Map();
let failed = 0;
try {
  cpSync(here, dir, { recursive: true });
  install(tarball, dir);
  for (const [name, run] of Object.entries(consumers)) {
    const begun = performance.now();
    try {
      printed.set(name, await run(dir));
      console.log(`${name}: ${printed.get(name).length} lines, ${Math.round(performance.now() - begun)} ms`);
    } catch (error) {
      failed++;
      console.log(`${name}: FAILED\n${error?.message ?? error}`);
    }
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}

if (flag === "--accept" && printed.size > 0) {
  writeFileSync(expectedFile, `${printed.values().next().value.join("\n")}\n`);
}
const expected = existsSync(expectedFile) ? readFileSync(expectedFile, "utf8").trimEnd().split("\n") : [];
if (expected.length < 21) {
  failed++;
  console.log(`expected.txt has ${expected.length} lines, not one for each case`);
}
for (const [name, lines] of printed) {
  const at = Array.from({ length: Math.max(lines.length, expected.length) }).findIndex((_, n) => lines[n] !== expected[n]);
  if (at < 0) continue;
  failed++;
  console.log(`${name}: line ${at + 1} differs\n  expected ${expected[at]}\n  came     ${lines[at]}`);
}
if (failed > 0) {
  console.log(`${failed} failed`);
  process.exit(1);
}
console.log(`${printed.size} passed`);
