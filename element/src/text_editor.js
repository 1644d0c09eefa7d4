// What every editor of the element has: one line separator, characters that nobody would see, and keys that trap nobody.
import { history, historyKeymap, standardKeymap } from "@codemirror/commands";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, keymap, placeholder } from "@codemirror/view";
import { unseenInEditor } from "./unseen.js";

export class TextEditor {
  view;
  #attributes = new Compartment();
  #rights = new Compartment();
  #described;

  /** `typed(document)` hears of every change. */
  constructor({ root, document = "", hint = "", attributes = {}, extensions = [], typed = () => {} }) {
    const own = [
      history(),
      // The Tab key leaves the editor.
      keymap.of([...standardKeymap, ...historyKeymap]),
      EditorState.lineSeparator.of("\n"),
      EditorView.clipboardInputFilter.of((text) => text.replace(/\r\n?/g, "\n")),
      EditorView.lineWrapping,
      EditorView.updateListener.of(({ docChanged }) => {
        if (docChanged) typed(this.document);
      }),
      unseenInEditor(),
      placeholder(hint),
      this.#attributes.of(attributesOf(attributes)),
      this.#rights.of([]),
    ];
    this.view = new EditorView({ root, doc: document, extensions: [extensions, own] });
  }

  get dom() {
    return this.view.dom;
  }

  get document() {
    return this.view.state.sliceDoc();
  }

  /** Attributes for those who do not see the editor, and whether it can be changed. */
  describe(attributes, isReadOnly) {
    const described = JSON.stringify([attributes, isReadOnly]);
    if (described === this.#described) return;
    this.#described = described;
    // What cannot be changed still takes the focus, so that it can be read.
    const all = isReadOnly ? { ...attributes, "aria-readonly": "true", tabindex: "0" } : attributes;
    const rights = isReadOnly ? [EditorState.readOnly.of(true), EditorView.editable.of(false)] : [];
    this.view.dispatch({ effects: [this.#attributes.reconfigure(attributesOf(all)), this.#rights.reconfigure(rights)] });
  }

  focus() {
    this.view.focus();
  }

  destroy() {
    this.view.destroy();
  }
}

function attributesOf(attributes) {
  return EditorView.contentAttributes.of({ spellcheck: "false", autocorrect: "off", autocapitalize: "none", dir: "ltr", ...attributes });
}
