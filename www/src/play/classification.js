// One classification by the package's own classifier, with a scripted model and a scripted project.
import { EvidenceClassifier, evidenceCandidates } from "toolgate";
import { Clock } from "./clock.js";
import { COMMAND, FILES } from "./classification_scripts.js";
import { Tape } from "./tape.js";

export { SCRIPTS as scripts } from "./classification_scripts.js";

/** The limits of evidence.md section 3, as a measure of what is shown; the package keeps to them by itself. */
const MOST = { calls: 3, files: 2 };
const BYTE_BUDGET = 2048;
const TAKES = { size: 4, identity: 2, inspection: 12 };
const USAGE = { inputTokens: 240, outputTokens: 30 };

/** What is asked, for every script. */
const REQUEST = {
  action: { toolName: "Bash", arguments: { command: COMMAND } },
  humanRequests: ["Run the report once, and its tests."],
  restrictions: ["Do not use the network."],
  inputByteBudget: BYTE_BUDGET,
};

export function facts() {
  return [
    ["Action", COMMAND],
    ["Asked for", REQUEST.humanRequests[0]],
    ["Forbidden", REQUEST.restrictions[0]],
    ["Offered", evidenceCandidates(COMMAND).join("\n")],
  ];
}

/** The timeline of a script. */
export async function record(script) {
  const clock = new Clock();
  const scene = new Scene(clock, script);
  await clock.play(() => scene.begin());
  return scene.tape;
}

class Scene {
  #clock;
  #script;
  #files;
  #used = { calls: 0, files: 0, bytes: 0 };
  #checks = 0;
  #classifier;

  constructor(clock, script) {
    this.#clock = clock;
    this.#script = script;
    this.#files = { ...FILES, ...script.files };
    this.tape = new Tape(clock, () => [
      { name: "calls", value: this.#used.calls, most: MOST.calls },
      { name: "files", value: this.#used.files, most: MOST.files },
      { name: "bytes", value: this.#used.bytes, most: BYTE_BUDGET },
    ]);
  }

  begin() {
    this.#classifier = new EvidenceClassifier(this.#host());
    const request = { ...REQUEST, evidencePaths: evidenceCandidates(COMMAND), ...this.#script.request };
    this.#classifier.classify(request).then((result) => this.#ended(result));
  }

  #host() {
    return {
      statFile: (path) => this.#stat(path),
      isCurrent: () => this.#identity(),
      callModel: (call, signal) => this.#model(call, signal),
      inspectFile: (path) => this.#inspect(path),
      onLateReceipt: (receipt) => this.#late(receipt),
    };
  }

  #stat(path) {
    const entry = this.tape.note({ kind: "file", title: "Size", what: path });
    return this.#clock.after(TAKES.size, () => {
      const { size } = statOf(this.#files[path]);
      this.tape.end(entry, `${size.toLocaleString("en")} bytes, small enough to be offered`);
      return { size };
    });
  }

  #identity() {
    this.#checks += 1;
    const entry = this.tape.note({ kind: "identity", title: "Identity", what: `check ${this.#checks}` });
    return this.#clock.after(TAKES.identity, () => {
      const isCurrent = !(this.#clock.now >= this.#script.changesAt);
      this.tape.end(entry, isCurrent ? "still that of the request" : "not that of the request any more", isCurrent ? "good" : "bad");
      return isCurrent;
    });
  }

  #model({ round, prompt, tools, deadlineMs }, signal) {
    this.#used.calls = round;
    this.#used.bytes = bytesOf(prompt);
    const may = tools.length === 0 ? "no tools, has to decide" : "may ask for one file";
    const what = `${may}, within ${deadlineMs.toLocaleString("en")}\u00a0ms`;
    const more = ["What is sent", prompt.trim()];
    const entry = this.tape.note({ kind: "model", title: `Model call ${round} of ${MOST.calls}`, what, more });
    signal.addEventListener("abort", () => this.tape.end(entry, "no answer in time: given up", "bad"));
    const { after, reply } = this.#script.model[round - 1];
    return this.#clock.after(after, () => {
      if (signal.aborted) this.tape.note({ kind: "model", title: "Model", what: "settles after all", came: "thrown away", tone: "odd" });
      else this.tape.end(entry, inWords(reply));
      return { ...reply, usage: USAGE };
    });
  }

  #inspect(path) {
    this.#used.files += 1;
    const entry = this.tape.note({ kind: "file", title: "Inspection", what: path });
    return this.#clock.after(TAKES.inspection, () => {
      const bytes = new TextEncoder().encode(this.#files[path]);
      const stat = statOf(this.#files[path]);
      this.tape.end(entry, `${bytes.length.toLocaleString("en")} bytes, the same file before and after`);
      return { status: "file", bytes, before: stat, after: stat };
    });
  }

  #ended({ kind, reason, error, usage, diagnostic, ...result }) {
    // What a message repeats of the diagnostic stands in the entry after it.
    const message = result.message?.replace(/ \[.*\]$/u, "");
    const isVerdict = kind !== "unavailable";
    const outcome = isVerdict
      ? { kind, word: kind, says: reason }
      : { kind: "ask", word: "unavailable", says: `${message} Nothing is allowed; the agent asks a person.` };
    this.tape.note({
      kind: "verdict",
      title: isVerdict ? "Verdict" : "No verdict",
      what: error,
      came: isVerdict ? `${kind}: ${reason}` : message,
      tone: kind === "allow" ? "good" : "bad",
      outcome,
    });
    this.#diagnostic("Diagnostic", diagnostic, usage);
  }

  #late({ usage, diagnostic }) {
    this.#diagnostic("Late receipt", diagnostic, usage);
    queueMicrotask(() => this.#lease());
  }

  #diagnostic(title, { returnPath, elapsedMs, deadlineMs, timerFired, evidenceLimit }, usage) {
    const tokens = usage === "unknown" ? "usage unknown" : `${usage.inputTokens} tokens in, ${usage.outputTokens} out`;
    const members = { returnPath, evidenceLimit, elapsedMs, deadlineMs, timerFired };
    const pairs = Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
    this.tape.note({ kind: "diagnostic", title, what: tokens, came: pairs.join(" "), isCode: true });
    if (title === "Diagnostic") this.#lease();
  }

  /** The classifier takes the next request only when it is free again. */
  #lease() {
    const { leased } = this.#classifier;
    const [came, tone] = leased ? ["held until the host has settled", "odd"] : ["free: the next request may come", undefined];
    this.tape.note({ kind: "lease", title: "Lease", came, tone });
    if (!leased) this.#classifier.free();
  }
}

function statOf(text) {
  return { dev: 1, ino: 100, size: new TextEncoder().encode(text).length, mtimeMs: 1000, ctimeMs: 1000, nlink: 1 };
}

/** What the parts of a prompt cost: their bytes and one; the list of candidates costs nothing. */
function bytesOf(prompt) {
  const parts = prompt.matchAll(/^\[\[BEGIN (\S+) \S+\]\]\n([\s\S]*?)\n\[\[END /gmu);
  const costs = [...parts].map(([, label, text]) => (label === "candidate" ? 0 : new TextEncoder().encode(text).length + 1));
  return costs.reduce((sum, cost) => sum + cost, 0);
}

function inWords({ text, toolCalls }) {
  return toolCalls === undefined ? text : `asks for ${toolCalls.map((call) => call.arguments.path).join(", ")}`;
}
