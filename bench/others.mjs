// toolgate beside what else answers such questions, on the closest work that each of them does; README.md says how it differs.
import { Policy, assessBashCommand, unescapeRuleContent } from "toolgate";
import { calls, lists } from "./cases.mjs";
import { measure, measureAsync } from "./clock.mjs";
import { casbin, cedar, checkCommand } from "./peers.mjs";
import { row } from "./rows.mjs";

const RULES = 200;
const CALLS = 200;
const ROUNDS = { rounds: 11 };

export async function others() {
  const all = calls(CALLS);
  const commands = all.map((call) => call.arguments.command);
  const rules = lists(RULES);
  const policy = new Policy({ rules });
  const texts = cedarTexts(rules);
  cedarPrepare(texts);
  const enforcer = await casbinOf(rules);
  const enforced = commands.map((command) => ["agent", command, "Bash"]);
  agreement("Cedar", all, policy, (at) => cedarAsk(commands[at]).decision === "allow");
  agreement("casbin", all, policy, (at) => enforcer.enforceSync(...enforced[at]));

  const decide = () => all.forEach((call) => policy.decide(call));
  const explain = () => all.forEach((call) => policy.explain(call));
  const compile = () => new Policy({ rules }).free();
  const ofCalls = { calls: CALLS, peer: true };
  const check = () => commands.forEach((command) => checkCommand({ command, cwd: "/repo" }));
  const assess = () => commands.forEach((command) => assessBashCommand(command));
  const cedarAll = () => commands.forEach(cedarAsk);
  const casbinAll = () => enforced.forEach((request) => enforcer.enforceSync(...request));
  const casbinTell = () => enforced.forEach((request) => enforcer.enforceExSync(...request));
  const rows = [
    row("assess a command", "cc-safety-net", measure([check, assess], ROUNDS), ofCalls),
    row("decide at 200 rules", "Cedar", measure([cedarAll, decide], ROUNDS), { ...ofCalls, most: 1 }),
    row("decide at 200 rules", "casbin", measure([casbinAll, decide], ROUNDS), { ...ofCalls, most: 1 }),
    row("explain at 200 rules", "Cedar", measure([cedarAll, explain], ROUNDS), ofCalls),
    row("explain at 200 rules", "casbin", measure([casbinTell, explain], ROUNDS), ofCalls),
    row("decideMany at 200 rules", "casbin", await measureAsync([() => enforcer.batchEnforce(enforced), () => policy.decideMany(all)], { rounds: 7, warm: 3 }), ofCalls),
    row("compile 200 rules", "Cedar", measure([() => cedarPrepare(texts), compile], ROUNDS), { peer: true }),
    row("compile 200 rules", "casbin", await measureAsync([() => casbinOf(rules), compile], { rounds: 11, warm: 20 }), { peer: true }),
  ];
  policy.free();
  return rows;
}

/** Two answers of each are told apart, allow and all else. */
function agreement(name, all, policy, allows) {
  const same = all.filter((call, at) => (policy.decide(call).kind === "allow") === allows(at));
  console.error(`${name} at ${RULES} rules: the same answer to ${same.length} of ${all.length} calls; all are measured`);
}

const contents = (list) => list.map((rule) => unescapeRuleContent(rule.slice(rule.indexOf("(") + 1, -1)));

/** Cedar's policies for the rules; what asks forbids, since there is nothing between. */
function cedarTexts({ allow, deny, ask }) {
  const literal = (content) => JSON.stringify(content).slice(1, -1);
  const policyOf = (effect) => (content) => `${effect}(principal, action, resource) when { context.command like "${literal(content)}*" };`;
  return [...contents(allow).map(policyOf("permit")), ...contents([...deny, ...ask]).map(policyOf("forbid"))].join("\n");
}

function cedarPrepare(staticPolicies) {
  const prepared = cedar.preparsePolicySet("rules", { staticPolicies });
  if (prepared.type !== "success") throw new Error(JSON.stringify(prepared));
}

const entity = (type, id) => ({ type, id });
const REQUEST = { principal: entity("Agent", "a"), action: entity("Action", "Bash"), resource: entity("Machine", "m") };

/** `{decision, diagnostics: {reason: [policies], errors}}` */
function cedarAsk(command) {
  const answer = cedar.statefulIsAuthorized({ ...REQUEST, context: { command }, preparsedPolicySetId: "rules", validateRequest: false, entities: [] });
  if (answer.type !== "success") throw new Error(JSON.stringify(answer));
  return answer.response;
}

const MODEL = `
[request_definition]
r = sub, obj, act
[policy_definition]
p = sub, obj, act, eft
[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))
[matchers]
m = r.act == p.act && keyMatch(r.obj, p.obj)
`;

async function casbinOf({ allow, deny, ask }) {
  const enforcer = await casbin.newEnforcer(casbin.newModelFromString(MODEL));
  const policies = (list, effect) => contents(list).map((content) => ["agent", `${content}*`, "Bash", effect]);
  await enforcer.addPolicies([...policies(allow, "allow"), ...policies([...deny, ...ask], "deny")]);
  return enforcer;
}
