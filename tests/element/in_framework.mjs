// What holds in a page of any framework: what is typed decides, a fix is one press, and a host that gives back what it was told
// disturbs nobody.
import assert from "node:assert/strict";
import { test } from "node:test";
import { decisions, editor, onHost, page, picture, row, status, type, until } from "./browser.mjs";

const AT_FIRST = ["Allow", "Ask", "Deny", "Allow", "Deny", "No rule"];
const config = async () => JSON.parse(await page.locator("#config").textContent());

export function inFramework(name) {
  onHost(name);

  test("the element shows what the host gave", async () => {
    await until(decisions, AT_FIRST);
    await until(() => page.locator("#decisions").textContent(), "allow,ask,deny,allow,deny,passthrough");
    await picture(name);
  });

  test("typing a rule changes decisions, and the host is told", async () => {
    await type("allow", "\nBash(make )");
    await until(decisions, [...AT_FIRST.slice(0, 5), "Allow"]);
    assert.equal(await row(5).locator(".was").textContent(), "was no rule");
    await until(async () => (await config()).rules.allow.at(-1), "Bash(make )");
    await until(() => page.locator("#decisions").textContent(), "allow,ask,deny,allow,deny,allow");
    // The host gave the configuration back, and the caret stayed where it was.
    await page.keyboard.type("\nBash(ls)");
    await until(async () => (await config()).rules.allow.slice(-2), ["Bash(make )", "Bash(ls)"]);
  });

  test("what is wrong is kept and not in force; its fix is one press", async () => {
    await type("deny", "\nBash(make");
    await until(() => status().getAttribute("data-standing"), "bad");
    await until(decisions, AT_FIRST);
    assert.equal((await config()).rules.deny.length, 2);
    assert.match(await editor("deny").textContent(), /Bash\(make$/);
    await page.locator('[part~="list-deny"] .fix').click();
    await until(decisions, [...AT_FIRST.slice(0, 5), "Deny"]);
    await until(async () => (await config()).rules.deny.at(-1), "Bash(make)");
    assert.equal(await status().getAttribute("data-standing"), "good");
  });
}
