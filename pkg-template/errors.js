// What goes wrong, as real errors with stable codes.

export class RuleError extends TypeError {
  name = "RuleError";
}

export class PolicyError extends TypeError {
  name = "PolicyError";
}

export class LimitError extends RangeError {
  name = "LimitError";
}

/** A value of a review that is refused: `field` says which, `reason` why; nothing of the value is in it. */
export class ReviewError extends Error {
  name = "ReviewError";
}

/** The core stopped in the middle of a call. Nothing was decided; the next call finds a fresh instance. */
export class CoreError extends Error {
  name = "CoreError";
  code = "core-stopped";
}

const CLASSES = { RuleError, PolicyError, LimitError, ReviewError, TypeError };

/** The error that the core threw as JSON text; undefined where the text is something else that was thrown. */
export function fromCore(text) {
  try {
    const { name, message, ...details } = JSON.parse(text);
    return Object.assign(new CLASSES[name](details.diagnostics ? summary(details.diagnostics) : message), details);
  } catch {
    return undefined;
  }
}

/** An argument of the wrong shape. */
export function argumentError(code, message, path) {
  return Object.assign(new TypeError(message), { code, path });
}

/** An input over a documented limit. */
export function limitError(code, message, limit) {
  return Object.assign(new LimitError(message), { code, limit });
}

/** A value of a review that the façade refuses itself. */
export function reviewError(field, reason) {
  return Object.assign(new ReviewError(`permission review refused ${field}: ${reason}`), { field, reason });
}

function summary(diagnostics) {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const [{ code, message, path }] = errors;
  const more = errors.length > 1 ? `, and ${errors.length - 1} more` : "";
  return `the configuration does not compile: ${message} (${code} at /${path.join("/")})${more}`;
}
