// The consumers: each takes the folder that the package is installed in, and gives the lines that it printed.
import { createRequire } from "node:module";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { openPage } from "./browser.mjs";
import { entry, linesOf } from "./install.mjs";
import { linesOfWorker } from "./in_workerd.mjs";

const require = createRequire(import.meta.url);
const root = new URL("../../", import.meta.url).pathname;
const tool = (name) => join(root, "node_modules/.bin", name);

/** Bun's own program: npm runs no install script, so the package's `bin` is only a note that says so. */
function bun() {
  const scope = join(root, "node_modules/@oven");
  const programs = readdirSync(scope).map((name) => join(scope, name, "bin/bun"));
  const works = (program) => existsSync(program) && spawnSync(program, ["--version"]).status === 0;
  const program = programs.find(works);
  if (program === undefined) throw new Error(`none of these runs here: ${programs.join(" ")}`);
  return program;
}

const tsc = join(require.resolve("typescript"), "../tsc.js");
const STRICT = ["--strict", "--target", "es2022", "--lib", "es2022,esnext.disposable,dom"];

/** Compiles one file, runs what comes out. */
async function typescript(dir, file, name, module, resolution) {
  const out = join(dir, "typescript", `out-${name}`);
  const options = ["--module", module, "--moduleResolution", resolution, "--outDir", out, "--rootDir", dir, "--allowJs", "false"];
  await linesOf("node", [tsc, ...STRICT, ...options, file], join(dir, "typescript"));
  // The cases are no source of the compiler's; they lie where the compiled file looks for them.
  writeFileSync(join(out, "cases.mjs"), readFileSync(join(dir, "cases.mjs")));
  const compiled = join(out, "typescript", file.replace(/ts$/, "js"));
  return linesOf("node", ["--no-warnings", compiled], dir);
}

async function vite(dir) {
  const outDir = join(dir, "vite/dist");
  await build({ root: join(dir, "vite"), configFile: false, logLevel: "error", build: { outDir } });
  return openPage(outDir, "/index.html");
}

export const consumers = {
  "Node, import": (dir) => linesOf("node", ["node-esm/main.mjs"], dir),
  "Node, require": (dir) => linesOf("node", ["--no-warnings", "node-require/main.cjs"], dir),
  Deno: (dir) =>
    linesOf(tool("deno"), ["run", "--quiet", "--no-remote", "--node-modules-dir=manual", "--allow-read", "deno/main.mjs"], dir, {
      DENO_DIR: join(dir, ".deno"),
      DENO_NO_UPDATE_CHECK: "1",
    }),
  Bun: (dir) => linesOf(bun(), ["run", "bun/main.mjs"], dir),
  workerd: (dir) => linesOfWorker(dir, "workerd"),
  "a page under a policy": (dir) => {
    const browser = entry(dir, ["browser", "import"]);
    return openPage(dir, "/page/index.html", { "/toolgate": `/node_modules/toolgate/${browser}` });
  },
  "a Vite build": vite,
  "TypeScript, node16": (dir) => typescript(dir, "main.ts", "node16", "node16", "node16"),
  "TypeScript, nodenext": (dir) => typescript(dir, "main.ts", "nodenext", "nodenext", "nodenext"),
  "TypeScript, bundler": (dir) => typescript(dir, "main.ts", "bundler", "esnext", "bundler"),
  "TypeScript, nodenext, CommonJS": (dir) => typescript(dir, "common.cts", "cjs", "nodenext", "nodenext"),
};
