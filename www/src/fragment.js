// The page's state in the URL fragment, so that a link shows what its sender saw.
//
// The fragment never reaches a server. It is readable: `#dialect=standard&tool=Bash&subject=git+status&allow=Read`.
import { DIALECTS, PERMISSION_MODES } from "toolgate";
import { EXAMPLE, TABS } from "./example.js";

const TEXTS = ["tool", "subject", "cwd", "allow", "ask", "deny"];
/** Longer links are cut by some mail programs and chats. */
export const MOST_UNITS = 8000;

export function toFragment(state) {
  const parameters = new URLSearchParams();
  // The first tab needs no word; a link to another one says which.
  if (state.tab !== EXAMPLE.tab) parameters.set("tab", state.tab);
  for (const name of ["dialect", "mode", ...TEXTS]) parameters.set(name, state[name]);
  return `#${parameters}`;
}

/** Undefined where the fragment holds no state; a tab alone is the example in that tab. A word that this version does not know becomes the example's. */
export function fromFragment(fragment) {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ""));
  const word = (name, known) => (known.includes(parameters.get(name)) ? parameters.get(name) : EXAMPLE[name]);
  const tab = word("tab", TABS);
  if (!TEXTS.some((name) => parameters.has(name))) return parameters.has("tab") ? { ...EXAMPLE, tab } : undefined;
  const texts = TEXTS.map((name) => [name, (parameters.get(name) ?? "").replaceAll("\r\n", "\n")]);
  return { tab, dialect: word("dialect", DIALECTS), mode: word("mode", PERMISSION_MODES), ...Object.fromEntries(texts) };
}
