// Pages of three makes that use the packed package as their users would: without a bundler, with React, with Vue. Each is put into a
// folder of its own, to be served.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { install } from "../consumers/install.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const tool = (name) => here(`../../node_modules/${name}`);

/** Where a host's bundler finds the frameworks; the package itself lies in the host's own folder. */
const FRAMEWORKS = {
  react: [
    { find: /^react(?=\/|$)/, replacement: tool("react") },
    { find: /^react-dom(?=\/|$)/, replacement: tool("react-dom") },
  ],
  vue: [{ find: /^vue$/, replacement: tool("vue/dist/vue.runtime.esm-bundler.js") }],
};

/** Builds a host against a tarball; where its page is, and what takes it away. */
export async function makeHost(name, tarball) {
  const dir = mkdtempSync(join(tmpdir(), "toolgate-element-"));
  const remove = () => rmSync(dir, { recursive: true, force: true });
  try {
    cpSync(here(name), dir, { recursive: true });
    for (const file of ["settings.js", "page.css", "icon.svg"]) cpSync(here(file), join(dir, file));
    install(tarball, dir);
    if (name in FRAMEWORKS) return { folder: await bundled(dir, name), dir, remove };
    cpSync(join(dir, "node_modules/toolgate"), join(dir, "toolgate"), { recursive: true });
    return { folder: dir, dir, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

async function bundled(root, name) {
  const outDir = join(root, "dist");
  await build({
    root,
    configFile: false,
    logLevel: "error",
    resolve: { alias: FRAMEWORKS[name] },
    define: { __VUE_OPTIONS_API__: "false", __VUE_PROD_DEVTOOLS__: "false", __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false" },
    oxc: { jsx: { runtime: "automatic" } },
    // The page's policy allows no `data:`, and no inline code.
    build: { outDir, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  });
  return outDir;
}
