// The workbench of the built page: settings and many calls in; decisions, explanations, filters, files and links out.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { beforeEach, test } from "node:test";
import { open, page, picture } from "./browser.mjs";
import { calls, chosenText, drop, enter, kinds, notes, rows, settings, settled, source, state } from "./workbench.mjs";

beforeEach(enter);

test("it opens with an example: every kind of decision, and why", async () => {
  assert.deepEqual(await kinds(), { all: 14, allow: 6, ask: 3, deny: 4, passthrough: 1 });
  assert.equal(await state("settings"), "13 rules");
  assert.equal(await state("calls"), "14 calls");
  await page.locator("#call-list .matched").first().waitFor();
  assert.deepEqual(await page.locator(".call-row").nth(2).locator(".matched").allTextContents(), ["git push origin main", "git push"], "words of the call and of the rule");
  await page.locator(".call-row").nth(2).click();
  await page.locator("#detail").waitFor();
  assert.equal(await page.locator('#detail [data-part="kind"]').textContent(), "ask");
  assert.equal(await page.locator("#detail .call-whole mark.accepted").textContent(), "git push origin main", "what the rule accepted");
  assert.match(await page.locator('#detail [data-part="accepting"] li').first().textContent(), /^Bash\(git push\) ask, line 13 decided$/);
  assert.equal(await page.locator('#detail [data-part="accepting"] mark').first().textContent(), "git push", "and by which of its words");
  await picture("workbench-light");
  await page.locator('#detail [data-part="accepting"] .rule').first().click();
  assert.equal(await chosenText("settings"), "Bash(git push)", "it leads to the rule in the file");
});

test("what is typed is decided at once", async () => {
  await settings('{"permissions": {"allow": ["Bash(make )"], "ask": ["Bash(rm )"]}}');
  await calls("make deploy\nrm a\n\n{ echo; }");
  assert.deepEqual(await rows(), ["1 allow make deploy Bash(make )", "2 ask rm a Bash(rm )", "4 pass { echo; }"]);
  await page.locator("#bench-mode").selectOption("plan");
  await settled();
  assert.deepEqual((await rows()).map((row) => row.split(" ")[1]), ["allow", "deny", "deny"]);
  await page.locator("#bench-dialect").selectOption("claude-code-2.1");
  await settled();
  assert.equal((await rows()).length, 3);
  // A configuration of toolgate has a dialect of its own, which holds until another one is chosen.
  await page.locator("#bench-mode").selectOption("");
  await page.locator("#bench-dialect").selectOption("");
  await settings('{"dialect": "dsh-0.5", "rules": {"allow": ["Bash(git status)"], "deny": ["Bash(git )"]}}');
  await calls("git status");
  assert.deepEqual(await rows(), ["1 allow git status Bash(git status)"]);
  await page.locator("#bench-dialect").selectOption("standard");
  await settled();
  assert.deepEqual(await rows(), ["1 deny git status Bash(git )"]);
});

test("malformed settings decide nothing, and say what is wrong and where", async () => {
  await settings('{\n  "permissions": {\n    "allow": ["Read" "Edit"],\n    "deny": [1,,2]\n  }\n}');
  assert.equal(await state("settings"), "2 errors: nothing is decided");
  assert.deepEqual(await notes("settings"), ["error bad-json line 3, column 22", "error bad-json line 4, column 16"]);
  const excerpt = page.locator("#settings-source .excerpt").first();
  assert.match(await excerpt.textContent(), /"allow": \["Read" "Edit"\],.*\^{6}$/s);
  assert.equal(await excerpt.locator(".at").textContent(), '"Edit"');
  assert.deepEqual(await kinds(), { all: 14, allow: 0, ask: 0, deny: 0, passthrough: 0 });
  await page.locator("#settings-source .notes button").nth(1).click();
  assert.equal(await chosenText("settings"), ",");
  await settings('{"permissions": {"deny": ["Read"], "deny": []}}');
  assert.deepEqual(await notes("settings"), ["error duplicate-member line 1, column 36"], "neither list is lost in silence");
  await settings('{"permissions": {"allow": ["Bash(\\u0067it x) y", "Edit("], "nonsense": 1}}');
  assert.deepEqual(await notes("settings"), [
    "error content-after-paren line 1, column 45",
    "error unclosed-paren line 1, column 55",
    "info unknown-setting line 1, column 72",
  ], "a span in the rule is one in the file, escapes or not");
  await picture("workbench-malformed");
});

