// A test build of the module: it traps where it is told, and its memory has an end.
//
// Each function first takes from `fuel`, a global that is exported: at nothing left the module traps, a real `unreachable` with
// whatever was half done by then. Fuel is 0 in a fresh instance, and 0 is without an end.
import binaryen from "binaryen";

/** Pages of 64 KiB that the memory may grow to. */
export const MOST_PAGES = 96;

/** What the build emits (`xtask/src/build.rs`). */
const FEATURES = ["ReferenceTypes", "BulkMemory", "BulkMemoryOpt", "NontrappingFPToInt", "SignExt", "MutableGlobals", "Multivalue"];

/** The bytes of a module that does what those of another do, and fails on demand. */
export function faulty(bytes) {
  const module = binaryen.readBinary(bytes);
  try {
    module.setFeatures(FEATURES.reduce((all, name) => all | binaryen.Features[name], 0));
    module.addGlobal("fuel", binaryen.i32, true, module.i32.const(0));
    module.addGlobalExport("fuel", "fuel");
    const left = () => module.global.get("fuel", binaryen.i32);
    let changed = 0;
    for (let at = 0; at < module.getNumFunctions(); at++) {
      const named = module.getFunctionByIndex(at);
      const { module: imported } = binaryen.getFunctionInfo(named);
      if (imported) continue;
      const take = module.global.set("fuel", module.i32.sub(left(), module.i32.const(1)));
      const stop = module.if(module.i32.eqz(left()), module.unreachable());
      const step = module.if(left(), module.block(null, [take, stop], binaryen.none));
      const { results } = binaryen.getFunctionInfo(named);
      const own = binaryen.Function(named);
      own.setBody(module.block(null, [step, own.getBody()], results));
      changed += 1;
    }
    if (changed < 100) throw new Error(`only ${changed} functions were changed`);
    if (!module.validate()) throw new Error("the changed module is none");
    return withEnd(module.emitBinary());
  } finally {
    module.dispose();
  }
}

/** Writes a maximum into the section of the one memory: flags, minimum, maximum. */
function withEnd(bytes) {
  for (let at = 8; at < bytes.length; ) {
    const id = bytes[at];
    const [size, body] = number(bytes, at + 1);
    if (id === 5) {
      const [minimum] = number(bytes, body + 2);
      if (bytes[body] !== 1 || bytes[body + 1] !== 0 || minimum >= MOST_PAGES) throw new Error("the memory is not what it was");
      const section = [1, 1, ...written(minimum), ...written(MOST_PAGES)];
      return Uint8Array.from([...bytes.subarray(0, at), 5, ...written(section.length), ...section, ...bytes.subarray(body + size)]);
    }
    at = body + size;
  }
  throw new Error("the module has no memory");
}

/** An unsigned LEB128 number, and where it ends. */
function number(bytes, at) {
  let [value, shift] = [0, 0];
  for (;;) {
    const byte = bytes[at++];
    value += (byte & 0x7f) * 2 ** shift;
    shift += 7;
    if (byte < 0x80) return [value, at];
  }
}

function written(value) {
  const bytes = [];
  for (; value >= 0x80; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}
