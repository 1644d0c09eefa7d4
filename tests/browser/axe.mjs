// What axe finds in the page that is shown.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { page } from "./page.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Each finding as rule, place and what to do; without options, of everything that axe knows and not only what the guidelines demand. */
export async function violations(options = {}) {
  // Handed to the page by the debugger, since the policy lets no script in.
  await page.evaluate(AXE);
  return page.evaluate(async (chosen) => {
    const found = await globalThis.axe.run(document, { resultTypes: ["violations"], ...chosen });
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.flat().join(" ")}: ${failureSummary}`),
    );
  }, options);
}
