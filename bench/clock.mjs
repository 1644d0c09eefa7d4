// Medians of many short rounds, the contestants taking turns, so that a busy machine slows all of them alike.

const ROUNDS = 41;
const WARM_UP_MS = 300;
const ROUND_MS = 10;

/** Nanoseconds of one call of each function. */
export function medians(functions) {
  const repeats = functions.map(repeatsOf);
  const samples = functions.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    functions.forEach((run, at) => samples[at].push(time(run, repeats[at])));
  }
  return samples.map(median);
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

function median(samples) {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}
