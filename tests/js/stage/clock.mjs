// A clock that only the test moves. The package looks timers and clock up at each use, so that they can be replaced.

/** Lets everything that can run run to its end. */
export const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Stops the clock for the time of `work`. */
export async function withClock(work) {
  const { setTimeout, clearTimeout } = globalThis;
  const timers = new Map();
  let now = 0;
  let last = 0;
  globalThis.setTimeout = (fire, ms) => {
    timers.set(++last, { fire, due: now + ms });
    return last;
  };
  globalThis.clearTimeout = (timer) => void timers.delete(timer);
  Object.defineProperty(performance, "now", { configurable: true, writable: true, value: () => now });
  const clock = {
    /** Timers that run. */
    running: () => timers.size,
    /** Time passes while the host is busy: no timer fires. */
    stall: (ms) => void (now += ms),
    async advance(ms) {
      await settled();
      const until = now + ms;
      for (;;) {
        const due = [...timers].filter(([, timer]) => timer.due <= until).sort(([, a], [, b]) => a.due - b.due);
        if (due.length === 0) break;
        const [[number, timer]] = due;
        timers.delete(number);
        now = Math.max(now, timer.due);
        timer.fire();
        await settled();
      }
      now = until;
    },
  };
  try {
    return await work(clock);
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout });
    // The own property hides that of the prototype.
    delete performance.now;
  }
}
