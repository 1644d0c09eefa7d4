// The evaluator that a team would write over three packages: `unbash` reads lines, `picomatch` and `ignore` match paths, all
// else is `startsWith` and regular expressions. It keeps to the order deny, ask, allow and takes the strictest of a line's
// commands. It looks behind no wrapper and assesses no risk.
import { ignore, picomatch } from "../peers.mjs";
import { commandsOf } from "./walk.mjs";

const STRICTER = ["deny", "ask", "passthrough", "allow"];

export class Stack {
  #lists;

  constructor({ allow = [], ask = [], deny = [] }) {
    this.#lists = [["deny", deny.map(compile)], ["ask", ask.map(compile)], ["allow", allow.map(compile)]];
  }

  decide({ tool, arguments: { command, file_path, url } }) {
    if (command !== undefined) return this.#line(tool, command);
    if (url !== undefined) return this.#first(tool, [new URL(url).hostname], [new URL(url).hostname]);
    return this.#first(tool, [file_path], [file_path]);
  }

  #line(tool, line) {
    const commands = commandsOf(line);
    const whole = [line, line.trim()];
    // What does not parse is never allowed.
    if (commands === undefined) return this.#first(tool, whole, []);
    const kinds = commands
      .filter(({ words, assignments }) => words.length > 0 || assignments.length > 0)
      .map(({ words, start, end }) => {
        const written = line.slice(start, end);
        const name = words[0] === undefined ? words[0] : words[0].slice(words[0].lastIndexOf("/") + 1);
        return this.#first(tool, [written, words.join(" "), [name, ...words.slice(1)].join(" ")], words[0] === undefined ? [] : [written]);
      });
    if (kinds.length === 0) return "passthrough";
    const hidden = this.#first(tool, whole, []);
    return STRICTER.find((kind) => kinds.includes(kind) || (hidden !== "passthrough" && hidden === kind));
  }

  /** Deny and ask rules see every form, allow rules what is written. */
  #first(tool, seen, written) {
    for (const [kind, rules] of this.#lists) {
      const forms = kind === "allow" ? written : seen;
      for (const rule of rules) {
        if (rule.tool === tool && forms.some(rule.accepts)) return kind;
      }
    }
    return "passthrough";
  }
}

const escaped = (text) => text.replace(/[.+?^${}()|[\]\\]/g, "\\$&");

function compile(rule) {
  const open = rule.indexOf("(");
  if (open < 0) return { tool: rule, accepts: () => true };
  const tool = rule.slice(0, open);
  return { tool, accepts: matcher(tool, rule.slice(open + 1, -1).replace(/\\([\\()])/g, "$1")) };
}

function matcher(tool, content) {
  if (tool === "WebFetch" && content.startsWith("domain:")) {
    const host = content.slice("domain:".length);
    if (!host.startsWith("*.")) return (other) => other === host;
    return (other) => other === host.slice(2) || other.endsWith(host.slice(1));
  }
  const isPath = tool === "Read" || tool === "Edit" || tool === "Write";
  if (isPath && /^[^/*!#\\][^*]*\/$/.test(content)) {
    const folder = ignore().add(`/${content}`);
    return (path) => ignore.isPathValid(path) && folder.ignores(path);
  }
  if (!content.includes("*")) return (text) => text.startsWith(content);
  // In `bash` mode a star goes over slashes, as it does in the rules.
  if (isPath) return picomatch(content, { bash: true, dot: true });
  const pattern = new RegExp(`^${content.split("*").map(escaped).join("[^]*")}$`);
  return (text) => pattern.test(text);
}
