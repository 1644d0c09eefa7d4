// The element without a mouse, and what a checker of accessibility says of it, in every state and in light and dark.
import assert from "node:assert/strict";
import { test } from "node:test";
import { violations } from "../browser/axe.mjs";
import { decisions, editor, onHost, open, page, picture, row, status, type, until } from "./browser.mjs";

onHost("plain");

const checked = async (what) => assert.deepEqual(await violations(), [], what);
const set = (properties) => page.locator("toolgate-preview").evaluate((preview, values) => void Object.assign(preview, values), properties);

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing, ${colorScheme}`, async () => {
    await open({ colorScheme });
    await until(async () => (await decisions()).length, 6);
    await checked("at first");
    await picture(colorScheme);
    for (const index of [1, 4, 5]) {
      await row(index).locator(".open").click();
      await page.locator("details:not([open]) summary").first().click();
      await checked(`call ${index} open`);
      await picture(`${colorScheme}-call-${index}`);
    }
    await type("allow", "\nBash(make\nBash(npm:*)\nBash(ls)\nBash(ls)\nEd\u202eit(\u05e9\u05dc)");
    await until(() => status().getAttribute("data-standing"), "bad");
    await checked("with problems");
    await picture(`${colorScheme}-problems`);
    await editor("ask").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\nWeb");
    await page.waitForSelector(".cm-tooltip-autocomplete");
    await checked("with a completion");
    await picture(`${colorScheme}-completion`);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Add a call" }).click();
    await checked("with a form");
    await set({ config: { layers: [{ source: "userSettings", allow: ["Read"] }, { source: "projectSettings", deny: [1] }] }, calls: [] });
    await checked("with layers, and without calls");
    await set({ readonly: true });
    await checked("read only");
  });
}

test("forced colours keep shapes and borders", async () => {
  await open({ forcedColors: "active" });
  await until(async () => (await decisions()).length, 6);
  await row(1).locator(".open").click();
  const border = await page.locator(".badge").first().evaluate((badge) => getComputedStyle(badge).borderTopStyle);
  assert.equal(border, "solid");
  await checked("forced colours");
  await picture("forced-colors");
});

test("a narrow page has one column and nothing sticks out", async () => {
  await open({ viewport: { width: 360, height: 740 } });
  await row(1).locator(".open").click();
  await type("allow", "\nBash(make");
  await until(() => status().getAttribute("data-standing"), "bad");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await checked("narrow");
  await picture("narrow");
});

/** The focused element as a reader would name it. */
const focused = () =>
  page.evaluate(() => {
    const at = document.querySelector("toolgate-preview").renderRoot.activeElement;
    if (at === null) return "outside";
    const labelled = at.getAttribute("aria-labelledby");
    const name = labelled ? at.getRootNode().getElementById(labelled).textContent : (at.closest("label")?.querySelector("span")?.textContent ?? at.textContent);
    return `${at.getAttribute("role") ?? at.localName}: ${name.replace(/\s+/g, " ").trim()}`;
  });

/** Goes on with the Tab key until the focus is there. */
async function tabTo(name) {
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press("Tab");
    if (name.test(await focused())) return;
  }
  assert.fail(`the Tab key never comes to ${name}`);
}

test("the keyboard gets everywhere, and out of everything", async () => {
  await page.waitForSelector("details.more");
  const walk = [];
  await page.keyboard.press("Tab");
  for (let step = 0; step < 40 && (await focused()) !== "outside"; step += 1) {
    walk.push(await focused());
    await page.keyboard.press("Tab");
  }
  assert.deepEqual(walk.slice(0, 9), [
    "select: Dialect",
    "select: Mode",
    "textbox: allow may run",
    "summary: 2 notes",
    "textbox: ask a person says yes first",
    "textbox: deny must not run",
    "button: Allow Bash git status",
    "button: Edit the call Bash git status",
    "button: Remove the call Bash git status",
  ]);
  assert.equal(walk.at(-1), "button: Add a call");
  assert.equal(walk.length, 6 + 6 * 3 + 1);
});

test("rules are written, mended and tried with the keyboard alone", async () => {
  await tabTo(/^textbox: deny/);
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\nBash(make");
  await until(() => status().getAttribute("data-standing"), "bad");
  assert.equal(await status().locator('[role="status"]').count(), 1, "a reader is told");
  const described = await editor("deny").getAttribute("aria-describedby");
  assert.equal(described, "notes-deny");
  // From the editor to the link, then to the fix.
  await page.keyboard.press("Tab");
  assert.equal(await focused(), "button: deny, line 3");
  await page.keyboard.press("Tab");
  assert.match(await focused(), /^button: Replace by Bash\(make\) in deny, line 3$/);
  await page.keyboard.press("Enter");
  await until(() => status().getAttribute("data-standing"), "good");
  await until(async () => (await decisions())[5], "Deny");
  assert.equal(await focused(), "textbox: deny must not run", "the focus goes to the mended rule");

  await tabTo(/^button: Allow Bash git status/);
  await page.keyboard.press("Enter");
  assert.equal(await row(0).locator(".open").getAttribute("aria-expanded"), "true");
  await page.keyboard.press("Space");
  assert.equal(await row(0).locator(".open").getAttribute("aria-expanded"), "false");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await until(focused, "textbox: Command");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("make install");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await until(async () => (await decisions())[0], "Deny");
  await until(focused, "button: Deny Bash make install was no rule");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await until(async () => (await decisions()).length, 5);
  assert.match(await focused(), /^button: Ask Bash npm test/, "the focus goes to the next call");
});

test("Escape leaves the form, and the focus goes back", async () => {
  await page.getByRole("button", { name: "Add a call" }).focus();
  await page.keyboard.press("Enter");
  await until(focused, "input: Tool");
  await page.keyboard.press("Escape");
  await until(focused, "button: Add a call");
});
