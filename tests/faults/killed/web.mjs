import * as toolgate from "toolgate";
import { serve } from "./served.mjs";

const ready = toolgate.init();
addEventListener("message", ({ data }) => void ready.then(() => serve(toolgate, (said) => postMessage(said), data)));
