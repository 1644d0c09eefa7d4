// A page in real Chromium, opened anew for each test, under a strict policy. Whatever it complains about fails its test.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, beforeEach } from "node:test";
import { serve } from "../../www/serve.mjs";
import { launch } from "./chromium.mjs";

const { TOOLGATE_SCREENSHOTS } = process.env;

/** Where the page is served, the page of the test that runs, and what that page complained about. */
export let served;
export let page;
export let complaints;
let browser;
let context;

/**
 * Every test of the file gets a fresh page: `make` gives the folder to serve, or the `address` where something serves it already, and
 * what takes it away; `open` opens the page.
 */
export function eachOn(make, open) {
  let made;
  before(async () => {
    made = await make();
    served = made.address === undefined ? await serve(made.folder) : { address: made.address };
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    served?.server?.close();
    made?.remove?.();
  });
  beforeEach(async () => {
    await open();
  });
  afterEach(async () => {
    await context.close();
    assert.deepEqual(complaints, [], "the console is silent, and the policy was kept");
  });
}

/** A fresh page of a path; `prepare` gets it before it is loaded, the rest are options of the browser. */
export async function fresh(path, prepare = () => {}, options = {}) {
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

/** What a person looks at, where a folder for it is named. */
export async function picture(name, options = {}) {
  if (TOOLGATE_SCREENSHOTS === undefined) return;
  mkdirSync(TOOLGATE_SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(TOOLGATE_SCREENSHOTS, `${name}.png`), fullPage: true, ...options });
}
