// What a settings file says, as a configuration, and the way back from the configuration to the file.
import { configFromSettings } from "toolgate";

/** Members that only a configuration of toolgate has. */
const OWN = ["rules", "layers", "dialect"];

/**
 * `options` has `dialect`, `home` and `projectRoot`, empty where nobody chose; what the file itself says stands over them, but for
 * a dialect that was chosen. Gives `config`, `diagnostics`, `inFile` (a path of the configuration as one of the file) and `listOf`
 * (where the rules of a behavior go).
 */
export function configOf(value, { dialect, home, projectRoot }) {
  const chosen = dialect === "" ? {} : { dialect };
  const base = { ...chosen };
  if (home !== "") base.home = home;
  if (projectRoot !== "") base.projectRoot = projectRoot;
  if (OWN.some((name) => Object.hasOwn(value, name))) {
    return { config: { ...base, ...value, ...chosen }, diagnostics: [], inFile: (path) => path, listOf: (behavior) => ["rules", behavior] };
  }
  const wrapped = Object.hasOwn(value, "permissions") || Object.keys(value).length === 0;
  const prefix = wrapped ? ["permissions"] : [];
  const { config, diagnostics } = configFromSettings(wrapped ? (value.permissions ?? {}) : value, { base });
  const inFile = (path) => [...prefix, ...(path[0] === "layers" ? path.slice(2) : path)];
  return { config, diagnostics, inFile, listOf: (behavior) => [...prefix, behavior] };
}
