// Reads evidence files on Node as the evidence contract demands (evidence.md section 12): inside the project, no links, one
// name, a fixed size, and nothing that changes on the way unseen.
//
//   lexical rules ─▶ look at each folder and the file ─▶ open without following ─▶ fstat ─▶ read ─▶ fstat ─▶ look again
//
// Whatever is in doubt is blocked; the core judges what comes out once more.
import { constants, lstatSync, realpathSync } from "node:fs";
import { access, lstat, open, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { argumentError } from "./errors.js";
import { checkEvidencePath } from "./node.js";

// Systems that lack a flag have no such links or pipes.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** `{ statFile, inspectFile }` for the host of an `EvidenceClassifier`; the root's real path is taken once. */
export function createFileInspector(projectRoot) {
  const root = rootOf(projectRoot);
  return {
    async statFile(path, signal) {
      const { file, reason } = await settled(async () => {
        const { file } = await look(root, path);
        await access(join(root.path, path), constants.R_OK);
        return { file };
      });
      signal?.throwIfAborted();
      if (reason === "missing") return undefined;
      if (reason !== undefined) throw Object.assign(new Error("the file is no evidence"), { code: reason });
      return { size: Number(file.size) };
    },

    async inspectFile(path, maxBytes, signal) {
      const { reason, ...inspection } = await settled(() => inspect(root, path, maxBytes, signal));
      if (reason === undefined) return { status: "file", ...inspection };
      return reason === "missing" ? { status: "missing" } : { status: "blocked", reason };
    },
  };
}

/** Why a file is not read: `missing`, or what `blocked` says. */
class Blocked extends Error {
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

function rootOf(projectRoot) {
  try {
    const path = realpathSync.native(projectRoot);
    const folder = lstatSync(path, { bigint: true });
    if (folder.isDirectory()) return { path, mark: markOf(folder) };
  } catch {
    // Says below what is wrong.
  }
  throw argumentError("not-a-directory", "the project root is no directory that can be read", ["projectRoot"]);
}

async function inspect(root, path, maxBytes, signal) {
  const seen = await look(root, path);
  const place = join(root.path, path);
  signal?.throwIfAborted();
  const handle = await open(place, FLAGS).catch((error) => {
    // It was there just now, and no link.
    throw new Blocked(error.code === "ENOENT" ? "changed" : reasonOf(error));
  });
  try {
    const before = await handle.stat({ bigint: true });
    if (markOf(before) !== markOf(seen.file)) throw new Blocked("changed");
    checkFile(before);
    const bytes = await read(handle, maxBytes);
    const after = await handle.stat({ bigint: true });
    const again = await look(root, path).catch(() => ({}));
    if (again.trail !== seen.trail) throw new Blocked("changed");
    const inside = relative(root.path, await realpath(place));
    if (isAbsolute(inside) || inside.split(sep)[0] === "..") throw new Blocked("symlink");
    return { bytes, before: statOf(before), after: statOf(after) };
  } finally {
    await handle.close();
  }
}

/** Looks at every folder on the way and at the file, following no link. `trail` tells them all from others. */
async function look(root, path) {
  const broken = checkEvidencePath(path);
  if (broken !== undefined) throw new Blocked(broken);
  if (markOf(await lstat(root.path, { bigint: true })) !== root.mark) throw new Blocked("changed");
  const names = path.split("/");
  let [place, trail] = [root.path, root.mark];
  for (const [at, name] of names.entries()) {
    place = join(place, name);
    const entry = await lstat(place, { bigint: true });
    trail += ` ${markOf(entry)}`;
    if (at === names.length - 1) return { file: checkFile(entry), trail };
    if (entry.isSymbolicLink()) throw new Blocked("symlink");
    if (!entry.isDirectory()) throw new Blocked("not-a-file");
    if (await exists(join(place, ".git"))) throw new Blocked("worktree");
  }
}

async function exists(place) {
  try {
    await lstat(place);
    return true;
  } catch (error) {
    if (error.code === "ENOENT") return false;
    throw error;
  }
}

function checkFile(entry) {
  if (entry.isSymbolicLink()) throw new Blocked("symlink");
  if (!entry.isFile()) throw new Blocked("not-a-file");
  if (entry.nlink === 0n) throw new Blocked("changed");
  if (entry.nlink !== 1n) throw new Blocked("hard-link");
  return entry;
}

/** At most `maxBytes`, however many there are. */
async function read(handle, maxBytes) {
  const bytes = new Uint8Array(maxBytes);
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

/** The result, or the reason in the place of what was thrown. */
async function settled(work) {
  try {
    return await work();
  } catch (error) {
    return { reason: error instanceof Blocked ? error.reason : reasonOf(error) };
  }
}

function reasonOf({ code }) {
  if (code === "ENOENT") return "missing";
  if (code === "ELOOP") return "symlink";
  return code === "ENOTDIR" || code === "ENXIO" || code === "EISDIR" ? "not-a-file" : "unreadable";
}

function markOf({ dev, ino }) {
  return `${dev}:${ino}`;
}

/** Numbers that are not exact as numbers go as decimal strings. */
function statOf({ dev, ino, size, nlink, mtimeNs, ctimeNs }) {
  const exact = (value) => (value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : String(value));
  return {
    dev: exact(dev),
    ino: exact(ino),
    size: Number(size),
    mtimeMs: Number(mtimeNs) / 1e6,
    ctimeMs: Number(ctimeNs) / 1e6,
    nlink: Number(nlink),
  };
}
