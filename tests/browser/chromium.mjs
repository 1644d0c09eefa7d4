// The browser that tests drive: Debian's, or the one that the environment names, with the flags of `webdriver.json`.
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const { CHROMIUM = "/usr/bin/chromium" } = process.env;
const { args } = JSON.parse(readFileSync(new URL("../../webdriver.json", import.meta.url), "utf8"))["goog:chromeOptions"];

export const launch = () => chromium.launch({ executablePath: CHROMIUM, headless: true, args });
