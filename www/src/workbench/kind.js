// The word for a decision, with its shape and colour.
import { element } from "../element.js";

/** What the worker's numbers mean. */
export const KINDS = ["allow", "ask", "deny", "passthrough"];
export const UNDECIDED = 255;

/** Undefined: nothing was decided yet. */
export function kindMark(kind) {
  return element("span", { className: "kind-mark", data: { kind: kind ?? "none" } }, kind === undefined ? "…" : kind === "passthrough" ? "pass" : kind);
}
