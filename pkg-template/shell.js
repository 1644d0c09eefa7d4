// What a line runs, and how dangerous a line or path is, without a policy around it.
import { jsonText, optionalText, text } from "./arguments.js";
import { call, run } from "./instance.js";
import { rowOf } from "./row.js";
import vocabulary from "./vocabulary.js";

const { contexts, operators, problems } = vocabulary;

export function readShellCommand(command) {
  const line = text(command, ["command"]);
  return readReading(
    rowOf((core) => core.readShellCommand(line)),
    line,
  );
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

/** The reading of a line. */
function readReading(row, line) {
  const complete = row.number() === 1;
  return { complete, problems: row.list(readProblem), commands: row.list(readCommand, line) };
}

const readProblem = (row) => ({ code: problems[row.number()], span: row.span() });

function readCommand(row, line) {
  const context = contexts[row.number()];
  const span = row.span();
  const words = row.words(line);
  return { words, assignments: row.list(readAssignment, line), redirects: row.list(readRedirect, line), context, span };
}

const readAssignment = (row, line) => ({ name: row.word(line), value: row.word(line) });

const readRedirect = (row, line) => ({ operator: operators[row.number()], target: row.word(line), span: row.span() });

/** JSON has no `undefined`: a word that is known only at run time came over as `null`. */
export function withRunTimeWords(reading) {
  for (const command of reading.commands) {
    command.words = command.words.map((word) => word ?? undefined);
    for (const assignment of command.assignments) assignment.value ??= undefined;
    for (const redirect of command.redirects) redirect.target ??= undefined;
  }
  return reading;
}
