// One session: its mode, the memory of its stage and of its tracker. All of it survives a restart.
import { bodyOf, refusal } from "./http.mjs";
import { Judge } from "./judge.mjs";
import { Store } from "./store.mjs";

export class Session {
  #judge;

  constructor(state, env) {
    this.#judge = new Judge(new Store(state.storage), env.MODEL);
  }

  async fetch(request) {
    const [, , session, what] = new URL(request.url).pathname.split("/");
    if (what === "log") return Response.json(this.#judge.log());
    const body = await bodyOf(request);
    if (typeof body !== "object" || body === null) return refusal(400, "no-json");
    try {
      return Response.json(what === "check" ? await this.#judge.check(session, body) : this.#judge.answer(body));
    } catch (error) {
      // What the caller got wrong has a code and a place. Anything else is nobody's business out there.
      if (error instanceof TypeError && error.code) return refusal(400, error.code, { path: error.path });
      console.error(error);
      return refusal(500, "not-judged");
    }
  }
}
