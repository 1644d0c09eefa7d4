// Groups in Node: `node node.mjs GROUP…`.
import { createContext, runInContext } from "node:vm";
import { Worker } from "node:worker_threads";
import * as toolgate from "toolgate";
import * as core from "../node_modules/toolgate/core.js";
import { report } from "./report.mjs";

const realm = runInContext("globalThis", createContext());

function spawn() {
  const worker = new Worker(new URL("./killed/node.mjs", import.meta.url));
  return {
    post: (message) => worker.postMessage(message),
    listen: (take) => void worker.on("message", take).on("error", (error) => take({ failed: String(error.stack) })),
    kill: () => worker.terminate(),
  };
}

for await (const line of report(toolgate, { core, realm, spawn }, process.argv.slice(2))) console.log(line);
