// A Worker in real workerd.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { build } from "vite";

/**
 * Bundles `worker.mjs` of a folder of `dir` as a bundler for workers does it: the package's `workerd` entry, and the module beside the
 * script. Gives the lines that it answers to a request for `path`.
 */
export async function linesOfWorker(dir, folder, path = "/", plugins = []) {
  const outDir = join(dir, folder, "out");
  const beside = {
    name: "module-beside-the-script",
    enforce: "pre",
    resolveId: (id) => (id.endsWith(".wasm") ? { id: "./toolgate.wasm", external: true } : undefined),
  };
  await build({
    root: join(dir, folder),
    configFile: false,
    logLevel: "error",
    plugins: [beside, ...plugins],
    ssr: { target: "webworker", noExternal: true, resolve: { conditions: ["workerd", "worker"] } },
    build: { ssr: "worker.mjs", outDir, rollupOptions: { output: { entryFileNames: "worker.mjs" } } },
  });
  const modules = [
    { type: "ESModule", path: "worker.mjs", contents: readFileSync(join(outDir, "worker.mjs"), "utf8") },
    { type: "CompiledWasm", path: "toolgate.wasm", contents: readFileSync(join(dir, "node_modules/toolgate/toolgate.wasm")) },
  ];
  const miniflare = new Miniflare({ modules, compatibilityDate: "2026-01-01", cf: false });
  try {
    const response = await miniflare.dispatchFetch(`http://localhost${path}`);
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text.split("\n");
  } finally {
    await miniflare.dispose();
  }
}
