// The element in a page without a bundler: what is set, what is typed, and what goes out.
import assert from "node:assert/strict";
import { test } from "node:test";
import { complaints, decisions, editor, onHost, open, page, picture, row, status, type, until } from "./browser.mjs";

onHost("plain");

const AT_FIRST = ["Allow", "Ask", "Deny", "Allow", "Deny", "No rule"];
const element = (work, value) => page.locator("toolgate-preview").evaluate(work, value);
const standing = async () => (await status().textContent()).replace(/\s+/g, " ");
const told = (type) => page.evaluate((name) => globalThis.told.filter((each) => each.type === name).map(({ detail }) => detail), type);
const set = (properties) => element((preview, values) => void Object.assign(preview, values), properties);
const text = (list) => element((preview, name) => preview.renderRoot.querySelector(`[part~="list-${name}"] .cm-content`).innerText.replaceAll("\u200b", "").trimEnd(), list);
const notes = (list) => page.locator(`[part~="list-${list}"] .notes .note`).evaluateAll((items) => items.map((item) => item.dataset.code));

test("properties that were set before the element was defined are there", async () => {
  await until(decisions, AT_FIRST);
  assert.match(await status().textContent(), /8 rules in force/);
  assert.deepEqual(await told("toolgate-change"), [], "nobody changed anything");
  assert.equal((await told("toolgate-decide")).at(-1).decisions[1].decision.rule.text, "Bash(git push)");
  await picture("light");
});

test("one core: a policy of the page's own is made by the same module", async () => {
  const same = await page.evaluate(async () => {
    const { Policy, init } = await import("./toolgate/browser.js");
    await init();
    return new Policy({ rules: { deny: ["Bash"] } }).decide({ tool: "Bash" }).kind;
  });
  assert.equal(same, "deny");
  const fetched = await page.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".wasm")).length);
  assert.equal(fetched, 1, "the module was fetched once");
});

test("a typed rule is in force after a pause, and the event carries what to keep", async () => {
  await type("allow", "\nBash(make )");
  await until(decisions, [...AT_FIRST.slice(0, 5), "Allow"]);
  const [{ config, draft, valid, diagnostics, dialect, mode }] = (await told("toolgate-change")).slice(-1);
  assert.deepEqual([valid, diagnostics, dialect, mode], [true, [], "standard", "default"]);
  assert.deepEqual(config, draft);
  assert.deepEqual(config.rules.allow, ["Read", "Bash(git status)", "Bash(npm test)", "Edit(src/)", "Bash(make )"]);
  assert.match(await status().textContent(), /Against the rules that were set, 1 decision differs\./);
  assert.deepEqual(await element((preview) => preview.config), config);
});

test("an error is marked in its place, and the last good rules decide meanwhile", async () => {
  await type("allow", "\nBash(make ");
  await until(() => notes("allow"), ["unclosed-paren"]);
  assert.match(await standing(), /One error: these rules are not in force\. The last good rules stay in force/);
  assert.equal(await page.locator('[part~="list-allow"] .cm-lintRange-error').textContent(), "(make ");
  assert.equal(await page.locator('[part~="list-allow"] .cm-lint-marker-error').count(), 1);
  assert.equal(await editor("allow").getAttribute("aria-invalid"), "true");
  await until(decisions, AT_FIRST);
  const { valid, config, draft, diagnostics } = (await told("toolgate-change")).at(-1);
  assert.equal(valid, false);
  assert.equal(config.rules.allow.length, 4);
  assert.equal(draft.rules.allow.at(-1), "Bash(make ");
  assert.deepEqual(diagnostics.map(({ code, path }) => [code, path]), [["unclosed-paren", ["rules", "allow", 4]]]);
  await picture("error");
});

test("the way back to the last good rules is a button", async () => {
  await type("allow", "\nBash(make )");
  await until(async () => (await told("toolgate-change")).length, 1);
  await type("allow", "\nBash(");
  await until(() => status().getAttribute("data-standing"), "bad");
  await page.getByRole("button", { name: "Go back to the last good rules" }).click();
  await until(() => text("allow"), "Read\nBash(git status)\nBash(npm test)\nEdit(src/)\nBash(make )");
  assert.equal((await told("toolgate-change")).at(-1).valid, true);
});

