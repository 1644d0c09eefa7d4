// The page's state in the URL fragment, so that a link shows what its sender saw.
//
// The fragment never reaches a server. What the first tab has is readable: `#dialect=standard&tool=Bash&subject=git+status&allow=Read`;
// the workbench is packed, since it holds whole files: `#tab=workbench&w=…`.
import { DIALECTS, PERMISSION_MODES } from "toolgate";
import { EXAMPLE, TABS } from "./example.js";

const TEXTS = ["tool", "subject", "cwd", "allow", "ask", "deny"];
const WORDS = ["dialect", "mode"];
/** Longer links are cut by some mail programs and chats. */
export const MOST_UNITS = 8000;

/** `packed` is the workbench, empty where it is as at the start. The example alone is an empty fragment. */
export function toFragment(state, packed = "") {
  const parameters = new URLSearchParams();
  // The first tab needs no word; a link to another one says which.
  if (state.tab !== EXAMPLE.tab) parameters.set("tab", state.tab);
  const own = [...WORDS, ...TEXTS];
  if (own.some((name) => state[name] !== EXAMPLE[name])) for (const name of own) parameters.set(name, state[name]);
  if (packed !== "") parameters.set("w", packed);
  return parameters.size === 0 ? "" : `#${parameters}`;
}

/**
 * Undefined where the fragment holds no state; a tab alone is the example in that tab. A word that this version does not know becomes
 * the example's. `packed` is the workbench as `toFragment` took it.
 */
export function fromFragment(fragment) {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ""));
  const word = (name, known) => (known.includes(parameters.get(name)) ? parameters.get(name) : EXAMPLE[name]);
  const tab = word("tab", TABS);
  const packed = parameters.get("w") ?? "";
  if (!TEXTS.some((name) => parameters.has(name))) {
    return parameters.has("tab") || packed !== "" ? { ...EXAMPLE, tab, packed } : undefined;
  }
  const texts = TEXTS.map((name) => [name, (parameters.get(name) ?? "").replaceAll("\r\n", "\n")]);
  return { tab, packed, dialect: word("dialect", DIALECTS), mode: word("mode", PERMISSION_MODES), ...Object.fromEntries(texts) };
}
