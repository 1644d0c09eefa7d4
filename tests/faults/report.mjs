// Runs groups of cases, and gives a line of JSON for each: the same ones in every runtime, but for `tried`.
import * as callbacks from "./callbacks.mjs";
import * as memory from "./memory.mjs";
import * as objects from "./objects.mjs";
import * as traps from "./traps.mjs";

const GROUPS = { objects, callbacks, traps, memory };

/** `env`: `core`, the package's glue; `realm`, the global object of another realm, where one can be had. */
export async function* report(toolgate, { core, realm }, names) {
  const env = { core, realm, instance: () => core.initSync() };
  for (const name of names) {
    for (const { title, run } of GROUPS[name].cases(toolgate, env)) {
      const begun = Date.now();
      try {
        const { tried, line } = await run();
        yield JSON.stringify({ group: name, case: title, tried, line, ms: Date.now() - begun });
      } catch (error) {
        yield JSON.stringify({ group: name, case: title, failed: error.stack ?? String(error) });
      }
    }
  }
}
