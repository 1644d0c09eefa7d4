// The editors of a draft's lists, each made when it is first looked at.
import { decisive } from "./decision_card.js";
import { RulesEditor } from "./rules_editor.js";

export class Editors {
  #root;
  #known;
  #typed;
  #made = new Map();

  /** `known`: what a completion offers; `typed()` hears that a person wrote something. */
  constructor({ root, known, typed }) {
    this.#root = root;
    this.#known = known;
    this.#typed = typed;
  }

  /** The editor of a list; undefined for one that is not of texts. */
  of(group, list) {
    const text = group.texts.get(list);
    if (text === undefined) return undefined;
    const key = `${group.key}/${list}`;
    const old = this.#made.get(key);
    if (old?.text === text) return old.editor;
    old?.editor.destroy();
    const typed = (document) => {
      text.document = document;
      this.#typed();
    };
    const editor = new RulesEditor({ root: this.#root, document: text.document, known: this.#known, typed });
    this.#made.set(key, { editor, text });
    return editor;
  }

  /** Shows in the editors of a group what there is to see. */
  mark(group, lists, { problems, valid, draft, open }, isReadOnly) {
    const { explanation } = open?.explained ?? {};
    const rule = valid && explanation ? decisive(explanation.rules) : undefined;
    const decided = rule && draft.placeOf(rule.path);
    for (const list of lists) {
      const editor = this.of(group, list);
      if (editor === undefined) continue;
      const own = problems.filter(({ place }) => place?.group === group && place.list === list);
      const isHere = decided?.group === group && decided.list === list;
      // What cannot be changed is not offered to be mended.
      editor.show(isReadOnly ? own.map((problem) => ({ ...problem, fixes: [] })) : own, isHere ? { line: decided.line, span: rule.ruleSpan } : undefined);
      const isBad = own.some(({ severity }) => severity === "error");
      const attributes = { "aria-labelledby": `list-${list}`, ...(own.length > 0 ? { "aria-describedby": `notes-${list}` } : {}) };
      editor.describe({ ...attributes, ...(isBad ? { "aria-invalid": "true" } : {}) }, isReadOnly);
    }
  }
}
