// What a configuration is told: each with its place in the file, the rule's text, a caret line and a hint.
import { LimitError, Policy, PolicyError } from "../node.js";
import { BadInput } from "./bad_input.js";
import { clipped, COLUMNS, inks, shown, underlined } from "./terminal.js";

/** Nobody reads more at once. */
const MOST_SHOWN = 50;

/** Compiles what `readSettings` gave; prints warnings. @throws BadInput with every error. */
export function compile(settings, { quiet }) {
  const diagnostics = diagnosticsOf(settings);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw broken(settings, diagnostics, errors);
  if (!quiet) warn(settings, diagnostics);
  return { policy: new Policy(settings.config), diagnostics };
}

/** Everything that the package says of the settings. @throws BadInput where it does not even take them */
export function diagnosticsOf({ file, config, diagnostics }) {
  try {
    return [...diagnostics, ...Policy.check(config)];
  } catch (error) {
    if (error instanceof LimitError || error instanceof PolicyError) {
      throw new BadInput(error.code, `${shown(file)}: ${shown(error.message)}`, { details: { file } });
    }
    throw error;
  }
}

function broken(settings, diagnostics, errors) {
  const count = errors.length === 1 ? "1 error" : `${errors.length} errors`;
  const message = `${shown(settings.file)} has ${count}`;
  const details = { file: settings.file, diagnostics: located(settings, diagnostics) };
  return new BadInput(errors[0].code, message, { details, excerpt: (ink) => lines(settings, errors, ink) });
}

function warn(settings, diagnostics) {
  const ink = inks(process.stderr);
  const warnings = diagnostics.filter(({ severity }) => severity === "warning");
  const notes = diagnostics.length - warnings.length;
  const text = lines(settings, warnings, ink);
  if (notes > 0) text.push(ink.faint(`${notes === 1 ? "1 note" : `${notes} notes`} on the rules; --json shows them`));
  if (text.length > 0) process.stderr.write(`${text.join("\n")}\n\n`);
}

/** The diagnostics with line and column in the file; of findings, other rules too. */
export function located(settings, diagnostics) {
  if (diagnostics.length === 0) return [];
  const all = diagnostics.flatMap((diagnostic) => [diagnostic, ...(diagnostic.related ?? [])]).filter(({ inFile }) => inFile === undefined);
  const places = settings.places(all.map(({ path }) => path));
  let at = 0;
  // What an importer says knows its place in the file.
  const place = (each) => ({ ...each, inFile: each.inFile ?? places[at++] });
  return diagnostics.map((diagnostic) => {
    const own = place(diagnostic);
    return diagnostic.related === undefined ? own : { ...own, related: diagnostic.related.map(place) };
  });
}

/** The first of them, each as a paragraph. */
export function lines(settings, diagnostics, ink) {
  const first = diagnostics.slice(0, MOST_SHOWN);
  const text = located(settings, first).flatMap((diagnostic) => picture(settings, diagnostic, ink));
  const more = diagnostics.length - first.length;
  return more === 0 ? text : [...text, `and ${more} more; --json shows all`];
}

function picture(settings, { severity, code, message, path, span, hint, inFile, related = [], witness, fix, effect }, ink) {
  const text = [`${ink[severity](`${severity}[${code}]`)} ${shown(message)}`, `  ${ink.faint(`at ${placeText(settings.file, inFile)}`)}`];
  // The path of a loss is one of the file that was imported.
  const rule = effect === undefined ? valueAt(settings.config, path) : undefined;
  if (typeof rule === "string") {
    const { line, carets } = underlined(rule, span ?? { start: 0, end: rule.length });
    text.push(`    ${line}`, `    ${ink[severity](carets)}`);
  }
  for (const other of related) text.push(...relatedText(settings, other, ink));
  if (witness !== undefined) text.push(`  ${ink.strong("call:")} ${callText(witness)}`);
  if (hint !== undefined) text.push(`  ${ink.strong("hint:")} ${shown(hint)}`);
  if (fix !== undefined) text.push(`  ${ink.strong("write:")} ${fix === "" ? "nothing, and take the rule out" : clipped(fix, COLUMNS)}`);
  return text;
}

function relatedText(settings, { path, note, inFile }, ink) {
  const rule = valueAt(settings.config, path);
  const text = typeof rule === "string" ? `${clipped(rule, COLUMNS - 10)}  ` : "";
  return [`  ${ink.strong("and:")} ${text}${shown(note)}`, `    ${ink.faint(`at ${placeText(settings.file, inFile)}`)}`];
}

/** A call as it would be explained. */
function callText({ tool, subject, arguments: given = {} }) {
  const about = subject ?? Object.values(given).find((value) => typeof value === "string");
  return `${clipped(tool, 40)}${about === undefined ? "" : `  ${clipped(about, COLUMNS - 20)}`}`;
}

function placeText(file, inFile) {
  const place = inFile.line === undefined ? shown(file) : `${shown(file)}:${inFile.line}:${inFile.column}`;
  return `${place} ${pathText(inFile.path)}`;
}

/** `permissions.allow[3]` */
export function pathText(path) {
  const text = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${clipped(step, 40)}`)).join("");
  return text.replace(/^\./u, "");
}

function valueAt(config, path) {
  let value = config;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}
