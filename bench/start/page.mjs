// Milliseconds of `init`, the package's JavaScript being there: the module is fetched, compiled and instantiated.
import { init } from "../node_modules/toolgate/browser.js";

const begun = performance.now();
await init();
console.log(performance.now() - begun);
console.log("end");
