// A call as two fields, the tool and what it is about, and what came out of it.

/** Arguments that rules look at, in the order in which one stands for the call. */
const MEMBERS = ["command", "file_path", "notebook_path", "path", "url"];
const OF_TOOL = {
  Bash: "command",
  Read: "file_path",
  Edit: "file_path",
  MultiEdit: "file_path",
  Write: "file_path",
  NotebookEdit: "notebook_path",
  Glob: "path",
  Grep: "path",
  LS: "path",
  WebFetch: "url",
};
const LABELS = { command: "Command", file_path: "File", notebook_path: "Notebook", path: "Path", url: "Address", subject: "Content" };

/** Tools that agents mostly have. */
export const TOOLS = [...Object.keys(OF_TOOL), "WebSearch", "Task", "TodoWrite", "Skill"];

/** Where a call keeps what it is about; for a fresh call, where its tool keeps it. */
function memberOf(call) {
  if (typeof call?.subject === "string") return "subject";
  const given = call?.arguments ?? {};
  return MEMBERS.find((name) => Object.hasOwn(given, name) && typeof given[name] === "string");
}

export function subjectOf(call) {
  const member = memberOf(call);
  if (member === undefined) return "";
  return member === "subject" ? call.subject : call.arguments[member];
}

/** What a call's tool is, whatever the host gave. */
export function toolOf(call) {
  return typeof call?.tool === "string" ? call.tool : "no tool";
}

/** What is left of an outcome: the word of its badge. */
export function kindOf({ decision }) {
  return decision?.effective ?? "none";
}

/** What the second field is called. */
export function labelOf(call, bashToolName) {
  return LABELS[memberOf(call) ?? memberOfTool(call?.tool, bashToolName)];
}

/** The call with another tool and content; what else it holds stays. */
export function withTexts(call, tool, subject, bashToolName) {
  const { subject: _subject, ...rest } = call ?? {};
  const others = { ...rest.arguments };
  const old = memberOf(call);
  if (old !== undefined) delete others[old];
  const member = call?.tool === tool ? (old ?? memberOfTool(tool, bashToolName)) : memberOfTool(tool, bashToolName);
  const fresh = { ...rest, tool, arguments: others };
  if (subject !== "") {
    if (member === "subject") fresh.subject = subject;
    else fresh.arguments[member] = subject;
  }
  if (Object.keys(fresh.arguments).length === 0) delete fresh.arguments;
  return fresh;
}

function memberOfTool(tool, bashToolName) {
  if (tool === bashToolName && tool !== undefined) return "command";
  return Object.hasOwn(OF_TOOL, tool) ? OF_TOOL[tool] : "subject";
}
