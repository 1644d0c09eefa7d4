// The tabs of the built page, and the scenes that they play: every script to its end, step by step and by itself.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, page, picture, styled } from "./browser.mjs";

/** Script to what is shown at its end, the result entry's own words, and what else its timeline has to say. */
const CLASSIFICATIONS = {
  "allows at once": ["allow", "Verdict", "calls 1/3 · files 0/2"],
  "reads one file, then allows": ["allow", "Verdict", "calls 2/3 · files 1/2"],
  denies: ["deny", "Verdict", "calls 2/3 · files 1/2"],
  "asks for a file that was not offered": ["unavailable", "No verdict evidence-unavailable", "asks for src/deploy_keys.js"],
  "asks for a third file": ["unavailable", "No verdict evidence-limit", "evidenceLimit=provider-rounds"],
  "answers in prose": ["unavailable", "No verdict invalid-response", "returnPath=provider-result"],
  "reads a file with a secret in it": ["unavailable", "No verdict redacted-context", "returnPath=evidence"],
  "reads more than fits": ["unavailable", "No verdict evidence-limit", "evidenceLimit=context-bytes"],
  "times out": ["unavailable", "No verdict timeout", "held until the host has settled"],
  "identity changes in the middle": ["unavailable", "No verdict stale", "not that of the request any more"],
};
const PERSON = "Stays with the person";
const REVIEWS = {
  "both recommend it": ["Approved", "Resolved Approve, by the review", "together they may approve"],
  "one wants a person": [PERSON, "Combination recommendation", "A classifier wants a person to look."],
  "the risk is too high": [PERSON, "Combination risk_ceiling", "more risk than may be approved"],
  "nobody clearly asked for it": [PERSON, "Combination authorization", "had not asked clearly enough"],
  "a category wants a person": [PERSON, "Combination absolute_human", "a category that the policy keeps"],
  "what they were shown was cut short": [PERSON, "Combination material_truncation", "not shown everything"],
  "one does not answer in time": [PERSON, "Combination classifier_status", "completed: timed_out"],
  "one throws an error": [PERSON, "Combination classifier_status", "threw in run"],
  "none applies": [PERSON, "Combination no_applicable_classifier", "completed: not_applicable"],
  "the person is faster": ["Denied", "Resolved Deny, by the person", "completed: cancelled"],
  "the person is a moment too late": ["Approved", "Resolved Approve, by the review", "it does not count: not_ready"],
  "the person's answer is still being written": ["Denied", "Resolved Deny, by the person", "completed: stale"],
  "the approval cannot be written down": [PERSON, "Combination eligible", "could not be written down"],
  "the policy changes meanwhile": [PERSON, "Combination eligible", "The policy has changed"],
  "what was looked at changes": [PERSON, "Combination eligible", "had looked at has changed"],
};
const SCENES = { classification: CLASSIFICATIONS, review: REVIEWS };

const tab = (name) => page.locator(`#${name}-tab`);
const panel = (name) => page.locator(`#${name}-panel`);
const chosen = () => page.locator("main > .tabs [aria-selected=true]").textContent();
const count = (name) => panel(name).locator(".timeline > li").count();

async function choose(name, script) {
  await panel(name).locator("select").selectOption(script);
  await panel(name).locator(".forward:enabled").waitFor();
}

async function stepToTheEnd(name) {
  const forward = panel(name).locator(".forward");
  // In the page: a round trip for each step takes long.
  await forward.evaluate((button) => {
    while (!button.disabled) button.click();
  });
}

