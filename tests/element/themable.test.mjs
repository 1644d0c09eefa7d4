// What a page can set from outside, and that the documents name all of it.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { onHost, open, page, picture, row, until } from "./browser.mjs";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
const documents = read("../../docs/element.md");

onHost("plain");

/** Adds a style sheet to the page, as a script may under its policy. */
const style = (text) =>
  page.evaluate((css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }, text);
const computed = (selector, property) => page.locator(selector).first().evaluate((found, name) => getComputedStyle(found)[name], property);

test("colours are custom properties of the page", async () => {
  await style("toolgate-preview { --toolgate-allow: rgb(1, 2, 3); --toolgate-paper: rgb(4, 5, 6); --toolgate-editor-height: 60px }");
  assert.equal(await computed('[part~="badge-allow"]', "color"), "rgb(1, 2, 3)");
  assert.equal(await computed('[part="frame"]', "backgroundColor"), "rgb(4, 5, 6)");
  assert.equal(await page.locator(".cm-scroller").first().evaluate((scroller) => scroller.clientHeight <= 60), true);
});

test("parts are open to the page's own style", async () => {
  await style("toolgate-preview::part(frame) { border-width: 7px } toolgate-preview::part(badge-deny) { text-transform: uppercase }");
  assert.equal(await computed('[part="frame"]', "borderTopWidth"), "7px");
  assert.equal(await computed('[part~="badge-deny"]', "textTransform"), "uppercase");
});

test("the page's colour scheme holds, whatever the system says", async () => {
  await open({ colorScheme: "dark" });
  const dark = await computed('[part="frame"]', "backgroundColor");
  await style(":root { color-scheme: only light }");
  await until(() => computed('[part="frame"]', "backgroundColor"), "rgb(255, 255, 255)");
  assert.notEqual(dark, "rgb(255, 255, 255)");
});

test("two elements of a page do not know one another", async () => {
  await page.evaluate(() => {
    const other = document.createElement("toolgate-preview");
    other.config = { rules: { deny: ["Bash(ls)"] } };
    other.calls = [{ tool: "Bash", subject: "ls" }];
    document.body.append(other);
  });
  await until(() => page.locator("toolgate-preview").last().locator(".call .badge").allTextContents(), ["Deny"]);
  assert.equal(await page.locator("toolgate-preview").first().locator(".call").count(), 6);
  await picture("two");
});

test("the documents name every part and every custom property", async () => {
  const folder = new URL("../../element/src/", import.meta.url);
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".js"));
  const source = files.map((name) => readFileSync(new URL(name, folder), "utf8")).join("\n");
  const properties = new Set(source.match(/--toolgate-[a-z-]+/g).map((name) => name.replace(/-soft$/, "")));
  const parts = new Set([...source.matchAll(/part="([^"]*)"/g)].flatMap(([, names]) => names.split(" ")).filter((name) => !name.includes("$")));
  assert.ok(properties.size > 15 && parts.size > 15);
  for (const name of [...properties, ...parts]) assert.ok(documents.includes(`\`${name}\``), name);
  await row(0).locator(".open").click();
  const rendered = await page.locator("toolgate-preview").evaluate((preview) => [...preview.renderRoot.querySelectorAll("[part]")].flatMap((each) => [...each.part]));
  for (const name of rendered) assert.ok(documents.includes(`\`${name}\``), name);
});
