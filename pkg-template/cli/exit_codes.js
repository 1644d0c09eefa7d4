// What the command ends with.

/** Nothing is wrong. */
export const FINE = 0;
/** Something was found: what, each verb's help tells. */
export const FINDINGS = 1;
/** Something that came in cannot be used. */
export const BAD_INPUT = 2;
/** The command itself failed. */
export const FAILED = 3;
