// The page is built against a folder of the assembled package, and can be put anywhere.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { licences } from "../element/licences.js";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { whole, part } = licences("licenses.txt", "This page");
const toolgate = process.env.TOOLGATE_PACKAGE ?? here("../dist/package");

export default defineConfig({
  root: here("."),
  base: "./",
  logLevel: "warn",
  resolve: { alias: { toolgate: `${toolgate}/browser.js` } },
  plugins: [whole],
  worker: { format: "es", plugins: () => [part] },
  build: {
    outDir: here("../dist/www"),
    emptyOutDir: true,
    // Nothing may be inlined: the policy allows no `data:`.
    assetsInlineLimit: 0,
    // An editor is large, whichever it is.
    chunkSizeWarningLimit: 800,
    modulePreload: { polyfill: false },
    target: "es2022",
  },
});
