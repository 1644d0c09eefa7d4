// Lists of rules and their editors. The editor's own sheet stands before these.
import { css } from "lit";

export const editor = css`
  .list {
    margin-top: 1.25rem;
  }
  .list h3 {
    display: flex;
    gap: 0.5rem;
    align-items: baseline;
    margin-bottom: 0.375rem;
  }
  .name {
    color: var(--tint);
  }
  [part~="list-allow"] .name,
  [part~="list-ask"] .name,
  [part~="list-deny"] .name {
    text-transform: capitalize;
  }
  h3 .quiet {
    font-weight: 400;
  }
  .cm-editor {
    color: var(--_ink);
    background: var(--_field);
    border: 1px solid var(--_edge);
    border-radius: var(--_radius);
  }
  .cm-editor.cm-focused {
    outline: 2px solid var(--_focus);
    outline-offset: 1px;
  }
  .cm-editor .cm-scroller {
    max-height: var(--toolgate-editor-height, 20rem);
    overflow: auto;
    font: 0.9375rem/1.6 var(--_mono);
    font-variant-ligatures: none;
    border-radius: inherit;
  }
  .cm-editor .cm-content {
    min-height: 3.5rem;
    padding: 0.375rem 0;
    caret-color: var(--_ink);
  }
  .field .cm-editor .cm-content {
    min-height: 2.125rem;
  }
  .cm-editor .cm-line {
    padding: 0 0.75rem;
  }
  .cm-editor .cm-placeholder {
    color: var(--_ink-soft);
  }
  .cm-editor .cm-gutters {
    color: var(--_ink-soft);
    font-size: 0.8125rem;
    background: none;
    border: 0;
  }
  .cm-editor .cm-lineNumbers .cm-gutterElement {
    min-width: 2.25rem;
    padding: 0.125rem 0 0 0.5rem;
  }
  .cm-editor .cm-gutter-lint {
    width: 1.375rem;
  }
  .cm-editor .cm-gutter-lint .cm-gutterElement {
    padding: 0.125rem 0 0 0.25rem;
  }

  /* Signs of their own: the editor's are images, which a policy may refuse. */
  .cm-editor .cm-lint-marker {
    width: 1rem;
    height: auto;
    font: 700 0.8125rem/1.5rem var(--_mono);
    text-align: center;
    content: normal;
  }
  .cm-editor .cm-lint-marker-error {
    color: var(--_deny);
  }
  .cm-editor .cm-lint-marker-error::before {
    content: "✕";
  }
  .cm-editor .cm-lint-marker-warning {
    color: var(--_ask);
  }
  .cm-editor .cm-lint-marker-warning::before {
    content: "▲";
  }
  .cm-editor .cm-lint-marker-info {
    color: var(--_info);
  }
  .cm-editor .cm-lint-marker-info::before {
    content: "i";
  }
  .cm-editor .cm-lintRange {
    padding-bottom: 0;
    background-image: none;
    text-decoration: underline 2px;
    text-decoration-skip-ink: none;
    text-underline-offset: 0.25em;
  }
  .cm-editor .cm-lintRange-error {
    background-color: var(--_deny-soft);
    text-decoration-style: wavy;
    text-decoration-color: var(--_deny);
  }
  .cm-editor .cm-lintRange-warning {
    text-decoration-style: wavy;
    text-decoration-color: var(--_ask);
  }
  .cm-editor .cm-lintRange-info {
    text-decoration-style: dotted;
    text-decoration-color: var(--_info);
  }
  .cm-editor .cm-lintRange-active {
    background-color: var(--_ask-soft);
  }
  .cm-editor .cm-lintPoint::after {
    border-bottom-color: var(--_deny);
  }
  .cm-editor .cm-trailingSpace {
    background: var(--_ask-soft);
    outline: 1px dotted var(--_ask);
  }

  /* The rule that decided: a band and a pointer, not only a tint. */
  .cm-editor .decided {
    background: var(--tint-soft);
    box-shadow: inset 0.25rem 0 0 var(--tint);
  }
  .cm-editor .decided-number {
    color: var(--tint);
    font-weight: 700;
  }
  .cm-editor .decided-part {
    text-decoration: underline 2px var(--tint);
    text-underline-offset: 0.25em;
  }

  .cm-editor .cm-tooltip {
    max-width: min(32rem, 90vw);
    color: var(--_ink);
    font: 0.875rem/1.45 var(--_text);
    background: var(--_paper);
    border: 1px solid var(--_edge);
    border-radius: var(--_radius);
    box-shadow: 0 0.25rem 1rem rgb(0 0 0 / 18%);
  }
  .cm-editor .cm-diagnostic {
    padding: 0.375rem 0.75rem;
    border-inline-start: 3px solid var(--_info);
  }
  .cm-editor .cm-diagnostic-error {
    border-inline-start-color: var(--_deny);
  }
  .cm-editor .cm-diagnostic-warning {
    border-inline-start-color: var(--_ask);
  }
  .cm-editor .cm-diagnosticAction {
    display: block;
    margin: 0.375rem 0 0;
    padding: 0.125rem 0.625rem;
    color: inherit;
    font: inherit;
    background: var(--_field);
    border: 1px solid var(--_edge);
    border-radius: var(--_radius);
  }
  .cm-editor .cm-tooltip-autocomplete > ul {
    max-height: 15rem;
    font: 0.875rem/1.5 var(--_mono);
  }
  .cm-editor .cm-tooltip-autocomplete > ul > li {
    padding: 0.1875rem 0.625rem;
  }
  .cm-editor .cm-tooltip-autocomplete > ul > li[aria-selected] {
    color: var(--_paper);
    background: var(--_ink);
  }
  .cm-editor .cm-completionDetail {
    color: inherit;
    font: italic 0.8125rem var(--_text);
  }

  @media (forced-colors: active) {
    .cm-editor .decided {
      border-inline-start: 4px solid Highlight;
    }
    .cm-editor .cm-tooltip-autocomplete > ul > li[aria-selected] {
      color: HighlightText;
      background: Highlight;
      forced-color-adjust: none;
    }
  }
`;
