// What the command teaches.

const toolgate = `toolgate reads agent permission rules, decides tool calls, and says why.

  toolgate check   SETTINGS...                        is something wrong with the rules? which do not do what they seem to?
  toolgate explain SETTINGS -- TOOL SUBJECT           one call: what is decided, by which rule, and why
  toolgate replay  SETTINGS CALLS.jsonl               many calls: how many are allowed, asked, denied, by which rules
  toolgate diff    BEFORE AFTER --calls CALLS.jsonl   which calls do other settings decide differently, and by what
  toolgate suggest SETTINGS -- TOOL SUBJECT           rules that would let a call through, and what else they let through
  toolgate help VERB                                  options, formats and exit codes
  toolgate --version

Try it:

  toolgate explain settings.json -- Bash 'git push --force'

where settings.json is, for example:

  { "permissions": { "allow": ["Bash(git status)"], "ask": ["Bash(git push)"], "deny": ["Bash(git push --force)"] } }

Nothing is ever run, and no file is written: toolgate only reads what the calls would do.`;

const SETTINGS = `SETTINGS is a JSON file, comments allowed (- reads standard input). It is one of
  - an agent's settings file:  { "permissions": { "allow": [...], "ask": [...], "deny": [...], "defaultMode": "..." } }
  - its permissions alone:     { "allow": [...], ... }
  - a toolgate configuration:  an object with "rules", "layers" or "dialect", as \`new Policy(...)\` takes it
  - with --from:               another agent's own file; what of it could not be carried over is told`;

const DIALECT = `  --dialect D       whose rules they are: standard, dsh-0.5, ... ; stands over what SETTINGS say. Default: standard`;

const SHARED = `  --from AGENT      SETTINGS are rules of another agent: codex (a .rules file) or opencode (opencode.json)
  --home DIR        the home folder, which ~ means in rules and calls
  --root DIR        the project's folder, for dialects and agents that anchor rules there
  --json            one JSON object on standard output instead of text, for errors too
  --help            this`;

const OF_CALLS = `${DIALECT}
  --mode M          default, acceptEdits, plan, bypassPermissions or auto; stands over the defaultMode of SETTINGS
  --cwd DIR         the folder that relative paths of calls start from
${SHARED}`;

const OUTPUT = `Errors, warnings and progress go to standard error, with the place in the file. Colours are used on a terminal, elsewhere
where FORCE_COLOR is set, and never where NO_COLOR is set. Invisible characters are shown as escapes: \\u{202e}.`;

const DECISIONS = `Decisions
  allow         the call may run
  ask           a person has to say yes first
  deny          the call must not run
  passthrough   no rule says anything; the agent's own default holds, which mostly is to ask
In the mode auto a call that would be asked can be let through where it is harmless: "effective" says what is left after that.`;

const CALLS = `CALLS.jsonl has one JSON object a line (empty lines are passed over; - reads standard input):

  {"command": "git status"}                                    a call of the shell tool
  {"tool": "Edit", "arguments": {"file_path": "src/main.rs"}}  any tool, with its arguments
  {"tool": "Bash", "subject": "git status"}                    any tool, with its subject

Other members are ignored, and named once on standard error. A line that is no call is told of with its number, and the
rest goes on; the exit code is 2 then. The file is read as a stream: its size does not matter.`;

const FAILURES = `  2   bad input: an option, a file, its JSON, a rule, a line of CALLS.jsonl, or no call at all
  3   toolgate itself failed`;

const check = `toolgate check SETTINGS... [--dialect D] [--fail-on error|warning|info] [--json]

Reads each file and says what is wrong: rules that do not parse, settings that nothing reads, and rules that do not do what
they seem to: shadowed, unreachable, redundant, conflicting, never consulted, broader than they look, easily got around.
Each comes with its place, the rule with carets, a call that shows it where there is one, and what to write instead.

  toolgate check settings.json
  toolgate check --fail-on error settings.json settings.local.json
  toolgate check --json settings.json | jq '.files[].findings[] | .code'
  git show :settings.json | toolgate check -

${SETTINGS}

Options
${DIALECT}
  --fail-on S       the mildest severity that makes the exit code 1: error, warning or info. Default: warning
${SHARED}

It writes no file. What it says to write instead may allow more than before: read it, then write it.

${OUTPUT}

Exit codes
  0   nothing as severe as --fail-on says
  1   something as severe as that, or more; a rule that does not parse is an error
  2   bad input: an option, or a file that cannot be read as settings; the other files are checked all the same
  3   toolgate itself failed`;

