// What the team allows, compiled once for each Worker. A change of `settings.json` is a new deployment.
import { Policy, configFromSettings } from "toolgate";
import settings from "./settings.json";

const { config, autoMode, diagnostics } = configFromSettings(settings.permissions, { source: "policySettings" });
const errors = diagnostics.filter(({ severity }) => severity === "error");
if (errors.length > 0) throw new Error(`settings.json: ${errors.map(({ code, path }) => `${code} at ${path.join("/")}`).join(", ")}`);

export const policy = new Policy(config);
export const defaultMode = config.defaultMode ?? "default";
export { autoMode };
/** The models behind the aliases of the settings. */
export const { routes } = settings;
