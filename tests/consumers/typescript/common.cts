// CommonJS TypeScript: `require` of the package's ES module, under `nodenext` alone.
import toolgate = require("toolgate");
import cases = require("../cases.mjs");

const policy = new toolgate.Policy({});
const decision: toolgate.Decision = policy.decide({ tool: "Bash", arguments: { command: "ls" } });
policy.free();

void (async () => {
  if (decision.kind === "passthrough") for await (const line of cases.lines(toolgate)) console.log(line);
})();
