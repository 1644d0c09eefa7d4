// Rows of the table; `cargo xtask bench` knows their members.

/** `time` against `base`, both as `clock.mjs` measures them; each of them did `calls` things. */
export function row(name, against, [base, time], { most, calls = 1, peer = false } = {}) {
  return { name, against, peer, nanoseconds: time.nanoseconds / calls, bare_nanoseconds: base.nanoseconds / calls, ratio: time.ratio, most, stable: true };
}

/** A time against one that is promised: it says as much of the machine as of the code, so it is shown and not checked. */
export const promised = (name, nanoseconds, most) => ({
  name,
  against: "the promised time",
  peer: false,
  nanoseconds,
  bare_nanoseconds: most,
  ratio: nanoseconds / most,
  most: 1,
  stable: false,
});

export const rounded = ({ nanoseconds, bare_nanoseconds, ratio, most, ...rest }) => ({
  ...rest,
  nanoseconds: Math.round(nanoseconds),
  bare_nanoseconds: Math.round(bare_nanoseconds),
  ratio: Number(ratio.toPrecision(4)),
  most: most && Number(most.toFixed(2)),
});
