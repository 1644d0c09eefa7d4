// The calls of a file, in batches. A line that is no call is told of, and costs none of the others.
import { statSync } from "node:fs";
import { BadInput } from "./bad_input.js";
import { CallReader } from "./calls.js";
import { nameOf, STANDARD_INPUT } from "./files.js";
import { linesOf } from "./lines.js";
import { Progress } from "./progress.js";
import { badCall, isRefusal } from "./state.js";
import { clipped, inks, shown } from "./terminal.js";

const BATCH = 512;
/** Nobody reads more of them. */
const MOST_SHOWN = 20;

/**
 * Hands the calls on, as `{ line, call }`, many at once. Where `take` throws what the package refuses, it must not have
 * changed anything; it then gets each call of the batch alone. Gives what was left out. @throws BadInput where no call is left
 */
export async function eachBatch(file, shell, take) {
  const reader = new CallReader(file, shell);
  const left = new LeftOut(reader.ignored);
  const progress = new Progress(process.stderr, sizeOf(file));
  let batch = [];
  let taken = 0;
  const hand = () => {
    taken += handOn(file, batch, take, left);
    batch = [];
  };
  try {
    for await (const line of linesOf(file)) {
      if (line.fault === undefined && /^[ \t]*$/u.test(line.text)) continue;
      try {
        if (line.fault !== undefined) throw line.fault;
        batch.push({ line: line.number, call: reader.read(line) });
      } catch (error) {
        left.bad(error);
      }
      if (batch.length < BATCH) continue;
      hand();
      progress.at(line.bytes, line.number);
    }
    hand();
  } finally {
    progress.end();
  }
  if (taken === 0) throw noCall(file, left);
  return left;
}

/** What a file had beside its calls. */
class LeftOut {
  /** How many lines could not be used. */
  count = 0;
  #first = [];
  #ignored;

  constructor(ignored) {
    this.#ignored = ignored;
  }

  /** @throws whatever says nothing of a line */
  bad(error) {
    if (!(error instanceof BadInput)) throw error;
    this.count += 1;
    if (this.#first.length < MOST_SHOWN) this.#first.push(error);
  }

  /** For people, on standard error. */
  tell() {
    const ink = inks(process.stderr);
    const lines = this.picture(ink);
    if (lines.length > 0) process.stderr.write(`\n${lines.join("\n")}\n`);
  }

  picture(ink) {
    const lines = this.#first.map((error) => `${ink.deny("error:")} ${error.text(ink)}`);
    if (this.count > this.#first.length) lines.push(`and ${this.count - this.#first.length} more lines that could not be used`);
    const ignored = ignoredText(this.#ignored);
    return ignored === undefined ? lines : [...lines, ignored];
  }

  /** For machines. */
  data() {
    return {
      badLines: { count: this.count, first: this.#first.map((error) => error.data()) },
      ignoredMembers: Object.fromEntries(this.#ignored),
    };
  }
}

function handOn(file, batch, take, left) {
  if (batch.length === 0) return 0;
  try {
    take(batch);
    return batch.length;
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  // One of them is refused; alone, it says which.
  let taken = 0;
  for (const each of batch) {
    try {
      take([each]);
      taken += 1;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      left.bad(badCall(`${shown(nameOf(file))}:${each.line}: `, error, { file, line: each.line }));
    }
  }
  return taken;
}

function noCall(file, left) {
  const message = `${shown(nameOf(file))}: there is no call in it`;
  const details = left.count === 0 ? {} : left.data();
  return new BadInput("no-call", message, { details, excerpt: (ink) => (left.count === 0 ? [] : left.picture(ink)) });
}

/** Undefined for what is no plain file: its size says nothing. */
function sizeOf(file) {
  const stat = file === STANDARD_INPUT ? undefined : statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() ? stat.size : undefined;
}

function ignoredText(ignored) {
  if (ignored.size === 0) return undefined;
  const names = [...ignored].slice(0, 8).map(([name, times]) => `${clipped(name, 30)} (${times})`);
  return `Ignored members of calls: ${names.join(", ")}${ignored.size > 8 ? ", and more" : ""}`;
}
