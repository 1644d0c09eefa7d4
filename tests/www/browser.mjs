// The built page in the browser, and what stands on it.
import assert from "node:assert/strict";
import { eachOn, fresh, page } from "../browser/page.mjs";

export { page, picture, served } from "../browser/page.mjs";

const { TOOLGATE_PAGE } = process.env;

eachOn(() => {
  assert.ok(TOOLGATE_PAGE, "TOOLGATE_PAGE names the folder of the built page");
  return { folder: TOOLGATE_PAGE };
}, open);

/** A fresh page, ready when it has decided. */
export async function open({ fragment = "", ...options } = {}) {
  await fresh(fragment, undefined, options);
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
