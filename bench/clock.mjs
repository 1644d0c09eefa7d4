// Medians of many short rounds. In a round the contestants run one after another, and ratios are taken within a round:
// what else the machine does then slows both sides of a ratio.

const ROUNDS = 61;
const WARM_UP_MS = 300;
const ROUND_MS = 6;

/** Nanoseconds of one call of each function, and how often the first one fits into it. */
export function measure(functions, { rounds: count = ROUNDS } = {}) {
  const repeats = functions.map(repeatsOf);
  const rounds = Array.from({ length: count }, () => functions.map((run, at) => time(run, repeats[at])));
  return functions.map((_, at) => ({
    nanoseconds: median(rounds.map((round) => round[at])),
    ratio: median(rounds.map((round) => round[at] / round[0])),
  }));
}

/** `measure` of functions whose promises are waited for, after `warm` calls of each. */
export async function measureAsync(functions, { rounds: count = ROUNDS, warm = 2_000 } = {}) {
  const timed = async (run, repeats) => {
    const begun = performance.now();
    for (let n = 0; n < repeats; n++) await run();
    return ((performance.now() - begun) * 1e6) / repeats;
  };
  const repeats = [];
  for (const run of functions) {
    await timed(run, warm);
    repeats.push(Math.max(1, Math.round((ROUND_MS * 1e6) / (await timed(run, Math.ceil(warm / 10))))));
  }
  const rounds = [];
  for (let round = 0; round < count; round++) {
    const times = [];
    for (const [at, run] of functions.entries()) times.push(await timed(run, repeats[at]));
    rounds.push(times);
  }
  return functions.map((_, at) => ({
    nanoseconds: median(rounds.map((round) => round[at])),
    ratio: median(rounds.map((round) => round[at] / round[0])),
  }));
}

/** Nanoseconds that `run` takes for each item: the quickest of a few short rounds, once it is warm. */
export function each(items, run) {
  for (let round = 0; round < 3; round++) items.forEach(run);
  const quickest = (item) => Math.min(...Array.from({ length: 5 }, () => time(() => run(item), 8)));
  return items.map(quickest);
}

/** How often a function fits into a round; it is warm afterwards. */
function repeatsOf(run) {
  const until = performance.now() + WARM_UP_MS;
  let calls = 0;
  while (performance.now() < until) {
    run();
    calls++;
  }
  return Math.max(1, Math.round((calls / WARM_UP_MS) * ROUND_MS));
}

function time(run, repeats) {
  const begun = performance.now();
  for (let n = 0; n < repeats; n++) run();
  return ((performance.now() - begun) * 1e6) / repeats;
}

export function median(samples) {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}
