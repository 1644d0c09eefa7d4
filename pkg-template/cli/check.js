// `toolgate check`: what is wrong with settings files, and which of their rules do not do what they seem to.
import { Policy } from "../node.js";
import { BadInput } from "./bad_input.js";
import { diagnosticsOf, lines, located } from "./diagnostics.js";
import { BAD_INPUT, FINDINGS, FINE } from "./exit_codes.js";
import { SEVERITIES } from "./options.js";
import { readSettings } from "./settings.js";
import { inks, jsonText, shown } from "./terminal.js";

/** Prints; gives the exit code. */
export function check(options) {
  const { failOn, json } = options;
  const results = options.files.map((file) => checkFile(file, options));
  const counts = countsOf(results.flatMap(said));
  process.stdout.write(`${json ? jsonText(data(results, counts, failOn)) : picture(results, counts).join("\n")}\n`);
  if (results.some(({ error }) => error !== undefined)) return BAD_INPUT;
  const bar = SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1);
  return bar.some((severity) => counts[severity] > 0) ? FINDINGS : FINE;
}

/** A file that cannot be read as settings is told of beside the others. */
function checkFile(file, options) {
  try {
    const settings = readSettings(file, options);
    const diagnostics = diagnosticsOf(settings);
    return { file, settings, diagnostics, ...linted(settings.config, diagnostics) };
  } catch (error) {
    if (error instanceof BadInput) return { file, error };
    throw error;
  }
}

/** Rules are compared with one another once all of them can be read. */
function linted(config, diagnostics) {
  if (diagnostics.some(({ severity }) => severity === "error")) return {};
  const policy = new Policy(config);
  const findings = policy.lint();
  const { dialect } = policy;
  policy.free();
  return { dialect, findings };
}

/** Both lists, strictest first, so that what counts most is not cut off. */
function said({ diagnostics = [], findings = [] }) {
  const all = [...diagnostics, ...findings];
  return SEVERITIES.flatMap((severity) => all.filter((each) => each.severity === severity));
}

function countsOf(all) {
  return Object.fromEntries(SEVERITIES.map((severity) => [severity, all.filter((each) => each.severity === severity).length]));
}

function data(results, counts, failOn) {
  const files = results.map(({ file, error, settings, diagnostics, dialect, findings }) => {
    if (error !== undefined) return { file, error: error.data() };
    return {
      file,
      ...(dialect === undefined ? {} : { dialect }),
      diagnostics: located(settings, diagnostics),
      ...(findings === undefined ? {} : { findings: located(settings, findings) }),
    };
  });
  return { files, counts, failOn };
}

function picture(results, counts) {
  const ink = inks(process.stdout);
  const text = results.flatMap((result) => paragraph(result, ink));
  const files = results.length === 1 ? "1 file" : `${results.length} files`;
  return [...text, `${files}: ${sum(counts)}`];
}

function paragraph(result, ink) {
  const { file, error, settings, findings } = result;
  if (error !== undefined) return [`${ink.error("error:")} ${error.text(ink)}`, ""];
  const text = lines(settings, said(result), ink);
  const skipped = findings === undefined ? ["Rules are not compared with one another before the errors are gone."] : [];
  return text.length === 0 ? [`${shown(file)}: nothing to say`, ""] : [...text, ...skipped, ""];
}

/** `1 error, 2 warnings, 0 notes` */
function sum({ error, warning, info }) {
  const of = (count, name) => `${count} ${name}${count === 1 ? "" : "s"}`;
  return [of(error, "error"), of(warning, "warning"), of(info, "note")].join(", ");
}
