// The door: who may ask, and which session is meant. Everything about a session is in its Durable Object.
import { refusal } from "./http.mjs";

export { Session } from "./session.mjs";

const ROUTE = /^\/sessions\/([\w-]{1,128})\/(check|answer|log)$/;
const encoder = new TextEncoder();

export default {
  async fetch(request, env) {
    if (!isKnown(request.headers.get("authorization"), env.TOKEN)) return refusal(401, "unknown-caller");
    const route = ROUTE.exec(new URL(request.url).pathname);
    if (route === null) return refusal(404, "no-such-place");
    // One object for each name: what two sessions hold can never meet.
    return env.SESSIONS.get(env.SESSIONS.idFromName(route[1])).fetch(request);
  },
};

/** Whether the caller has the token. Without a token nobody has. */
function isKnown(header, token) {
  if (!token || header === null) return false;
  const [given, wanted] = [encoder.encode(header), encoder.encode(`Bearer ${token}`)];
  return given.byteLength === wanted.byteLength && crypto.subtle.timingSafeEqual(given, wanted);
}
