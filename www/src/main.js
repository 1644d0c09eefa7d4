// The page: state in, decision out, at every change; and scenes that are played.
import { init } from "toolgate";
import { AnswersView } from "./answers_view.js";
import { CallForm } from "./call_form.js";
import { DecisionView } from "./decision_view.js";
import { DialectsView } from "./dialects_view.js";
import { Engine } from "./engine.js";
import { explanationIn } from "./explained.js";
import { EXAMPLE } from "./example.js";
import { fromFragment, toFragment } from "./fragment.js";
import * as classification from "./play/classification.js";
import { Player } from "./play/player.js";
import * as review from "./play/review.js";
import { ReadingView } from "./reading_view.js";
import { RuleLists } from "./rule_lists.js";
import { ShareBar } from "./share_bar.js";
import { StagesView } from "./stages_view.js";
import { Tabs } from "./tabs.js";
import { pack, unpack } from "./workbench/packed.js";
import { Workbench } from "./workbench/workbench.js";

const explained = explanationIn(document.querySelector("#explained"), { ids: true });
const engine = new Engine();
const lists = new RuleLists(document.querySelector("#lists"), document.querySelector("#dialect"), changed);
const form = new CallForm(document.querySelector("#call"), changed);
const call = { point: (spans) => form.point(spans), look: (span) => form.look(span), select: (span) => form.select(span) };
const show = (place) => lists.show(place);
const view = new DecisionView(explained, show);
const reading = new ReadingView(explained, call);
const stages = new StagesView(explained);
const answers = new AnswersView(explained, show, call);
const dialects = new DialectsView(explained, (dialect) => lists.choose(dialect));
const tabs = new Tabs(document.querySelector(".tabs"), turned);
const share = new ShareBar(document, fragment, () => load({ ...EXAMPLE }));
const bench = new Workbench(document.querySelector("#workbench-panel"), () => share.keep());
const players = [];
let ready = false;

load(fromFragment(location.hash) ?? { ...EXAMPLE });
addEventListener("hashchange", async () => {
  const given = fromFragment(location.hash);
  if (given !== undefined && toFragment(given, given.packed) !== (await fragment())) load(given);
});
// A fragment is the page's state, so the link to the controls must not become one.
document.querySelector("[data-skip]").addEventListener("click", (event) => {
  event.preventDefault();
  tabs.enter();
});

try {
  await init();
  ready = true;
  decide();
} catch {
  view.broken("The rules engine did not load. Is WebAssembly switched off?");
}
if (ready) {
  players.push(new Player(document.querySelector("#classification-panel"), classification));
  players.push(new Player(document.querySelector("#review-panel"), review));
}

function state() {
  return { tab: tabs.chosen, ...lists.state, ...form.state };
}

function load(given) {
  tabs.choose(given.tab);
  lists.load(given);
  form.load(given);
  changed();
  loadBench(given);
}

async function loadBench({ tab, packed = "" }) {
  const unpacked = await unpack(packed);
  bench.load(unpacked ?? {});
  if (tab === "workbench") bench.wake();
  if (unpacked === undefined) share.say("The workbench of this link cannot be read; the example stands in its place.");
}

/** Undefined where no link can hold it. */
async function fragment() {
  const packed = await pack(bench.state);
  return packed === undefined ? undefined : toFragment(state(), packed);
}

function turned() {
  for (const player of players) player.pause();
  if (tabs.chosen === "workbench") bench.wake();
  share.keep();
}

function changed() {
  share.keep();
  if (ready) decide();
}

function decide() {
  const now = state();
  const outcome = engine.explain(now);
  lists.mark(outcome);
  form.mark(outcome.explanation);
  view.render(outcome, now);
  reading.render(outcome.explanation);
  stages.render(outcome.explanation);
  answers.render(outcome);
  dialects.render(outcome, now.dialect);
}
