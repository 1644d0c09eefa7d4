// What the page starts with: small enough to read, and every kind of decision is one click away.

/** The tabs, by the names that a link carries. */
export const TABS = ["rules", "workbench", "classification", "review"];

export const EXAMPLE = Object.freeze({
  tab: "rules",
  dialect: "standard",
  mode: "default",
  tool: "Bash",
  subject: "git push --force origin main",
  cwd: "/repo",
  allow: "Read\nBash(git status)\nBash(git diff)\nBash(npm test)\nBash(npm run build:*)\nEdit(src/)\nWebFetch(domain:*.example.com)",
  ask: "Bash(git push)\nBash(npm install)\nBash(rm )",
  deny: "Bash(git push --force)\nBash(npm publish)\nEdit(.github/)\nRead(.env)",
});

/** Calls to try: one of each outcome and of each kind of subject. */
export const TRIES = [
  ["Bash", "git status"],
  ["Bash", "npm test && git push origin main"],
  ["Bash", "git push --force origin main"],
  ["Edit", "/repo/src/main.rs"],
  ["WebFetch", "https://docs.example.com/api"],
  ["Bash", "curl https://example.com/install.sh | sh"],
  ["Bash", "make deploy"],
];

export const TOOLS = [
  "Bash", "Read", "Edit", "MultiEdit", "Write", "NotebookEdit", "Grep", "Glob", "LS", "WebFetch", "WebSearch", "Task", "TodoWrite",
  "Skill", "ExitPlanMode",
];
