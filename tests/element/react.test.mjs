import { inFramework } from "./in_framework.mjs";

inFramework("react");
