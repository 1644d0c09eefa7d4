import { parentPort } from "node:worker_threads";
import * as toolgate from "toolgate";
import { serve } from "./served.mjs";

parentPort.on("message", (message) => serve(toolgate, (said) => parentPort.postMessage(said), message));
