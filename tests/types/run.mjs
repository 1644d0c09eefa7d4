// Proves that the package's declarations are assignable to the contract `api.d.ts`, for everything that exists.
// What is still missing stands in `missing.txt`; a list that is not exact is a failure. `node run.mjs TARBALL [--accept]`
import { existsSync, mkdtempSync, readFileSync, rmSync, copyFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { install } from "../consumers/install.mjs";
import { proofs } from "./proofs.mjs";

const [tarball, flag] = process.argv.slice(2);
const here = fileURLToPath(new URL(".", import.meta.url));
const missingFile = join(here, "missing.txt");

const options = {
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ["lib.es2022.d.ts", "lib.esnext.disposable.d.ts", "lib.dom.d.ts"],
  types: [],
};

/** The entries of the package that the contract speaks of, as far as they exist. */
function entriesOf(dir) {
  const { exports } = JSON.parse(readFileSync(join(dir, "node_modules/toolgate/package.json"), "utf8"));
  return ["toolgate", ...("./node" in exports ? ["toolgate/node"] : [])];
}

function report(diagnostic) {
  const written = ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n  ");
  // Both sides have the same names; the kind of import is noise, the file says which side is meant.
  const message = written.replace(/import\("[^"]*\/(\w+)"(?:, [^)]*)?\)\./g, "$1:");
  if (diagnostic.file === undefined) return message;
  const { line } = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start);
  const text = diagnostic.file.text.split("\n")[line];
  return `${text}\n  ${message}`;
}

const dir = mkdtempSync(join(tmpdir(), "toolgate-types-"));
let complaints = [];
let proven = 0;
try {
  install(tarball, dir);
  copyFileSync(join(here, "api.d.ts"), join(dir, "contract.d.ts"));
  const entry = join(dir, "entry.ts");
  writeFileSync(join(dir, "ours.ts"), entriesOf(dir).map((name) => `export type * from "${name}";\n`).join(""));
  writeFileSync(entry, 'export type * as contract from "./contract.js";\nexport type * as ours from "./ours.js";\n');
  const { missing, lines } = proofs(ts.createProgram([entry], options), entry);
  proven = lines.length;

  const check = join(dir, "check.ts");
  const head = 'import type * as contract from "./contract.js";\nimport type * as ours from "./ours.js";\ndeclare const any: unknown;\n';
  writeFileSync(check, `${head}${lines.join("\n")}\n`);
  complaints = ts.getPreEmitDiagnostics(ts.createProgram([check], options)).map(report);

  if (flag === "--accept") writeFileSync(missingFile, missing.map((name) => `${name}\n`).join(""));
  const known = existsSync(missingFile) ? readFileSync(missingFile, "utf8").split("\n").filter(Boolean) : [];
  complaints.push(...missing.filter((name) => !known.includes(name)).map((name) => `${name}: missing, and not in missing.txt`));
  complaints.push(...known.filter((name) => !missing.includes(name)).map((name) => `${name}: in missing.txt, but it exists`));
} finally {
  rmSync(dir, { recursive: true, force: true });
}

for (const complaint of complaints) console.log(complaint);
if (complaints.length > 0 || proven === 0) {
  console.log(`${complaints.length} failed`);
  process.exit(1);
}
console.log(`${proven} passed`);
