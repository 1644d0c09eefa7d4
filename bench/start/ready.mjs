// Milliseconds of what the package does to be ready where it is imported by Node, its JavaScript being there: the module is
// read, compiled and instantiated.
import { readFileSync } from "node:fs";
import { initSync } from "../node_modules/toolgate/core.js";

const begun = performance.now();
initSync({ module: readFileSync(new URL("../node_modules/toolgate/toolgate.wasm", import.meta.url)) });
console.log(performance.now() - begun);
