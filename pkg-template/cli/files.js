// What messages call a file, and what they say where it cannot be read.
import { BadInput } from "./bad_input.js";
import { shown } from "./terminal.js";

/** What stands for standard input on the command line. */
export const STANDARD_INPUT = "-";

/** Not yet safe to show. */
export function nameOf(file) {
  return file === STANDARD_INPUT ? "standard input" : file;
}

const SAID = {
  ENOENT: "there is no such file",
  EISDIR: "this is a folder",
  EACCES: "no permission to read it",
  ERR_INVALID_ARG_VALUE: "this is no file name",
};

/** A file that cannot be read, said in words. */
export function unreadable(file, error) {
  const why = SAID[error.code] ?? `it cannot be read (${shown(String(error.code ?? error.message))})`;
  return new BadInput("unreadable-file", `${shown(nameOf(file))}: ${why}`, { details: { file } });
}
