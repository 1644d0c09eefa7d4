// The properties are set before the element is defined: it has to find them when it is upgraded.
import { calls, config, state } from "./settings.js";

const element = document.querySelector("toolgate-preview");
Object.assign(element, { config, calls, state, mode: "default" });
globalThis.told = [];
for (const type of ["toolgate-change", "toolgate-calls", "toolgate-decide"]) {
  document.addEventListener(type, ({ detail }) => told.push({ type, detail }));
}
await import("./toolgate/element.js");
