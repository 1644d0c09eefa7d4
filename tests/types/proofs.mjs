// Lines of TypeScript that compile only where a declaration of the package is assignable to that of the contract.
import ts from "typescript";

/** Types that hosts make and the package takes: there the contract's must be assignable to the package's. */
const TAKEN = new Set([
  "AutoModeSettings",
  "AutoPermissionRequest",
  "AutoStageHost",
  "CallState",
  "ClassifierHost",
  "PolicyConfig",
  "ReviewClassifier",
  "ReviewHost",
  "ReviewLimits",
  "RuleLists",
  "SessionEvent",
  "ToolCall",
]);

/** The lines, and the names that the package does not have: `name`, or `Class.member`. */
export function proofs(program, entry) {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(entry);
  const [contract, ours] = source.statements.map((statement) => exportsOf(checker, statement));
  const missing = [];
  const lines = [];
  for (const [name, symbol] of contract) {
    const mine = ours.get(name);
    if (mine === undefined) missing.push(name);
    else if (symbol.flags & ts.SymbolFlags.Class) ofClass(checker, name, symbol, mine, lines, missing);
    else lines.push(...ofSymbol(name, symbol));
  }
  return { missing: missing.sort(), lines };
}

function exportsOf(checker, statement) {
  const module = checker.getSymbolAtLocation(statement.moduleSpecifier);
  if (module === undefined) throw new Error(`cannot resolve ${statement.moduleSpecifier.text}`);
  const resolve = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
  return new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, resolve(symbol)]));
}

function proof(name, wanted, given) {
  return `export const ${name.replace(/\W/g, "_")}: ${wanted} = any as ${given};`;
}

/** Parameters are compared the other way round, also where TypeScript itself is lenient (methods). */
function parameters(name, wanted, given, of = "Parameters") {
  return proof(`${name}_takes`, `${of}<${given}>`, `${of}<${wanted}>`);
}

function ofSymbol(name, symbol) {
  const lines = [];
  if (symbol.flags & ts.SymbolFlags.Type) {
    lines.push(proof(`type_${name}`, `contract.${name}`, `ours.${name}`));
    if (TAKEN.has(name)) lines.push(proof(`type_${name}_taken`, `ours.${name}`, `contract.${name}`));
  }
  if (symbol.flags & ts.SymbolFlags.Value) {
    const [wanted, given] = [`typeof contract.${name}`, `typeof ours.${name}`];
    lines.push(proof(`value_${name}`, wanted, given));
    if (symbol.flags & ts.SymbolFlags.Function) lines.push(parameters(`value_${name}`, wanted, given));
  }
  return lines;
}

function ofClass(checker, name, symbol, mine, lines, missing) {
  const [wanted, given] = [`typeof contract.${name}`, `typeof ours.${name}`];
  lines.push(parameters(`new_${name}`, wanted, given, "ConstructorParameters"));
  const parts = [
    ["", `contract.${name}`, `ours.${name}`, checker.getDeclaredTypeOfSymbol(symbol), checker.getDeclaredTypeOfSymbol(mine)],
    ["static_", wanted, given, checker.getTypeOfSymbol(symbol), checker.getTypeOfSymbol(mine)],
  ];
  for (const [prefix, theirs, here, type, own] of parts) {
    // The name of a symbol (`Symbol.dispose`) carries a number of the program, the same on both sides.
    const has = new Set(own.getProperties().map((property) => property.escapedName));
    for (const property of type.getProperties()) {
      const isPrototype = prefix !== "" && property.name === "prototype";
      if (isPrototype || property.declarations === undefined) continue;
      const label = property.declarations[0].name.getText();
      if (!has.has(property.escapedName)) {
        missing.push(`${name}.${label}`);
        continue;
      }
      const key = label.startsWith("[") ? `[typeof ${label.slice(1)}` : `["${label}"]`;
      const [a, b] = [`(${theirs})${key}`, `(${here})${key}`];
      lines.push(proof(`${prefix}${name}_${label}`, a, b));
      if (property.flags & ts.SymbolFlags.Method) lines.push(parameters(`${prefix}${name}_${label}`, a, b));
    }
  }
}
