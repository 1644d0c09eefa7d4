// Runs vectors through the installed package: a vector a line comes in, what the package gave a line goes out.
// Which shape a vector has, and whether what came is right, is decided by `cargo xtask vectors`; here is only what
// each shape calls.
import { createInterface } from "node:readline";
import * as main from "toolgate";
import * as node from "toolgate/node";
import { decode, encode } from "./vectors/notation.mjs";
import { inner, runs } from "./vectors/shapes.mjs";

const toolgate = { ...main, ...node };

/** Whether the package has `name`: an export, or `Class.method`. */
function has(name) {
  const [outer, method] = name.split(".");
  const value = toolgate[outer];
  if (method === undefined) return value !== undefined;
  return typeof value === "function" && (method in value || method in value.prototype);
}

async function answer({ shape, function: name, dialect, keepsNull, input }) {
  if (!has(name)) return { pending: name };
  if (inner[shape] !== undefined) return { elsewhere: inner[shape] };
  const run = runs[shape];
  if (run === undefined) return { came: { unknownShape: shape } };
  try {
    return { came: encode(await run(toolgate, decode(input, keepsNull ? null : undefined), dialect)) };
  } catch (error) {
    return { came: encode({ throws: error?.name ?? String(error), code: error?.code, message: String(error?.message) }) };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const vector = JSON.parse(line);
  process.stdout.write(JSON.stringify({ id: vector.id, ...(await answer(vector)) }) + "\n");
}
