// The file inspector of `toolgate/node` on a real file system.
import assert from "node:assert/strict";
import { chmodSync, existsSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import * as promises from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createFileInspector } from "toolgate/node";
import { argument, assertRefused } from "./bad-input/alive.mjs";
import { withTree } from "./vectors/inspector.mjs";

const { signal } = new AbortController();

/** What is said of a path: the text, or the status with its reason. */
async function look(root, path) {
  const { statFile, inspectFile } = createFileInspector(root);
  const { status, reason, bytes } = await inspectFile(path, 8193, signal);
  const told = reason ?? (bytes === undefined ? status : `: ${new TextDecoder().decode(bytes)}`);
  // Sizes are told of exactly what can be read, and of what is missing.
  const size = await statFile(path, signal).catch(({ code }) => code);
  if (status === "file") assert.ok(size.size >= 0);
  else assert.equal(size ?? "missing", told);
  return told;
}

test("plain files, in the root and below", () =>
  withTree([{ path: "a.mjs", text: "1" }, { path: "x/y/é b.ts", text: "ü" }, { path: "empty.js", text: "" }], async (root) => {
    assert.equal(await look(root, "a.mjs"), ": 1");
    assert.equal(await look(root, "x/y/é b.ts"), ": ü");
    assert.equal(await look(root, "empty.js"), ": ");
    const { before, after, ...rest } = await createFileInspector(root).inspectFile("a.mjs", 8193, signal);
    assert.deepEqual(Object.keys(rest), ["status", "bytes"]);
    assert.deepEqual(before, after);
    assert.ok(Object.values(before).every((value) => typeof value === "number" || /^\d+$/.test(value)));
  }));

test("links: of the file, of a folder on the way, to nothing, out of the project, around in a circle", () =>
  withTree(
    [
      { path: "a.mjs", text: "1" },
      { path: "../out.mjs", text: "2" },
      { path: "leaf.mjs", link: "a.mjs" },
      { path: "gone.mjs", link: "nothing" },
      { path: "out.mjs", link: "../out.mjs" },
      { path: "circle.mjs", link: "circle.mjs" },
      { path: "real/b.mjs", text: "3" },
      { path: "parent", link: "real" },
      { path: "deep/one/two", link: "../../real" },
      { path: "up", link: ".." },
    ],
    async (root) => {
      for (const path of ["leaf.mjs", "gone.mjs", "out.mjs", "circle.mjs", "parent/b.mjs", "deep/one/two/b.mjs", "up/out.mjs"]) {
        assert.equal(await look(root, path), "symlink", path);
      }
    },
  ));

test("what is no regular file with one name", () =>
  withTree(
    [
      { path: "a.mjs", text: "1" },
      { path: "hard.mjs", hardLinkTo: "a.mjs" },
      { path: "pipe.mjs", fifo: true },
      { path: "folder.mjs", directory: true },
      { path: "file", text: "x" },
    ],
    async (root) => {
      assert.equal(await look(root, "a.mjs"), "hard-link");
      assert.equal(await look(root, "hard.mjs"), "hard-link");
      assert.equal(await look(root, "pipe.mjs"), "not-a-file");
      assert.equal(await look(root, "folder.mjs"), "not-a-file");
      assert.equal(await look(root, "file/x.mjs"), "not-a-file");
      assert.equal(await look(root, "pipe.mjs/x.mjs"), "not-a-file");
      assert.equal(await look(root, "missing.mjs"), "missing");
      assert.equal(await look(root, "missing/x.mjs"), "missing");
    },
  ));

test("a worktree or another repository inside is not this project", () =>
  withTree(
    [
      { path: ".git/HEAD", text: "ref: x\n" },
      { path: "a.mjs", text: "1" },
      { path: "wt/.git", text: "gitdir: elsewhere\n" },
      { path: "wt/a.mjs", text: "2" },
      { path: "sub/.git/HEAD", text: "ref: x\n" },
      { path: "sub/lib/a.mjs", text: "3" },
      { path: "odd/.git", link: "nothing" },
      { path: "odd/a.mjs", text: "4" },
    ],
    async (root) => {
      assert.equal(await look(root, "a.mjs"), ": 1");
      for (const path of ["wt/a.mjs", "sub/lib/a.mjs", "odd/a.mjs"]) assert.equal(await look(root, path), "worktree", path);
    },
  ));

test("names are folded before any file is looked at", () =>
  withTree([{ path: "Secrets/a.js", text: "1" }, { path: ".ENV", text: "A=1" }, { path: "A.MJS", text: "1" }], async (root) => {
    assert.equal(await look(root, "Secrets/a.js"), "credential-location");
    assert.equal(await look(root, ".ENV"), "credential-name");
    assert.equal(await look(root, ".Git/config"), "vcs-directory");
    assert.equal(await look(root, "A.MJS"), ": 1");
    // Where names differ by case only, the file system says whether they are one file.
    assert.equal(await look(root, "a.mjs"), existsSync(join(root, "a.mjs")) ? ": 1" : "missing");
  }));

