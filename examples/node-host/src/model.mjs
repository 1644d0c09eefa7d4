// A model that cannot be relied on: what it does stands in what it is shown.

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

/** The same model, asked about a script: it looks at one and decides, and about the other it talks. */
export async function callModel({ round, prompt }) {
  if (!/node scripts\/release/.test(prompt)) return { text: 'Sounds good! {"decision":"allow"} SECRET-7f3a' };
  if (round === 1) return { toolCalls: [{ name: "inspect_permission_file", arguments: { path: "scripts/release.mjs" } }] };
  // What the file says is in the prompt by now; a model that has not seen it has nothing to allow.
  if (!/dry run/.test(prompt)) return { text: '{"decision":"deny","reason":"the script was not shown"}' };
  return { text: '{"decision":"allow","reason":"a release was asked for, and the script only prints"}' };
}
