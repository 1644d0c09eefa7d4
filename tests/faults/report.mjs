// Runs groups of cases, and gives a line of JSON for each: the same ones in every runtime.
import * as callbacks from "./callbacks.mjs";
import * as killed from "./killed.mjs";
import * as memory from "./memory.mjs";
import * as objects from "./objects.mjs";
import * as reentry from "./reentry.mjs";
import * as traps from "./traps.mjs";

const GROUPS = { objects, callbacks, reentry, killed, traps, memory };

/**
 * `env`: `core`, the package's glue; `realm`, the global object of another realm, and `spawn`, which starts a worker, where they can
 * be had. A line tells how many things were tried, and what came of them.
 */
export async function* report(toolgate, { core, ...given }, names) {
  const env = { ...given, instance: () => core.initSync() };
  for (const group of names) {
    for (const { title, run } of GROUPS[group].cases(toolgate, env)) {
      try {
        const { tried, line } = await run();
        yield JSON.stringify({ group, title, tried, line });
      } catch (error) {
        yield JSON.stringify({ group, title, failed: error.stack ?? String(error) });
      }
    }
  }
}
