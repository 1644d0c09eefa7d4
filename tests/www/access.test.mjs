// Every tab and view by axe, in both schemes and as narrow as a phone; pictures of each.
import assert from "node:assert/strict";
import { test } from "node:test";
import { violations } from "../browser/axe.mjs";
import { open, page, picture } from "./browser.mjs";
import { enter, settled, source } from "./workbench.mjs";

const LOOKS = {
  light: {},
  dark: { colorScheme: "dark", reducedMotion: "reduce" },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
};

/** Contrast is what differs between schemes, and all else between widths; looking at it takes the most time. */
const RULES = {
  light: {},
  dark: { runOnly: ["color-contrast"] },
  phone: { rules: { "color-contrast": { enabled: false } } },
};

async function check(view, look) {
  const name = `${view}-${look}`;
  assert.deepEqual(await violations(RULES[look]), [], name);
  const { wide, room } = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, room: innerWidth }));
  assert.ok(wide <= room, `${name}: ${wide} px wide in ${room}`);
  await picture(name);
}

for (const [look, options] of Object.entries(LOOKS)) {
  test(`${look}: nothing stands in anybody's way`, async () => {
    await open(options);
    await check("rules", look);
    await enter();
    await page.locator("#bench-demo").click();
    await settled();
    await page.locator(".call-row").nth(1).click();
    await page.locator("#detail").waitFor();
    await check("decisions", look);
    await page.locator("#compare-view-tab").click();
    await source("other").fill('{"permissions": {"allow": ["Bash(git )", "Bash(docker )"], "deny": ["Bash(git push)", 5]}}');
    await settled();
    await check("compare-broken", look);
    await source("other").fill('{"permissions": {"allow": ["Bash(git )", "Bash(docker )"], "deny": ["Bash(git push)"]}}');
    await settled();
    await page.locator("#change-list .call-row").first().click();
    await page.locator("#changes .sides").waitFor();
    await check("compare", look);
    for (const view of ["lint", "coverage", "spread"]) {
      await page.locator(`#${view}-view-tab`).click();
      await settled();
      if (view === "spread") await page.locator("#spread-list .call-row").first().click();
      await check(view, look);
    }
    for (const tab of ["classification", "review"]) {
      await page.locator(`#${tab}-tab`).click();
      await page.locator(`#${tab}-panel .forward:enabled`).click();
      await check(`${tab}-axe`, look);
    }
  });
}
