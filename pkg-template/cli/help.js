// What the command teaches.

const toolgate = `toolgate reads agent permission rules, decides a tool call, and says why.

  toolgate explain --settings FILE -- TOOL SUBJECT     one call: what is decided, by which rule, and why
  toolgate replay  --settings FILE CALLS.jsonl         many calls: how many are allowed, asked, denied, by which rules
  toolgate help explain | replay                       options, formats and exit codes
  toolgate --version

Try it:

  toolgate explain --settings settings.json -- Bash 'git push --force'

where settings.json is, for example:

  { "permissions": { "allow": ["Bash(git status)"], "ask": ["Bash(git push)"], "deny": ["Bash(git push --force)"] } }

Nothing is ever run: toolgate only reads what the call would do.`;

const SETTINGS = `Settings (--settings FILE), as JSON, are one of
  - an agent's settings file:  { "permissions": { "allow": [...], "ask": [...], "deny": [...], "defaultMode": "..." } }
  - its permissions alone:     { "allow": [...], ... }
  - a toolgate configuration:  an object with "rules", "layers" or "dialect", as \`new Policy(...)\` takes it

Options
  --settings FILE   where the rules are (needed)
  --dialect D       whose rules they are: standard, dsh-0.5, ... ; stands over what FILE says. Default: standard
  --mode M          default, acceptEdits, plan, bypassPermissions or auto; stands over FILE's defaultMode
  --cwd DIR         the folder that relative paths of calls start from
  --json            one JSON object on standard output instead of text, for errors too
  --help            this

Errors, warnings and progress go to standard error, with the place in FILE. Colours are used on a terminal only, and never
where NO_COLOR is set.`;

const DECISIONS = `Decisions
  allow         the call may run
  ask           a person has to say yes first
  deny          the call must not run
  passthrough   no rule says anything; the agent's own default holds, which mostly is to ask
In the mode auto a call that would be asked can be let through where it is harmless: "effective" says what is left after that.`;

const explain = `toolgate explain --settings FILE [--dialect D] [--mode M] [--cwd DIR] [--json] -- TOOL [SUBJECT]

Decides one call and says which rule, at which stage, for what reason. TOOL is a tool's name (Bash, Read, Edit, WebFetch,
mcp__github__create_issue, ...). SUBJECT is what the call is about: the command line, the path, the URL. Quote it, so that it
is one word for your shell. Write -- before TOOL, so that a SUBJECT like --force is not taken for an option.

  toolgate explain --settings settings.json -- Bash 'npm run build && rm -rf dist'
  toolgate explain --settings settings.json --mode plan -- Edit src/main.rs
  toolgate explain --settings settings.json --json -- WebFetch https://example.com/ | jq .decision.kind
  toolgate explain --settings settings.json --dialect all -- Bash 'git push'

It prints the decision; the commands that a line runs, each underlined at its place; the risk and where it was seen; every
stage; and every rule that answers for TOOL, with what it accepts, or where it parts from the call, and why it did not decide.
--json prints what \`policy.explain\` gives, with dialect, call, state and diagnostics beside it; null stands for words that are
known only at run time. --dialect all decides the call under every dialect, a line each.

${SETTINGS}

${DECISIONS}

Exit codes
  0   the call is allowed ("effective" is allow), in every dialect that was asked
  1   it is not: deny, ask or passthrough
  2   bad input: an option, the file, its JSON, or a rule`;

const replay = `toolgate replay --settings FILE [--dialect D] [--mode M] [--cwd DIR] [--examples N] [--json] CALLS.jsonl

Decides every call of a file and counts: how many are allowed, asked and denied, by which rule, with examples. CALLS.jsonl has
one JSON object a line (empty lines are passed over; \`-\` reads standard input):

  {"command": "git status"}                                    a call of the shell tool
  {"tool": "Edit", "arguments": {"file_path": "src/main.rs"}}  any tool, with its arguments
  {"tool": "Bash", "subject": "git status"}                    any tool, with its subject

Other members are ignored, and named once on standard error. The file is read as a stream: its size does not matter.

  toolgate replay --settings settings.json calls.jsonl
  toolgate replay --settings settings.json --json - < calls.jsonl | jq .effective

  --examples N      so many examples for each rule (0 to 100). Default: 3

${SETTINGS}

${DECISIONS}

Exit codes
  0   no call is denied, and the settings have no warning
  1   at least one call is denied ("effective" is deny), or the settings have a warning
  2   bad input: an option, a file, its JSON, a rule, a line of CALLS.jsonl, or no call at all. Nothing is counted then`;

export const HELP = { toolgate, explain, replay };
