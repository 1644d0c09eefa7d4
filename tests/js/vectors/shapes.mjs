// What each shape of vector calls, and how what came is put into the words of its expectation.
import { classify } from "./classify.mjs";
import { inspector } from "./inspector.mjs";
import { review, reviewScript } from "./review.mjs";
import { stage } from "./stage.mjs";

const LISTS = ["allow", "deny", "ask", "bypassImmune"];

/** As the rules document labels a rule: `Tool [source]` or `Tool(content) [source]`. */
function label({ toolName, content, source }) {
  return content === undefined ? `${toolName} [${source}]` : `${toolName}(${content}) [${source}]`;
}

/** Runs `use` on a compiled policy, and frees it. */
function withPolicy({ Policy }, config, use) {
  const policy = new Policy(config);
  try {
    return use(policy);
  } finally {
    policy.free();
  }
}

/** The dialect as an argument: the default one is left out, so that the default is tried too. */
function named(dialect) {
  return dialect === "standard" || dialect === "any" ? [] : [dialect];
}

/** Where the argument for the dialect of each function stands; functions that take none are not listed. */
const DIALECT_AT = { parseRuleString: 1, parseRule: 3, ruleString: 2, escapeRuleContent: 1, unescapeRuleContent: 1, contentMatches: 2 };

function argumentsOf(name, args, dialect) {
  const at = DIALECT_AT[name];
  if (at === undefined || args.length > at || named(dialect).length === 0) return args;
  const filled = [...args];
  filled[at] = dialect;
  return filled;
}

/** Shapes that are inside of the core, and why they are not run here. */
export const inner = {
  render: "what is shown to a model has no function of its own",
  "cache-key": "what a verdict is kept under has no function of its own",
};

export const runs = {
  classify,
  inspector,
  stage,
  review,
  "review-script": reviewScript,

  parse({ parseRuleString }, { rule }, dialect) {
    try {
      return { parsed: parseRuleString(rule, ...named(dialect)) };
    } catch (error) {
      if (error?.name !== "RuleError" || !(error instanceof TypeError)) throw error;
      return { error: error.code, span: error.span, hint: error.hint, rule: error.rule };
    }
  },

  matches({ contentMatches, parseRuleString }, { rule, parsedRule, subject }, dialect) {
    const parsed = parsedRule ?? parseRuleString(rule, ...named(dialect));
    return { matches: contentMatches(parsed, subject, ...named(dialect)) };
  },

  escape({ escapeRuleContent, unescapeRuleContent }, { content }, dialect) {
    const escaped = escapeRuleContent(content, ...named(dialect));
    return { escaped, unescaped: unescapeRuleContent(escaped, ...named(dialect)) };
  },

  async call(toolgate, { call, args }, dialect) {
    const returns = await toolgate[call](...argumentsOf(call, args, dialect));
    if (call !== "mergeRuleSets") return { returns };
    return { returns, labels: Object.fromEntries(LISTS.map((list) => [list, returns[list].map(label)])) };
  },

  tracker({ DenialTracker }, { state, steps }) {
    const tracker = new DenialTracker(state);
    const play = (step) => {
      if ("apply" in step) return tracker.apply(step.apply, step.fingerprint);
      if ("resolve" in step) return tracker.resolve(step.resolve);
      if ("reset" in step) return tracker.reset();
      return tracker.shouldFallback(step.shouldFallback);
    };
    return { steps: steps.map(play), state: tracker.state };
  },

  answering(toolgate, { answering: { call, rules } }, dialect) {
    const denies = (name) =>
      withPolicy(toolgate, { dialect: named(dialect)[0], rules: { deny: [name] } }, (policy) => {
        const decision = policy.decide({ tool: call });
        return decision.kind === "deny" && decision.stage === "tool-deny";
      });
    return { answering: rules.filter(denies) };
  },

  codes({ Policy }, { config }) {
    const grave = Policy.check(config).filter(({ severity }) => severity !== "info");
    return { diagnostics: grave.map(({ code }) => code).sort() };
  },

  refuse(toolgate, { config }) {
    try {
      return withPolicy(toolgate, config, () => ({}));
    } catch (error) {
      if (error?.name !== "PolicyError") throw error;
      return { error: error.diagnostics.find(({ severity }) => severity === "error").code };
    }
  },

  told(toolgate, { config, call, state }) {
    return withPolicy(toolgate, config, (policy) => {
      const { decision, rules } = policy.explain(call, state);
      return { ...decision, matched: rules.some(({ matched }) => matched), why: rules[0]?.why };
    });
  },

  dangerous({ dangerousAllowRules }, { rules }, dialect) {
    return { dangerous: dangerousAllowRules(rules, ...named(dialect)) };
  },

  grant({ deriveGrant }, { grant }, dialect) {
    return { grant: deriveGrant(grant, ...named(dialect)) };
  },

  check({ Policy }, { config }) {
    return { diagnostics: Policy.check(config) };
  },

  lint(toolgate, { config }) {
    const findings = withPolicy(toolgate, config, (policy) => policy.lint());
    return { lint: findings.map((finding) => ({ ...finding, related: finding.related.map(({ path }) => path) })) };
  },

  decide(toolgate, { config, call, state }) {
    return withPolicy(toolgate, config, (policy) => policy.decide(call, state));
  },

  explain(toolgate, { config, explain, state }) {
    return withPolicy(toolgate, config, (policy) => ({ explain: policy.explain(explain, state) }));
  },

  suggest(toolgate, { config, suggest, state }) {
    return withPolicy(toolgate, config, (policy) => {
      return { suggest: { rules: policy.suggest(suggest, state).map(({ rule }) => rule) } };
    });
  },

  coverage(toolgate, { config, coverage, state }) {
    return withPolicy(toolgate, config, (policy) => ({ coverage: policy.coverage(coverage, state) }));
  },

  compare(toolgate, { compare: { before, after, calls, state } }) {
    const side = ({ kind, effective }) => ({ kind, effective });
    return withPolicy(toolgate, before, (old) =>
      withPolicy(toolgate, after, (fresh) => {
        const changes = toolgate.comparePolicies(old, fresh, calls, state);
        return { changes: changes.map(({ index, before, after }) => ({ index, before: side(before), after: side(after) })) };
      }),
    );
  },

  read({ readShellCommand }, { command }) {
    const reading = readShellCommand(command);
    return { reading, commandCount: reading.commands.length };
  },

  "assess-command"({ assessBashCommand }, { command, patterns }, dialect) {
    const risk = assessBashCommand(command, patterns, ...named(dialect));
    return { risk: { ...risk, codes: risk.findings.map(({ code }) => code) } };
  },

  "assess-path"({ assessFilePath }, { filePath, options }, dialect) {
    return { risk: assessFilePath(filePath, { ...options, dialect: named(dialect)[0] }) };
  },

  evaluate({ evaluatePermission }, input) {
    return evaluatePermission(input);
  },
};
