// `toolgate replay`: every call of a file, counted by decision and by what decided.
import { eachBatch } from "./batches.js";
import { Coverage } from "./coverage.js";
import { compile, located } from "./diagnostics.js";
import { BAD_INPUT, FINDINGS, FINE } from "./exit_codes.js";
import { readSettings } from "./settings.js";
import { readState } from "./state.js";
import { data, picture } from "./summary.js";
import { Tally } from "./tally.js";
import { jsonText } from "./terminal.js";

/** Prints; gives the exit code. */
export async function replay(options) {
  const settings = readSettings(options.settings, options);
  const { policy, diagnostics } = compile(settings, { quiet: options.json });
  const state = readState(policy, options);
  const tally = new Tally(options.examples);
  const coverage = options.coverage ? new Coverage() : undefined;
  const left = await eachBatch(options.calls, settings.config.bashToolName ?? "Bash", (batch) => {
    const calls = batch.map(({ call }) => call);
    const decisions = policy.decideMany(calls, state);
    coverage?.add(policy.coverage(calls, state));
    calls.forEach((call, at) => tally.add(call, decisions[at]));
  });

  const { mode } = policy.decide({ tool: "Read" }, state);
  if (options.json) {
    const whole = { ...data(settings, policy, tally, mode), ...coverage?.data(settings), ...left.data(), diagnostics: located(settings, diagnostics) };
    process.stdout.write(`${jsonText(whole)}\n`);
  } else {
    const lines = [...picture(settings, policy, tally, mode, state), ...(coverage?.picture(settings, tally.calls) ?? [])];
    process.stdout.write(`${lines.join("\n")}\n`);
    left.tell();
  }
  if (left.count > 0) return BAD_INPUT;
  const isFine = tally.effective.deny === 0 && !diagnostics.some(({ severity }) => severity === "warning");
  return isFine ? FINE : FINDINGS;
}
