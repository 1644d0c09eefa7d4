// Node, Deno and Bun: the module is read at import, so the package is ready when the import is.
import { readFileSync } from "node:fs";
import { startSync } from "./instance.js";

startSync(readFileSync(new URL("./toolgate.wasm", import.meta.url)));

export * from "./api.js";
export async function init() {}
