// All groups in Node.
import { createContext, runInContext } from "node:vm";
import * as toolgate from "toolgate";
import * as core from "../node_modules/toolgate/core.js";
import { report } from "./report.mjs";

const realm = runInContext("globalThis", createContext());
for await (const line of report(toolgate, { core, realm }, process.argv.slice(2))) console.log(line);
