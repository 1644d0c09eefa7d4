// How large the heap of the Worker's isolate is, as its inspector tells.
import { fetch } from "miniflare";

const WORKER = "core:user:";

/** Samples the heap until it is stopped; the samples, in bytes and in order. */
export async function watchHeap(inspector, everyMs = 100) {
  const response = await fetch(new URL(`/${WORKER}`, inspector.href.replace(/^ws/, "http")), { headers: { Upgrade: "websocket" } });
  const socket = response.webSocket;
  if (!socket) throw new Error(`the inspector answered ${response.status}`);
  const samples = [];
  socket.accept();
  socket.addEventListener("message", ({ data }) => {
    const { result } = JSON.parse(data);
    if (result?.usedSize !== undefined) samples.push(result.usedSize);
  });
  let id = 0;
  const timer = setInterval(() => socket.send(JSON.stringify({ id: ++id, method: "Runtime.getHeapUsage" })), everyMs);
  return {
    samples,
    stop() {
      clearInterval(timer);
      socket.close();
    },
  };
}
