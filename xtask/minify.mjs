// Takes blanks and comments out of the generated glue; names stay, so that a stack trace can be read.
// `node minify.mjs FROM TO`
import { readFileSync, writeFileSync } from "node:fs";
import { minify } from "vite";

const [from, to] = process.argv.slice(2);
const options = { module: true, compress: false, mangle: false, codegen: { removeWhitespace: true } };
const { code, errors } = await minify(from, readFileSync(from, "utf8"), options);
if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"));
writeFileSync(to, code);
