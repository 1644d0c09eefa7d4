import * as toolgate from "toolgate";
import { lines } from "../cases.mjs";

// The package is ready when the import is; waiting costs nothing.
await toolgate.init();
for await (const line of lines(toolgate)) console.log(line);
