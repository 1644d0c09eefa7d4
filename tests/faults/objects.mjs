// Hostile objects at every place that takes objects: an error with a code, or plain data that allows nothing; the same core
// goes on, and nothing of what was thrown comes out.
import { entries } from "./entries.mjs";
import { opened } from "../js/review/host.mjs";
import { Tally, ok, same, within } from "./is.mjs";
import { HOSTILE, INSIDE, SHAPES, inRealm, isPlain, replaced } from "./values.mjs";

/** A case for each place: every value there. `env.realm` is the global object of another realm, where there is one. */
export function cases(t, env) {
  const alive = living(t, env);
  const places = entries(t).map(({ name, give, value, hasShapes }) => ({
    title: name,
    async run() {
      const [whole, inside] = [new Tally(), new Tally()];
      let tried = 0;
      const meet = async (tally, title, hostile) => {
        tried += 1;
        tally.add(await outcome(give, hostile, `${name}, ${title}`));
        alive(`${name}, ${title}`);
      };
      for (const [title, hostile] of Object.entries(HOSTILE)) await meet(whole, title, hostile);
      if (isPlain(value)) {
        for (const member of Object.keys(value)) {
          for (const title of Object.keys(INSIDE)) await meet(inside, `${title} as ${member}`, replaced(value, member, title));
        }
      }
      const isTaken = hasShapes && isData(value);
      const shapes = isTaken ? Object.entries(SHAPES) : [];
      if (env.realm !== undefined && isTaken) shapes.push(["of another realm", (value) => inRealm(value, env.realm)]);
      const expected = await give(value);
      for (const [title, shape] of shapes) {
        tried += 1;
        same(await give(shape(value)), expected, `${name}, ${title}`);
      }
      return { tried, line: { whole, inside } };
    },
  }));
  return [...places, lengths(t, alive)];
}

/** Lists that are gone through by their length, and lengths that are none, or are too many to go through. */
function lengths(t, alive) {
  const policy = new t.Policy({ rules: { deny: ["Bash(rm )"] } });
  const said = (length) => new Proxy([], { get: (target, name) => (name === "length" ? length : target[name]) });
  const sparse = [];
  sparse.length = 2 ** 32 - 1;
  const lists = { sparse, negative: said(-1), endless: said(Infinity), none: said(NaN), half: said(0.5), large: said(2 ** 53), text: said("2"), big: said(2n) };
  lists.symbol = said(Symbol("length"));
  lists.object = said({ [Symbol.toPrimitive]: () => 2 });
  const { classifiers: _, ...host } = opened([]).host;
  const takes = {
    decideMany: (list) => policy.decideMany(list),
    coverage: (list) => policy.coverage(list),
    comparePolicies: (list) => t.comparePolicies(policy, policy, list),
    compareDialects: (list) => t.compareDialects({}, list),
    "compareDialects, dialects": (list) => t.compareDialects({}, [], { dialects: list }),
    foldPermissionMode: (list) => t.foldPermissionMode(list),
    foldClassifiers: (list) => t.foldClassifiers(list),
    checkModeEvents: (list) => t.checkModeEvents(list),
    trailingRouteFailureStreak: (list) => t.trailingRouteFailureStreak(list, "p/m", 3),
    "ReviewSession, classifiers": (list) => new t.ReviewSession({ ...host, classifiers: list }).free(),
    "combineAssessments, classifiers": (list) => t.combineAssessments(host.policy, list, []),
  };
  return {
    title: "lists whose length is none",
    async run() {
      const line = {};
      for (const [name, take] of Object.entries(takes)) {
        const tally = new Tally();
        for (const [title, list] of Object.entries(lists)) {
          tally.add(await outcome(take, list, `${name}, ${title}`));
          alive(`${name}, ${title}`);
        }
        line[name] = tally;
      }
      return { tried: Object.keys(takes).length * Object.keys(lists).length, line };
    },
  };
}

/** Whether all of a value is data. */
function isData(value) {
  return isPlain(value) && Object.values(value).every((each) => typeof each !== "function" && (typeof each !== "object" || each === null || isData(each)));
}

/** The core is the one that it was, and decides as it did. */
function living(t, { instance }) {
  const policy = new t.Policy({ rules: { allow: ["Bash(npm )"], deny: ["Bash(rm )"] } });
  const asked = ["npm test", "rm x", "ls"].map((command) => ({ tool: "Bash", arguments: { command } }));
  const [before, known] = [instance(), JSON.stringify(policy.decideMany(asked))];
  return (title) => {
    ok(instance() === before, `${title}: the core stopped`);
    ok(JSON.stringify(policy.decideMany(asked)) === known, `${title}: the core decides otherwise`);
    ok({}.tool === undefined && {}.allow === undefined, `${title}: a prototype was changed`);
  };
}

/** What comes of a hostile value: `gave`, or the code of the error. */
async function outcome(give, hostile, title) {
  let came;
  try {
    came = await within(5_000, give(hostile), title);
  } catch (error) {
    return refusal(error, title);
  }
  ok(!allows(came), `${title}: it was allowed`);
  ok(!String(JSON.stringify(came)).includes("SECRET of"), `${title}: it tells what a host threw`);
  return "gave";
}

function refusal(error, title) {
  ok(error instanceof Error, `${title}: threw what is no error`);
  ok(!/SECRET|a trap of|a getter|a toJSON/.test(error.message), `${title}: ${error.message}`);
  const word = error.name === "ReviewError" ? `${error.field}/${error.reason}` : error.code;
  ok(typeof word === "string" && error.name !== "CoreError", `${title}: threw ${error.stack}`);
  return word;
}

function allows(came) {
  if (came === "allow" || came === "Approve") return true;
  if (typeof came !== "object" || came === null) return false;
  const { kind, effective, decision, eligible, action } = came;
  return kind === "allow" || effective === "allow" || decision?.kind === "allow" || eligible === true || action === "Approve";
}
