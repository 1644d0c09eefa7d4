// The gate that is reviewed: a call, what people said, and how much of it reviewers are shown.
import { COMMAND, POLICY_REVISION } from "./review_scripts.js";

const id = (digit) => `00000000-0000-4000-8000-00000000000${digit}`;
const EXECUTION = id(2);
const SHARED = { context_revision: "conversation/7", gate_policy_revision: POLICY_REVISION, security_ceiling: "workspace-write" };

export const CONTEXT_POLICY = {
  revision: "page/1",
  max_bytes: 65_536,
  max_estimated_tokens: 16_384,
  max_entries: 64,
  max_user_entry_bytes: 4096,
  max_agent_entry_bytes: 4096,
  max_tool_entry_bytes: 256,
  max_block_bytes: 4096,
  max_active_action_bytes: 4096,
};

export function gateOf(context) {
  return {
    basis: { gate_id: id(1), tool_execution_id: EXECUTION, subject_digest: "0".repeat(64), classifier_revision: "", ...SHARED },
    request: {
      tool_name: "Bash",
      summary: COMMAND,
      execution_id: EXECUTION,
      command: COMMAND,
      working_directory: "/repo",
      expires_at_unix_milli: 1_800_000_000_000,
      requirements: [
        {
          kind: "command.execute",
          scope: "",
          match: COMMAND,
          description: COMMAND,
          grant_class: "command.start.v1",
          grant_target: COMMAND,
          candidates: [],
        },
      ],
    },
    context,
  };
}

/** The conversation so far; `result` is what a tool gave. */
export function contextOf({ result = "On branch main, ahead of origin by one commit" }) {
  const entry = (origin, kind, content) => ({ origin, kind, content, truncated: false });
  return {
    coordinates: { session_id: id(3), loop_id: id(4), turn_id: id(5), step_id: id(6) },
    workspace_root: "/repo",
    working_directory: "/repo",
    retry_reason: "",
    ...SHARED,
    entries: [
      entry("user", "user_message", "Push the release to main when the tests pass."),
      entry("tool", "tool_result", result),
      entry("assistant", "assistant_tool_request", JSON.stringify({ command: COMMAND })),
    ],
    truncation: { applied: 0, material: 0, omitted_entries: 0, omitted_bytes: 0 },
  };
}
