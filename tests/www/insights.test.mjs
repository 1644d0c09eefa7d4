// What the workbench makes of settings and calls as a whole: coverage, comparison, dialects, suggestions, lint and its fixes.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { page, picture } from "./browser.mjs";
import { calls, chosenText, enter, notes, rows, settings, settled, source } from "./workbench.mjs";

beforeEach(enter);

async function view(name) {
  await page.locator(`#${name}-view-tab`).click();
  await settled();
}

test("coverage is a picture that can be read, and leads to rules and calls", async () => {
  await page.locator("#bench-demo").click();
  await settled();
  assert.ok(await page.locator("#bench-credit").isVisible(), "whose commands they are");
  await view("coverage");
  const table = page.locator("#coverage-view table");
  assert.equal(await table.locator("caption").textContent(), "Calls by rule");
  const first = table.locator("tbody tr").first();
  const cells = await first.locator("th, td").allTextContents();
  assert.deepEqual(cells, ["Bash(kubectl ) line 49", "", "23", "25"]);
  const widths = await first.locator("rect").evaluateAll((all) => all.map((rect) => Number(rect.getAttribute("width"))));
  assert.deepEqual(widths.map(Math.round), [920, 80]);
  assert.match(await page.locator(".coverage-says").textContent(), /^57 rules over 675 calls\. 11 rules meet no call\./);
  await picture("workbench-coverage");
  await page.locator("#coverage-view select").selectOption("never met first");
  assert.equal(await table.locator("tbody tr").first().locator("td").last().textContent(), "never");
  await first.locator(".rule").click();
  assert.match(await chosenText("settings"), /^(?:Read|Grep)/);
  await page.locator("#coverage-view select").selectOption("most decided first");
  await first.locator(".number button").click();
  await page.waitForFunction(() => document.querySelector(".filter-count").textContent.endsWith("listed"));
  assert.match(await page.locator(".filter-rule").textContent(), /^decided by Bash\(kubectl \)/);
  assert.ok((await rows()).every((row) => row.includes("kubectl ") && row.endsWith(" Bash(kubectl )")), (await rows()).join("\n"));
  await page.locator(".filter-rule").click();
  await page.waitForFunction(() => document.querySelector(".filter-count").textContent === "");
});

test("two settings: which calls change, from what to what, by which rules", async () => {
  await view("compare");
  assert.match(await page.locator("#changes .compare-says").textContent(), /^Paste or open other settings/);
  await source("other").fill('{"permissions": {"deny": ["Bash(git push)"], "allow": ["Bash(git )", "Read"]}}');
  await settled();
  assert.match(await page.locator("#changes .compare-says").textContent(), /^\d+ calls of 14 would be decided otherwise\.$/);
  const ways = await page.locator("#changes .kind-button").allTextContents();
  assert.ok(ways.includes("ask → deny 1"), ways.join());
  await page.locator("#changes .kind-button", { hasText: "ask → deny" }).click();
  assert.deepEqual(await rows("#change-list"), ["3 ask → deny npm test && git push origin main Bash(git push)"]);
  await page.locator("#change-list .call-row").click();
  await page.locator("#changes .sides").waitFor();
  assert.deepEqual(await page.locator("#changes .sides dd").allTextContents(), ["ask Bash(git push) line 13", "deny Bash(git push) line 1"]);
  await page.locator("#changes .sides .rule").last().click();
  assert.equal(await chosenText("other"), "Bash(git push)");
  await picture("workbench-compare");
  await source("other").fill(await source("settings").inputValue());
  await settled();
  assert.equal(await page.locator("#changes .compare-says").textContent(), "Nothing changes: all of 14 calls are decided alike.");
  await source("other").fill("{");
  await settled();
  assert.match(await page.locator("#changes .compare-says").textContent(), /^One of the two settings has errors/);
});

