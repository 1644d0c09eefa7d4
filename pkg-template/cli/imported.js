// Rules that another agent keeps in a file of its own kind, by the package's importers.
import { fromCodexRules, fromOpenCodePermission } from "../node.js";
import { Lines, scan } from "./json.js";

/** What `--from` takes. Each gives what its importer gives, and where in the file a diagnostic or loss of it stands. */
export const KINDS = { codex, opencode };

/** `permission`, the tool, the pattern: nothing is said of what stands deeper. */
const DEEPEST = 3;

/** A loss is a warning where the rules here hold less than there, and else worth knowing. */
const SEVERITY = { weaker: "warning", stricter: "info", none: "info" };

/** The configuration, and diagnostics and losses as diagnostics that know their place in the file. */
export function imported(kind, text, value, { home, root }) {
  const { config, diagnostics, losses, place } = KINDS[kind](text, value, { home, root });
  const all = [...diagnostics, ...losses.map(({ effect, ...loss }) => ({ severity: SEVERITY[effect], ...loss, effect }))];
  return { config, diagnostics: all.map((each) => ({ ...each, inFile: place(each) })) };
}

function codex(text) {
  const lines = new Lines(text);
  const place = ({ span, path }) => (span === undefined ? { path } : { path, ...lines.place(span.start) });
  return { ...fromCodexRules(text), place };
}

/** `permission` of `opencode.json`, or that object alone. */
function opencode(text, value, { home, root }) {
  const wrapped = Object.hasOwn(value, "permission");
  const options = { ...(root === undefined ? {} : { projectRoot: root }), ...(home === undefined ? {} : { home }) };
  const lines = new Lines(text);
  const starts = new Map();
  const see = (at, depth, path) => {
    if (depth <= DEEPEST) starts.set(JSON.stringify(path()), at);
  };
  scan(text, see, { comments: true });
  const place = ({ path }) => {
    const inFile = wrapped && path[0] !== "options" ? ["permission", ...path] : path;
    const at = starts.get(JSON.stringify(inFile));
    return at === undefined ? { path: inFile } : { path: inFile, ...lines.place(at) };
  };
  return { ...fromOpenCodePermission(wrapped ? value.permission : value, options), place };
}