test("a fix is an action of the editor, too", async () => {
  await type("ask", "\nBash(make) x");
  await until(() => notes("ask"), ["content-after-paren"]);
  await page.keyboard.press("Control+.");
  await until(() => text("ask"), "Bash(git push)\nBash(npm install)\nBash(make)");
  await until(decisions, [...AT_FIRST.slice(0, 5), "Ask"]);
});

test("findings come with a call that shows them, and with fixes", async () => {
  await type("allow", "\nBash(npm:*)\nRead");
  await page.waitForSelector('[part~="list-allow"] .note[data-code="prefix-ends-in-colon"] .fix');
  assert.match(await page.locator('.note[data-code="prefix-ends-in-colon"]').textContent(), /For example: Bash npm x/);
  await picture("findings");
  await page.getByRole("button", { name: "Replace by Bash(npm *)" }).click();
  await until(async () => (await text("allow")).split("\n").slice(-2), ["Bash(npm *)", "Read"]);
  await page.getByRole("button", { name: "Remove the rule" }).click();
  await until(async () => (await text("allow")).split("\n").at(-1), "Bash(npm *)");
  assert.deepEqual((await told("toolgate-change")).at(-1).config.rules.allow.slice(-1), ["Bash(npm *)"]);
});

/** Takes the first of a list that is open. */
async function choose(label) {
  await page.waitForSelector(".cm-tooltip-autocomplete li");
  // So that a key that was meant for the text chooses nothing, it is not heard at once.
  await page.waitForTimeout(100);
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.locator(".cm-tooltip-autocomplete li[aria-selected] .cm-completionLabel").textContent(), label);
  await page.keyboard.press("Enter");
}

test("the Enter key ends a line, whatever the list offers", async () => {
  await type("allow", "\nBash(mak");
  await page.waitForSelector('.cm-tooltip-autocomplete li:has-text("make deploy")');
  await page.waitForTimeout(100);
  await page.keyboard.press("Enter");
  await page.keyboard.type("Read");
  await until(async () => (await text("allow")).split("\n").slice(-2), ["Bash(mak", "Read"]);
});

test("names of tools are completed, then what calls were about", async () => {
  await type("allow", "\nBa");
  await choose("Bash");
  await page.keyboard.type("(mak");
  await page.waitForSelector('.cm-tooltip-autocomplete li:has-text("make deploy")');
  await picture("completion");
  await choose("make deploy");
  await until(async () => (await text("allow")).split("\n").at(-1), "Bash(make deploy)");
  await until(decisions, [...AT_FIRST.slice(0, 5), "Allow"]);
});

test("an open call shows the rule that decided, in words and in its line", async () => {
  await row(1).locator(".open").click();
  await until(() => page.locator('[part~="list-ask"] .decided').textContent(), "Bash(git push)");
  assert.equal(await page.locator('[part~="list-ask"] .decided-part').textContent(), "git push");
  assert.equal(await row(1).locator("mark.accepted").textContent(), "git push origin main");
  assert.equal(await row(1).locator('[part="explanation"] .rule').first().locator("mark.agrees").textContent(), "git push");
  await picture("explained");
  await row(1).locator('[part="explanation"] .rule').first().click();
  assert.equal(await page.evaluate(() => document.querySelector("toolgate-preview").renderRoot.activeElement.className), await editor("ask").getAttribute("class"));
});

test("a call is added, edited and removed", async () => {
  await page.getByRole("button", { name: "Add a call" }).click();
  await page.getByLabel("Tool").fill("WebFetch");
  await page.getByRole("textbox", { name: "Address" }).click();
  await page.keyboard.type("https://example.com/");
  await picture("form");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await until(async () => (await decisions()).length, 7);
  assert.deepEqual((await told("toolgate-calls")).at(-1).calls.at(-1), { tool: "WebFetch", arguments: { url: "https://example.com/" } });
  await row(3).getByRole("button", { name: "Edit the call" }).click();
  await page.getByRole("textbox", { name: "File" }).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("/repo/README.md");
  await page.getByRole("button", { name: "Save" }).click();
  await until(async () => (await decisions())[3], "No rule");
  const edited = (await told("toolgate-calls")).at(-1).calls[3];
  assert.deepEqual(edited, { tool: "Edit", arguments: { file_path: "/repo/README.md", old_string: "a", new_string: "b" } }, "the rest of it stays");
  await row(0).getByRole("button", { name: "Remove" }).click();
  await until(async () => (await decisions()).length, 6);
});

