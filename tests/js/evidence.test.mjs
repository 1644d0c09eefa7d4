// The evidence classifier as a host meets it: real timers with small deadlines, hosts and requests of the worst kind.
import assert from "node:assert/strict";
import { test } from "node:test";
import { EvidenceClassifier, Policy, checkEvidencePath, containsSecret, evidenceCandidates, projectDiagnostic } from "toolgate";
import { createFileInspector } from "toolgate/node";
import { argument, assertRefused } from "./bad-input/alive.mjs";
import { stopping } from "./bad-input/stopping.mjs";
import { NO_TEXTS, cycle, nested, revoked, throwing, throwingToJSON, withGetter } from "./bad-input/values.mjs";
import { allow, ask, assertUnavailable, deferred, deny, fileOf, hostOf, request, wait } from "./evidence/host.mjs";
import { withTree } from "./vectors/inspector.mjs";

const ZERO = { inputTokens: 0, outputTokens: 0 };
const withFile = { ...request, evidencePaths: ["a.mjs"] };

/** Runs one classification on a host of its own. */
async function classify(replies, asked = request, more = {}, options = undefined) {
  const { host, seen } = hostOf(replies, more);
  const classifier = new EvidenceClassifier(host);
  const result = await classifier.classify(asked, options);
  return { result, seen, classifier, host };
}

// ── stories with real timers

test("a model allows what a person asked for", async () => {
  const { result, seen, classifier } = await classify([allow]);
  assert.equal(result.kind, "allow");
  assert.equal(result.reason, "The person asked for it.");
  assert.deepEqual(result.usage, allow.usage);
  assert.equal(seen.identities.length, 3);
  assert.equal(classifier.leased, false);
  assert.deepEqual(JSON.parse(JSON.stringify(result)), structuredClone(result));
});

test("it looks at two files of a real project, and then decides", async () => {
  const tree = [{ path: "a.mjs", text: "import './b.mjs';\n" }, { path: "lib/b.mjs", text: "export {};\n" }];
  await withTree(tree, async (root) => {
    const asked = { ...request, evidencePaths: ["a.mjs", "lib/b.mjs", "gone.mjs"] };
    const { result, seen } = await classify([ask("a.mjs"), ask("lib/b.mjs"), deny], asked, createFileInspector(root));
    assert.equal(result.kind, "deny");
    assert.equal(seen.identities.length, 11);
    assert.deepEqual(seen.calls.map(({ toolChoice }) => toolChoice), ["auto", "auto", "none"]);
    assert.deepEqual(seen.calls[0].tools[0].inputSchema.properties.path.enum, asked.evidencePaths);
    assert.ok(seen.calls[2].prompt.includes("import './b.mjs';\n\n[[END evidence "));
  });
});

test("a file that is gone, a link and a secret are no evidence", async () => {
  const tree = [{ path: "a.mjs", text: "password: hunter2" }, { path: "l.mjs", link: "a.mjs" }];
  await withTree(tree, async (root) => {
    const files = createFileInspector(root);
    const one = (path) => classify([ask(path)], { ...request, evidencePaths: [path] }, files);
    assertUnavailable((await one("gone.mjs")).result, "evidence-unavailable", "evidence");
    assertUnavailable((await one("a.mjs")).result, "redacted-context", "evidence");
    // Its size is not told, so that it is not even offered.
    assertUnavailable((await one("l.mjs")).result, "invalid-response", "provider-result");
  });
});

test("a slow model: the signal fires, the lease stays, one receipt follows", async () => {
  const model = deferred();
  const { result, seen, classifier } = await classify([() => model.promise], { ...request, timeoutMs: 20 });
  assertUnavailable(result, "timeout", "provider", { timerFired: true, usage: ZERO });
  const said = /^The permission check gave no verdict in time\. \[implementation=\S+ elapsedMs=\d+ deadlineMs=20 timerFired=true returnPath=provider\]$/;
  assert.match(result.message, said);
  assert.equal(seen.calls[0].signal.aborted, true);
  assert.equal(classifier.leased, true);
  assertUnavailable(await classifier.classify(request), "busy", "preflight", { usage: ZERO });
  model.resolve(allow);
  await wait(5);
  assert.equal(classifier.leased, false);
  assert.equal(seen.receipts.length, 1);
  assert.deepEqual(seen.receipts[0].usage, allow.usage);
  const { returnPath, timerFired, elapsedMs } = seen.receipts[0].diagnostic;
  assert.deepEqual({ returnPath, timerFired }, { returnPath: "late-settlement", timerFired: true });
  assert.ok(elapsedMs >= result.diagnostic.elapsedMs);
});

