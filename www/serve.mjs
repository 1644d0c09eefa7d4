// Serves the built page on this machine alone, under the policy that it is meant for: `node serve.mjs FOLDER [PORT]`.
import { createServer } from "node:http";
import { readFile, realpath } from "node:fs/promises";
import { extname, join, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";

const POLICY =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** A server that listens on 127.0.0.1; a port of 0 takes a free one. */
export async function serve(folder, port = 0) {
  const root = await realpath(folder);
  const server = createServer((request, response) => answer(root, request, response));
  await new Promise((fulfil, reject) => server.once("error", reject).listen(port, "127.0.0.1", fulfil));
  return { server, address: `http://127.0.0.1:${server.address().port}/` };
}

async function answer(root, { method, url }, response) {
  const headers = { "content-security-policy": POLICY, "x-content-type-options": "nosniff", "cache-control": "no-cache" };
  if (method !== "GET" && method !== "HEAD") {
    response.writeHead(405, { ...headers, allow: "GET, HEAD" }).end();
    return;
  }
  const found = await fileOf(root, url);
  if (found === undefined) {
    response.writeHead(404, { ...headers, "content-type": "text/plain" }).end("there is no such file\n");
    return;
  }
  const type = TYPES[extname(found.path)] ?? "application/octet-stream";
  const { body } = found;
  response.writeHead(200, { ...headers, "content-type": type, "content-length": body.length });
  response.end(method === "HEAD" ? undefined : body);
}

/** A file below the root; also a link must not lead out of it. Undefined where there is none. */
async function fileOf(root, url) {
  try {
    const asked = decodeURIComponent(url.split(/[?#]/, 1)[0]);
    const path = await realpath(join(root, asked.endsWith("/") ? `${asked}index.html` : asked));
    return path.startsWith(root + sep) ? { path, body: await readFile(path) } : undefined;
  } catch {
    return undefined;
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  const [folder, port = "0"] = process.argv.slice(2);
  const { address } = await serve(folder, Number(port));
  console.log(`The page is at ${address} (Ctrl-C ends it)`);
}
