// All of them, in order. They are adopted by the shadow root, so a page's policy need not allow inline styles.
import { base } from "./base.js";
import { calls } from "./calls.js";
import { editor } from "./editor.js";
import { tokens } from "./tokens.js";

export const styles = [tokens, base, editor, calls];
