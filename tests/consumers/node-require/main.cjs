// Node 20.19 and later can `require` an ES module.
const toolgate = require("toolgate");
const { lines } = require("../cases.mjs");

(async () => {
  for await (const line of lines(toolgate)) console.log(line);
})();
