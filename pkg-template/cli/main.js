// From words on a command line to an exit code.
import { version } from "../node.js";
import { BadInput, MisusedOption } from "./bad_input.js";
import { BAD_INPUT, FAILED, FINE } from "./exit_codes.js";
import { HELP } from "./help.js";
import { readOptions } from "./options.js";
import { inks, jsonText, shown } from "./terminal.js";

/** Each has a file of its name, loaded when it is asked for, whose function of its name prints and gives the exit code. */
const COMMANDS = ["check", "explain", "replay", "diff", "suggest"];

export async function main(words) {
  for (const stream of [process.stdout, process.stderr]) endQuietlyWithTheReader(stream);
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
  const command = COMMANDS.find((known) => known === name);
  try {
    if (command === undefined) throw new MisusedOption("unknown-command", `there is no command \`${shown(name)}\``);
    const options = readOptions(command, rest);
    if (options.help) return say(HELP[command]);
    const { [command]: run } = await import(`./${command}.js`);
    return await run(options);
  } catch (error) {
    const refused = error instanceof BadInput ? error : new BadInput("failed", `toolgate itself failed: ${shown(String(error))}`);
    refuse(refused, json, command);
    return refused === error ? BAD_INPUT : FAILED;
  }
}

function say(text) {
  process.stdout.write(`${text}\n`);
  return FINE;
}

function refuse(error, json, command) {
  if (json) {
    process.stdout.write(`${jsonText({ error: error.data() })}\n`);
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
