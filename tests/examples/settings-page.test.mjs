// The settings page, given by its own process: rules are written, what saving would change is said, and the file has them.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { violations } from "../browser/axe.mjs";
import { eachOn, fresh, page, picture, served, until } from "../browser/page.mjs";
import { install } from "../consumers/install.mjs";

const example = fileURLToPath(new URL("../../examples/settings-page", import.meta.url));
const saved = readFileSync(join(example, "settings.json"), "utf8");
const dir = mkdtempSync(join(tmpdir(), "toolgate-settings-"));
const file = join(dir, "settings.json");
const kept = () => JSON.parse(readFileSync(file, "utf8"));

async function start() {
  for (const part of ["src", "index.html", "settings.json", "calls.json"]) cpSync(join(example, part), join(dir, part), { recursive: true });
  install(process.env.TOOLGATE_TARBALL, dir);
  const host = spawn(process.execPath, ["src/serve.mjs"], { cwd: dir, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(createInterface(host.stdout), "line");
  const remove = () => {
    host.kill();
    rmSync(dir, { recursive: true, force: true });
  };
  return { address: line.slice("The page is at ".length), remove };
}

async function open() {
  writeFileSync(file, saved);
  await fresh("");
  await until(standing, "These are the rules that are in force.");
  await page.waitForSelector(".call");
}

eachOn(start, open);

const standing = () => page.locator("#standing").textContent();
const review = () => page.locator("#review li").evaluateAll((all) => all.map((line) => `${line.className}: ${line.textContent}`));
const notes = () => page.locator("#notes li").allTextContents();
const save = () => page.locator("#save");
const discard = () => page.locator("#discard");
const rules = (list) => page.locator(`[part~="list-${list}"] .cm-line`).allTextContents();

async function type(list, text) {
  await page.locator(`[part~="list-${list}"] .cm-content`).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(text);
}

const give = (text) => page.locator("#file").setInputFiles({ name: "settings.json", mimeType: "application/json", buffer: Buffer.from(text) });

test("a rule is written, what it changes is said, and it is saved", async () => {
  assert.ok((await save().isDisabled()) && (await discard().isDisabled()));
  await type("allow", "\nBash(bash )\nBash(make )");
  await until(standing, "The rules have changed. Of the last 5 calls 1 would be decided otherwise, 1 of them less strictly.");
  assert.deepEqual(await review(), [
    "looser: no rule becomes allow: Bash make deploy",
    "warning: Warning: this rule lets through far more than one program or folder: Bash(bash )",
  ]);
  assert.deepEqual(await violations(), []);
  await picture("settings-page");
  assert.deepEqual(kept(), JSON.parse(saved));
  await save().click();
  await until(standing, "The rules are saved, and in force.");
  assert.deepEqual(kept().rules.allow.at(-1), "Bash(make )");
  assert.deepEqual(readdirSync(dir).filter((name) => name.startsWith("settings")), ["settings.json"]);
  assert.ok(await save().isDisabled());
  await page.reload();
  await until(async () => (await rules("allow")).at(-1), "Bash(make )");
});

test("a rule that is stricter is told as such", async () => {
  await type("deny", "\nBash(git status)");
  await until(review, [
    "stricter: allow becomes deny: Bash git status",
    "warning: Warning: another rule says otherwise of these calls and decides them: Bash(git status)",
  ]);
});

test("nothing is saved while something is wrong, and discarding drops it", async () => {
  await type("deny", "\nBash(make");
  await until(standing, "Something is wrong with the rules. Nothing can be saved until it is mended.");
  assert.ok(await save().isDisabled());
  await discard().click();
  await until(() => rules("deny"), ["Read(.env)", "Bash(git push --force)"]);
  assert.equal(await standing(), "These are the rules that are in force.");
  await type("ask", "\nBash(npm publish)");
  await until(standing, "The rules have changed. The last calls would be decided as before.");
  await save().click();
  await until(standing, "The rules are saved, and in force.");
  // The same again on rules that came from the person and not from the process.
  await type("ask", "\nBash(x");
  await until(() => save().isDisabled(), true);
  await discard().click();
  await until(() => rules("ask"), ["Bash(git push)", "Bash(npm publish)"]);
});

test("an agent's settings are taken over, and what is wrong with them is said", async () => {
  await give('{"permissions": {"allow": ["Bash(git status)", "Bash(npm:*)"], "deny": ["Bash(rm )"], "other": 1}}');
  await until(() => rules("deny"), ["Bash(rm )"]);
  const told = await notes();
  assert.ok(told.some((text) => text.endsWith("allow/1")), told.join("\n"));
  assert.match(await standing(), /^The rules have changed\./);
  await save().click();
  await until(standing, "The rules are saved, and in force.");
  assert.deepEqual(kept().layers[0].deny, ["Bash(rm )"]);

  await give('{"permissions": {"deny": ["Bash(rm"]}}');
  await until(standing, "Something is wrong with the rules. Nothing can be saved until it is mended.");
  assert.equal((await notes()).length, 1);
  await give("{");
  await until(notes, ["This is no settings file: settings.json"]);
});

/** What the process answers; the browser would not let a page say all of this. */
async function answer(method, path, headers = {}, body = "") {
  const { port, host } = new URL(served.address);
  const asked = request({ host: "127.0.0.1", port, method, path, headers: { host, ...headers } });
  asked.end(body);
  const [response] = await once(asked, "response");
  response.resume();
  return response.statusCode;
}

test("the process takes rules without errors from its own page, and gives nothing else away", async () => {
  const origin = served.address.slice(0, -1);
  const good = '{"rules":{"deny":["Bash(rm )"]}}';
  assert.equal(await answer("PUT", "/settings", {}, good), 403);
  assert.equal(await answer("PUT", "/settings", { origin: "https://example.com" }, good), 403);
  assert.equal(await answer("GET", "/settings", { host: "example.com" }), 421);
  for (const bad of ["", "[]", "null", '{"rules":{"deny":["Bash(rm"]}}', "\u0000"]) {
    assert.equal(await answer("PUT", "/settings", { origin }, bad), 422, bad);
  }
  assert.equal(await answer("PUT", "/settings", { origin }, `{"home":"/${"x".repeat(1 << 20)}"}`), 413);
  for (const path of ["/package.json", "/settings.json", "/toolgate/../package.json", "/toolgate/cli/main.js", "/toolgate/package.json", "/src/serve.mjs", "/%2e%2e/"]) {
    assert.equal(await answer("GET", path), 404, path);
  }
  assert.equal(await answer("POST", "/settings", { origin }, good), 405);
  assert.deepEqual(kept(), JSON.parse(saved));
  assert.equal(await answer("PUT", "/settings", { origin }, good), 204);
  assert.deepEqual(kept(), JSON.parse(good));
});