const explain = `toolgate explain SETTINGS [--dialect D] [--mode M] [--cwd DIR] [--json] -- TOOL [SUBJECT]

Decides one call and says which rule, at which stage, for what reason. TOOL is a tool's name (Bash, Read, Edit, WebFetch,
mcp__github__create_issue, ...). SUBJECT is what the call is about: the command line, the path, the URL. Quote it, so that it
is one word for your shell. Write -- before TOOL, so that a SUBJECT like --force is not taken for an option.

  toolgate explain settings.json -- Bash 'npm run build && rm -rf dist'
  toolgate explain settings.json --mode plan -- Edit src/main.rs
  toolgate explain settings.json --json -- WebFetch https://example.com/ | jq .decision.kind
  toolgate explain settings.json --dialect all -- Bash 'git push'

It prints the decision; the commands that a line runs, each underlined at its place; the risk and where it was seen; every
stage; and every rule that answers for TOOL, with what it accepts, or where it parts from the call, and why it did not decide.
--json prints what \`policy.explain\` gives, with dialect, call, state and diagnostics beside it; null stands for words that are
known only at run time. --dialect all decides the call under every dialect, a line each.

${SETTINGS}

Options
  --settings FILE   the same as SETTINGS
${OF_CALLS}

${OUTPUT}

${DECISIONS}

Exit codes
  0   the call is allowed ("effective" is allow), in every dialect that was asked
  1   it is not: deny, ask or passthrough
  2   bad input: an option, the file, its JSON, or a rule
  3   toolgate itself failed`;

const replay = `toolgate replay SETTINGS [--dialect D] [--mode M] [--cwd DIR] [--examples N] [--coverage] [--json] CALLS.jsonl

Decides every call of a file and counts: how many are allowed, asked and denied, by which rule, with examples.

  toolgate replay settings.json calls.jsonl
  toolgate replay settings.json calls.jsonl --coverage
  toolgate replay settings.json --json - < calls.jsonl | jq .effective

${CALLS}

${SETTINGS}

Options
  --settings FILE   the same as SETTINGS
  --examples N      so many examples for each rule (0 to 100). Default: 3
  --coverage        of every rule how many calls it decided and matched; slower
${OF_CALLS}

${OUTPUT}

${DECISIONS}

Exit codes
  0   no call is denied, and the settings have no warning
  1   at least one call is denied ("effective" is deny), or the settings have a warning
${FAILURES}`;

const diff = `toolgate diff BEFORE AFTER --calls CALLS.jsonl [--dialect D] [--mode M] [--cwd DIR] [--examples N] [--json]

Decides every call under two settings files and says which are decided differently: what it was, what it is, by which rule, at
which line. A call that may do more than before is looser: from deny to ask, passthrough or allow, from ask to passthrough or
allow, from passthrough to allow, by "kind" or by "effective". Every other change is stricter.

  toolgate diff old.json new.json --calls calls.jsonl
  git show HEAD:settings.json | toolgate diff - settings.json --calls calls.jsonl

${CALLS}

${SETTINGS}

Options
  --calls FILE      the calls to compare (needed)
  --examples N      so many examples for each kind of change (0 to 100). Default: 3
${OF_CALLS}

${OUTPUT}

${DECISIONS}

Exit codes
  0   no call became looser
  1   at least one call became looser
${FAILURES}`;

const suggest = `toolgate suggest SETTINGS [--dialect D] [--mode M] [--cwd DIR] [--json] -- TOOL [SUBJECT]
toolgate suggest SETTINGS [--dialect D] [--mode M] [--cwd DIR] [--json] --calls CALLS.jsonl

Suggests rules for a call that no rule speaks of: the smallest ones that are safe, each with examples of what else it would
let through. There is none for what is risky, not read completely, decided already, or runs whatever it is told. With --calls
each rule comes once, with how many calls it was suggested for. Nothing is written: the rules are yours to add.

  toolgate suggest settings.json -- Bash 'npm run build'
  toolgate suggest settings.json --calls calls.jsonl
  toolgate suggest settings.json --calls calls.jsonl --json | jq -r '.suggestions[] | "\\(.calls) \\(.rule)"'

${CALLS}

${SETTINGS}

Options
  --settings FILE   the same as SETTINGS
  --calls FILE      calls from a file in the place of one
${OF_CALLS}

${OUTPUT}

Exit codes
  0   at least one rule is suggested
  1   none is
${FAILURES}`;

export const HELP = { toolgate, check, explain, replay, diff, suggest };