test("dialect and mode are chosen, and what the host sets later stands over that", async () => {
  await page.getByLabel("Dialect").selectOption("claude-code-2.1");
  await until(async () => (await told("toolgate-change")).at(-1)?.config.dialect, "claude-code-2.1");
  assert.equal(await element((preview) => preview.getAttribute("dialect")), "claude-code-2.1");
  await page.getByLabel("Mode").selectOption("bypassPermissions");
  await until(async () => (await decisions())[5], "Allow");
  await set({ dialect: "standard", mode: "plan" });
  await until(() => element((preview) => [preview.dialect, preview.mode]), ["standard", "plan"]);
  await until(async () => (await told("toolgate-decide")).at(-1).decisions[3].decision.mode, "plan");
  await page.locator("toolgate-preview").evaluate((preview) => preview.setAttribute("mode", "auto"));
  await until(async () => (await told("toolgate-decide")).at(-1).decisions[3].decision.mode, "auto");
});

test("in auto mode a badge says what is left of a question, and the words say why", async () => {
  await set({ mode: "auto" });
  await until(async () => (await decisions())[1], "Allow");
  await row(1).locator(".open").click();
  assert.match(await row(1).locator(".meaning").textContent(), /The rules would ask/);
});

test("another configuration drops what was written; the one in force given back does not", async () => {
  await type("allow", "\nBash(make");
  await until(() => status().getAttribute("data-standing"), "bad");
  await element((preview) => (preview.config = preview.config));
  await until(async () => (await text("allow")).split("\n").length, 5);
  await set({ config: { rules: { allow: ["Bash(make )"] } } });
  await until(() => text("allow"), "Bash(make )");
  await until(async () => (await decisions())[5], "Allow");
});

test("the very object that was set before resets", async () => {
  await type("allow", "\nBash(make");
  await until(() => status().getAttribute("data-standing"), "bad");
  await element(async (preview) => (preview.config = (await import("./settings.js")).config));
  await until(async () => (await text("allow")).split("\n").length, 4);
});

test("layers are edited each on its own, and nothing else of the configuration changes", async () => {
  const layers = [
    { source: "policySettings", deny: ["Bash(make )"], directory: "/etc/agent" },
    { source: "userSettings", allow: ["Bash(make )", "Bash(x"] },
  ];
  await set({ config: { layers, home: "/home/u", zork: 1, rules: { bypassImmune: ["Bash(shutdown)"] } } });
  await until(() => page.getByLabel("Source").locator("option").allTextContents(), ["configuration", "policySettings", "userSettings (1 error)"]);
  assert.equal(await text("bypassImmune"), "Bash(shutdown)");
  assert.deepEqual(await page.getByRole("list", { name: "About the configuration" }).locator(".note").evaluateAll((items) => items.map((item) => item.dataset.code)), ["option-ignored", "unknown-field"]);
  await page.getByLabel("Source").selectOption("userSettings (1 error)");
  await until(() => text("allow"), "Bash(make )\nBash(x");
  await page.locator('[part~="list-allow"] .fix').click();
  await until(async () => (await decisions())[5], "Deny");
  const { config } = (await told("toolgate-change")).at(-1);
  assert.deepEqual(config, {
    layers: [layers[0], { source: "userSettings", allow: ["Bash(make )", "Bash(x)"] }],
    home: "/home/u",
    zork: 1,
    rules: { bypassImmune: ["Bash(shutdown)"] },
  });
  await row(5).locator(".open").click();
  await row(5).locator('[part="explanation"] .rule').first().click();
  await until(() => page.getByLabel("Source").evaluate((select) => select.selectedOptions[0].textContent), "policySettings");
  await picture("layers");
});

