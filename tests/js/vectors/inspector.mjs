// The file inspector of `toolgate/node`, on a tree that is made for each vector.
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Makes a tree below `root`. */
function plant(root, tree) {
  for (const { path, text, link, hardLinkTo, directory, fifo } of tree) {
    const place = join(root, path);
    mkdirSync(dirname(place), { recursive: true });
    if (text !== undefined) writeFileSync(place, text);
    else if (link !== undefined) symlinkSync(link, place);
    else if (hardLinkTo !== undefined) linkSync(join(root, hardLinkTo), place);
    else if (directory) mkdirSync(place, { recursive: true });
    else if (fifo) execFileSync("mkfifo", [place]);
    else throw new Error(`${path} is nothing that is known`);
  }
}

/** Runs `use` on a fresh root with that tree. */
export async function withTree(tree, use) {
  const outer = mkdtempSync(join(tmpdir(), "toolgate-files-"));
  const root = join(outer, "root");
  mkdirSync(root);
  try {
    plant(root, tree);
    return await use(root);
  } finally {
    rmSync(outer, { recursive: true, force: true });
  }
}

export function inspector({ createFileInspector }, { tree, inspect, stat }) {
  return withTree(tree, async (root) => {
    const { statFile, inspectFile } = createFileInspector(root);
    const { signal } = new AbortController();
    if (stat !== undefined) {
      return statFile(stat, signal).then(
        (returns) => ({ returns }),
        () => ({ rejects: true }),
      );
    }
    const { bytes, before, ...answer } = await inspectFile(inspect, 8193, signal);
    if (bytes === undefined) return answer;
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { ...answer, bytes: bytes.length, text, size: before.size, nlink: before.nlink };
  });
}
