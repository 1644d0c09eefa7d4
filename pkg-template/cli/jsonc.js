// What the command needs of `jsonc-parser`. In the package the library itself stands here (`xtask/bundle.mjs`).
export { ParseErrorCode, stripComments, visit } from "jsonc-parser";
