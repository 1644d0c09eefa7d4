import * as toolgate from "toolgate";
import type { Decision, ParsedRule, PolicyConfig } from "toolgate";
import type { ToolgateChange } from "toolgate/element";
import { lines } from "../cases.mjs";

const config: PolicyConfig = { dialect: "dsh-0.5", rules: { deny: ["Bash(rm )"] } };
const parsed: ParsedRule = toolgate.parseRuleString("Bash(ls)");
const policy = new toolgate.Policy(config);
const decision: Decision = policy.decide({ tool: "Bash", arguments: { command: `${parsed.content ?? ""} -l` } });
policy.free();

/** A page's listener: tag and event name say what comes. */
export function listen(preview: HTMLElementTagNameMap["toolgate-preview"], keep: (change: ToolgateChange) => void): void {
  preview.config = config;
  preview.addEventListener("toolgate-change", ({ detail }) => keep(detail));
}

// The types refuse what the package would refuse.
// @ts-expect-error there is no such mode
const refused = () => toolgate.evaluatePermission({ toolName: "Bash", rules: {}, mode: "reckless" });


if (decision.kind === "passthrough" && typeof refused === "function") for await (const line of lines(toolgate)) console.log(line);