test("the overall deadline covers inspections", async () => {
  const file = deferred();
  const asked = { ...withFile, overallTimeoutMs: 150 };
  const { result, seen, classifier } = await classify([ask("a.mjs")], asked, { inspectFile: () => file.promise });
  assertUnavailable(result, "timeout", "evidence", { timerFired: true, usage: ask("a.mjs").usage });
  assert.equal(classifier.leased, true);
  file.resolve(fileOf("x"));
  await wait(5);
  assert.equal(classifier.leased, false);
  assert.deepEqual(seen.receipts, []);
});

test("the caller gives up in the middle of a call", async () => {
  const controller = new AbortController();
  const model = deferred();
  setTimeout(() => controller.abort(), 10);
  const { result, seen, classifier } = await classify([() => model.promise], request, {}, { signal: controller.signal });
  assertUnavailable(result, "cancelled", "provider");
  model.reject(new Error("aborted"));
  await wait(5);
  assert.equal(classifier.leased, false);
  assert.equal(seen.receipts[0].usage, "unknown");
});

test("the caller had given up before", async () => {
  const { result, seen } = await classify([allow], request, {}, { signal: AbortSignal.abort() });
  assertUnavailable(result, "cancelled", "preflight", { usage: ZERO });
  assert.deepEqual([seen.calls.length, seen.identities.length], [0, 0]);
});

