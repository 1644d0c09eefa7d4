#!/usr/bin/env node
// The command `toolgate`: explains one call, replays many.
import { main } from "./cli/main.js";

// Not `process.exit`: what was written to a pipe must get through.
process.exitCode = await main(process.argv.slice(2));