test("nothing is hidden: characters that turn or vanish have a box, in rules and in calls", async () => {
  const rule = "Ed\u202eit(a\u200bb\u2066\u{e0041}\nc\rd)";
  await set({ config: { rules: { allow: [rule, "Read(\u05e9\u05dc\u05d5\u05dd)"] } }, calls: [{ tool: "Bash", arguments: { command: "ls \u202ea\u00a0b" } }] });
  await until(() => page.locator('[part~="list-allow"] .cm-content .unseen').allTextContents(), ["U+202E", "U+200B", "U+2066", "U+E0041", "↵", "U+000D"]);
  assert.deepEqual(await page.locator('[part~="list-allow"] .cm-content .turned').allTextContents(), ["\u05e9\u05dc\u05d5\u05dd"]);
  assert.equal(await page.locator('[part~="list-allow"] .cm-content .unseen').first().getAttribute("aria-label"), "right-to-left override");
  await until(() => row(0).locator(".open .unseen").allTextContents(), ["U+202E", "U+00A0"]);
  await row(0).locator(".open").click();
  assert.equal(await row(0).locator('[part="command"] .unseen').count(), 2);
  await picture("hidden");
  await type("allow", "\nRead");
  await until(async () => (await told("toolgate-change")).at(-1)?.draft.rules.allow, [rule, "Read(\u05e9\u05dc\u05d5\u05dd)", "Read"]);
});

test("without the right to change, everything can still be read", async () => {
  await set({ readonly: true, config: { rules: { allow: ["Bash(git status)"], deny: ["Bash(ls"] } } });
  await until(() => page.getByRole("button", { name: "Add a call" }).count(), 0);
  await until(() => notes("deny"), ["unclosed-paren"]);
  await editor("deny").focus();
  await page.keyboard.press("Control+.");
  assert.equal(await page.locator(".fix").count(), 0);
  await set({ config: { rules: { allow: ["Bash(git status)"] } } });
  await until(async () => (await decisions())[0], "Allow");
  assert.equal(await editor("allow").getAttribute("aria-readonly"), "true");
  await editor("allow").focus();
  await page.keyboard.type("x");
  await row(0).locator(".open").click();
  assert.match(await row(0).locator(".meaning").textContent(), /may run/);
  assert.deepEqual(await told("toolgate-change"), []);
});

test("an element that is moved goes on where it was", async () => {
  await type("allow", "\nBash(make )");
  await until(decisions, [...AT_FIRST.slice(0, 5), "Allow"]);
  await page.evaluate(() => document.body.append(document.querySelector("toolgate-preview")));
  await until(() => status().textContent().then((said) => /9 rules in force/.test(said)), true);
  await until(decisions, [...AT_FIRST.slice(0, 5), "Allow"]);
  await type("allow", "\nBash(");
  // Outside of the document an event reaches nobody but listeners of the element itself.
  const last = await element((preview) => {
    let draft;
    preview.addEventListener("toolgate-change", ({ detail }) => ({ draft } = detail));
    preview.remove();
    document.body.append(preview);
    return draft?.rules.allow.at(-1);
  });
  assert.equal(last, "Bash(", "what was typed a moment ago was told");
  await until(async () => /The last good rules stay in force/.test(await standing()), true);
  await until(decisions, [...AT_FIRST.slice(0, 5), "Allow"]);
});

test("attributes with JSON work in a page of mere HTML", async () => {
  const config = JSON.stringify({ rules: { deny: ["Bash(ls)"] } });
  await page.evaluate((json) => {
    const preview = document.createElement("toolgate-preview");
    preview.setAttribute("config", json);
    preview.setAttribute("calls", '[{"tool":"Bash","subject":"ls"}]');
    document.querySelector("toolgate-preview").replaceWith(preview);
  }, config);
  await until(decisions, ["Deny"]);
});

test("where the core does not come, the element says so and tries again", async () => {
  let isGone = true;
  await open({
    ready: '[role="alert"]',
    prepare: (fresh) => fresh.route("**/*.wasm", (route) => (isGone ? route.fulfill({ status: 503 }) : route.continue())),
  });
  assert.match(await page.getByRole("alert").textContent(), /The rules engine did not start\. Nothing is decided here\. What went wrong: \S/);
  await picture("failed");
  isGone = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await until(decisions, AT_FIRST);
  assert.deepEqual(complaints.splice(0).filter((complaint) => !/503|WebAssembly|toolgate\.wasm: net::ERR_ABORTED/.test(complaint)), [], "the refused file alone");
});
