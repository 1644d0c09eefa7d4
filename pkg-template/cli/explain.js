// `toolgate explain`: one call, its decision and why.
import { badCall, isRefusal, readState } from "./state.js";
import { compile, located, pathText } from "./diagnostics.js";
import { readSettings } from "./settings.js";
import { STAGES } from "./stages.js";
import { clipped, inks, shown, underlined } from "./terminal.js";

/** Prints; gives whether the call is allowed. */
export function explain(options) {
  const settings = readSettings(options.settings, options.dialect);
  const { policy, diagnostics } = compile(settings, { quiet: options.json });
  const state = readState(policy, options);
  const call = { tool: options.tool, ...(options.subject === undefined ? {} : { subject: options.subject }) };
  const decision = decide(policy, call, state);
  const text = options.json
    ? JSON.stringify({ dialect: policy.dialect, call, state, decision, diagnostics: located(settings, diagnostics) })
    : picture(settings, policy, call, decision).join("\n");
  process.stdout.write(`${text}\n`);
  return decision.effective === "allow";
}

function decide(policy, call, state) {
  try {
    return policy.decide(call, state);
  } catch (error) {
    if (isRefusal(error)) throw badCall("the call: ", error);
    throw error;
  }
}

function picture(settings, policy, call, decision) {
  const ink = inks(process.stdout);
  const { kind, effective, stage, rule, reason, mode, risk, readOnly } = decision;
  const head = ink[effective](effective.toUpperCase());
  const row = (name, text) => `  ${ink.faint(name.padEnd(9))} ${text}`;
  const lines = [`${head}  ${shown(call.tool)}  ${clipped(call.subject ?? "", 100)}`.trimEnd(), ""];
  lines.push(row("decision", kind));
  lines.push(row("effective", effective === kind ? effective : `${effective} (lifted by mode ${mode}: harmless enough)`));
  lines.push(row("stage", `${stage}: ${STAGES[stage]}`));
  lines.push(row("rule", rule === undefined ? "none" : ruleText(settings, rule, ink)));
  lines.push(row("reason", reason === undefined ? "none given" : shown(reason)));
  lines.push(row("mode", `${mode}${readOnly ? ", a tool that only reads" : ""}`));
  lines.push(row("dialect", policy.dialect));
  lines.push(row("risk", risk.level), ...risk.findings.flatMap((finding) => findingText(finding, call.subject ?? "", ink)));
  return lines;
}

function ruleText(settings, rule, ink) {
  const [place] = settings.places([rule.path]);
  const at = place.line === undefined ? pathText(rule.path) : `${shown(settings.file)}:${place.line}:${place.column} ${pathText(place.path)}`;
  return `${rule.behavior} ${ink.strong(clipped(rule.text, 100))} [${rule.source}]  ${ink.faint(at)}`;
}

function findingText({ code, level, reason, span }, subject, ink) {
  const { line, carets } = underlined(subject, span);
  const strength = level === "HIGH" ? "error" : "warning";
  return [`    ${ink[strength](`${level} ${code}`)} ${shown(reason)}`, `      ${line}`, `      ${ink[strength](carets)}`];
}
