// An agent that wants ten things, in this order.

const bash = (command) => ({ tool: "Bash", arguments: { command } });

export const calls = [
  { tool: "Read", arguments: { file_path: "src/app.ts" } },
  bash("sudo make install"),
  bash("make docs"),
  bash("git push origin main"),
  bash("make slow"),
  bash("make garbled"),
  bash("make broken"),
  bash("make next"),
  bash("make last"),
  bash("make last"),
];
