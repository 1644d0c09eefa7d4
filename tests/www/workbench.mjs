// Words of the workbench's tests: what is put in, and what is read off.
import { page } from "./browser.mjs";

/** Goes to the workbench of the page that is open. */
export async function enter() {
  await page.locator("#workbench-tab").click();
  await settled();
}

/** Waits until files are read and everything that was asked for is worked out. */
export async function settled() {
  await page.waitForFunction(
    () => {
      const ready = ["settings", "calls"].every((name) => document.querySelector(`#${name}-source .source-state`).textContent !== "");
      return ready && document.querySelector("#work").dataset.busy === "false" && document.querySelector("[data-reading]") === null;
    },
  );
}

export const source = (name) => page.locator(`#${name}-source textarea`);
export const settings = (text) => put("settings", text);
export const calls = (text) => put("calls", text);

async function put(name, text) {
  await source(name).fill(text);
  await settled();
}

/** How a text stands, in one line. */
export const state = (name) => page.locator(`#${name}-source .source-state`).textContent();

/** Notes of a text: severity, code, place. */
export const notes = (name) =>
  page.locator(`#${name}-source .notes li`).evaluateAll((all) =>
    all.map((item) => [item.className, item.dataset.code, item.querySelector("button")?.textContent].filter((part) => part !== undefined).join(" ")),
  );

/** The rows that are drawn, from top to bottom: line, decision, call, rule. */
export const rows = (list = "#call-list") =>
  page.locator(`${list} .call-row`).evaluateAll((all) =>
    all
      .sort((a, b) => Number(a.dataset.row) - Number(b.dataset.row))
      .map((row) => [...row.children].map(({ textContent }) => textContent).filter((text) => text !== "").join(" ")),
  );

/** How many calls each button of the filter says. */
export const kinds = () =>
  page.locator(".kinds .kind-button[data-kind]").evaluateAll((all) =>
    Object.fromEntries(all.filter((button) => button.closest("#filter")).map((button) => [button.dataset.kind, Number(button.querySelector(".kind-count").textContent.replaceAll(",", ""))])),
  );

/** What is selected in a text. */
export const chosenText = (name) => source(name).evaluate(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd));

/** Drops files, by name, on a place. */
export async function drop(selector, files) {
  const given = Object.entries(files).map(([name, content]) => [name, typeof content === "string" ? content : [...content]]);
  await page.locator(selector).first().evaluate((place, all) => {
    const dataTransfer = new DataTransfer();
    for (const [name, content] of all) dataTransfer.items.add(new File([typeof content === "string" ? content : new Uint8Array(content)], name));
    for (const type of ["dragover", "drop"]) place.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  }, given);
  await settled();
}
