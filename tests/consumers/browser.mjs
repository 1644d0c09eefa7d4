// Serves a folder under a strict content security policy and opens a page of it in headless Chromium.
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { extname, join, normalize } from "node:path";
import { launch } from "../browser/chromium.mjs";

const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
};

function serve(dir, redirects) {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, "http://localhost").pathname);
    if (redirects[path] !== undefined) {
      response.writeHead(302, { location: redirects[path] }).end();
      return;
    }
    try {
      const body = readFileSync(join(dir, path));
      const type = TYPES[extname(path)] ?? "application/octet-stream";
      response.writeHead(200, { "content-type": type, "content-security-policy": POLICY }).end(body);
    } catch {
      response.writeHead(path === "/favicon.ico" ? 204 : 404).end();
    }
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

/** The lines that the page writes to its console before `end`; anything that goes wrong in it rejects. */
export async function openPage(dir, path, redirects = {}, patience = 60_000) {
  const server = await serve(dir, redirects);
  const browser = await launch();
  try {
    const page = await browser.newPage();
    const lines = [];
    const finished = new Promise((resolve, reject) => {
      page.on("pageerror", reject);
      page.on("requestfailed", (request) => reject(new Error(`${request.url()}: ${request.failure()?.errorText}`)));
      page.on("console", (message) => {
        if (message.type() === "error") reject(new Error(message.text()));
        else if (message.text() === "end") resolve(lines);
        else lines.push(message.text());
      });
      setTimeout(() => reject(new Error(`no end after ${patience} ms; so far ${lines.join("\n")}`)), patience).unref();
    });
    finished.catch(() => {});
    await page.goto(`http://127.0.0.1:${server.address().port}${path}`);
    return await finished;
  } finally {
    await browser.close();
    server.close();
  }
}