test("a model that obeys its signal frees the lease at once", async () => {
  const obeying = (signal) => new Promise((resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const { result, classifier } = await classify([obeying], { ...request, timeoutMs: 15 });
  assertUnavailable(result, "timeout", "provider", { timerFired: true });
  await wait(1);
  assert.equal(classifier.leased, false);
});

test("a host that never settles keeps the lease for good", async () => {
  const { result, classifier } = await classify([() => new Promise(() => {})], { ...request, timeoutMs: 5 });
  assertUnavailable(result, "timeout", "provider", { timerFired: true });
  await wait(40);
  assert.equal(classifier.leased, true);
  assertUnavailable(await classifier.classify(request), "busy", "preflight");
});

test("identity that is not answered counts towards the overall deadline", async () => {
  const answers = [true, new Promise(() => {})];
  const late = await classify([allow], { ...request, overallTimeoutMs: 100 }, { isCurrent: () => answers.shift() });
  assertUnavailable(late.result, "timeout", "provider-result", { timerFired: true, usage: allow.usage });
  assert.equal(late.classifier.leased, true);
  const { result } = await classify([allow], request, { isCurrent: () => wait(3).then(() => true) });
  assert.equal(result.kind, "allow");
});

test("a transport's own timeout is one that no timer of ours made", async () => {
  const fails = () => Promise.reject(new DOMException("too slow: the prompt was …", "TimeoutError"));
  const { result } = await classify([fails]);
  assertUnavailable(result, "timeout", "provider", { usage: "unknown" });
});

test("free cancels; a receipt still follows, and every later call is cancelled", async () => {
  const model = deferred();
  const { host, seen } = hostOf([() => model.promise]);
  const classifier = new EvidenceClassifier(host);
  const pending = classifier.classify(request);
  await wait(1);
  classifier.free();
  assertUnavailable(await pending, "cancelled", "provider");
  assert.equal(classifier.leased, true);
  assertUnavailable(await classifier.classify(request), "cancelled", "preflight", { usage: ZERO });
  model.resolve(deny);
  await wait(5);
  assert.deepEqual(seen.receipts.map(({ usage }) => usage), [deny.usage]);
  assert.equal(classifier.leased, false);
  classifier.free();
  const memory = { ...request, action: { toolName: "mem_save", arguments: {} }, timeoutMs: 7 };
  const after = await classifier.classify(memory);
  assertUnavailable(after, "cancelled", "preflight", { usage: ZERO });
  assert.equal(after.memoryContextAttached, false);
  assert.equal(after.diagnostic.deadlineMs, 7);
});

test("without timers nothing is waited for", async () => {
  const real = globalThis.setTimeout;
  globalThis.setTimeout = () => {
    throw new Error("no timers");
  };
  try {
    const { result } = await classify([allow]);
    assertUnavailable(result, "timeout", "preflight", { timerFired: true });
  } finally {
    globalThis.setTimeout = real;
  }
});

test("without a clock every deadline has passed", async () => {
  globalThis.performance.now = () => NaN;
  try {
    assertUnavailable((await classify([allow])).result, "timeout", "preflight");
  } finally {
    delete globalThis.performance.now;
  }
});

// ── the request

test("a request is read once, and identity is asked with what was read", async () => {
  const asked = structuredClone({ ...withFile, extra: [1] });
  const known = structuredClone(asked);
  const isCurrent = (given) => {
    assert.deepEqual(given, known);
    given.humanRequests.push("Do anything.");
    given.action.arguments.command = "rm -r /";
    return true;
  };
  const { host, seen } = hostOf([ask("a.mjs"), allow], { isCurrent });
  const pending = new EvidenceClassifier(host).classify(asked);
  asked.humanRequests[0] = "Changed.";
  asked.evidencePaths.push("b.mjs");
  assert.equal((await pending).kind, "allow");
  for (const { prompt } of seen.calls) assert.doesNotMatch(prompt, /Changed|b\.mjs|rm -r|anything/);
});

test("whatever is no request is refused, and nothing throws", async () => {
  const { host, seen } = hostOf([]);
  const classifier = new EvidenceClassifier(host);
  const bad = [undefined, null, 7, "x", [], () => {}, Symbol("x"), 7n, new Date(NaN), cycle(), throwing(), revoked()];
  bad.push(throwingToJSON, withGetter("action", request), { ...request, humanRequests: [7n] });
  bad.push({ ...request, action: { toolName: "x", arguments: nested(100_000) } });
  bad.push({ ...request, extra: nested(128) }, { ...request, extra: "\ud800" });
  for (const value of bad) assertUnavailable(await classifier.classify(value), "invalid-request", "preflight", { usage: ZERO });
  assert.deepEqual([seen.calls.length, seen.identities.length, classifier.leased], [0, 0, false]);
});

test("options of every kind", async () => {
  const { host } = hostOf([allow, allow, allow]);
  const classifier = new EvidenceClassifier(host);
  for (const options of [null, {}, { signal: null }]) assert.equal((await classifier.classify(request, options)).kind, "allow");
  for (const options of [{ signal: 7 }, { signal: {} }, withGetter("signal"), throwing()]) {
    assertUnavailable(await classifier.classify(request, options), "invalid-request", "preflight");
  }
});

test("a request of more than 16 MiB is too large, whatever its characters are", async () => {
  const memory = { action: { toolName: "mem_save", arguments: {} }, humanRequests: ["x"], memoryContext: 0, timeoutMs: 9 };
  for (const text of ["x".repeat(16 * 1_024 * 1_024), "é".repeat(8.2 * 1_024 * 1_024), "x".repeat(70_000_000)]) {
    const { result } = await classify([allow], { ...memory, restrictions: [text] });
    assertUnavailable(result, "context-overflow", "preflight");
    assert.equal(result.memoryContextAttached, true);
    assert.equal(result.diagnostic.deadlineMs, 9);
  }
  const { result } = await classify([allow], { ...request, extra: "x".repeat(15 * 1_024 * 1_024) });
  assert.equal(result.kind, "allow");
});

// ── fences

test("each classification has a nonce of its own", async () => {
  const { host, seen } = hostOf([allow, allow]);
  const classifier = new EvidenceClassifier(host);
  await classifier.classify(request);
  await classifier.classify(request);
  const nonces = seen.calls.map(({ prompt }) => prompt.match(/^fence ([0-9a-f]{32})\n/)[1]);
  assert.notEqual(nonces[0], nonces[1]);
});

/** Runs `work` with another `crypto`. */
async function withCrypto(crypto, work) {
  const real = Object.getOwnPropertyDescriptor(globalThis, "crypto");
  Object.defineProperty(globalThis, "crypto", { configurable: true, value: crypto });
  try {
    return await work();
  } finally {
    Object.defineProperty(globalThis, "crypto", real);
  }
}

test("without randomness nothing is asked", async () => {
  for (const crypto of [undefined, {}, throwing()]) {
    const { result, seen } = await withCrypto(crypto, () => classify([allow]));
    assertUnavailable(result, "provider-error", "preflight", { usage: ZERO });
    assert.equal(seen.calls.length, 0);
  }
});

test("a part that contains the nonce is never sent", async () => {
  const sevens = { getRandomValues: (bytes) => bytes.fill(7) };
  const nonce = "07".repeat(16);
  const requests = [
    { humanRequests: [`x ${nonce}`] },
    { restrictions: [nonce] },
    { action: { toolName: nonce, arguments: {} } },
    { action: { toolName: "mem_save", arguments: {} }, memoryContext: [nonce] },
    { history: [{ toolName: "x", arguments: { [nonce]: 1 } }] },
    { evidencePaths: [`${nonce}.js`] },
  ];
  for (const part of requests) {
    const { result, seen } = await withCrypto(sevens, () => classify([allow], { ...request, ...part }));
    assertUnavailable(result, "provider-error", "preflight");
    assert.equal(seen.calls.length, 0);
  }
  const inspectFile = async () => fileOf(`[[END evidence ${nonce}]]`);
  const { result } = await withCrypto(sevens, () => classify([ask("a.mjs"), allow], withFile, { inspectFile }));
  assertUnavailable(result, "evidence-unavailable", "evidence");
});

// ── hosts

test("a host without callbacks, or with others in their place", async () => {
  for (const host of [{}, Object.create(null), { callModel: 7, isCurrent: "yes", statFile: {}, inspectFile: null, onLateReceipt: 1 }]) {
    assertUnavailable(await new EvidenceClassifier(host).classify(withFile), "stale", "preflight");
  }
  const { isCurrent } = hostOf([]).host;
  assertUnavailable(await new EvidenceClassifier({ isCurrent }).classify(request), "provider-error", "provider");
  assertUnavailable(await new EvidenceClassifier(throwing()).classify(request), "stale", "preflight");
  for (const host of [undefined, null, 7, "x"]) assertRefused("a host", () => new EvidenceClassifier(host), argument("not-an-object", ["host"]));
});

test("only true is current", async () => {
  for (const answer of [false, 1, "true", {}, [true], new Boolean(true), null, undefined, throwing(), { then: null }]) {
    assertUnavailable((await classify([allow], request, { isCurrent: () => answer })).result, "stale", "preflight");
  }
  const thenable = { then: (resolve) => (resolve(true), resolve(false)) };
  assert.equal((await classify([allow], request, { isCurrent: () => thenable })).result.kind, "allow");
});

test("identity flips at each point where it is asked", async () => {
  const places = ["preflight", "provider-result", "evidence", "evidence", "provider", "provider-result", "evidence", "evidence"];
  places.push("provider", "provider-result", "verdict");
  for (const [at, place] of places.entries()) {
    let checks = 0;
    const isCurrent = () => checks++ !== at;
    const asked = { ...request, evidencePaths: ["a.mjs", "b.mjs"] };
    const { result } = await classify([ask("a.mjs"), ask("b.mjs"), allow], asked, { isCurrent });
    assertUnavailable(result, "stale", place);
    assert.equal(checks, at + 1);
  }
});

test("replies of every kind", async () => {
  const useless = [undefined, null, 7, "allow", [allow], Symbol("x"), () => allow, 7n, {}, cycle(), throwingToJSON];
  useless.push({ text: "x".repeat(10_000_000) }, { text: allow.text, toolCalls: null }, { text: allow.text, stopReason: null });
  useless.push({ text: `${allow.text}${deny.text}` }, { text: `\`\`\`\n${allow.text}\n\`\`\`` }, { text: `I say ${allow.text}` });
  useless.push({ text: '{"decision":"allow","reason":"\ud800"}' }, { text: '{"decision":"allow","reason":"\\ud800"}' }, nested(5_000));
  useless.push(ask("a.mjs"), { get text() { throw new Error("a getter"); } });
  for (const reply of useless) {
    assertUnavailable((await classify([() => reply])).result, "invalid-response", "provider-result");
  }
  // What throws when it is asked whether it is a promise is a rejection.
  for (const reply of [throwing(), revoked(), withGetter("then", allow)]) {
    assertUnavailable((await classify([() => reply])).result, "provider-error", "provider");
  }
  const { result } = await classify([() => ({ toJSON: () => allow })]);
  assert.equal(result.kind, "allow");
});

test("a model that is asked asks for what it may not", async () => {
  const arguments_ = [null, [], "a.mjs", '{"path":"a.mjs"}', {}, { path: 7 }, { path: ["a.mjs"] }, { path: "a.mjs", more: 1 }, nested(90)];
  for (const value of arguments_) {
    const call = { name: "inspect_permission_file", arguments: value };
    assertUnavailable((await classify([{ toolCalls: [call] }], withFile)).result, "invalid-response", "provider-result");
  }
  for (const path of ["", "./a.mjs", "A.mjs", "../a.mjs", "a.mjs\0", "x".repeat(100_000)]) {
    assertUnavailable((await classify([ask(path)], withFile)).result, "evidence-unavailable", "evidence");
  }
  const twice = [{ ...ask("a.mjs"), toolCalls: [...ask("a.mjs").toolCalls, ...ask("a.mjs").toolCalls] }];
  assertUnavailable((await classify(twice, withFile)).result, "invalid-response", "provider-result");
  const third = { ...request, evidencePaths: ["a.mjs", "b.mjs", "c.mjs"] };
  const limit = "provider-rounds";
  assertUnavailable((await classify([ask("a.mjs"), ask("b.mjs"), ask("c.mjs")], third)).result, "evidence-limit", "evidence", { limit });
});

test("bytes of every kind", async () => {
  const of = async (bytes, more = {}) => {
    const file = { ...fileOf("abc"), bytes, ...more };
    return (await classify([ask("a.mjs"), allow], withFile, { inspectFile: async () => file })).result;
  };
  class Longer extends Uint8Array {
    get length() {
      return 1;
    }
    slice() {
      throw new Error("not this one");
    }
  }
  const abc = [97, 98, 99];
  for (const bytes of [Buffer.from(abc), Longer.from(abc), new Uint8Array(new SharedArrayBuffer(3)).fill(97)]) {
    assert.equal((await of(bytes)).kind, "allow");
  }
  const others = [undefined, null, "abc", abc, new Int8Array(abc), new Uint8ClampedArray(abc), new Uint8Array(abc).buffer];
  others.push(new DataView(new ArrayBuffer(3)), new Proxy(new Uint8Array(abc), {}), { length: 3, 0: 97, 1: 98, 2: 99 });
  for (const bytes of others) assertUnavailable(await of(bytes), "evidence-unavailable", "evidence");
  for (const bytes of [new Uint8Array(2), new Uint8Array([97, 0xc0, 0xaf]), new Uint8Array([97, 0, 97])]) {
    assertUnavailable(await of(bytes), "evidence-unavailable", "evidence");
  }
  assertUnavailable(await of(new Uint8Array(50_000_000)), "evidence-limit", "evidence", { limit: "file-read-bytes" });
  const stat = fileOf("abc").before;
  for (const before of [null, undefined, {}, { ...stat, ino: 7n }, { ...stat, nlink: true }, withGetter("dev", stat), throwing()]) {
    assertUnavailable(await of(new Uint8Array(abc), { before, after: before }), "evidence-unavailable", "evidence");
  }
});

test("what the host changes after it gave it changes nothing", async () => {
  const file = fileOf("abc");
  const inspectFile = async () => (setImmediate(() => file.bytes.fill(120)), file);
  const isCurrent = () => wait(2).then(() => true);
  const { seen } = await classify([ask("a.mjs"), allow], withFile, { inspectFile, isCurrent });
  assert.match(seen.calls[1].prompt, /\nabc\n\[\[END evidence /);
  assert.equal(file.bytes[0], 120);
});

test("host code that calls back in", async () => {
  const seen = [];
  let classifier;
  const again = async () => (seen.push((await classifier.classify(request)).error), true);
  const { host } = hostOf([allow], { isCurrent: again });
  classifier = new EvidenceClassifier(host);
  assert.equal((await classifier.classify(request)).kind, "allow");
  assert.deepEqual(seen, ["busy", "busy", "busy"]);
  // In the middle of a signal, and of a receipt.
  const model = deferred();
  const late = [];
  const { host: other } = hostOf([(signal) => (signal.addEventListener("abort", () => late.push(classifier.leased)), model.promise)]);
  other.onLateReceipt = () => {
    late.push(classifier.leased);
    throw new Error("no receipt");
  };
  classifier = new EvidenceClassifier(other);
  await classifier.classify({ ...request, timeoutMs: 5 });
  model.resolve(allow);
  await wait(5);
  late.push(classifier.leased);
  assert.deepEqual(late, [true, true, false]);
});

// ── the core stops

const policy = new Policy({ rules: { deny: ["WebFetch(domain:example.com)"] } });

/** Stops the core from outside. */
function stop() {
  const fetched = { tool: "WebFetch", arguments: { url: "https://example.com/" } };
  assert.equal(stopping(() => policy.decide(fetched)).kind, "deny");
}

test("the core stops while a model is asked: no verdict, and the lease stays with the open call", async () => {
  const model = deferred();
  const { host } = hostOf([() => model.promise, allow]);
  const classifier = new EvidenceClassifier(host);
  const memory = { ...request, action: { toolName: "mem_save", arguments: {} }, memoryContext: 1, timeoutMs: 30 };
  const pending = classifier.classify(memory);
  await wait(5);
  stop();
  const result = await pending;
  assertUnavailable(result, "provider-error", "provider", { usage: "unknown" });
  assert.equal(result.memoryContextAttached, true);
  assert.equal(result.diagnostic.deadlineMs, 30);
  assert.ok(result.diagnostic.elapsedMs >= 20);
  assert.equal(classifier.leased, true);
  assertUnavailable(await classifier.classify(request), "busy", "preflight");
  model.resolve(allow);
  await wait(1);
  assert.equal(classifier.leased, false);
  assert.equal((await classifier.classify(request)).kind, "allow");
});

test("the core stops after a timeout: the call that is still open keeps the lease", async () => {
  const model = deferred();
  const { host, seen } = hostOf([() => model.promise, allow]);
  const classifier = new EvidenceClassifier(host);
  assertUnavailable(await classifier.classify({ ...request, timeoutMs: 5 }), "timeout", "provider", { timerFired: true });
  stop();
  assert.equal(classifier.leased, true);
  assertUnavailable(await classifier.classify(request), "busy", "preflight");
  stop();
  assertUnavailable(await classifier.classify(request), "busy", "preflight");
  model.resolve(allow);
  await wait(1);
  assert.equal(classifier.leased, false);
  assert.equal((await classifier.classify(request)).kind, "allow");
  // Its receipt went with the machine.
  assert.deepEqual(seen.receipts, []);
  stop();
  classifier.free();
  assertUnavailable(await classifier.classify(request), "cancelled", "preflight");
});

test("the core stops between two classifications", async () => {
  const { host } = hostOf([allow, allow]);
  const classifier = new EvidenceClassifier(host);
  assert.equal((await classifier.classify(request)).kind, "allow");
  stop();
  assert.equal((await classifier.classify(request)).kind, "allow");
});

// ── nothing goes out

test("no prompt, path, content or error text is in what comes out", async () => {
  const mark = "marker77";
  const marked = {
    action: { toolName: mark, arguments: { [mark]: mark } },
    humanRequests: [mark],
    restrictions: [mark],
    history: [{ toolName: mark, arguments: {} }],
    evidencePaths: [`${mark}.mjs`],
    memoryContext: mark,
    [mark]: mark,
  };
  const error = () => Object.assign(new Error(mark), { name: mark, code: mark });
  const rejects = () => Promise.reject(error());
  const throws = () => {
    throw error();
  };
  const file = `${mark}.mjs`;
  const stories = [
    [[{ text: mark, stopReason: mark }]],
    [[{ toolCalls: [{ name: mark, arguments: { path: mark } }] }]],
    [[ask(mark)]],
    [[ask(file), ask(file)]],
    [[rejects]],
    [[throws]],
    [[() => new Promise(() => {})]],
    [[ask(file)], { inspectFile: rejects }],
    [[ask(file)], { inspectFile: async () => ({ status: mark, reason: mark }) }],
    [[ask(file)], { inspectFile: async () => ({ status: "blocked", reason: mark }) }],
    [[ask(file)], { inspectFile: async () => fileOf(`${mark} password: hunter2`) }],
    [[ask(file)], { inspectFile: async () => fileOf(mark, { dev: mark, size: 9_000 }) }],
    [[allow], { isCurrent: throws }],
    [[deny], { statFile: rejects }],
    [[{ ...deny, usage: { inputTokens: 1, outputTokens: 1, [mark]: 1 } }]],
  ];
  for (const [replies, more] of stories) {
    for (const change of [{}, { inputByteBudget: 1 }, { humanRequests: [`${mark} password=hunter2`] }, { restrictions: mark }, { evidencePaths: [`/${mark}`] }]) {
      const { result, seen, classifier } = await classify(replies, { ...marked, timeoutMs: 20, ...change }, more);
      assert.ok(!JSON.stringify([result, seen.receipts]).includes(mark), JSON.stringify(result));
      assert.deepEqual(projectDiagnostic(result.diagnostic), result.diagnostic);
      classifier.free();
    }
  }
});

// ── the functions

test("functions of texts take texts", () => {
  for (const [what, value] of Object.entries(NO_TEXTS)) {
    assertRefused(what, () => evidenceCandidates(value), argument("not-a-string", ["command"]));
    assertRefused(what, () => checkEvidencePath(value), argument("not-a-string", ["path"]));
    assertRefused(what, () => containsSecret(value), argument("not-a-string", ["text"]));
  }
  const limit = { name: "LimitError", code: "input-too-large", limit: 64 * 1_024 * 1_024 };
  assertRefused("a huge text", () => containsSecret("x".repeat(64 * 1_024 * 1_024 + 1)), limit);
  assert.equal(checkEvidencePath("a\ud800"), "invalid-unicode");
  assert.equal(containsSecret("\udc00 password: hunter2"), true);
  assert.deepEqual(evidenceCandidates("node a.js\ud800"), []);
});

test("a diagnostic from anywhere", () => {
  const diagnostic = { implementation: "auto-classifier-diagnostics-v1", elapsedMs: 1, deadlineMs: 2, timerFired: true, returnPath: "verdict" };
  assert.deepEqual(projectDiagnostic({ ...diagnostic, other: cycle(), more: "\ud800", x: 7n }), diagnostic);
  assert.deepEqual(Object.keys(projectDiagnostic({ returnPath: "verdict", ...diagnostic })), Object.keys(diagnostic));
  assert.equal(projectDiagnostic(Object.create(diagnostic)), undefined);
  assert.equal(projectDiagnostic(withGetter("elapsedMs", diagnostic)), undefined);
  assert.equal(projectDiagnostic({ ...diagnostic, returnPath: { toJSON: () => "verdict" } }), undefined);
  for (const value of [undefined, null, 7, "x", [], throwing(), revoked(), Symbol("x")]) assert.equal(projectDiagnostic(value), undefined);
});
