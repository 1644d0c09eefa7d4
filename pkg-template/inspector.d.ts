// The entry `toolgate/node`: what a host on Node needs beside the core.
import type { ClassifierHost } from "./index.js";

/**
 * Reads evidence files as the evidence classifier demands: inside the project, no links, one name, a fixed size, nothing that
 * changes unseen. `statFile` gives undefined for a missing file and rejects for one that `inspectFile` would block. The reason of
 * `blocked` is a code of `checkEvidencePath`, or `symlink`, `not-a-file`, `hard-link`, `worktree`, `changed`, `unreadable`.
 * @throws TypeError with `code` `not-a-directory` where the root is none.
 */
export function createFileInspector(projectRoot: string): Required<Pick<ClassifierHost, "statFile" | "inspectFile">>;
