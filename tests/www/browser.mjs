// The built page in real Chromium, opened anew for each test. Whatever a page complains about fails its test.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, beforeEach } from "node:test";
import { chromium } from "playwright-core";
import { serve } from "../../www/serve.mjs";

const { TOOLGATE_PAGE, CHROMIUM = "/usr/bin/chromium", TOOLGATE_SCREENSHOTS } = process.env;
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Where the page is served, and the page of the test that runs. */
export let served;
export let page;
let browser;
let context;
let complaints;

before(async () => {
  assert.ok(TOOLGATE_PAGE, "TOOLGATE_PAGE names the folder of the built page");
  served = await serve(TOOLGATE_PAGE);
  browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS });
});
after(async () => {
  await browser?.close();
  served?.server.close();
});
beforeEach(async () => {
  await open();
});
afterEach(async () => {
  await context.close();
  assert.deepEqual(complaints, [], "the console is silent, and the policy was kept");
});

/** A fresh page; whatever it complains about fails the test. */
export async function open({ fragment = "", ...options } = {}) {
  await context?.close();
  complaints = [];
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  page = await context.newPage();
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("requestfailed", (failed) => complaints.push(`${failed.url()}: ${failed.failure()?.errorText}`));
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`${response.url()}: ${response.status()}`);
  });
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
  });
  await page.goto(served.address + fragment);
  await page.waitForFunction(() => document.querySelector("#kind").textContent !== "…");
}

export const kind = () => page.locator("#kind").textContent();
export const row = (name) => page.locator(`#reasons dt:text-is("${name}") + dd`).textContent();
export const fill = (selector, text) => page.locator(selector).fill(text);
/** The text of a list of rules. */
export const rulesIn = (behavior) => page.locator(`#${behavior} .cm-line`).evaluateAll((all) => all.map((line) => line.textContent).join("\n"));
/** The line that is highlighted, as `behavior:line`; null where none is. */
export const decided = () =>
  page.locator(".cm-line").evaluateAll((all) => {
    const line = all.find((each) => each.classList.contains("decided"));
    return line === undefined ? null : `${line.getRootNode().host.closest(".list").dataset.behavior}:${[...line.parentNode.children].indexOf(line)}`;
  });
/** The underlined parts of a list. */
export const marks = (behavior) =>
  page.locator(`#${behavior} .cm-lintRange`).evaluateAll((all) => all.map((mark) => [/cm-lintRange-(\w+)/.exec(mark.className)[1], mark.textContent]));
/** Style attributes of the page itself; an editor sets its own by script, which the policy allows. */
export const styled = () => page.evaluate(() => document.querySelectorAll("[style]").length);

export async function picture(name, options = {}) {
  if (TOOLGATE_SCREENSHOTS === undefined) return;
  mkdirSync(TOOLGATE_SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(TOOLGATE_SCREENSHOTS, `${name}.png`), fullPage: true, ...options });
}