test("four dialects side by side", async () => {
  await settings('{"permissions": {"allow": ["Bash(git status)"], "deny": ["Bash(git )"]}}');
  await calls("git status\nmake x\ngit status -s");
  await view("spread");
  const lines = await page.locator(".spread tbody tr").evaluateAll((all) => all.map((row) => [row.querySelector("th").textContent, row.lastElementChild.textContent]));
  assert.equal(lines.length, 4);
  assert.deepEqual(lines[0], ["standard", "chosen"]);
  assert.match(lines[1].join(), /^dsh-0\.5,[12] calls?$/);
  assert.match(await page.locator("#spread-view .compare-says").textContent(), / of 3 depend/);
  assert.match((await rows("#spread-list"))[0], /^1 denyallow/);
  await page.locator("#spread-list .call-row").first().click();
  await page.locator("#spread-view .sides").waitFor();
  assert.deepEqual((await page.locator("#spread-view .sides dd").allTextContents()).slice(0, 2), ["deny Bash(git ) line 1", "allow Bash(git status) line 1"]);
  await picture("workbench-dialects");
  await page.locator(".spread .link", { hasText: "dsh-0.5" }).click();
  await settled();
  assert.equal(await page.locator("#bench-dialect").inputValue(), "dsh-0.5");
  assert.equal(await page.locator(".spread .chosen th").textContent(), "dsh-0.5");
});

test("lint says what is wrong by an example, and mends it with one click", async () => {
  const text = '{\n  "permissions": {\n    // kept\n    "allow": ["Bash(npm run build:*)", "Bash(git status)", "Bash(git status -s)"],\n    "deny": ["Read"]\n  }\n}\n';
  await settings(text);
  await view("lint");
  const finding = (code) => page.locator(`#lint-view li[data-code="${code}"]`).first();
  assert.match(await page.locator(".lint-says").textContent(), /^\d+ findings: /);
  assert.equal(await finding("redundant").locator(".rule").first().textContent(), "Bash(git status -s)");
  assert.match(await finding("redundant").locator(".related").textContent(), /^Bash\(git status\) line 4 /);
  assert.match(await finding("redundant").locator(".witness").textContent(), /^For example Bash git status -s /);
  await picture("workbench-lint");
  await finding("redundant").getByRole("button", { name: "Remove the rule" }).click();
  await settled();
  assert.equal(await source("settings").inputValue(), text.replace(', "Bash(git status -s)"', ""), "nothing else has changed");
  assert.equal(await finding("redundant").count(), 0);
  const fix = page.locator("#lint-view .fix", { hasText: "build:*" });
  const better = await fix.locator("ins").textContent();
  await fix.getByRole("button", { name: "Apply the fix" }).click();
  await settled();
  assert.ok((await source("settings").inputValue()).includes(`"allow": [${JSON.stringify(better)}, "Bash(git status)"]`), await source("settings").inputValue());
  await page.locator("#settings-source .undo").click();
  await page.locator("#settings-source .undo").click();
  assert.equal(await source("settings").inputValue(), text);
  await settled();
  await finding("redundant").getByRole("button", { name: "Add to the calls" }).click();
  await settled();
  assert.match(await source("calls").inputValue(), /\n\{"tool":"Bash","arguments":\{"command":"git status -s"\}\}\n$/);
});

test("a rule that is suggested is one click away", async () => {
  await settings('{\n  // mine\n  "permissions": {\n    "allow": [\n      "Read"\n    ]\n  }\n}\n');
  await calls("npm test");
  await page.locator(".call-row").click();
  const offer = page.locator(".suggestions li").first();
  await offer.waitFor();
  const rule = await offer.locator(".rule").textContent();
  await offer.getByRole("button", { name: "Add to allow" }).click();
  await settled();
  const text = await source("settings").inputValue();
  assert.ok(text.includes("// mine") && text.includes(`"Read",\n      ${JSON.stringify(rule)}\n`), text);
  assert.deepEqual(await notes("settings"), []);
  assert.match((await rows())[0], /^1 allow npm test/);
});
