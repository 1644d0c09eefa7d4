// What others would use, from the repository's development dependencies: this file runs beside the installed package, which
// has none.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(join(process.env.TOOLGATE_ROOT, "package.json"));
const load = (name) => import(pathToFileURL(require.resolve(name)));

export const { parse } = await load("unbash");
export const { default: picomatch } = await load("picomatch");
export const { default: ignore } = await load("ignore");
