// The shapes of the Agent Client Protocol, against the protocol's own published package: its schema, its types, and its
// two ends of a connection.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "node:test";
import { DenialTracker, fallbackConfirmation, fromAcpOutcome, normalizeConfirmation, toAcpPermissionRequest } from "toolgate";

const root = process.env.TOOLGATE_ROOT;
const require = createRequire(join(root, "package.json"));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const acp = await load("@agentclientprotocol/sdk");
const { z } = await load("zod");

const schema = JSON.parse(readFileSync(require.resolve("@agentclientprotocol/sdk/schema/v1/schema.json"), "utf8"));
const validator = (name) => z.fromJSONSchema({ $defs: schema.$defs, $ref: `#/$defs/${name}` });
const requests = validator("RequestPermissionRequest");

const zero = { consecutiveBlock: 0, consecutiveUnavailable: 0, totalBlock: 0, totalUnavailable: 0 };
const reasons = [
  "safety_check", "ask_rule", "plan_mode_floor", "external_write", "classifier_unavailable",
  "classifier_blocked_retry", "consecutive_block", "consecutive_unavailable", "total_denial",
];
const outcomes = [
  new DenialTracker().apply({ kind: "unavailable", reason: "<late>\nx" }),
  new DenialTracker({ ...zero, consecutiveBlock: 2, totalBlock: 2 }).apply({ kind: "block", reason: "no" }),
  ...reasons.map((reason) => new DenialTracker().apply({ kind: "fallback", reason })),
];
const given = [
  { id: "proceed_always_project", label: "Always here", acpKind: "allow_always" },
  { id: "proceed_once", label: "Once", acpKind: "allow_once" },
  { id: "modify_with_editor", label: "Edit", acpKind: "allow_once" },
  { id: "cancel", label: "No", acpKind: "reject_once" },
];
const diff = [{ type: "diff", path: "/repo/a", oldText: "o", newText: "n" }];

/** Every confirmation, with every kind of content and options. */
const confirmations = outcomes.flatMap((outcome) => [undefined, given, []].map((options) => fallbackConfirmation(outcome, options)));

function requestOf(confirmation, blocks) {
  const { content, options } = toAcpPermissionRequest(confirmation, blocks);
  return { sessionId: "s", toolCall: { toolCallId: "t", content }, options };
}

test("every request is one of the published schema", () => {
  assert.equal(confirmations.length, 33);
  for (const confirmation of confirmations) {
    for (const blocks of [undefined, [], diff]) {
      const { success, error } = requests.safeParse(requestOf(confirmation, blocks));
      assert.ok(success, error?.message);
    }
  }
  // The schema does refuse: a check that cannot fail proves nothing.
  const [confirmation] = confirmations;
  const request = requestOf(confirmation);
  for (const broken of [
    { ...request, options: [{ ...request.options[0], kind: "allow_twice" }] },
    { ...request, options: [{ id: "x" }] },
    { ...request, toolCall: { ...request.toolCall, content: [{ type: "content", content: { type: "text", text: 7 } }] } },
  ]) {
    assert.ok(!requests.safeParse(broken).success);
  }
});

test("every option of the contract has a kind of the protocol", () => {
  const kinds = validator("PermissionOptionKind");
  for (const kind of ["allow_once", "allow_always", "reject_once"]) assert.ok(kinds.safeParse(kind).success, kind);
  const made = new Set(confirmations.flatMap(({ options }) => options.map(({ acpKind }) => acpKind)));
  assert.deepEqual([...made].sort(), ["allow_always", "allow_once", "reject_once"]);
});

test("a client of the protocol sees what was sent, and what it answers is a choice", async () => {
  for (const confirmation of confirmations) {
    const sent = requestOf(confirmation, diff);
    const answers = [{ outcome: "cancelled" }, ...sent.options.map(({ optionId }) => ({ outcome: "selected", optionId }))];
    for (const answer of answers) {
      let seen;
      const client = acp.client().onRequest("session/request_permission", ({ params }) => {
        seen = params;
        return { outcome: answer };
      });
      const reply = await acp.agent().connectWith(client, (context) => context.request("session/request_permission", sent));
      // The package drops what it cannot read instead of refusing it: so everything must have come through.
      assert.deepEqual(JSON.parse(JSON.stringify(seen)), sent);
      const choice = fromAcpOutcome(confirmation, reply.outcome);
      assert.equal(choice, answer.outcome === "cancelled" ? "cancel" : answer.optionId);
      assert.ok(normalizeConfirmation(choice).telemetry);
    }
  }
});

test("the types of the protocol and of the package fit without a cast", async () => {
  const { default: ts } = await load("typescript");
  const file = join(import.meta.dirname, "acp-types.ts");
  const sdk = join(root, "node_modules/@agentclientprotocol/sdk/dist/v1/stable/acp.d.ts");
  writeFileSync(
    file,
    `import type { RequestPermissionRequest, RequestPermissionResponse, ToolCallContent } from "@agentclientprotocol/sdk";
import { fromAcpOutcome, toAcpPermissionRequest, type ConfirmationOutcome, type FallbackConfirmation } from "toolgate";
export function ask(confirmation: FallbackConfirmation, blocks: ToolCallContent[]): RequestPermissionRequest {
  const { content, options } = toAcpPermissionRequest(confirmation, blocks);
  return { sessionId: "s", toolCall: { toolCallId: "t", content }, options };
}
export function answered(confirmation: FallbackConfirmation, reply: RequestPermissionResponse): ConfirmationOutcome {
  return fromAcpOutcome(confirmation, reply.outcome);
}
// @ts-expect-error no option of the protocol has this kind
export const broken: RequestPermissionRequest["options"] = [{ optionId: "x", name: "x", kind: "allow_twice" }];
`,
  );
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ["lib.es2022.d.ts", "lib.esnext.disposable.d.ts", "lib.dom.d.ts"],
    paths: { "@agentclientprotocol/sdk": [sdk] },
    types: [],
  });
  const complaints = ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  assert.deepEqual(complaints, []);
});
