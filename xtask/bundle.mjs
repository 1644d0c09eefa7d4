// Puts the libraries that a module names in the place of their names, and their licences above them.
// `node bundle.mjs FROM TO LIBRARY…`
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "vite";

const [from, to, ...libraries] = process.argv.slice(2);
const licences = libraries.map((library) => {
  const { name, version, license } = JSON.parse(readFileSync(`node_modules/${library}/package.json`, "utf8"));
  const text = readFileSync(`node_modules/${library}/LICENSE.md`, "utf8");
  return `/*!\n${name} ${version} (${license}):\n\n${text.trim()}\n*/\n`;
});
const [{ output }] = await build({
  configFile: false,
  logLevel: "warn",
  build: { write: false, minify: false, target: "es2022", lib: { entry: from, formats: ["es"] } },
});
const [{ code, imports, modules }, ...more] = output;
if (more.length > 0 || imports.length > 0) throw new Error(`${from} does not fit into one file`);
// A library whose licence is not named above must not come along.
const foreign = Object.keys(modules).filter((path) => path.includes("/node_modules/"));
const unnamed = foreign.filter((path) => !libraries.some((library) => path.includes(`/node_modules/${library}/`)));
if (unnamed.length > 0) throw new Error(`without a licence: ${unnamed.join(", ")}`);
// What the bundler says of its regions are paths of the folder that it ran in.
const plain = code.replace(/^\/\/#(?:end)?region.*\n/gmu, "");
writeFileSync(to, `${licences.join("")}${plain}`);
