// From words on a command line to an exit code.
import { version } from "../node.js";
import { BadInput, MisusedOption } from "./bad_input.js";
import { explain } from "./explain.js";
import { HELP } from "./help.js";
import { readOptions } from "./options.js";
import { replay } from "./replay.js";
import { inks, shown } from "./terminal.js";

const COMMANDS = { explain, replay };

/** Nothing is wrong; something was found; what came in cannot be used. */
export const FINE = 0;
export const FINDINGS = 1;
export const BAD_INPUT = 2;

export async function main(words) {
  endQuietlyWithTheReader(process.stdout);
  const [name, ...rest] = words;
  if (name === "--version" || name === "-V") return say(version);
  if (name === "--help" || name === "-h") return say(HELP.toolgate);
  if (name === "help") return say(Object.hasOwn(HELP, rest[0] ?? "") ? HELP[rest[0]] : HELP.toolgate);
  if (name === undefined) {
    process.stderr.write(`${HELP.toolgate}\n`);
    return BAD_INPUT;
  }
  // Read by hand too: where the options themselves are wrong, their reader has nothing to give.
  const json = rest.slice(0, rest.includes("--") ? rest.indexOf("--") : undefined).includes("--json");
  try {
    if (!Object.hasOwn(COMMANDS, name)) throw new MisusedOption("unknown-command", `there is no command \`${shown(name)}\``);
    const options = readOptions(name, rest);
    if (options.help) return say(HELP[name]);
    return (await COMMANDS[name](options)) ? FINE : FINDINGS;
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    refuse(error, json, Object.hasOwn(COMMANDS, name) ? name : undefined);
    return BAD_INPUT;
  }
}

function say(text) {
  process.stdout.write(`${text}\n`);
  return FINE;
}

function refuse(error, json, command) {
  if (json) {
    process.stdout.write(`${JSON.stringify({ error: error.data() })}\n`);
    return;
  }
  const ink = inks(process.stderr);
  const help = error instanceof MisusedOption ? `\nSee \`toolgate ${command === undefined ? "" : `${command} `}--help\`.` : "";
  process.stderr.write(`${ink.deny("error:")} ${error.text(ink)}${help}\n`);
}

/** `toolgate replay … | head`: the reader has seen enough, which is no failure of ours. */
function endQuietlyWithTheReader(stream) {
  stream.on("error", (error) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(process.exitCode ?? FINE);
  });
}
