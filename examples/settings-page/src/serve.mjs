// The agent's process: gives the page, and keeps the settings in a file. `node src/serve.mjs [PORT]`, on this machine alone.
import { createServer } from "node:http";
import { readFile, rename, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Policy } from "toolgate";

const root = join(import.meta.dirname, "..");
const settings = join(root, "settings.json");
const packageFolder = dirname(fileURLToPath(import.meta.resolve("toolgate/package.json")));
const MOST_BYTES = 1 << 20;
const HEADERS = {
  "content-security-policy":
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".wasm": "application/wasm",
};
/** Every file of the page; those of the package have names of one step. */
const PAGE = { "/": "index.html", "/src/page.js": "src/page.js", "/src/review.js": "src/review.js", "/src/page.css": "src/page.css" };
const OF_PACKAGE = /^\/toolgate\/([a-z_]+\.(?:js|wasm))$/;

const server = createServer(async (request, response) => {
  const { status, type = "text/plain", body = "" } = await answer(request).catch(() => ({ status: 500 }));
  response.writeHead(status, { ...HEADERS, "content-type": type }).end(body);
});

async function answer(request) {
  const { method, headers } = request;
  // A page of another name that leads to this address is somebody else's.
  const { port } = server.address();
  if (headers.host !== `127.0.0.1:${port}`) return { status: 421 };
  const path = request.url.split("?", 1)[0];
  if (path === "/settings" && method === "PUT") return headers.origin === `http://${headers.host}` ? keep(request) : { status: 403 };
  if (method !== "GET") return { status: 405 };
  if (path === "/settings") return { status: 200, type: TYPES[".json"], body: JSON.stringify(await kept()) };
  if (path === "/favicon.ico") return { status: 204 };
  const file = Object.hasOwn(PAGE, path) ? join(root, PAGE[path]) : inPackage(path);
  return file === undefined ? { status: 404 } : { status: 200, type: TYPES[extname(file)], body: await readFile(file) };
}

function inPackage(path) {
  const name = OF_PACKAGE.exec(path)?.[1];
  return name === undefined ? undefined : join(packageFolder, name);
}

/** The rules, and the calls that the agent made last with what held for them. */
async function kept() {
  const [config, last] = await Promise.all([settings, join(root, "calls.json")].map(async (file) => JSON.parse(await readFile(file, "utf8"))));
  return { config, last };
}

/** Takes rules that are without errors, whoever has checked them before. */
async function keep(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MOST_BYTES) return { status: 413 };
    chunks.push(chunk);
  }
  let config;
  try {
    config = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)));
    new Policy(config).free();
  } catch {
    return { status: 422 };
  }
  // In one step: nobody ever reads half of it.
  await writeFile(`${settings}.new`, `${JSON.stringify(config, undefined, 2)}\n`);
  await rename(`${settings}.new`, settings);
  return { status: 204 };
}

server.listen(Number(process.argv[2] ?? 0), "127.0.0.1", () => console.log(`The page is at http://127.0.0.1:${server.address().port}/`));
