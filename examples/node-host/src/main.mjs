// A host from end to end: an agent's calls are decided, judged, asked about and logged. `node src/main.mjs LOG`
//
// The agent, its model and its tools are fakes; the person at the terminal is not.
import { readFileSync } from "node:fs";
import { calls, requests } from "./agent.mjs";
import { Host } from "./host.mjs";
import { Log } from "./log.mjs";
import { callModel, complete } from "./model.mjs";
import { Person } from "./person.mjs";

const settings = JSON.parse(readFileSync(new URL("../settings.json", import.meta.url), "utf8"));
const [file = "session.jsonl"] = process.argv.slice(2);
const person = new Person(process.stdin, process.stdout);
const host = new Host({ settings, complete, callModel, requests, person, log: new Log(file), cwd: process.cwd() });

for (const call of calls) {
  const { allowed, by, reason } = await host.judge(call);
  // Here a real host would run the tool.
  person.say(`${allowed ? "runs " : "stops"} ${call.tool} ${call.arguments.command ?? call.arguments.file_path} (${by}${reason ? `: ${reason}` : ""})`);
}
person.say(`mode ${host.mode}; ${host.summary()}`);
host.close();
person.close();
