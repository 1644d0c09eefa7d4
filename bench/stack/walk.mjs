// Reads the simple commands of a line out of what `unbash` parsed: words, assignments and redirects, at any depth. Each kind
// of node is walked by name, as one would write it who wants it to be fast.
import { parse } from "../peers.mjs";

/** `undefined` where the line does not parse. */
export function commandsOf(line) {
  const script = parse(line);
  if (script.errors !== undefined && script.errors.length > 0) return undefined;
  const found = [];
  list(script.commands, found, "top");
  return found;
}

function list(nodes, found, context) {
  for (const node of nodes) visit(node, found, context);
}

function visit(node, found, context) {
  if (node === undefined) return;
  switch (node.type) {
    case "Statement":
      return visit(node.command, found, context);
    case "CompoundList":
    case "AndOr":
    case "Pipeline":
      return list(node.commands, found, context);
    case "Command":
      return simple(node, found, context);
    case "Redirected":
      visit(node.command, found, context);
      return node.redirects.forEach((redirect) => redirected(redirect, found));
    case "Subshell":
      return visit(node.body, found, "subshell");
    case "BraceGroup":
      return visit(node.body, found, "group");
    case "Function":
      return visit(node.body, found, "function");
    case "If":
      visit(node.clause, found, "if");
      visit(node.then, found, "if");
      for (const { clause, then } of node.elif) {
        visit(clause, found, "if");
        visit(then, found, "if");
      }
      return visit(node.else, found, "if");
    case "While":
      visit(node.clause, found, "loop");
      return visit(node.body, found, "loop");
    case "For":
    case "Select":
      node.wordlist?.forEach((word) => inside(word, found));
      return visit(node.body, found, "loop");
    case "ArithmeticFor":
      return visit(node.body, found, "loop");
    case "Case":
      inside(node.word, found);
      return node.items.forEach((item) => visit(item.body, found, "case"));
    case "TestCommand":
      return test(node.expression, found);
    default:
      return undefined;
  }
}

function simple({ name, prefix, args, redirects, pos, end }, found, context) {
  const command = { words: [], assignments: [], redirects: [], context, start: pos, end };
  found.push(command);
  for (const part of prefix) {
    if (part.type === "Assignment") command.assignments.push({ name: part.name, value: assigned(part.value, found) });
  }
  if (name !== undefined) command.words.push(inside(name, found));
  for (const word of args) {
    command.words.push(word.type === "Assignment" ? `${word.name}=${assigned(word.value, found)}` : inside(word, found));
  }
  for (const redirect of redirects) command.redirects.push(redirected(redirect, found));
}

function assigned(value, found) {
  if (value.type === "Word") return inside(value, found);
  value.elements.forEach((word) => inside(word, found));
  return undefined;
}

function redirected({ operator, target, body }, found) {
  if (body !== undefined) return { operator, target: body.parts === undefined ? body.text : parts(body.parts, found) ? undefined : body.text };
  return { operator, target: target && inside(target, found) };
}

function test(node, found) {
  if (node === undefined || node === null) return;
  if (node.type === "Word") inside(node, found);
  else for (const key of ["left", "right", "operand", "expression"]) test(node[key], found);
}

/** A word's value, or `undefined` at run time; what runs in it is walked. */
function inside(word, found) {
  return word.parts !== undefined && parts(word.parts, found) ? undefined : word.value;
}

/** Whether anything in the parts is known only at run time. */
function parts(list, found) {
  let open = false;
  for (const part of list) {
    switch (part.type) {
      case "CommandExpansion":
      case "ProcessSubstitution":
        open = true;
        if (part.script !== undefined) listOf(part, found);
        break;
      case "SimpleExpansion":
        open = true;
        break;
      case "ParameterExpansion":
        open = true;
        if (part.operation?.operand?.parts !== undefined) parts(part.operation.operand.parts, found);
        break;
      case "ArithmeticExpansion":
        open = true;
        arithmetic(part.expression, found);
        break;
      case "DoubleQuoted":
      case "LocaleString":
        open = parts(part.parts, found) || open;
        break;
      default:
    }
  }
  return open;
}

function arithmetic(node, found) {
  if (node === undefined) return;
  if (node.type === "ArithmeticCommandExpansion") listOf({ type: "CommandExpansion", script: node.script ?? NOTHING }, found);
  else if (node.type === "ArithmeticWord") node.parts !== undefined && parts(node.parts, found);
  else for (const key of ["left", "right", "operand", "expression", "test", "consequent", "alternate"]) arithmetic(node[key], found);
}

const NOTHING = { commands: [] };

function listOf({ type, script }, found) {
  list(script.commands, found, type === "CommandExpansion" ? "substitution" : "process-substitution");
}
