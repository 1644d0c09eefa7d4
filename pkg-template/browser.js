// Browsers fetch the module next to this script, or take what they are given.
import { start } from "./instance.js";

export * from "./api.js";
export function init(source) {
  return start(source ?? new URL("./toolgate.wasm", import.meta.url));
}
