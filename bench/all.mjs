// Every measure; prints a JSON list of rows, whose members `cargo xtask bench` knows. What is measured on goes to the
// error stream.
import { bare } from "./decide.mjs";
import { source } from "./corpus.mjs";
import { compiling, many, sizes, stacks } from "./policies.mjs";
import { reading } from "./reading.mjs";
import { review } from "./review.mjs";
import { stage } from "./stage.mjs";

console.error(`measured on ${source}`);
const rows = [bare, reading, compiling, sizes, many, stacks, review].flatMap((measured) => measured());
rows.push(...(await stage()));
const rounded = rows.map((row) => ({
  ...row,
  nanoseconds: Math.round(row.nanoseconds),
  bare_nanoseconds: Math.round(row.bare_nanoseconds),
  ratio: Number(row.ratio.toFixed(3)),
  most: Number(row.most.toFixed(2)),
}));
console.log(JSON.stringify(rounded));
