// Until the package is ready, each time in a process or a browser of its own; and the import as a whole, beside others'.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { median } from "./clock.mjs";
import { PEERS } from "./peers.mjs";
import { promised, row } from "./rows.mjs";

const PROCESSES = 15;
const BROWSERS = 7;

/** What a host imports: name, and addresses that are imported together. */
const STARTED = [
  ["toolgate", import.meta.resolve("toolgate")],
  ["unbash + picomatch + ignore", PEERS.unbash, PEERS.picomatch, PEERS.ignore],
  ...["cc-safety-net", "Cedar", "casbin"].map((name) => [name, PEERS[name]]),
];

/** Nanoseconds that a script of `start/` tells, in a process of its own. */
function told(name, ...texts) {
  const script = join(import.meta.dirname, "start", name);
  return Number(execFileSync(process.execPath, [script, ...texts], { encoding: "utf8" })) * 1e6;
}

export async function starting() {
  const rounds = Array.from({ length: PROCESSES }, () => STARTED.map(([, ...addresses]) => told("import.mjs", ...addresses)));
  const times = STARTED.map((_, at) => ({
    nanoseconds: median(rounds.map((round) => round[at])),
    ratio: median(rounds.map((round) => round[0] / round[at])),
  }));
  const [own, ...peers] = times;
  const imports = peers.map((time, at) => row("import in Node", STARTED[at + 1][0], [time, { ...own, ratio: time.ratio }], { peer: true }));
  const ready = median(Array.from({ length: PROCESSES }, () => told("ready.mjs")));
  return [...imports, promised("be ready in Node", ready, 10e6), promised("be ready in Chromium", await inBrowsers(), 30e6)];
}

async function inBrowsers() {
  const { openPage } = await import(pathToFileURL(join(process.env.TOOLGATE_ROOT, "tests/consumers/browser.mjs")));
  const all = [];
  for (let n = 0; n < BROWSERS; n++) {
    const [line] = await openPage(import.meta.dirname, "/start/page.html");
    all.push(Number(line) * 1e6);
  }
  return median(all);
}
