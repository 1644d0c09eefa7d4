// The settings page: an element to write rules with, what saving them would change, and the way to the process that keeps them.
import { Policy, comparePolicies, configFromSettings, init } from "../toolgate/browser.js";
import "../toolgate/element.js";
import { review } from "./review.js";

const at = (id) => document.getElementById(id);
const preview = document.querySelector("toolgate-preview");

/** What the process keeps, and what the person would have in its place; undefined while it has errors. */
let saved;
let wanted;
/** The calls that the agent made last, and what held for them. */
let last;

async function load() {
  const response = await fetch("./settings");
  if (!response.ok) throw new Error("no settings");
  ({ config: saved, last } = await response.json());
  preview.state = last.state;
  preview.calls = last.calls;
  discard();
}

function discard() {
  wanted = saved;
  // What was written with errors goes, too, where the rules in force are the saved ones.
  preview.reset();
  preview.config = saved;
  at("notes").replaceChildren();
  show();
}

/** Says how things stand, and what saving would change. */
function show(said) {
  const changed = wanted !== undefined && JSON.stringify(wanted) !== JSON.stringify(saved);
  const { warnings, changes } = changed ? review({ Policy, comparePolicies }, saved, wanted, last) : { warnings: [], changes: [] };
  at("review").replaceChildren(...changes.map(changeItem), ...warnings.map(warningItem));
  at("save").disabled = !changed;
  at("discard").disabled = wanted === saved;
  const looser = changes.filter((change) => change.looser).length;
  at("standing").textContent = said ?? standing(changed, changes.length, looser);
}

function standing(changed, count, looser) {
  if (wanted === undefined) return "Something is wrong with the rules. Nothing can be saved until it is mended.";
  if (!changed) return "These are the rules that are in force.";
  if (count === 0) return "The rules have changed. The last calls would be decided as before.";
  return `The rules have changed. Of the last ${last.calls.length} calls ${count} would be decided otherwise, ${looser} of them less strictly.`;
}

function changeItem({ call, before, after, looser }) {
  const about = Object.values(call.arguments ?? {}).find((value) => typeof value === "string") ?? "";
  return item(looser ? "looser" : "stricter", `${WORDS[before]} becomes ${WORDS[after]}: `, `${call.tool} ${about}`);
}

function warningItem({ message, rule }) {
  return item("warning", `Warning: ${message}: `, String(rule));
}

const WORDS = { allow: "allow", ask: "ask", deny: "deny", passthrough: "no rule" };

/** Words, and behind them a text of somebody else's. */
function item(kind, words, text) {
  const line = document.createElement("li");
  line.className = kind;
  const code = document.createElement("code");
  code.textContent = text;
  line.append(words, code);
  return line;
}

async function save() {
  const sent = wanted;
  at("save").disabled = true;
  try {
    const headers = { "content-type": "application/json" };
    const { ok } = await fetch("./settings", { method: "PUT", headers, body: JSON.stringify(sent) });
    if (ok) saved = sent;
    // The person may have gone on meanwhile.
    show(ok ? (wanted === sent ? "The rules are saved, and in force." : undefined) : "The rules were not taken. Nothing has changed.");
  } catch {
    show("The process does not answer. Nothing has changed.");
  }
}

/** Rules of an agent's own settings; they are shown, and saved when the person says so. */
async function open(file) {
  const notes = at("notes");
  try {
    const { permissions } = JSON.parse(await file.text());
    const { config, diagnostics } = configFromSettings(permissions);
    const all = [...diagnostics, ...Policy.check(config)];
    notes.replaceChildren(...all.map(({ severity, message, path }) => item(severity, `${message}: `, path.join("/"))));
    preview.config = config;
    wanted = all.some(({ severity }) => severity === "error") ? undefined : config;
    show();
  } catch {
    notes.replaceChildren(item("error", "This is no settings file: ", file.name));
  }
}

preview.addEventListener("toolgate-change", ({ detail }) => {
  wanted = detail.valid ? detail.config : undefined;
  show();
});
at("save").addEventListener("click", save);
at("discard").addEventListener("click", discard);
at("file").addEventListener("change", ({ target }) => {
  if (target.files.length === 1) open(target.files[0]);
});

try {
  await init();
  await load();
} catch {
  at("standing").textContent = "The settings cannot be loaded.";
}
