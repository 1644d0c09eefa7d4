// `toolgate diff`: which calls two settings decide differently, and by what.
import { comparePolicies } from "../node.js";
import { eachBatch } from "./batches.js";
import { Changes } from "./changes.js";
import { compile, located } from "./diagnostics.js";
import { BAD_INPUT, FINDINGS, FINE } from "./exit_codes.js";
import { readSettings } from "./settings.js";
import { readState } from "./state.js";
import { jsonText } from "./terminal.js";

/** Prints; gives the exit code. */
export async function diff(options) {
  const [before, after] = [options.before, options.after].map((file) => side(file, options));
  const state = readState(before.policy, options);
  readState(after.policy, options);
  const changes = new Changes(before.settings, after.settings, options.examples);
  const left = await eachBatch(options.calls, before.settings.config.bashToolName ?? "Bash", (batch) => {
    const found = comparePolicies(before.policy, after.policy, batch.map(({ call }) => call), state);
    changes.add(batch, found);
  });
  if (options.json) {
    const sides = { before: sideData(before), after: sideData(after) };
    process.stdout.write(`${jsonText({ ...sides, ...changes.data(), ...left.data() })}\n`);
  } else {
    process.stdout.write(`${changes.picture().join("\n")}\n`);
    left.tell();
  }
  if (left.count > 0) return BAD_INPUT;
  return changes.looser > 0 ? FINDINGS : FINE;
}

function side(file, options) {
  const settings = readSettings(file, options);
  return { settings, ...compile(settings, { quiet: options.json }) };
}

function sideData({ settings, policy, diagnostics }) {
  const { dialect, fingerprint } = policy;
  return { file: settings.file, dialect, fingerprint, diagnostics: located(settings, diagnostics) };
}
