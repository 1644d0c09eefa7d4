// A host's page in real Chromium, opened anew for each test, under a strict policy. Whatever it complains about fails its test.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, beforeEach } from "node:test";
import { chromium } from "playwright-core";
import { serve } from "../../www/serve.mjs";
import { makeHost } from "./hosts.mjs";

const { TOOLGATE_TARBALL, CHROMIUM = "/usr/bin/chromium", TOOLGATE_SCREENSHOTS } = process.env;
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The page of the test that runs, and what it complained about. */
export let page;
export let complaints;
let host;
let served;
let browser;
let context;

/** Every test of the file gets a fresh page of this host. */
export function onHost(name) {
  before(async () => {
    assert.ok(TOOLGATE_TARBALL, "TOOLGATE_TARBALL names the packed package");
    host = await makeHost(name, TOOLGATE_TARBALL);
    served = await serve(host.folder);
    browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS });
  });
  after(async () => {
    await browser?.close();
    served?.server.close();
    host?.remove();
  });
  beforeEach(async () => {
    await open();
  });
  afterEach(async () => {
    await context.close();
    assert.deepEqual(complaints, [], "the console is silent, and the policy was kept");
  });
}

/** A fresh page; `prepare` gets it before it is loaded. */
export async function open({ prepare = () => {}, path = "", ready = ".call", ...options } = {}) {
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
  await prepare(page);
  await page.goto(served.address + path);
  await page.waitForSelector(ready);
}

export const editor = (list) => page.locator(`[part~="list-${list}"] .cm-content`);
export const row = (index) => page.locator(`[data-index="${index}"]`);
export const status = () => page.locator('[part="status"]');
/** What the badges say, from top to bottom. */
export const decisions = () => page.locator(".call .badge").allTextContents();

/** Types at the end of a list. */
export async function type(list, text) {
  await editor(list).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(text);
}

/** Waits until something is as it should be. */
export async function until(look, expected) {
  const end = Date.now() + 5000;
  for (;;) {
    const found = await look();
    try {
      assert.deepEqual(found, expected);
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((fulfil) => setTimeout(fulfil, 25));
    }
  }
}

export async function picture(name) {
  if (TOOLGATE_SCREENSHOTS === undefined) return;
  mkdirSync(TOOLGATE_SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(TOOLGATE_SCREENSHOTS, `${name}.png`), fullPage: true });
}
