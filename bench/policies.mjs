// Compiling and deciding at several sizes, one call against many, and the stack of `stack/`.
import { Policy, readShellCommand } from "toolgate";
import { calls, lists, policyOf } from "./cases.mjs";
import { measure } from "./clock.mjs";
import { isBehind } from "./reading.mjs";
import { promised, row } from "./rows.mjs";
import { Stack } from "./stack/evaluate.mjs";

const CALLS = 400;
const STACK = "unbash + picomatch + ignore";

/** The promise is a time; 200 rules are compiled beside the stack's, too. */
export function compiling() {
  const rows = [
    [200, 1e6],
    [10_000, 60e6],
  ].map(([count, most]) => {
    const config = { rules: lists(count) };
    const [{ nanoseconds }] = measure([() => new Policy(config).free()], { rounds: 15 });
    return promised(`compile ${count.toLocaleString("en")} rules`, nanoseconds, most);
  });
  const rules = lists(200);
  const times = measure([() => new Stack(rules), () => new Policy({ rules }).free()], { rounds: 21 });
  return [...rows, row("compile 200 rules", STACK, times, { peer: true })];
}

export function sizes() {
  const some = calls(CALLS);
  const policies = [20, 1000, 10_000].map(policyOf);
  const runs = policies.map((policy) => () => some.forEach((call) => policy.decide(call)));
  const [base, thousand, most] = measure(runs, { rounds: 21 });
  policies.forEach((policy) => policy.free());
  const of = (name, time, most) => row(`decide at ${name} rules`, "20 rules", [base, time], { most, calls: some.length });
  return [of("1,000", thousand, 2), of("10,000", most, 3)];
}

export function many() {
  const all = calls(4000);
  const policy = policyOf(1000);
  const times = measure([() => all.map((call) => policy.decide(call)), () => policy.decideMany(all)], { rounds: 15 });
  policy.free();
  return [row("decideMany at 1,000 rules", "a loop over decide", times, { most: 1 / 1.1, calls: all.length })];
}

/** Calls that the two decide alike. Where the risk of a call decides, or one command runs another, the stack has no say. */
function alike(policy, stack) {
  const simple = calls(CALLS).filter(({ arguments: { command } }) => !readShellCommand(command).commands.some(isBehind));
  const judged = simple.filter((call) => policy.decide(call).stage !== "risk");
  const same = judged.filter((call) => policy.decide(call).kind === stack.decide(call));
  if (same.length < judged.length * 0.95) throw new Error(`the stack agrees on ${same.length} of ${judged.length} calls only`);
  return { same, judged };
}

export function stacks() {
  return [
    [20, 1 / 1.2],
    [200, 1],
    [1000, 1 / 4],
  ].map(([count, most]) => {
    const rules = lists(count);
    const [policy, stack] = [new Policy({ rules }), new Stack(rules)];
    const { same, judged } = alike(policy, stack);
    console.error(`stack at ${count} rules: the same decision on ${same.length} of ${judged.length} calls, which are measured`);
    const runs = [() => same.forEach((call) => stack.decide(call)), () => same.forEach((call) => policy.decide(call))];
    const times = measure(runs, { rounds: 21 });
    policy.free();
    return row(`decide at ${count.toLocaleString("en")} rules`, STACK, times, { most, calls: same.length, peer: true });
  });
}
