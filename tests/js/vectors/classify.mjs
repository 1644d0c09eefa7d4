// The evidence classifier through the package: a fake host plays a script in virtual time (evidence.md section 1).
import { Clock, settle } from "./clock.mjs";

const LABELS = ["human-request", "restriction", "action", "memory", "history", "evidence-path", "evidence", "candidate"];

/** A callback of the fake host that waits. */
class Waiting {
  isOpen = true;
  constructor(name, signal, aborted) {
    this.name = name;
    this.promise = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
    signal?.addEventListener("abort", () => this.isOpen && aborted.push(name));
  }
  fulfil(value) {
    this.isOpen = false;
    this.resolve(value);
  }
  fail(reason) {
    this.isOpen = false;
    this.reject(reason);
  }
}

class World {
  calls = [];
  stats = [];
  inspected = [];
  identityChecks = 0;
  receipts = [];
  aborted = [];
  waiting = [];

  constructor({ files = {}, host = {} }) {
    this.files = files;
    this.host = host;
    this.identity = [...(host.identity ?? [])];
    this.identityDefault = true;
  }

  /** The host as the classifier sees it. */
  callbacks() {
    const callbacks = {
      callModel: (call, signal) => {
        this.calls.push(told(call));
        const waiting = this.wait(`model:${call.round}`, signal);
        if (this.host.modelCall?.[call.round] === "throw") throw new Error("no model");
        return waiting.promise;
      },
      statFile: (path, signal) => {
        this.stats.push(path);
        const waiting = this.wait(`stat:${this.stats.length}`, signal);
        const file = Object.hasOwn(this.files, path) ? this.files[path] : undefined;
        if (file === undefined) return waiting.fulfil(undefined) ?? waiting.promise;
        const size = "statSize" in file ? file.statSize : content(file).length;
        return this.play(waiting, size, () => sized(size));
      },
      inspectFile: (path, maxBytes, signal) => {
        if (maxBytes !== 8193) throw new Error(`${maxBytes} bytes`);
        this.inspected.push(path);
        const waiting = this.wait(`inspect:${this.inspected.length}`, signal);
        const given = "inspection" in this.files[path] ? this.files[path].inspection : "file";
        return this.play(waiting, given, () => this.inspection(path, given));
      },
      isCurrent: () => {
        this.identityChecks += 1;
        const waiting = this.wait(`identity:${this.identityChecks}`);
        const answer = this.identity.length > 0 ? this.identity.shift() : this.identityDefault;
        // What is answered at once is no promise.
        if (typeof answer === "boolean") return waiting.fulfil(answer) ?? answer;
        return this.play(waiting, answer, () => answer);
      },
      onLateReceipt: (receipt) => {
        this.receipts.push(receipt);
        if (this.host.receiptThrows) throw new Error("no receipt");
      },
    };
    for (const name of this.host.absent ?? []) delete callbacks[name];
    return callbacks;
  }

  wait(name, signal) {
    const waiting = new Waiting(name, signal, this.aborted);
    this.waiting.push(waiting);
    return waiting;
  }

  /** The last callback of a kind that was asked. */
  last(kind) {
    return this.waiting.findLast(({ name }) => name.startsWith(`${kind}:`));
  }

  play(waiting, word, answer) {
    if (word === "throw") {
      waiting.isOpen = false;
      throw new Error("no answer");
    }
    if (word === "reject") waiting.fail(new Error("no answer"));
    else if (word !== "held" && word !== "never") waiting.fulfil(answer());
    return waiting.promise;
  }

  inspection(path, answer) {
    if (answer !== "file") return answer;
    const file = this.files[path];
    const bytes = content(file);
    const position = Object.keys(this.files).indexOf(path);
    const stat = { dev: 1, ino: 100 + position, size: bytes.length, mtimeMs: 1000, ctimeMs: 1000, nlink: 1, ...file.before };
    return { status: "file", bytes, before: stat, after: { ...stat, ...file.after } };
  }

  /** Does what an entry says of an open callback. */
  settle(entry) {
    if ("modelReplies" in entry) this.last("model").fulfil(entry.modelReplies);
    else if ("modelRejects" in entry) this.last("model").fail(Object.assign(new Error(), entry.modelRejects));
    else if ("statSettles" in entry) this.last("stat").fulfil(sized(entry.statSettles));
    else if ("inspectionSettles" in entry) {
      this.last("inspect").fulfil(this.inspection(this.inspected.at(-1), entry.inspectionSettles));
    } else if ("inspectionRejects" in entry) this.last("inspect").fail(new Error("no file"));
    else if ("identitySettles" in entry) this.last("identity").fulfil(entry.identitySettles);
    else if ("settleAgain" in entry) {
      const { call, modelReplies } = entry.settleAgain;
      this.waiting.find(({ name }) => name === call).fulfil(modelReplies);
    } else throw new Error(`an entry that is not known: ${Object.keys(entry)}`);
  }
}

function sized(size) {
  return size === null ? undefined : { size };
}

function content({ text, hex }) {
  return text === undefined ? Uint8Array.from(Buffer.from(hex ?? "", "hex")) : new TextEncoder().encode(text);
}

/** A model call in the words of the vectors. */
function told({ tools, prompt, ...call }) {
  const nonce = prompt.split("\n", 1)[0].slice("fence ".length);
  if (!/^[0-9a-f]{32}$/.test(nonce)) throw new Error("no nonce");
  const parts = (label) => [...prompt.matchAll(new RegExp(`\\[\\[BEGIN ${label} ${nonce}\\]\\]\n([^]*?)\n\\[\\[END ${label} ${nonce}\\]\\]\n`, "g"))];
  return {
    ...call,
    prompt,
    tools: tools.map(({ name }) => name),
    parts: Object.fromEntries(LABELS.map((label) => [label, parts(label).map(([, text]) => text)])),
  };
}

/** Plays a script; what came, in the words of the vectors. */
export async function classify({ EvidenceClassifier }, input) {
  const clock = new Clock();
  const world = new World(input);
  const classifier = new EvidenceClassifier(world.callbacks());
  const controller = new AbortController();
  const seen = { others: {}, probes: {} };
  const start = (signal, came) =>
    classifier.classify(input.request, { signal }).then((result) => came({ ...result, returnedAt: clock.now }));
  try {
    if (input.host?.signalAborted) controller.abort();
    start(controller.signal, ({ returnedAt, ...result }) => Object.assign(seen, { result, returnedAt }));
    for (const entry of input.script) {
      await clock.pass(entry.at, false);
      if (entry.afterTimers) await clock.pass(entry.at, true);
      if ("probe" in entry) seen.probes[entry.probe] = { returned: "result" in seen, leased: classifier.leased };
      else if ("classify" in entry) start(undefined, (other) => (seen.others[entry.classify] = other));
      else if ("cancel" in entry) controller.abort();
      else if ("identityBecomes" in entry) world.identityDefault = entry.identityBecomes;
      else world.settle(entry);
      await settle();
    }
    await clock.pass(input.runUntil ?? 120_000, true);
    const { calls, stats, inspected, identityChecks, receipts, aborted } = world;
    return { ...seen, calls, stats, inspected, identityChecks, receipts, aborted, leasedAtEnd: classifier.leased };
  } finally {
    classifier.free();
    clock.restore();
  }
}