test("malformed calls in the middle are said, and the rest goes on", async () => {
  await calls('git status\n{"command": "ls"\n{"tool": 5}\nnpm test\n{"tool": "Read", "arguments": []}\n["a"]');
  assert.equal(await state("calls"), "3 calls, 3 lines not readable");
  assert.deepEqual(await notes("calls"), ["error bad-json line 2, column 17", "error bad-call line 3, column 1", "error bad-call line 5, column 1"]);
  await calls('[\n  {"command": "git status"},\n  {"command": "ls",\n  {"tool": "Read", "arguments": {\n    "file_path": "/repo/a"}},\n  "npm test"\n]');
  assert.deepEqual(await rows(), ["2 allow git status Bash(git status)", "4 allow Read /repo/a Read", "6 allow npm test Bash(npm test)"]);
  assert.deepEqual(await notes("calls"), ["error bad-json line 3, column 19"]);
  await calls("[");
  assert.deepEqual(await notes("calls"), ["error bad-list line 1, column 2"]);
});

test("calls are listed by decision, by text, and by rule", async () => {
  await page.locator(".kind-button[data-kind=deny]").click();
  await page.waitForFunction(() => document.querySelectorAll("#call-list .call-row").length === 4);
  assert.deepEqual((await rows()).map((row) => row.split(" ")[0]), ["6", "8", "11", "14"]);
  await page.locator(".kind-button[data-kind=ask]").click();
  await page.locator("#filter-text").fill("PUSH");
  await page.waitForFunction(() => document.querySelectorAll("#call-list .call-row").length === 2);
  assert.deepEqual((await rows()).map((row) => row.split(" ")[0]), ["3", "6"]);
  assert.equal(await page.locator(".filter-count").textContent(), "2 of 14 listed");
  await page.locator(".kind-button[data-kind=all]").click();
  await page.locator("#filter-text").fill("nothing has this");
  await page.waitForFunction(() => document.querySelectorAll("#call-list .call-row").length === 0);
  assert.equal(await page.locator(".filter-count").textContent(), "0 of 14 listed");
});

test("hidden characters are shown wherever a rule or a command is shown", async () => {
  await settings('{"permissions": {"allow": ["Bash(git\u200b status)", "Bash(echo \\u202e)"]}}');
  await calls("git\u200b status\ncat /repo/\u202etxt.exe\nגיט status");
  assert.deepEqual(await notes("settings"), ["warning hidden-character line 1, column 37"]);
  assert.equal(await page.locator("#settings-source .excerpt .at").textContent(), "U+200B");
  assert.deepEqual(await notes("calls"), ["warning hidden-character line 1, column 4", "warning hidden-character line 2, column 11"]);
  assert.deepEqual((await rows()).map((row) => row.split(" ").slice(2, 4).join(" ")), ["gitU+200B status", "cat /repo/U+202Etxt.exe", "גיט status"]);
  await page.locator(".call-row").first().click();
  await page.locator("#detail .call-whole .hidden-mark").waitFor();
  assert.ok((await page.locator("#detail .hidden-mark").count()) >= 2, "in the command and in the rule");
  await page.locator('#detail [data-part="missing"] summary').click();
  assert.equal(await page.locator("#detail .rule", { hasText: "echo" }).textContent(), "Bash(echo U+202E)");
  await picture("workbench-hidden");
  await page.locator("#rules-tab").click();
  await page.locator("#subject").fill("git\u2066 push");
  assert.ok((await page.locator("#commands .hidden-mark").count()) > 0);
  assert.equal(await page.locator("#subject-shown").textContent(), "With hidden characters: gitU+2066 push");
  await page.locator("#deny").fill("Bash(rm)\n Bash(git\u200b push)");
  assert.equal(await page.locator('#deny-notes [data-code="hidden-character"]').textContent(), "warningline 2a hidden character: zero width space, U+200B");
});

test("prose becomes rules with one click, and nothing that was typed is lost", async () => {
  const prose = "Bash(git status)\n- Read\n  please allow make(\n";
  await settings(prose);
  assert.equal((await notes("settings"))[0], "error not-json line 1, column 1");
  await page.getByRole("button", { name: "Take the lines as ask rules" }).click();
  await settled();
  assert.deepEqual(JSON.parse(await source("settings").inputValue()), { permissions: { ask: ["Bash(git status)", "Read", "please allow make("] } });
  assert.deepEqual(await notes("settings"), ["error unclosed-paren line 6, column 25"]);
  await page.locator("#settings-source .undo").click();
  assert.equal(await source("settings").inputValue(), prose);
  await source("settings").press("End");
  await source("settings").pressSequentially("x");
  await page.locator("#settings-source .clear").click();
  await page.locator("#settings-source .undo").click();
  assert.notEqual(await source("settings").inputValue(), prose, "what was typed since is there");
  await page.locator("#settings-source .redo").click();
  assert.equal(await source("settings").inputValue(), "");
});

