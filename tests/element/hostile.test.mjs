// Whatever a host gives, the element says what is wrong with it, and lives.
import assert from "node:assert/strict";
import { test } from "node:test";
import { decisions, onHost, page, status, until } from "./browser.mjs";

onHost("plain");

/** Sets a property to what an expression gives in the page. */
async function set(name, expression) {
  await page.evaluate(`void (document.querySelector("toolgate-preview").${name} = ${expression})`);
  await page.locator("toolgate-preview").evaluate((preview) => preview.updateComplete);
}
const said = () => page.locator("toolgate-preview").evaluate((preview) => preview.renderRoot.textContent.replace(/\s+/g, " "));
const NOT_IN_FORCE = /not in force|nothing is decided/i;

for (const [name, expression, code] of [
  ["a text", '"rules"', "not-an-object"],
  ["a number", "7", "not-an-object"],
  ["a list", "[]", "not-an-object"],
  ["a function", "() => 1", "not-an-object"],
  ["a cycle", "(() => { const a = {}; a.rules = a; return a; })()", "not-json"],
  ["a getter that throws", '({ get rules() { throw new Error("no"); } })', "not-json"],
  ["a proxy that throws", '(new Proxy({}, { ownKeys() { throw new Error("no"); } }))', "not-json"],
  ["rules of another type", '({ rules: "Bash" })', "not-an-object"],
  ["a list of another type", '({ rules: { allow: "Bash" } })', "not-a-list"],
  ["rules that are no texts", '({ rules: { deny: ["Bash", 1, null] } })', "not-a-string"],
  ["layers of another type", "({ layers: 1 })", "not-a-list"],
  ["a layer of another type", "({ layers: [null, { source: {} }] })", "not-an-object"],
  ["an unknown dialect", '({ dialect: "<b>" })', "unknown-dialect"],
  ["half a character", '({ rules: { allow: ["Bash(\\ud800)"] } })', "lone-surrogate"],
]) {
  test(`a configuration that is ${name}`, async () => {
    await set("config", expression);
    await until(() => status().getAttribute("data-standing"), "bad");
    assert.match(await said(), NOT_IN_FORCE);
    const codes = await page.locator(".note[data-code]").evaluateAll((items) => items.map((item) => item.dataset.code));
    assert.ok(codes.includes(code), `${codes} has ${code}`);
    assert.deepEqual(new Set(await decisions()), new Set(["No decision"]));
    // It is not the end.
    await page.locator("toolgate-preview").evaluate((preview) => void [preview.config, preview.draft]);
    await set("config", '({ rules: { allow: ["Bash"] } })');
    await until(async () => (await decisions())[0], "Allow");
  });
}

test("what a person writes stands in the place of what could not be read", async () => {
  for (const nothing of ['"rules"', "(() => { const a = {}; a.rules = a; return a; })()"]) {
    await set("config", nothing);
    await until(() => status().getAttribute("data-standing"), "bad");
    await page.locator('[part~="list-deny"] .cm-content').click();
    await page.keyboard.type("Bash");
    await until(async () => (await decisions())[0], "Deny");
    assert.deepEqual(await page.evaluate(() => told.filter((each) => each.type === "toolgate-change").at(-1).detail.config), { rules: { deny: ["Bash"] } });
  }
});

test("no configuration at all is one without rules", async () => {
  for (const nothing of ["undefined", "null", "({})"]) {
    await set("config", nothing);
    await until(async () => /No rules in force/.test(await status().textContent()), true);
  }
});

for (const [name, expression, expected] of [
  ["no list", '"Bash"', []],
  ["a proxy that throws", '(new Proxy([], { get() { throw new Error("no"); } }))', []],
  ["odd calls beside a good one", '[null, 1, "Bash", {}, { tool: 7 }, { get tool() { throw 1; } }, { tool: "Read" }]', [...Array(6).fill("No decision"), "Allow"]],
  ["arguments of any type", '[{ tool: "Read", arguments: 1 }, { tool: "Read", arguments: { file_path: { a: 1 } } }]', ["No decision", "Allow"]],
]) {
  test(`calls that are ${name}`, async () => {
    await set("calls", expression);
    await until(decisions, expected);
    for (let index = 0; index < expected.length; index += 1) {
      await page.locator(`[data-index="${index}"] .open`).click();
      assert.notEqual((await page.locator(`[data-index="${index}"] [part="explanation"]`).textContent()).trim(), "");
    }
    await set("calls", '[{ tool: "Read" }]');
    await until(decisions, ["Allow"]);
  });
}

test("a state that is refused is said at the calls", async () => {
  await set("state", '({ cwd: 7, grants: "x" })');
  await until(async () => new Set(await decisions()), new Set(["No decision"]));
  await page.locator('[data-index="0"] .open').click();
  assert.match(await said(), /state \/ /);
  await set("mode", '"turbo"');
  await set("state", "undefined");
  await until(async () => /state \/ mode/.test(await said()), true);
});

test("markup in rules and calls is text", async () => {
  const markup = "<img src=x onerror=alert(1)>";
  await set("config", JSON.stringify({ rules: { deny: [`Bash(${markup}`], ask: [markup] } }));
  await set("calls", JSON.stringify([{ tool: markup, subject: markup }]));
  await page.locator('[data-index="0"] .open').click();
  assert.equal(await page.locator("toolgate-preview img:not(.cm-widgetBuffer)").count(), 0);
});

test("ten thousand rules and a thousand calls are no reason to stand still", async () => {
  await set("config", '({ rules: { allow: Array.from({ length: 10000 }, (_, n) => `Bash(tool-${n} )`) } })');
  await set("calls", 'Array.from({ length: 1000 }, (_, n) => ({ tool: "Bash", subject: `tool-${n * 11} x` }))');
  await until(async () => (await decisions()).length, 100);
  const begun = Date.now();
  await page.locator('[part~="list-ask"] .cm-content').click();
  await page.keyboard.type("Bash(tool-0 )");
  await until(async () => (await decisions())[0], "Ask");
  assert.ok(Date.now() - begun < 5000, `${Date.now() - begun} ms`);
});
