// An explanation as a page for people, no line of it longer than a terminal is wide.
import { readingText } from "./reading.js";
import { rulesText, ruleTitle } from "./rules_asked.js";
import { clipped, COLUMNS, hanging, inks, shown, underlined } from "./terminal.js";

/** A name and the blanks around it. */
const NAME = 12;

/** Lines. */
export function picture({ settings, policy, call, explanation }) {
  const ink = inks(process.stdout);
  const { decision, shell, subject, stages } = explanation;
  const lines = [
    ...headText(settings, policy, call, explanation, ink),
    ...(shell === undefined ? [] : readingText(subject, shell, ink)),
    ...riskText(subject ?? "", decision.risk, ink),
    ...stagesText(stages, ink),
    ...rulesText(settings, call.tool, explanation, ink),
  ];
  // An excerpt may end in blanks of the call.
  return lines.map((line) => line.trimEnd());
}

function headText(settings, policy, call, { decision, stages }, ink) {
  const { kind, effective, stage, rule, reason, mode, readOnly } = decision;
  const { note } = stages.find(({ outcome }) => outcome === "decided");
  const title = `${shown(effective.toUpperCase())}  ${shown(call.tool)}  `;
  const subject = clipped(call.subject ?? "", Math.max(20, COLUMNS - title.length));
  const row = (name, text) => hanging(`  ${ink.faint(name.padEnd(NAME - 3))} `, NAME, text);
  return [
    `${ink[effective](effective.toUpperCase())}${title.slice(effective.length)}${subject}`.trimEnd(),
    "",
    ...row("decision", kind),
    ...row("effective", effective === kind ? effective : `${effective} (lifted by mode ${mode}: harmless enough)`),
    ...row("stage", `${stage}: ${note}`),
    ...(rule === undefined ? row("rule", "none") : ruleTitle(settings, rule, ink, `  ${ink.faint("rule".padEnd(NAME - 3))} `, NAME)),
    ...row("reason", reason === undefined ? "none given" : shown(reason)),
    ...row("mode", `${mode}${readOnly ? ", a tool that only reads" : ""}`),
    ...row("dialect", policy.dialect),
    ...row("risk", decision.risk.level),
  ];
}

function riskText(subject, { level, findings }, ink) {
  if (findings.length === 0) return [];
  const lines = ["", ink.strong(`Risk: ${level}`)];
  for (const { code, level: own, reason, span } of findings) {
    const strength = own === "HIGH" ? "error" : "warning";
    const { line, carets } = underlined(subject, span, COLUMNS - 4);
    lines.push(...hanging(`  ${ink[strength](own)} `, own.length + 3, `${shown(reason)} (${code})`), `    ${line}`, `    ${ink[strength](carets)}`);
  }
  return lines;
}

const MARKS = { decided: "▸", passed: "·", skipped: " " };

function stagesText(stages, ink) {
  const lines = ["", ink.strong("Stages")];
  for (const { stage, outcome, note } of stages) {
    const name = `${MARKS[outcome]} ${stage.padEnd(14)}${outcome.padEnd(8)} `;
    const colour = { decided: ink.strong, passed: (text) => text, skipped: ink.faint }[outcome];
    lines.push(...hanging(name, name.length, note).map((line) => colour(line)));
  }
  return lines;
}
