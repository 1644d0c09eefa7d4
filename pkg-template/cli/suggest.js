// `toolgate suggest`: rules that would let calls through which nothing speaks of.
import { eachBatch } from "./batches.js";
import { compile, located } from "./diagnostics.js";
import { BAD_INPUT, FINDINGS, FINE } from "./exit_codes.js";
import { readSettings } from "./settings.js";
import { badCall, isRefusal, readState } from "./state.js";
import { Suggestions, whyNone } from "./suggestions.js";
import { jsonText } from "./terminal.js";

/** Prints; gives the exit code. */
export async function suggest(options) {
  const settings = readSettings(options.settings, options);
  const compiled = compile(settings, { quiet: options.json });
  const state = readState(compiled.policy, options);
  const of = options.calls === undefined ? forOne : forMany;
  return await of(options, { settings, state, ...compiled });
}

function forOne({ tool, subject, json }, { settings, policy, state, diagnostics }) {
  const call = subject === undefined ? { tool } : { tool, subject };
  const { suggestions, decision, shell } = asked(policy, call, state);
  const all = new Suggestions();
  all.add(suggestions);
  const why = suggestions.length > 0 ? undefined : whyNone(decision, shell);
  if (json) {
    const whole = { dialect: policy.dialect, call, state, decision, suggestions, ...(why === undefined ? {} : { why }) };
    process.stdout.write(`${jsonText({ ...whole, diagnostics: located(settings, diagnostics) })}\n`);
  } else {
    process.stdout.write(`${(why === undefined ? all.picture() : [why]).join("\n")}\n`);
  }
  return suggestions.length > 0 ? FINE : FINDINGS;
}

function asked(policy, call, state) {
  try {
    return { suggestions: policy.suggest(call, state), ...policy.explain(call, state) };
  } catch (error) {
    if (isRefusal(error)) throw badCall("the call: ", error);
    throw error;
  }
}

async function forMany({ calls: file, json }, { settings, policy, state, diagnostics }) {
  const all = new Suggestions();
  const left = await eachBatch(file, settings.config.bashToolName ?? "Bash", (batch) => {
    const { uncovered } = policy.coverage(batch.map(({ call }) => call), state);
    const found = uncovered.map((index) => policy.suggest(batch[index].call, state));
    all.calls += batch.length;
    found.forEach((suggestions) => all.add(suggestions));
  });
  if (json) {
    const whole = { dialect: policy.dialect, state, ...all.data(), ...left.data() };
    process.stdout.write(`${jsonText({ ...whole, diagnostics: located(settings, diagnostics) })}\n`);
  } else {
    process.stdout.write(`${all.pictureOfMany().join("\n")}\n`);
    left.tell();
  }
  if (left.count > 0) return BAD_INPUT;
  return all.size > 0 ? FINE : FINDINGS;
}