for (const [name, scripts] of Object.entries(SCENES)) {
  test(`${name}: every script comes to its end`, async () => {
    await open({ fragment: `#tab=${name}` });
    const options = await panel(name).locator("option").allTextContents();
    assert.deepEqual(options, Object.keys(scripts));
    for (const [script, [word, entry, said]] of Object.entries(scripts)) {
      await choose(name, script);
      assert.equal(await count(name), 0, "another script begins anew");
      assert.equal(await panel(name).locator(".outcome-word").textContent(), "Not played");
      await stepToTheEnd(name);
      assert.equal(await panel(name).locator(".outcome-word").textContent(), word, script);
      const heads = await panel(name).locator(".timeline .head").allTextContents();
      assert.ok(heads.some((head) => head.trim() === entry), `${script}: ${heads.join("; ")}`);
      const text = await panel(name).locator(".timeline").textContent();
      assert.ok(text.includes(said), `${script}: ${text}`);
      assert.ok(!/undefined|NaN|\[object/u.test(text), text);
    }
  });

  test(`${name}: step, play, pause and reset`, async () => {
    await open({ fragment: `#tab=${name}` });
    const [play, forward, again] = [".play", ".forward", ".again"].map((button) => panel(name).locator(button));
    await panel(name).locator(".forward:enabled").waitFor();
    assert.ok(await again.isDisabled());
    await forward.click();
    await forward.click();
    assert.equal(await count(name), 2);
    assert.match(await panel(name).locator(".progress").textContent(), /^2 of \d+$/);
    assert.equal(await panel(name).locator(".outcome-word").textContent(), "Under way");
    await play.click();
    assert.equal(await play.textContent(), "Pause");
    await page.waitForFunction((id) => document.querySelectorAll(`#${id}-panel .timeline > li`).length >= 4, name);
    await play.click();
    const paused = await count(name);
    await page.waitForTimeout(1200);
    assert.equal(await count(name), paused, "a pause is one");
    await again.click();
    assert.equal(await count(name), 0);
    await forward.focus();
    await stepToTheEnd(name);
    assert.ok(await play.evaluate((button) => button === document.activeElement), "keys are not lost");
    assert.equal(await play.textContent(), "Replay");
    await play.click();
    assert.equal(await count(name), 1, "it begins anew");
    await tab("rules").click();
    await page.waitForTimeout(1200);
    assert.equal(await count(name), 1, "nothing plays unseen");
  });
}

test("what a model was sent can be looked at, and budgets add up", async () => {
  await open({ fragment: "#tab=classification" });
  await choose("classification", "reads one file, then allows");
  await stepToTheEnd("classification");
  const sent = panel("classification").locator("details pre");
  assert.equal(await sent.count(), 2);
  assert.match(await sent.first().textContent(), /^fence [0-9a-f]{32}\n/);
  assert.ok(!(await sent.first().textContent()).includes("console.log"));
  assert.ok((await sent.last().textContent()).includes("console.log"), "the second round has the file");
  const bars = await panel("classification").locator("progress").evaluateAll((all) => all.map(({ value, max }) => [value, max]));
  assert.deepEqual(bars.slice(0, 2), [[2, 3], [1, 2]]);
  const identities = await panel("classification").locator('[data-kind="identity"]').count();
  assert.equal(identities, 7, "as often as evidence.md section 11 says");
});

test("what is under way says so until it has ended", async () => {
  await open({ fragment: "#tab=review" });
  await choose("review", "the person is faster");
  const safety = panel("review").locator(".timeline > li", { hasText: "Classifier safety" }).first().locator(".came");
  const said = [];
  while (await panel("review").locator(".forward").isEnabled()) {
    await panel("review").locator(".forward").click();
    if ((await safety.count()) > 0) said.push(await safety.textContent());
  }
  assert.deepEqual([...new Set(said)], ["under way", "no answer yet: its signal fires"]);
  assert.match(await panel("review").locator(".state").textContent(), /gate resolved/);
});

test("times are the same each time, and the page's own clock goes on", async () => {
  const times = async () => {
    await choose("classification", "times out");
    await stepToTheEnd("classification");
    return panel("classification").locator(".at").allTextContents();
  };
  await open({ fragment: "#tab=classification" });
  const first = await times();
  assert.ok(first.includes("3,010 ms"), first.join());
  await choose("classification", "denies");
  assert.deepEqual(await times(), first);
  const isReal = await page.evaluate(async () => {
    const before = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 30));
    return !Object.hasOwn(performance, "now") && performance.now() - before >= 25 && String(setTimeout).includes("[native code]");
  });
  assert.ok(isReal);
});

test("tabs go by keys, and say what they are", async () => {
  await tab("rules").focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await chosen(), "Workbench");
  await page.keyboard.press("ArrowRight");
  assert.equal(await chosen(), "Classification");
  assert.ok(await panel("classification").isVisible());
  assert.ok(!(await panel("rules").isVisible()));
  await page.keyboard.press("End");
  assert.equal(await chosen(), "Review");
  await page.keyboard.press("ArrowRight");
  assert.equal(await chosen(), "Rules");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await chosen(), "Review");
  await page.keyboard.press("Tab");
  assert.ok(await panel("review").locator("select").evaluate((select) => select === document.activeElement), "the panel comes next");
  const relations = await page.locator("main > .tabs [role=tab]").evaluateAll((all) =>
    all.map((each) => {
      const own = document.getElementById(each.getAttribute("aria-controls"));
      return own?.getAttribute("role") === "tabpanel" && own.getAttribute("aria-labelledby") === each.id;
    }),
  );
  assert.deepEqual(relations, [true, true, true, true]);
  assert.equal(await page.locator("[role=log] > ol").count(), 2, "new entries are told");
});

test("a link leads to its tab, with the rules that it carries", async () => {
  await page.locator("#subject").fill("make deploy");
  await tab("review").click();
  await page.waitForFunction(() => location.hash.includes("tab=review"));
  await open({ fragment: new URL(page.url()).hash });
  assert.equal(await chosen(), "Review");
  assert.equal(await page.locator("#subject").inputValue(), "make deploy");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.ok(await panel("review").locator("select").evaluate((select) => select === document.activeElement), "the first control");
  await page.locator("#reset").click();
  assert.equal(await chosen(), "Rules");
  await open({ fragment: "#tab=none" });
  assert.equal(await chosen(), "Rules");
});

test("scenes in the dark, and as narrow as a phone", async () => {
  for (const [name, script] of [["classification", "times out"], ["review", "the person is faster"]]) {
    for (const [look, options] of Object.entries({
      light: {},
      dark: { colorScheme: "dark" },
      phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
    })) {
      await open({ fragment: `#tab=${name}`, ...options });
      await choose(name, script);
      await stepToTheEnd(name);
      const { wide, room } = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, room: innerWidth }));
      assert.ok(wide <= room, `${wide} px wide in ${room}`);
      assert.equal(await styled(), 0, "no inline style");
      await picture(`${name}-${look}-end`, { fullPage: false });
      await page.evaluate(() => scrollTo(0, 0));
      await picture(`${name}-${look}`);
    }
  }
});
