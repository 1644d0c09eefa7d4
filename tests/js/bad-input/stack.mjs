// The end of the stack, where a call into the core may stop anywhere.

/**
 * Dives until the stack ends, and works at each of the last levels on the way back; the words that `work` gave, counted. `no call` is
 * the engine's `RangeError`: so deep not even the call itself could be made. Whatever else was thrown is told as it is.
 */
export function atTheEndOfTheStack(work) {
  const tally = new Map();
  const word = () => {
    try {
      return work();
    } catch (error) {
      return error instanceof RangeError && error.code === undefined ? "no call" : `threw ${error}`;
    }
  };
  const dive = () => {
    let left;
    try {
      left = dive();
    } catch {
      left = 400;
    }
    if (left === 0) return 0;
    try {
      const came = word();
      tally.set(came, (tally.get(came) ?? 0) + 1);
    } catch {
      // Not even the counting fits here; the next level up has more room.
    }
    return left - 1;
  };
  dive();
  return tally;
}
