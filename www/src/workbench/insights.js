// The views over settings and calls as a whole: each is worked out when it is looked at, and again only where something has changed.
import { CompareView } from "./compare_view.js";
import { CoverageView } from "./coverage_view.js";
import { LintView } from "./lint_view.js";
import { SpreadView } from "./spread_view.js";

export class Insights {
  #pipeline;
  #views;
  #fresh = new Set();

  /** `acts` are what the views lead to. */
  constructor(root, pipeline, acts) {
    this.#pipeline = pipeline;
    const at = (id) => root.querySelector(id);
    this.#views = {
      lint: new LintView(at("#lint-view"), acts),
      coverage: new CoverageView(at("#coverage-view"), acts),
      compare: new CompareView(at("#changes"), acts),
      spread: new SpreadView(at("#spread-view"), acts),
    };
  }

  /** What was worked out does not hold any more. */
  forget() {
    this.#fresh.clear();
  }

  /** Works a view out, where that has to be. `given` has the `state` of calls and whether there are `other` settings. */
  async refresh(name, works, { state, hasOther }, live) {
    const view = this.#views[name];
    if (view === undefined || this.#fresh.has(name)) return;
    if (name === "compare" && !hasOther) view.nothing("Paste or open other settings, and see which decisions they change.");
    else if (name === "compare" && !(works.before && works.after)) view.nothing("One of the two settings has errors. Once they are mended, they are compared.");
    else if (!works.before) view.render(undefined);
    else {
      const answer = await this.#pipeline.work(SAYS[name], name, { state });
      if (!live()) return;
      view.render(answer);
    }
    this.#fresh.add(name);
  }
}

const SAYS = { lint: "Looking at the rules", coverage: "Counting", compare: "Comparing", spread: "Comparing the dialects" };
