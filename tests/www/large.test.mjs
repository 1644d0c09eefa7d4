// Much and bad input: 10,000 calls stay smooth, 200,000 and settings of 5 MB leave the page responsive, and all can be stopped.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { page, picture } from "./browser.mjs";
import { enter, kinds, notes, settings, settled, source, state } from "./workbench.mjs";

/** No frame may take longer, in milliseconds; on a free machine the longest is about 60. A person notices 100, and waits from 1,000 on. */
const SMOOTH_MS = 250;
const RESPONSIVE_MS = 500;
const COMMANDS = ["git status", "npm test", "git push origin", "ls -la", "make deploy", "cargo test", "docker ps", "rm -rf build", "curl https://example.com", "cat a | grep b"];

beforeEach(enter);

const lines = (count) => Array.from({ length: count }, (_, at) => `{"tool":"Bash","arguments":{"command":"${COMMANDS[at % 10]} ${at}"}}`);
/** On disk, as a person's files are: what the browser's debugger hands over stops the page itself. */
const folder = await mkdtemp(join(tmpdir(), "toolgate-www-"));
after(() => rm(folder, { recursive: true }));

async function give(name, text) {
  const path = join(folder, `${name}.txt`);
  await writeFile(path, text);
  await page.locator(`#${name}-source input[type=file]`).setInputFiles(path);
  await settled();
}

