// The Worker in workerd, on this machine: bundled as for a deployment, its storage in a folder.
import { cpSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";
import { build } from "vite";

const here = fileURLToPath(new URL("..", import.meta.url));

export const TOKEN = "only-for-this-machine";

/** A copy of the example beside `node_modules/toolgate`, which `install` puts there. */
export function copyOf(install) {
  const dir = mkdtempSync(join(tmpdir(), "toolgate-edge-"));
  cpSync(join(here, "src"), join(dir, "src"), { recursive: true });
  cpSync(join(here, "bench"), join(dir, "bench"), { recursive: true });
  install(dir);
  return dir;
}

/** Bundles a file of the copy; the module of toolgate lies beside the script, as Workers have it. */
async function bundle(dir, entry) {
  const outDir = join(dir, "out", entry.replace(/\W/g, "-"));
  const beside = {
    name: "module-beside-the-script",
    enforce: "pre",
    resolveId: (id) => (id.endsWith(".wasm") ? { id: "./toolgate.wasm", external: true } : undefined),
  };
  await build({
    root: dir,
    configFile: false,
    logLevel: "error",
    plugins: [beside],
    ssr: { target: "webworker", noExternal: true, resolve: { conditions: ["workerd", "worker"] } },
    build: { ssr: entry, outDir, rollupOptions: { output: { entryFileNames: "worker.mjs" } } },
  });
  return [
    { type: "ESModule", path: "worker.mjs", contents: readFileSync(join(outDir, "worker.mjs"), "utf8") },
    { type: "CompiledWasm", path: "toolgate.wasm", contents: readFileSync(join(dir, "node_modules/toolgate/toolgate.wasm")) },
  ];
}

/**
 * Starts it. `model` answers what the Worker asks its model, a function of a request; what Durable Objects store lies below `storage`, so that
 * a second start finds what the first one left. `isInspected` lets its heap be looked at.
 */
export async function serve(dir, { entry = "src/worker.mjs", model, storage, isInspected = false }) {
  const miniflare = new Miniflare({
    modules: await bundle(dir, entry),
    compatibilityDate: "2026-01-01",
    cf: false,
    inspectorPort: isInspected ? 0 : undefined,
    bindings: { TOKEN },
    durableObjects: { SESSIONS: { className: "Session", useSQLite: true } },
    durableObjectsPersist: storage,
    serviceBindings: model === undefined ? {} : { MODEL: model },
  });
  const url = await miniflare.ready;
  const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
  return {
    url,
    headers,
    /** One request, over HTTP; its status and what it gave. */
    async ask(session, what, body) {
      const method = body === undefined ? "GET" : "POST";
      const response = await fetch(new URL(`/sessions/${session}/${what}`, url), { method, headers, body: body && JSON.stringify(body) });
      return { status: response.status, ...(await response.json()) };
    },
    inspector: () => miniflare.getInspectorURL(),
    stop: () => miniflare.dispose(),
  };
}
