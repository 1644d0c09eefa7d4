// Rules without a policy around them.
import { jsonText, optionalText, ruleText, text, word } from "./arguments.js";
import { call, run } from "./instance.js";
import vocabulary from "./vocabulary.js";

export function parseRuleString(rule, dialect) {
  const name = optionalText(dialect, ["dialect"]);
  const written = ruleText(rule, ["rule"]);
  return JSON.parse(call("parseRuleString", written, name));
}

export function parseRule(rule, behavior, source, dialect) {
  const said = vocabulary.behaviors[word(behavior, vocabulary.behaviors, "unknown-behavior", ["behavior"])];
  const from = vocabulary.sources[word(source, vocabulary.sources, "unknown-source", ["source"])];
  return { ...parseRuleString(rule, dialect), behavior: said, source: from };
}

export function ruleString(toolName, content, dialect) {
  const name = text(toolName, ["toolName"]);
  const words = [optionalText(content, ["content"]), optionalText(dialect, ["dialect"])];
  return call("ruleString", name, ...words) ?? "";
}

export function escapeRuleContent(content, dialect) {
  const name = optionalText(dialect, ["dialect"]);
  const raw = text(content, ["content"]);
  return call("escapeRuleContent", raw, name) ?? "";
}

export function unescapeRuleContent(content, dialect) {
  const name = optionalText(dialect, ["dialect"]);
  const written = text(content, ["content"]);
  return call("unescapeRuleContent", written, name) ?? "";
}

export function contentMatches(rule, subject, dialect) {
  const name = optionalText(dialect, ["dialect"]);
  const tried = text(subject, ["subject"]);
  const json = jsonText(rule, ["rule"]);
  return call("contentMatches", json, tried, name) !== undefined;
}

export function mergeRuleSets(...sets) {
  const json = jsonText(sets, ["sets"]);
  return JSON.parse(call("mergeRuleSets", json));
}

export function evaluatePermission(input) {
  const json = jsonText(input, ["input"]);
  return JSON.parse(run((core) => core.evaluatePermission(json)));
}
