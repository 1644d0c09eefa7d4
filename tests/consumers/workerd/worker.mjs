import * as toolgate from "toolgate";
import { lines } from "../cases.mjs";

export default {
  async fetch() {
    const all = [];
    for await (const line of lines(toolgate)) all.push(line);
    return new Response(all.join("\n"));
  },
};
