// Groups in workerd: those that the address names.
import * as toolgate from "toolgate";
import * as core from "../node_modules/toolgate/core.js";
import { report } from "./report.mjs";

export default {
  async fetch(request) {
    const groups = new URL(request.url).searchParams.get("groups").split(",");
    const lines = [];
    for await (const line of report(toolgate, { core }, groups)) lines.push(line);
    return new Response(lines.join("\n"));
  },
};