test("what nobody may read", () =>
  withTree([{ path: "a.mjs", text: "1" }, { path: "shut/b.mjs", text: "2" }], async (root) => {
    chmodSync(join(root, "a.mjs"), 0);
    chmodSync(join(root, "shut"), 0);
    // For the superuser there is no such file; everyone else is refused.
    const isSuperuser = process.getuid?.() === 0;
    assert.equal(await look(root, "a.mjs"), isSuperuser ? ": 1" : "unreadable");
    assert.equal(await look(root, "shut/b.mjs"), isSuperuser ? ": 2" : "unreadable");
    chmodSync(join(root, "shut"), 0o755);
    const name = `${"x".repeat(300)}.mjs`;
    assert.equal(await look(root, name), "unreadable");
  }));

test("a huge file is read as far as it may be", () =>
  withTree([{ path: "big.mjs", text: "" }], async (root) => {
    truncateSync(join(root, "big.mjs"), 2 ** 40);
    const { bytes, before } = await createFileInspector(root).inspectFile("big.mjs", 8193, signal);
    assert.deepEqual([bytes.length, before.size], [8193, 2 ** 40]);
    for (const most of [-1, NaN, "x", 2 ** 60]) {
      const { status, bytes } = await createFileInspector(root).inspectFile("big.mjs", most, signal);
      assert.ok(status === "blocked" || bytes.length === 0, String(most));
    }
  }));

/** Runs `change` when a file is about to be opened, read or looked at again. */
async function meanwhile(moment, change, work) {
  const handle = await promises.open(new URL(import.meta.url));
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  const real = prototype[moment];
  let times = 0;
  prototype[moment] = async function (...given) {
    times += 1;
    if (times === 1) change();
    return real.apply(this, given);
  };
  try {
    return await work();
  } finally {
    prototype[moment] = real;
    assert.ok(times > 0, `${moment} was never called`);
  }
}

test("a file that is replaced, grows, shrinks or gets a second name on the way is not told as unchanged", async () => {
  const cases = {
    "replaced, before it is looked at": ["stat", (place) => (writeFileSync(`${place}.new`, "22"), renameSync(`${place}.new`, place))],
    "replaced, before it is read": ["read", (place) => (writeFileSync(`${place}.new`, "22"), renameSync(`${place}.new`, place))],
    "gone": ["read", (place) => rmSync(place)],
    "a link in its place": ["read", (place) => (rmSync(place), symlinkSync("/etc/hostname", place))],
    "a second name": ["read", (place) => linkSync(place, `${place}.other`)],
    "its folder replaced": ["read", (place) => (renameSync(join(place, ".."), join(place, "../../old")), mkdirSync(join(place, "..")), linkSync(join(place, "../../old/a.mjs"), place))],
  };
  for (const [title, [moment, change]] of Object.entries(cases)) {
    await withTree([{ path: "x/a.mjs", text: "1" }], async (root) => {
      const told = await meanwhile(moment, () => change(join(root, "x/a.mjs")), () => createFileInspector(root).inspectFile("x/a.mjs", 8193, signal));
      assert.deepEqual(told, { status: "blocked", reason: "changed" }, title);
    });
  }
  // What changes in place shows in the two looks at the open file: the core compares them.
  for (const [title, change] of Object.entries({ grown: (place) => truncateSync(place, 9_000), shrunk: (place) => truncateSync(place, 0) })) {
    await withTree([{ path: "a.mjs", text: "12" }], async (root) => {
      const told = await meanwhile("read", () => change(join(root, "a.mjs")), () => createFileInspector(root).inspectFile("a.mjs", 8193, signal));
      assert.equal(told.status, "file", title);
      assert.notEqual(told.before.size, told.after.size, title);
    });
  }
});

test("the root: its real path is taken once, and it has to stay", () =>
  withTree([{ path: "real/a.mjs", text: "1" }, { path: "link", link: "real" }], async (root) => {
    const { inspectFile } = createFileInspector(join(root, "link"));
    const read = async () => (await inspectFile("a.mjs", 8193, signal)).status;
    assert.equal(await read(), "file");
    rmSync(join(root, "link"));
    assert.equal(await read(), "file");
    renameSync(join(root, "real"), join(root, "moved"));
    assert.equal(await read(), "missing");
    mkdirSync(join(root, "real"));
    writeFileSync(join(root, "real/a.mjs"), "2");
    assert.deepEqual(await inspectFile("a.mjs", 8193, signal), { status: "blocked", reason: "changed" });
    for (const place of [join(root, "nowhere"), join(root, "moved/a.mjs"), "", undefined, 7]) {
      assertRefused(String(place), () => createFileInspector(place), argument("not-a-directory", ["projectRoot"]));
    }
  }));

test("an aborted signal, and paths that are none", () =>
  withTree([{ path: "a.mjs", text: "1" }], async (root) => {
    const { statFile, inspectFile } = createFileInspector(root);
    const aborted = AbortSignal.abort();
    await assert.rejects(statFile("a.mjs", aborted));
    assert.equal((await inspectFile("a.mjs", 8193, aborted)).status, "blocked");
    for (const path of [undefined, 7, {}, null]) {
      assert.equal((await inspectFile(path, 8193, signal)).status, "blocked");
      await assert.rejects(statFile(path, signal));
    }
    assert.equal((await inspectFile("a.mjs", 8193)).status, "file");
  }));
