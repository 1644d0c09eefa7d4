// `toolgate replay`: every call of a file, counted by decision and by what decided.
import { statSync } from "node:fs";
import { CallReader } from "./calls.js";
import { BadInput } from "./bad_input.js";
import { compile, located } from "./diagnostics.js";
import { linesOf, nameOf } from "./lines.js";
import { Progress } from "./progress.js";
import { readSettings } from "./settings.js";
import { badCall, isRefusal, readState } from "./state.js";
import { data, picture } from "./summary.js";
import { Tally } from "./tally.js";
import { clipped, shown } from "./terminal.js";

const BATCH = 512;

/** Prints; gives whether nothing was found. */
export async function replay(options) {
  const settings = readSettings(options.settings, options.dialect);
  const { policy, diagnostics } = compile(settings, { quiet: options.json });
  const state = readState(policy, options);
  const tally = new Tally(options.examples);
  const reader = new CallReader(options.calls, settings.config.bashToolName ?? "Bash");
  await count(options.calls, reader, (batch) => decideBatch(options.calls, policy, state, tally, batch));
  if (tally.calls === 0) throw new BadInput("no-call", `${shown(nameOf(options.calls))}: there is no call in it`);

  const { mode } = policy.decide({ tool: "Read" }, state);
  if (options.json) {
    const ignored = Object.fromEntries(reader.ignored);
    const whole = { ...data(settings, policy, tally, mode), ignoredMembers: ignored, diagnostics: located(settings, diagnostics) };
    process.stdout.write(`${JSON.stringify(whole)}\n`);
  } else {
    process.stdout.write(`${picture(settings, policy, tally, mode, state).join("\n")}\n`);
    noteIgnored(reader.ignored);
  }
  return tally.effective.deny === 0 && !diagnostics.some(({ severity }) => severity === "warning");
}

/** Hands the calls on in batches. */
async function count(file, reader, take) {
  const progress = new Progress(process.stderr, sizeOf(file));
  let batch = [];
  try {
    for await (const line of linesOf(file)) {
      if (/^[ \t]*$/u.test(line.text)) continue;
      batch.push({ line: line.number, call: reader.read(line) });
      if (batch.length < BATCH) continue;
      take(batch);
      batch = [];
      progress.at(line.bytes, line.number);
    }
    take(batch);
  } finally {
    progress.end();
  }
}

function decideBatch(file, policy, state, tally, batch) {
  for (const { call, decision } of decided(file, policy, state, batch)) tally.add(call, decision);
}

function decided(file, policy, state, batch) {
  try {
    const decisions = policy.decideMany(batch.map(({ call }) => call), state);
    return batch.map(({ call }, at) => ({ call, decision: decisions[at] }));
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  // One of them is refused; alone, it says which.
  return batch.map(({ line, call }) => {
    try {
      return { call, decision: policy.decide(call, state) };
    } catch (error) {
      if (isRefusal(error)) throw badCall(`${shown(nameOf(file))}:${line}: `, error, { file, line });
      throw error;
    }
  });
}

/** Undefined for what is no plain file: its size says nothing. */
function sizeOf(file) {
  const stat = file === "-" ? undefined : statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() ? stat.size : undefined;
}

function noteIgnored(ignored) {
  if (ignored.size === 0) return;
  const names = [...ignored].slice(0, 8).map(([name, times]) => `${clipped(name, 30)} (${times})`);
  const more = ignored.size > 8 ? ", and more" : "";
  process.stderr.write(`\nIgnored members of calls: ${names.join(", ")}${more}\n`);
}
