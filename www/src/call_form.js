// The call that is tried, and the mode that it is tried in.
import { PERMISSION_MODES } from "toolgate";
import { fill } from "./choice.js";
import { Editor } from "./editor.js";
import { TOOLS, TRIES } from "./example.js";
import { hides, visible } from "./hidden.js";

/** What the subject of a tool is called. */
const SUBJECTS = [
  [/^(Bash|bash)$/, "Command", "git status"],
  [/^(WebFetch|web_fetch)$/, "URL or host", "https://example.com/"],
  [/^(Read|Edit|MultiEdit|Write|NotebookEdit|LS|Glob|Grep|read|edit|write)$/, "Path", "/repo/src/main.rs"],
];

/** More than that in one call is no help. */
const MOST_MARKS = 100;

export class CallForm {
  #tool;
  #cwd;
  #mode;
  #label;
  #subject;
  #shown;

  constructor(root, changed) {
    this.#tool = root.querySelector("#tool");
    this.#cwd = root.querySelector("#cwd");
    this.#mode = root.querySelector("#mode");
    this.#label = root.querySelector("#subject-label");
    this.#shown = root.querySelector("#subject-shown");
    const told = () => {
      this.#name();
      changed();
    };
    fill(this.#mode, PERMISSION_MODES, changed);
    this.#subject = new Editor({ id: "subject", onInput: changed });
    root.querySelector("#subject-place").append(this.#subject.element);
    root.querySelector("#tools").append(...TOOLS.map((tool) => new Option(tool)));
    this.#tool.addEventListener("input", told);
    this.#cwd.addEventListener("input", changed);
    root.querySelector("#tries").append(...TRIES.map(([tool, subject]) => this.#try(tool, subject, told)));
  }

  get state() {
    return { mode: this.#mode.value, tool: this.#tool.value.trim(), subject: this.#subject.value, cwd: this.#cwd.value.trim() };
  }

  load({ mode, tool, subject, cwd }) {
    this.#mode.value = mode;
    this.#tool.value = tool;
    this.#subject.value = subject;
    this.#cwd.value = cwd;
    this.#name();
  }

  /** Underlines what is risky in the call, and where it could not be read. */
  mark(explanation) {
    const findings = explanation?.decision.risk.findings ?? [];
    const problems = explanation?.shell?.problems ?? [];
    const subject = this.#subject.value;
    // A text field shows no hidden characters.
    this.#shown.hidden = !hides(subject);
    this.#shown.replaceChildren(...(this.#shown.hidden ? [] : ["With hidden characters: ", ...visible(subject)]));
    this.point([]);
    this.#subject.mark([
      ...findings.slice(0, MOST_MARKS).flatMap(({ span, level }) => this.#lines(span, level === "HIGH" ? "error" : "warning")),
      ...problems.slice(0, MOST_MARKS).flatMap(({ span }) => this.#lines(span, "doubt")),
    ]);
  }

  /** Shows parts of the call, until others are shown. */
  point(spans) {
    this.#subject.point(spans.slice(0, MOST_MARKS).flatMap((span) => this.#lines(span, "pointed")));
  }

  /** Shows a part of the call, and goes where it is seen. */
  look(span) {
    this.point([span]);
    this.#subject.element.scrollIntoView({ block: "center" });
  }

  /** Selects a part of the call. */
  select(span) {
    this.#subject.selectSpan(span);
  }

  focus() {
    this.#tool.focus();
  }

  #name() {
    const known = SUBJECTS.find(([names]) => names.test(this.#tool.value.trim()));
    this.#label.textContent = known?.[1] ?? "Subject";
  }

  #try(tool, subject, told) {
    const button = Object.assign(document.createElement("button"), { type: "button" });
    button.append(Object.assign(document.createElement("span"), { textContent: tool }), ` ${subject}`);
    button.addEventListener("click", () => {
      this.#tool.value = tool;
      this.#subject.value = subject;
      told();
    });
    return button;
  }

  /** A span of the whole text as parts of its lines. */
  #lines({ start, end }, severity) {
    const parts = [];
    let before = 0;
    this.#subject.value.split("\n").forEach((text, line) => {
      const [from, to] = [Math.max(start, before) - before, Math.min(end, before + text.length) - before];
      if (from < to) parts.push({ line, start: from, end: to, severity });
      before += text.length + 1;
    });
    return parts;
  }
}