test("files are dropped where they fit, and never lead away", async () => {
  await drop("#settings-source", { "settings.json": '{"allow": ["Bash(ls)"]}' });
  assert.equal(await state("settings"), "1 rule");
  await drop("header", { "settings.json": '{"permissions": {"deny": ["Bash(ls)"]}}', "calls.jsonl": '{"command": "ls"}\n' });
  assert.deepEqual(await rows(), ["1 deny ls Bash(ls)"]);
  await drop("#calls-source", { "picture.bin": new Uint8Array([0xff, 0xfe, 0x00]) });
  assert.equal(await page.locator("#calls-source .source-problem").textContent(), "picture.bin is not UTF-8 text.");
  assert.deepEqual(await rows(), ["1 deny ls Bash(ls)"], "what was there stays");
  await page.locator("#rules-tab").click();
  await drop("main", { "settings.json": "{}" });
  assert.equal(await page.locator("h1").textContent(), "toolgate");
});

test("a link carries the workbench; what is too long for it goes into a file", async () => {
  const own = '{"permissions": {"ask": ["Bash(ä & # +)"]}}';
  await settings(own);
  await calls("one\ntwo 😀");
  await page.locator("#compare-view-tab").click();
  await page.waitForFunction(() => location.hash.includes("tab=workbench&w="));
  await page.waitForTimeout(400);
  const { hash } = new URL(page.url());
  assert.ok(hash.length < 400, `${hash.length}`);
  await open({ fragment: hash });
  await settled();
  assert.equal(await source("settings").inputValue(), own);
  assert.equal(await source("calls").inputValue(), "one\ntwo 😀");
  assert.ok(await page.locator("#compare-view").isVisible());

  const long = Array.from({ length: 3000 }, (_, at) => `echo ${Math.imul(at + 1, 2654435761) >>> 0} ${Math.imul(at + 7, 40503) >>> 0}`).join("\n");
  await drop("#calls-source", { "long.txt": long });
  await page.locator("#share").click();
  await page.locator("#share-said", { hasText: /^Too long for a link: 8,000 characters at most\./ }).waitFor();
  assert.equal(new URL(page.url()).hash, "");
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#bench-save").click()]);
  assert.equal(download.suggestedFilename(), "toolgate-workbench.json");
  const saved = await readFile(await download.path(), "utf8");
  await open({ fragment: "#tab=workbench" });
  await settled();
  await drop("#settings-source", { "toolgate-workbench.json": saved });
  assert.equal(await source("settings").inputValue(), own);
  assert.equal(await state("calls"), "3,000 calls");
});

test("a link that makes no sense is the example, and says so", async () => {
  await open({ fragment: "#tab=workbench&w=%3Cb%3E" });
  await settled();
  assert.match(await page.locator("#share-said").textContent(), /cannot be read/);
  assert.equal(await state("calls"), "14 calls");
});

test("keys alone do it all", async () => {
  const list = page.locator("#call-list");
  await list.focus();
  for (const [key, row] of [["ArrowDown", 0], ["ArrowDown", 1], ["End", 13], ["ArrowDown", 13], ["PageUp", 0], ["Home", 0]]) {
    await page.keyboard.press(key);
    if (key === "PageUp") continue;
    assert.equal(await list.getAttribute("aria-activedescendant"), `call-list-${row}`, key);
  }
  await page.locator("#detail").waitFor();
  assert.equal(await page.locator('#call-list [aria-selected="true"]').getAttribute("aria-posinset"), "1");
  await page.locator("#calls-view-tab").focus();
  await page.keyboard.press("ArrowRight");
  assert.ok(await page.locator("#lint-view").evaluate((view) => !view.hidden));
  await page.keyboard.press("End");
  assert.ok(await page.locator("#spread-view").isVisible());
  // Every control of the tab is reached, from the first one on.
  await page.locator("#calls-view-tab").click();
  await page.locator("#workbench-tab").focus();
  const seen = new Set();
  for (let steps = 0; steps < 60; steps += 1) {
    await page.keyboard.press("Tab");
    seen.add(await page.evaluate(() => document.activeElement.id || document.activeElement.className.split(" ")[0]));
  }
  for (const id of ["settings-source-text", "calls-source-text", "bench-dialect", "bench-mode", "bench-demo", "bench-save", "calls-view-tab", "filter-text", "call-list", "rule"]) {
    assert.ok(seen.has(id), `${id} of ${[...seen].join()}`);
  }
});
