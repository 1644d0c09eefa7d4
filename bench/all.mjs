// Every measure; prints a JSON object of rows and memory, whose members `cargo xtask bench` knows. What is measured on goes to
// the error stream. Names of measures may follow: then only those run.
import { others } from "./others.mjs";
import { bare, crossing } from "./decide.mjs";
import { source } from "./corpus.mjs";
import { memory } from "./memory.mjs";
import { compiling, many, sizes, stacks } from "./policies.mjs";
import { reading } from "./reading.mjs";
import { review } from "./review.mjs";
import { rounded } from "./rows.mjs";
import { stage } from "./stage.mjs";
import { starting } from "./starting.mjs";

const MEASURES = { bare, crossing, reading, compiling, sizes, many, stacks, others, starting, review, stage };

console.error(`measured on ${source}`);
const asked = process.argv.slice(2);
const isAsked = (name) => asked.length === 0 || asked.includes(name);
const times = [];
for (const [name, measured] of Object.entries(MEASURES)) {
  if (isAsked(name)) times.push(...(await measured()));
}
console.log(JSON.stringify({ times: times.map(rounded), memory: isAsked("memory") ? memory() : undefined }));
