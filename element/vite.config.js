// The custom element, bundled into one module of an assembled package. The package itself stays outside of it: whoever imports
// both `toolgate` and `toolgate/element` has one core.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { licences } from "./licences.js";
import { withoutDocument } from "./without_document.js";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const outside = {
  name: "the-package-itself",
  enforce: "pre",
  resolveId: (id) => (id === "toolgate" ? { id: "./browser.js", external: true } : undefined),
};

export default defineConfig({
  root: here("."),
  logLevel: "warn",
  plugins: [outside, licences("element-licenses.txt", "The file element.js").whole, withoutDocument],
  build: {
    lib: { entry: here("src/toolgate_preview.js"), formats: ["es"], fileName: () => "element.js" },
    outDir: process.env.TOOLGATE_PACKAGE ?? here("../dist/package"),
    emptyOutDir: false,
    copyPublicDir: false,
    minify: true,
    target: "es2022",
    // Vite leaves white space in a library, for the sake of bundlers that look for what they can drop; nothing of this can be.
    rollupOptions: { output: { minify: true } },
  },
});
