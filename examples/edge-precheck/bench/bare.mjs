// The same Worker and Durable Object without toolgate: it reads what it is asked, and answers always the same.
import worker from "../src/worker.mjs";
import { bodyOf, refusal } from "../src/http.mjs";
import { Store } from "../src/store.mjs";

export default worker;

export class Session {
  constructor(state) {
    new Store(state.storage).get();
  }

  async fetch(request) {
    const [, , , what] = new URL(request.url).pathname.split("/");
    const body = await bodyOf(request);
    if (what !== "check" || typeof body !== "object" || body === null) return refusal(400, "no-json");
    return Response.json({ decision: "ask", by: "policy" });
  }
}
