// One call under every dialect: a line each.
import { clipped, COLUMNS, inks, shown } from "./terminal.js";

const [DIALECT, KIND, STAGE] = [17, 13, 15];

/** Lines; `found` has a `decision`, or the `error` that there was instead. */
export function comparison(call, found) {
  const ink = inks(process.stdout);
  const title = `${shown(call.tool)}  `;
  return [
    `${title}${clipped(call.subject ?? "", Math.max(20, COLUMNS - title.length))}`.trimEnd(),
    "",
    ...found.map((each) => `  ${each.dialect.padEnd(DIALECT)}${each.error === undefined ? decided(each.decision, ink) : refused(each.error, ink)}`),
  ];
}

function decided({ effective, stage, rule, risk }, ink) {
  const room = COLUMNS - 2 - DIALECT - KIND - STAGE;
  const who = rule === undefined ? whoElse(stage, risk) : `${rule.behavior} ${rule.text}`;
  return `${ink[effective](effective.toUpperCase().padEnd(KIND))}${stage.padEnd(STAGE)}${clipped(who, room)}`.trimEnd();
}

/** What decided where no rule did: of risk, what was found. */
function whoElse(stage, { findings }) {
  return stage === "risk" ? [...new Set(findings.map(({ code }) => code))].join(" ") : "";
}

function refused(error, ink) {
  const room = COLUMNS - 2 - DIALECT - KIND;
  return `${ink.error("not decided".padEnd(KIND))}${clipped(`${error.code}: ${error.message}`, room)}`;
}
