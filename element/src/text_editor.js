// What every editor of the element has: one line separator, characters that nobody would see, and keys that trap nobody.
import { history, historyKeymap, standardKeymap } from "@codemirror/commands";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, keymap, placeholder } from "@codemirror/view";
import { unseenInEditor } from "./unseen.js";

export class TextEditor {
  view;
  #attributes = new Compartment();
  #more = new Compartment();
  #extensions;
  #silent = false;

  /** `changed` hears what a person typed, not what was set. */
  constructor({ root, document = "", hint = "", attributes = {}, extensions = [], changed }) {
    this.#extensions = [
      extensions,
      history(),
      // The Tab key leaves the editor.
      keymap.of([...standardKeymap, ...historyKeymap]),
      EditorState.lineSeparator.of("\n"),
      EditorView.clipboardInputFilter.of((text) => text.replace(/\r\n?/g, "\n")),
      EditorView.lineWrapping,
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !this.#silent) changed(this.document);
      }),
      unseenInEditor(),
      placeholder(hint),
      this.#attributes.of(attributesOf(attributes)),
      this.#more.of([]),
    ];
    this.view = new EditorView({ root, state: this.#state(document) });
  }

  get dom() {
    return this.view.dom;
  }

  get document() {
    return this.view.state.sliceDoc();
  }

  /** Another text, with a history of its own. */
  set document(document) {
    if (document === this.document) return;
    this.#silent = true;
    this.view.setState(this.#state(document));
    this.#silent = false;
  }

  describe(attributes, isReadOnly = false) {
    const more = isReadOnly ? [EditorState.readOnly.of(true), EditorView.editable.of(false)] : [];
    const key = JSON.stringify([attributes, isReadOnly]);
    if (key === this.key) return;
    this.key = key;
    this.view.dispatch({
      effects: [
        this.#attributes.reconfigure(attributesOf({ ...attributes, ...(isReadOnly ? { "aria-readonly": "true", tabindex: "0" } : {}) })),
        this.#more.reconfigure(more),
      ],
    });
  }

  focus() {
    this.view.focus();
  }

  destroy() {
    this.view.destroy();
  }

  #state(document) {
    this.key = undefined;
    return EditorState.create({ doc: document, extensions: this.#extensions });
  }
}

function attributesOf(attributes) {
  return EditorView.contentAttributes.of({ spellcheck: "false", autocorrect: "off", autocapitalize: "none", dir: "ltr", ...attributes });
}
