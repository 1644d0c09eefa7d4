// Every sample of every document does what it says, on the installed package.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { folder, run, samplesOf } from "./docs/samples.mjs";

const root = process.env.TOOLGATE_ROOT;
const pages = ["README.md", "SECURITY.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)].filter((name) => name.endsWith(".md"));

for (const page of pages) {
  describe(page, () => {
    const dir = folder();
    // In order: a sample finds the files that those before it wrote.
    for (const sample of samplesOf(readFileSync(join(root, page), "utf8"))) {
      test(`${page}:${sample.line} ${sample.language} ${sample.about}`.trimEnd(), () => run(sample, dir));
    }
  });
}

test("a sample that does not do what it says fails", async () => {
  const dir = folder();
  const fails = (language, text, about = "") => assert.rejects(async () => run({ language, about, text }, dir), `${language}: ${text}`);
  await fails("js", 'import { version } from "toolgate";\nconsole.log(1);\n// 2\n');
  await fails("js", 'import { nothing } from "toolgate";\nconsole.log(1);\n// 1\n');
  await fails("js", 'import { version } from "toolgate";\n');
  await fails("ts", 'import { version } from "toolgate";\nconst x: number = version;\nconsole.log(1);\n// 1\n');
  await fails("sh", "echo 1\n# 2\n");
  await fails("sh", "npx toolgate --version\n");
  await fails("sh", "cargo xtask none\n", "typed");
  await fails("sh", "#!/bin/sh\nif\n");
  await fails("json", "{}");
  await fails("html", '<script type="module">\nimport "toolgate/none";\n</script>\n');
  await fails("jsx", 'import "toolgate";\nconst x = <a>;\n');
  await fails("python", "1");
  assert.throws(() => samplesOf("```js\n"));
});
