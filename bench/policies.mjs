// Compiling and deciding at several sizes, one call against many, and the stack of `stack/`.
import { Policy, readShellCommand } from "toolgate";
import { calls, lists, policyOf } from "./cases.mjs";
import { measure } from "./clock.mjs";
import { isBehind } from "./reading.mjs";
import { Stack } from "./stack/evaluate.mjs";

const CALLS = 400;

/** A row for the second measure, with the first as its base; `stable` says that a regression of the ratio counts. */
function row(name, [base, time], most, stable = true) {
  return { name, nanoseconds: time.nanoseconds, bare_nanoseconds: base.nanoseconds, ratio: time.ratio, most, stable };
}

/** The promise is a time, so the row is only as good as the machine: it is shown, not checked. */
export function compiling() {
  return [
    [200, 1e6],
    [10_000, 60e6],
  ].map(([count, promised]) => {
    const config = { rules: lists(count) };
    const [{ nanoseconds }] = measure([() => new Policy(config).free()], { rounds: 15 });
    return { name: `compile ${count} rules, to the promised time`, nanoseconds, bare_nanoseconds: promised, ratio: nanoseconds / promised, most: 1, stable: false };
  });
}

export function sizes() {
  const some = calls(CALLS);
  const policies = [20, 1000, 10_000].map(policyOf);
  const runs = policies.map((policy) => () => some.forEach((call) => policy.decide(call)));
  const [base, thousand, most] = measure(runs, { rounds: 21 });
  const rows = [row("decide at 1,000 rules, to 20", [base, thousand], 2), row("decide at 10,000 rules, to 20", [base, most], 3)];
  policies.forEach((policy) => policy.free());
  return rows;
}

export function many() {
  const all = calls(4000);
  const policy = policyOf(1000);
  const times = measure([() => all.map((call) => policy.decide(call)), () => policy.decideMany(all)], { rounds: 15 });
  policy.free();
  return [row("decideMany, to a loop over decide", times, 1 / 1.1)];
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
    [1000, 1 / 4],
  ].map(([count, most]) => {
    const rules = lists(count);
    const [policy, stack] = [new Policy({ rules }), new Stack(rules)];
    const { same, judged } = alike(policy, stack);
    console.error(`stack at ${count} rules: the same decision on ${same.length} of ${judged.length} calls, which are measured`);
    const runs = [() => same.forEach((call) => stack.decide(call)), () => same.forEach((call) => policy.decide(call))];
    const times = measure(runs, { rounds: 21 });
    policy.free();
    return row(`decide at ${count} rules, to unbash + picomatch + ignore`, times, most);
  });
}
