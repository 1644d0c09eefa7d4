// What holds for all calls of one run, and calls that the package refuses.
import { LimitError, RuleError } from "../node.js";
import { BadInput, MisusedOption } from "./bad_input.js";
import { shown } from "./terminal.js";

/** The state of calls, tried once, so that a mode which does not exist is not found in the middle of a file. @throws BadInput */
export function readState(policy, { mode, cwd }) {
  const state = { ...(mode === undefined ? {} : { mode }), ...(cwd === undefined ? {} : { cwd }) };
  try {
    policy.decide({ tool: "Read" }, state);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new MisusedOption(error.code, `--${shown(String(error.path?.[1] ?? "mode"))}: ${shown(error.message)}`);
  }
  return state;
}

/** What the package says of an argument that it does not take; anything else is a fault of ours. */
export function isRefusal(error) {
  return (error instanceof TypeError || error instanceof LimitError || error instanceof RuleError) && typeof error.code === "string";
}

/** A call that the package does not take. */
export function badCall(where, error, details = {}) {
  const inside = (error.path ?? []).filter((step) => step !== "calls" && step !== "call" && typeof step === "string");
  const place = inside.length > 0 ? ` (${shown(inside.join("."))})` : "";
  return new BadInput(error.code, `${where}${shown(error.message)}${place}`, { details });
}
