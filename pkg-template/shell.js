// What a line runs, and how dangerous a line or path is, without a policy around it.
import { jsonText, optionalText, text } from "./arguments.js";
import { call, run } from "./instance.js";

export function readShellCommand(command) {
  const line = text(command, ["command"]);
  return withRunTimeWords(JSON.parse(run((core) => core.readShellCommand(line))));
}

export function assessBashCommand(command, patterns, dialect) {
  const line = text(command, ["command"]);
  const list = patterns === undefined || patterns === null ? undefined : jsonText(patterns, ["patterns"]);
  const name = optionalText(dialect, ["dialect"]);
  return JSON.parse(call("assessBashCommand", line, list, name));
}

export function assessFilePath(filePath, options) {
  const path = text(filePath, ["filePath"]);
  const json = jsonText(options, ["options"]);
  return JSON.parse(call("assessFilePath", path, json));
}

/** JSON has no `undefined`: a word that is known only at run time came over as `null`. */
export function withRunTimeWords(reading) {
  for (const command of reading.commands) {
    command.words = command.words.map((word) => word ?? undefined);
    for (const assignment of command.assignments) assignment.value ??= undefined;
    for (const redirect of command.redirects) redirect.target ??= undefined;
  }
  return reading;
}
