// Installs a tarball as a user would, and runs programs.
import { execFile, execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Into `dir`, offline: the package has no dependencies. */
export function install(tarball, dir) {
  writeFileSync(join(dir, "package.json"), '{"private":true,"type":"module"}');
  execFileSync("npm", ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", resolve(tarball)], { cwd: dir, stdio: "pipe" });
}

/** The file that a runtime with these conditions would load for the package's main entry. */
export function entry(dir, conditions) {
  const manifest = JSON.parse(readFileSync(join(dir, "node_modules/toolgate/package.json"), "utf8"));
  let target = manifest.exports["."];
  while (typeof target !== "string") {
    const key = Object.keys(target).find((condition) => condition === "default" || conditions.includes(condition));
    target = target[key];
  }
  return target.replace(/^\.\//, "");
}

/** Runs a program; its lines of output. Rejects with what it said where it fails. */
export function linesOf(program, args, cwd, environment = {}) {
  return new Promise((fulfil, reject) => {
    const env = { ...process.env, ...environment };
    execFile(program, args, { cwd, env, timeout: 300_000, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${program} ${args.join(" ")}: ${error.message}\n${stdout}${stderr}`));
      else fulfil(stdout.trimEnd().split("\n"));
    });
  });
}
