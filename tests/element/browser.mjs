// A host's page in the browser, made of the packed package, and what stands in the element on it.
import assert from "node:assert/strict";
import { eachOn, fresh, page } from "../browser/page.mjs";
import { makeHost } from "./hosts.mjs";

export { complaints, page, picture, until } from "../browser/page.mjs";

const { TOOLGATE_TARBALL } = process.env;

/** Every test of the file gets a fresh page of this host. */
export function onHost(name) {
  eachOn(() => {
    assert.ok(TOOLGATE_TARBALL, "TOOLGATE_TARBALL names the packed package");
    return makeHost(name, TOOLGATE_TARBALL);
  }, open);
}

/** A fresh page; `prepare` gets it before it is loaded. */
export async function open({ prepare, path = "", ready = ".call", ...options } = {}) {
  await fresh(path, prepare, options);
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
