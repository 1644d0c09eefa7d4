// What a model and a project could do in a classification. Times are milliseconds.

export const COMMAND = "node src/report.js && node --test tests/report.test.js";

/** The project, as far as anybody may look. */
export const FILES = {
  "src/report.js": 'import { rows } from "./rows.js";\n\nfor (const { name, total } of rows()) console.log(`${name}: ${total}`);\n',
  "tests/report.test.js":
    'import { test } from "node:test";\nimport { rows } from "../src/rows.js";\n\ntest("rows have totals", (t) => rows().forEach(({ total }) => t.assert.ok(total >= 0)));\n',
};

const HELD_SECRET = 'export const password = "not-a-real-one-7";\n';

const asks = (path, after = 1200) => ({ after, reply: { toolCalls: [{ name: "inspect_permission_file", arguments: { path } }] } });
const says = (text, after = 900) => ({ after, reply: { text } });
const decides = (decision, reason, after) => says(JSON.stringify({ decision, reason }), after);

/**
 * `model`: what it does in each call; `files` are laid over the project; `request` is laid over the request; `changesAt`: when the
 * session is not that of the request any more.
 */
export const SCRIPTS = [
  {
    name: "allows at once",
    says: "The model needs no file. Identity is still checked before and after its call, and before the verdict.",
    model: [decides("allow", "Running the report and its tests is what was asked for.")],
  },
  {
    name: "reads one file, then allows",
    says: "One file is read for it: two calls, and an identity check around each step.",
    model: [asks("src/report.js"), decides("allow", "The script only prints rows, as was asked for.")],
  },
  {
    name: "denies",
    says: "A verdict like any other: the agent's own prompt still decides what a person is asked.",
    model: [asks("tests/report.test.js"), decides("deny", "Nobody asked for the tests to be run.")],
  },
  {
    name: "asks for a file that was not offered",
    says: "Only the files that the host offered can be read. No other is opened, not even looked for.",
    model: [asks("src/deploy_keys.js")],
  },
  {
    name: "asks for a third file",
    says: "After two files there is no tool any more. A model that asks all the same has had its calls.",
    model: [asks("src/report.js"), asks("tests/report.test.js"), asks("src/report.js", 700)],
  },
  {
    name: "answers in prose",
    says: "An answer is exactly one JSON object. Nothing is repaired, nothing is guessed.",
    model: [says("Sure, that looks fine to me. Go ahead!")],
  },
  {
    name: "reads a file with a secret in it",
    says: "What looks like a credential never reaches the model, and nothing tells where it was.",
    files: { "src/report.js": HELD_SECRET },
    model: [asks("src/report.js")],
  },
  {
    name: "reads more than fits",
    says: "Requests, the action and files are never shortened. What does not fit is not sent.",
    files: { "src/report.js": `// ${"a long story ".repeat(150)}\n` },
    model: [asks("src/report.js")],
  },
  {
    name: "times out",
    says: "The answer comes too late: it is thrown away, its usage is told, and the lease is held until then.",
    request: { timeoutMs: 3000 },
    model: [decides("allow", "Nobody waits for this any more.", 4500)],
  },
  {
    name: "identity changes in the middle",
    says: "The session is another one before the model has answered: its verdict is about something that is gone.",
    changesAt: 1500,
    model: [asks("src/report.js"), decides("allow", "The script only prints rows.")],
  },
];
