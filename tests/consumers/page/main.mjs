// The server answers this address with the package's entry for browsers.
import * as toolgate from "/toolgate";
import { lines } from "../cases.mjs";

await toolgate.init();
for await (const line of lines(toolgate)) console.log(line);
console.log("end");
