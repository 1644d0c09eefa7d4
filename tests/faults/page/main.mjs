// Groups in a page: those that its address names.
import * as toolgate from "toolgate";
import * as core from "../../node_modules/toolgate/core.js";
import { report } from "../report.mjs";

/** Another realm: a frame of the page. */
const frame = document.createElement("iframe");
document.body.append(frame);

function spawn() {
  const worker = new Worker(new URL("../killed/web.mjs", import.meta.url), { type: "module" });
  return {
    post: (message) => worker.postMessage(message),
    listen(take) {
      worker.onmessage = ({ data }) => take(data);
      worker.onerror = ({ message }) => take({ failed: message });
    },
    kill: () => worker.terminate(),
  };
}

await toolgate.init();
const groups = new URLSearchParams(location.search).get("groups").split(",");
for await (const line of report(toolgate, { core, realm: frame.contentWindow, spawn }, groups)) console.log(line);
console.log("end");