/** Watches the frames of the page; gives how to ask for the longest, in milliseconds. */
async function frames() {
  await page.evaluate(() => {
    window.longest = 0;
    let last = performance.now();
    const frame = (now) => {
      window.longest = Math.max(window.longest, now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  return async (what, most) => {
    const longest = await page.evaluate(() => {
      const { longest } = window;
      window.longest = 0;
      return longest;
    });
    assert.ok(longest < most, `${what}: a frame of ${Math.round(longest)} ms, ${most} at most`);
  };
}

async function scroll() {
  await page.locator("#call-list").hover();
  for (let times = 0; times < 25; times += 1) await page.mouse.wheel(0, 4000);
  await page.waitForTimeout(150);
}

test("10,000 calls are smooth: read, decided, scrolled, filtered", async () => {
  const longest = await frames();
  await give("calls", lines(10_000).join("\n"));
  assert.equal(await state("calls"), "10,000 calls");
  const { all, ...each } = await kinds();
  assert.equal(all, 10_000);
  assert.equal(Object.values(each).reduce((sum, count) => sum + count), 10_000);
  await longest("read and decided", SMOOTH_MS);
  await scroll();
  assert.ok((await page.locator("#call-list .call-row").count()) < 60, "only what is in view is drawn");
  assert.ok((await page.locator("#call-list").evaluate((list) => list.scrollTop)) > 50_000);
  await longest("scrolled", SMOOTH_MS);
  await page.locator("#filter-text").fill("9999");
  await page.waitForFunction(() => document.querySelector(".filter-count").textContent === "1 of 10,000 listed");
  await longest("filtered", SMOOTH_MS);
  await page.locator("#call-list").press("Home");
  await page.locator("#detail .detail-head", { hasText: "line 10,000" }).waitFor();
});

test("200,000 calls: the page answers, what is under way is stopped and goes on", async () => {
  const longest = await frames();
  await give("calls", lines(200_000).join("\n"));
  assert.equal((await kinds()).all, 200_000);
  await longest("read and decided", RESPONSIVE_MS);
  await scroll();
  await longest("scrolled", SMOOTH_MS);
  await page.locator("#call-list").press("End");
  await page.locator("#call-list[aria-activedescendant=call-list-199999]").waitFor();
  assert.match(await source("calls").evaluate((field) => field.parentElement.querySelector(".held").textContent), /git status 0/, "the text is shown, and whole");

  // Four dialects take some seconds: time enough to change one's mind.
  await page.locator("#spread-view-tab").click();
  await page.locator("#work-cancel").waitFor();
  await page.waitForFunction(() => Number(document.querySelector("#work-progress").value) > 0);
  await page.locator("#work-cancel").click();
  assert.match(await page.locator("#work-says").textContent(), /^Stopped\./);
  assert.ok(await page.locator("#work-again").evaluate((button) => button === document.activeElement), "keys are not lost");
  await picture("workbench-stopped", { fullPage: false });
  await longest("stopped", RESPONSIVE_MS);
  await page.locator("#work-again").click();
  await page.locator("#work-cancel").waitFor();
  // Whoever goes on typing does not wait for the old answer.
  await page.locator("#calls-source .clear").click();
  await settled();
  assert.equal((await kinds()).all, 0);
  await page.locator("#calls-source .undo").click();
  await page.locator("#calls-view-tab").click();
  await page.waitForFunction(() => document.querySelector("#calls-source .source-state").textContent === "200,000 calls", null, { timeout: 30_000 });
  await longest("given anew", RESPONSIVE_MS);
});

test("settings of 5 MB, with an error in the middle and without", async () => {
  const rules = Array.from({ length: 19_000 }, (_, at) => `      "Bash(tool${at} ${"x".repeat(240)} *)"`);
  const text = (all) => `{\n  "permissions": {\n    "allow": [\n${all.join(",\n")}\n    ],\n    "ask": ["Bash(git push)"]\n  }\n}\n`;
  const longest = await frames();
  const broken = text([...rules.slice(0, 9000), "      oops", ...rules.slice(9000)]);
  assert.ok(broken.length > 5_000_000, `${broken.length}`);
  await give("settings", broken);
  assert.equal((await notes("settings"))[0], "error bad-json line 9004, column 7");
  await page.locator("#settings-source .notes button").first().click();
  assert.match(await page.locator("#settings-source .held-line.pointed").textContent(), /^9004\s+oops,$/);
  await longest("broken", RESPONSIVE_MS);
  await give("settings", text(rules));
  assert.equal(await state("settings"), "19,001 rules");
  assert.equal((await kinds()).ask, 2);
  await longest("mended", RESPONSIVE_MS);
  await page.locator("#coverage-view-tab").click();
  await settled();
  assert.equal(await page.locator("#coverage-view tbody tr").count(), 100);
  await longest("counted", RESPONSIVE_MS);
  // More than the package takes is said as well.
  await give("settings", text([...rules, ...rules]));
  assert.match((await notes("settings"))[0], /^error too-many-rules/);
});

test("a long paste goes where the caret is, and is not lost by closing the page", async () => {
  const longest = await frames();
  await source("calls").fill("first\nlast\n");
  await source("calls").evaluate((field, text) => {
    field.focus();
    field.setSelectionRange(6, 6);
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, `${lines(20_000).join("\n")}\n`);
  await settled();
  assert.equal(await state("calls"), "20,002 calls");
  assert.match(await page.locator("#calls-source .source-says").textContent(), /^20,002 lines, too long to type in: shown only$/);
  await page.locator("#call-list").press("End");
  await page.locator("#detail .call-whole", { hasText: /^last$/ }).waitFor();
  await longest("pasted", RESPONSIVE_MS);
  await page.locator("#share").click();
  await page.locator("#share-said", { hasText: /^Too long for a link/ }).waitFor();
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  assert.equal(dialog.type(), "beforeunload");
  await dialog.accept();
});

test("what nobody would write costs no more than it must", async () => {
  const longest = await frames();
  for (const text of ["[".repeat(200_000), `{"a":${'{"a":'.repeat(50_000)}`, `{"permissions": {"allow": ["${"\u202e".repeat(20_000)}"]}}`, "allow git\n".repeat(20_000), '"', "{}x", '{"__proto__": {"allow": ["Read"]}}']) {
    await give("settings", text);
    assert.ok((await notes("settings")).length > 0, text.slice(0, 40));
    assert.notEqual(await state("settings"), "");
  }
  for (const text of [`[${'{"command": "a",\n'.repeat(20_000)}`, "{".repeat(300_000), `{"command": "${"a".repeat(1_500_000)}"}`, "\0\0\n\u2028x"]) {
    await give("calls", text);
    assert.notEqual(await state("calls"), "");
  }
  await settings("{}");
  await longest("all of it", 2 * RESPONSIVE_MS);
});
