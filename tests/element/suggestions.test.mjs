// What would cover a call, and what else it would cover, one press away from the rules.
import assert from "node:assert/strict";
import { test } from "node:test";
import { decisions, editor, onHost, page, picture, row, until } from "./browser.mjs";

onHost("plain");

const ask = async (index) => {
  await row(index).locator(".open").click();
  await row(index).getByRole("button", { name: "Which rule would cover this call?" }).click();
};
const focused = () => page.locator("toolgate-preview").evaluate((preview) => preview.renderRoot.activeElement?.className);

test("a suggestion says what else it covers, and is added with one press", async () => {
  await ask(5);
  assert.equal(await focused(), "suggested", "what came is read out");
  const suggestion = row(5).locator('[part="suggestion"]').first();
  assert.equal(await suggestion.locator(".rule").textContent(), "Bash(make deploy)");
  assert.ok((await suggestion.locator(".covers li").count()) > 0);
  await picture("suggestion");
  await suggestion.getByRole("button", { name: "Add to allow the rule Bash(make deploy)" }).click();
  await until(async () => (await decisions())[5], "Allow");
  assert.match(await editor("allow").textContent(), /Bash\(make deploy\)$/);
  assert.equal(await focused(), "open", "the focus stays at the call");
  const { config } = await page.evaluate(() => told.filter(({ type }) => type === "toolgate-change").at(-1).detail);
  assert.equal(config.rules.allow.at(-1), "Bash(make deploy)");
  assert.equal(await row(5).getByRole("button", { name: "Which rule" }).count(), 0, "it is covered");
});

test("where no rule would be safe, the element says that", async () => {
  await ask(4);
  assert.match(await row(4).locator(".suggested").textContent(), /No rule would cover this call safely\./);
});
