// Scripts for the stage of auto mode, on a fake host.

/** Plays the steps; what came, in the words of the vectors. */
export async function stage({ AutoStage }, { stage: { settings, route, complete, history = {}, steps } }) {
  const seen = { outcomes: [], modelCalls: 0, warnings: 0, audits: [] };
  let reply;
  let controller;
  const host = {
    settings: () => settings,
    resolveRoute: () => route,
    audit: (session, event) => void seen.audits.push({ session, ...event }),
    warn: () => void seen.warnings++,
    history: (session) => history[session] ?? [],
  };
  if (complete) {
    host.complete = async () => {
      seen.modelCalls++;
      if (reply.error !== undefined) throw new Error(reply.error);
      if (reply.text !== undefined) return reply.text;
      if (reply.abort) controller.abort();
      return new Promise(() => {});
    };
  }
  let live = new AutoStage(host);
  for (const step of steps) {
    if (step.op === "settings") settings = step.settings;
    else if (step.op === "route") route = step.route;
    else if (step.op === "rebuild") live.rebuild();
    else if (step.op === "restore") live = AutoStage.restore(host, structuredClone(live.snapshot()));
    else {
      reply = step.reply;
      controller = new AbortController();
      if (reply.abortedBefore) controller.abort();
      const { level, ...decision } = step.decision;
      const context = { sessionId: step.session, readOnly: step.readOnly, signal: controller.signal };
      seen.outcomes.push(await live.maybeEscalate({ readOnly: false, ...decision, risk: { level } }, step.call, context));
    }
  }
  return seen;
}
