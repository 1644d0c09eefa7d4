// `toolgate explain`: one call, its decision and everything that led to it; or the decisions of every dialect.
import { DIALECTS } from "../node.js";
import { BadInput } from "./bad_input.js";
import { comparison } from "./comparison.js";
import { compile, located } from "./diagnostics.js";
import { FINDINGS, FINE } from "./exit_codes.js";
import { picture } from "./explanation.js";
import { readSettings } from "./settings.js";
import { badCall, isRefusal, readState } from "./state.js";
import { jsonText } from "./terminal.js";

/** What `--dialect` says where every dialect is meant. */
const ALL = "all";

/** Prints; gives the exit code. */
export function explain(options) {
  const isAllowed = options.dialect === ALL ? compare(options) : explainOne(options);
  return isAllowed ? FINE : FINDINGS;
}

function explainOne(options) {
  const { settings, policy, diagnostics, call, state, explanation } = explained(options, options.json);
  const print = () => picture({ settings, policy, call, explanation }).join("\n");
  const whole = () => ({ dialect: policy.dialect, call, state, ...explanation, diagnostics: located(settings, diagnostics) });
  process.stdout.write(`${options.json ? jsonText(whole()) : print()}\n`);
  return explanation.decision.effective === "allow";
}

/** The same call under every dialect. Settings that one of them does not read are no reason to say nothing of the others. */
function compare(options) {
  const found = DIALECTS.map((dialect) => {
    try {
      const { settings, explanation } = explained({ ...options, dialect }, true);
      return { dialect, settings, decision: explanation.decision };
    } catch (error) {
      if (error instanceof BadInput) return { dialect, error };
      throw error;
    }
  });
  const decided = found.filter(({ decision }) => decision !== undefined);
  if (decided.length === 0) throw found[0].error;
  const data = found.map(({ dialect, decision, error }) => ({ dialect, ...(error === undefined ? { decision } : { error: error.data() }) }));
  const call = callOf(options);
  process.stdout.write(`${options.json ? jsonText({ call, dialects: data }) : comparison(call, found).join("\n")}\n`);
  return decided.length === found.length && decided.every(({ decision }) => decision.effective === "allow");
}

function explained(options, quiet) {
  const settings = readSettings(options.settings, options);
  const { policy, diagnostics } = compile(settings, { quiet });
  const state = readState(policy, options);
  const call = callOf(options);
  try {
    return { settings, policy, diagnostics, call, state, explanation: policy.explain(call, state) };
  } catch (error) {
    if (isRefusal(error)) throw badCall("the call: ", error);
    throw error;
  }
}

function callOf({ tool, subject }) {
  return subject === undefined ? { tool } : { tool, subject };
}
