// What comes from files beside the two fields: the whole workbench saved and opened again, and the example of real commands.
import callsFile from "../../../tests/corpus/demo/calls.jsonl?url";
import settingsFile from "../../../tests/corpus/demo/settings.json?url";
import { fileOf } from "./packed.js";

const NAME = "toolgate-workbench.json";

/** Saves a state where the browser saves files. */
export function save(state) {
  const url = URL.createObjectURL(new Blob([fileOf(state)], { type: "application/json" }));
  const link = Object.assign(document.createElement("a"), { href: url, download: NAME });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The texts of the example; they come from where the page comes from. */
export async function realCommands() {
  const [settings, calls] = await Promise.all([settingsFile, callsFile].map(async (file) => (await fetch(file)).text()));
  return { settings, calls };
}
