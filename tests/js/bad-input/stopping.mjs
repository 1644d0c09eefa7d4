// How the core is made to stop.

/** Runs `work` while the runtime's own URL throws in the middle of a call into the core, as running out of stack does. */
export function stopping(work) {
  const hostname = Object.getOwnPropertyDescriptor(URL.prototype, "hostname");
  const get = () => {
    throw new Error("stopped on purpose");
  };
  Object.defineProperty(URL.prototype, "hostname", { ...hostname, get });
  try {
    return work();
  } finally {
    Object.defineProperty(URL.prototype, "hostname", hostname);
  }
}
