// An agent that wants twelve things, in this order.

/** What the person asked it for. */
export const requests = ["Release the project."];

const bash = (command) => ({ tool: "Bash", arguments: { command } });

export const calls = [
  { tool: "Read", arguments: { file_path: "src/app.ts" } },
  bash("sudo make install"),
  bash("make docs"),
  bash("git push origin main"),
  bash("node scripts/release.mjs"),
  bash("node scripts/notes.mjs"),
  bash("make slow"),
  bash("make garbled"),
  bash("make broken"),
  bash("make next"),
  bash("make last"),
  bash("make last"),
];
