// What others would use, from the repository's development dependencies: this file runs beside the installed package, which
// has none.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const root = process.env.TOOLGATE_ROOT;
const require = createRequire(join(root, "package.json"));

/** The address of a package's module; `file` names it where only `import` may ask for it. */
export const addressOf = (name, file) => pathToFileURL(file ? join(root, "node_modules", name, file) : require.resolve(name)).href;

export const versionOf = (name) => JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")).version;

/** Addresses of what is imported; each of them starts alone in `starting.mjs`. */
export const PEERS = {
  unbash: addressOf("unbash"),
  picomatch: addressOf("picomatch"),
  ignore: addressOf("ignore"),
  "cc-safety-net": addressOf("cc-safety-net", "dist/api.js"),
  Cedar: addressOf("@cedar-policy/cedar-wasm/nodejs"),
  casbin: addressOf("casbin"),
};

export const { parse } = await import(PEERS.unbash);
export const { default: picomatch } = await import(PEERS.picomatch);
export const { default: ignore } = await import(PEERS.ignore);
export const { checkCommand } = await import(PEERS["cc-safety-net"]);
export const { default: cedar } = await import(PEERS.Cedar);
export const { default: casbin } = await import(PEERS.casbin);
