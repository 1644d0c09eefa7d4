// workerd compiles no bytes at run time: the module comes in as an import.
import module from "./toolgate.wasm";
import { startSync } from "./instance.js";

startSync(module);

export * from "./api.js";
export async function init() {}
