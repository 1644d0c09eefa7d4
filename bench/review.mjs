// What a subject's digest costs: reading it, checking it, writing it canonically, hashing it; at a context of 512 KiB.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createReviewSubject, subjectDigest } from "toolgate";
import { measure } from "./clock.mjs";
import { row } from "./rows.mjs";

const KIB = 1024;

/** What tools give back: prose and code. Canonical JSON has at most 1 MiB, which leaves room for the escapes of half. */
function results() {
  const text = ["README.md", "index.d.ts", "driver.js"].map((name) => readFileSync(new URL(`node_modules/toolgate/${name}`, import.meta.url), "utf8")).join("\n");
  const long = text.repeat(Math.ceil((512 * KIB) / text.length)).slice(0, 512 * KIB);
  return Array.from({ length: 16 }, (_, at) => long.slice(at * 32 * KIB, (at + 1) * 32 * KIB));
}

const id = (digits) => `123e4567-e89b-12d3-a456-426614174${digits}`;
const entry = (origin, kind, content) => ({ origin, kind, content, truncated: false });

function subject() {
  const basis = {
    gate_id: id("109"),
    tool_execution_id: id("110"),
    subject_digest: "0".repeat(64),
    context_revision: "c",
    gate_policy_revision: "p",
    classifier_revision: "r",
    security_ceiling: "s",
  };
  const request = { tool_name: "Bash", summary: "", execution_id: "", command: "", working_directory: "", expires_at_unix_milli: 0, requirements: [] };
  const context = {
    coordinates: { session_id: id("101"), loop_id: id("102"), turn_id: id("103"), step_id: id("104") },
    context_revision: "c",
    workspace_root: "/w",
    working_directory: "/w",
    retry_reason: "",
    security_ceiling: "s",
    gate_policy_revision: "p",
    entries: [
      ...results().map((text) => entry("tool", "tool_result", text)),
      entry("user", "user_message", "go on"),
      entry("assistant", "assistant_tool_request", "{}"),
    ],
    truncation: { applied: 0, material: 0, omitted_entries: 0, omitted_bytes: 0 },
  };
  return createReviewSubject(basis, request, context);
}

export function review() {
  const made = subject();
  const text = JSON.stringify(made);
  const digest = () => subjectDigest(made);
  // The engine compiles what is hot in the background: without these calls some rounds would measure that.
  for (let n = 0; n < 300; n++) digest();
  const rows = [
    ["JSON.stringify and JSON.parse", () => JSON.parse(JSON.stringify(made)), 4],
    ["SHA-256", () => createHash("sha256").update(text).digest("hex"), 40],
  ];
  return rows.map(([to, base, most]) => {
    return row("the digest of a subject, 512 KiB", to, measure([base, digest]), { most });
  });
}
