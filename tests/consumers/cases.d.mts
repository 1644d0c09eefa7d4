import type * as toolgate from "toolgate";

export function lines(module: typeof toolgate): AsyncIterable<string>;
