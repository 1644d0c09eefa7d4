// A model that cannot be relied on: what it does stands in the line that it is shown.

const SAYS = [
  [/make docs/, async () => '{"verdict":"allow","reason":"builds documents"}'],
  [/git push/, async () => '```json\n{"verdict":"ask","reason":"publishes commits"}\n```'],
  // Never answers; it stops when nobody waits any more.
  [/make slow/, (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))],
  [/make garbled/, async () => 'Sure! {"verdict":"allow"} SECRET-7f3a'],
  [/make broken/, async () => Promise.reject(new Error("no connection to fake, key SECRET-7f3a"))],
];

export function complete({ prompt }, signal) {
  const [, says] = SAYS.find(([line]) => line.test(prompt)) ?? [, async () => '{"verdict":"ask","reason":"never seen before"}'];
  return says(signal);
}
