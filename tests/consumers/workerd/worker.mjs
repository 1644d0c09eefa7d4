import * as toolgate from "toolgate";
import { lines } from "../cases.mjs";

export default {
  async fetch() {
    return new Response(lines(toolgate).join("\n"));
  },
};
