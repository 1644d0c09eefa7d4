// The licence texts of whatever a bundle is made of, written beside it.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Two plugins of Vite: `whole` writes `fileName`, of what `what` is made; `part` is for the bundles of its workers, which are made first,
 * and goes into the same file. A package without a licence text ends the build.
 */
export function licences(fileName, what) {
  const folders = new Set();
  const take = (bundle) => foreign(bundle).forEach((id) => folders.add(packageOf(id)));
  const part = { name: "licences-of-workers", generateBundle: (_options, bundle) => take(bundle) };
  const whole = {
    name: "licences",
    generateBundle(_options, bundle) {
      take(bundle);
      const entries = [...folders].map(entry).sort((a, b) => (a.title < b.title ? -1 : 1));
      if (entries.length === 0) this.error("the bundle is made of no package");
      const list = entries.map(({ title }) => `- ${title}\n`).join("");
      const texts = entries.map(({ title, text }) => `\n${"─".repeat(78)}\n${title}\n\n${text.trim()}\n`).join("");
      this.emitFile({ type: "asset", fileName, source: `${what} contains parts of these packages:\n\n${list}${texts}` });
    },
  };
  return { whole, part };
}

/** The modules of a bundle that are of packages. */
function foreign(bundle) {
  const ids = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
  return ids.filter((id) => id.includes("/node_modules/")).map((id) => id.replace(/^\0/, ""));
}

/** The folder of the package that a module belongs to. */
function packageOf(id) {
  let folder = dirname(id);
  while (!isPackage(folder)) folder = dirname(folder);
  return folder;
}

/** Some packages have further `package.json` files inside, which name nothing. */
function isPackage(folder) {
  const manifest = join(folder, "package.json");
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version !== undefined;
}

function entry(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined || license === undefined) throw new Error(`${name} has no licence text`);
  return { title: `${name} ${version} (${license})`, text: readFileSync(join(folder, file), "utf8") };
}
