// The same Worker and Durable Object without toolgate: it reads what it is asked, logs, and answers always the same.
import worker from "../src/worker.mjs";
import { bodyOf, refusal } from "../src/http.mjs";
import { Store } from "../src/store.mjs";

export default worker;

export class Session {
  #store;

  constructor(state) {
    this.#store = new Store(state.storage);
  }

  async fetch(request) {
    const body = await bodyOf(request);
    if (typeof body !== "object" || body === null) return refusal(400, "no-json");
    const answer = { decision: "ask", by: "policy" };
    this.#store.append("precheck/decision", { tool: body.call.tool, ...answer });
    return Response.json(answer);
  }
}
