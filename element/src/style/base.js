// Type, controls and the frame.
import { css } from "lit";

export const base = css`
  :host {
    display: block;
    color: var(--_ink);
    font: 1rem/1.5 var(--_text);
    text-align: start;
  }
  :host([hidden]) {
    display: none;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  .frame {
    padding: clamp(1rem, 3vw, 1.5rem);
    background: var(--_paper);
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) * 1.5);
  }
  .columns {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr));
    gap: 1.5rem 2rem;
    align-items: start;
  }
  .side {
    min-width: 0;
  }
  h2,
  h3 {
    margin: 0;
    line-height: 1.25;
  }
  h2 {
    font-size: 1.125rem;
  }
  h3 {
    font-size: 1rem;
  }
  .why h3 {
    margin-top: 1rem;
    font-size: 0.875rem;
  }
  p {
    margin: 0.5rem 0 0;
  }
  code {
    font: 0.9em var(--_mono);
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }
  .quiet,
  .legend {
    color: var(--_ink-soft);
    font-size: 0.875rem;
  }
  .title,
  .choices,
  .line {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 1.25rem;
    align-items: center;
  }
  .title {
    justify-content: space-between;
    min-height: 2.25rem;
  }
  .choice {
    display: flex;
    gap: 0.5rem;
    align-items: center;
    font-size: 0.875rem;
    font-weight: 600;
  }
  input,
  select,
  button {
    color: inherit;
    font: inherit;
  }
  input,
  select {
    min-height: 2.25rem;
    padding: 0.25rem 0.75rem;
    font-weight: 400;
    background: var(--_field);
    border: 1px solid var(--_edge);
    border-radius: var(--_radius);
  }
  option {
    color: var(--_ink);
    background: var(--_paper);
  }
  button {
    min-height: 2rem;
    padding: 0.25rem 0.75rem;
    background: var(--_paper);
    border: 1px solid var(--_edge);
    border-radius: var(--_radius);
    cursor: pointer;
  }
  button:hover:enabled {
    border-color: var(--_ink);
  }
  button:disabled {
    cursor: default;
  }
  .strong {
    color: var(--_paper);
    font-weight: 600;
    background: var(--_ink);
    border-color: var(--_ink);
  }
  .link {
    min-height: 1.5rem;
    padding: 0;
    color: inherit;
    text-decoration: underline;
    background: none;
    border: 0;
  }
  .small {
    min-height: 1.75rem;
    padding: 0 0.5rem;
    color: var(--_ink-soft);
    font-size: 0.8125rem;
    background: none;
    border-color: transparent;
  }
  :focus-visible {
    outline: 2px solid var(--_focus);
    outline-offset: 2px;
  }
  .for-readers {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .standing {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 1rem;
    align-items: center;
    justify-content: space-between;
    margin: 1rem 0 1.25rem;
    padding: 0.5rem 0.875rem;
    font-size: 0.9375rem;
    background: var(--_field);
    border: 1px solid var(--_line);
    border-inline-start: 4px solid var(--_allow);
    border-radius: var(--_radius);
  }
  .standing p {
    margin: 0;
  }
  [data-standing="bad"] {
    background: var(--tint-soft);
    border-color: var(--tint);
  }
  .notes {
    display: grid;
    gap: 0.5rem;
    margin: 0.5rem 0 0;
    padding: 0;
    font-size: 0.875rem;
    list-style: none;
  }
  .standing + .notes {
    margin-bottom: 1.25rem;
  }
  .notes[hidden] {
    display: none;
  }
  .more {
    margin-top: 0.5rem;
  }
  .note {
    padding-inline-start: 0.75rem;
    border-inline-start: 3px solid var(--tint);
    overflow-wrap: anywhere;
  }
  .note > code {
    color: var(--_ink-soft);
  }
  .severity {
    color: var(--tint);
    text-transform: capitalize;
  }
  .hint {
    display: block;
    color: var(--_ink-soft);
  }
  .fix {
    display: block;
    min-height: 1.75rem;
    margin-top: 0.375rem;
    padding: 0.125rem 0.625rem;
    text-align: start;
  }
  .unseen {
    padding: 0 0.2em;
    color: var(--_on-strong);
    font: 600 0.8em/1.2 var(--_mono);
    background: var(--_deny);
    border: 1px solid var(--_deny);
    border-radius: 0.2em;
  }
  .turned {
    text-decoration: underline wavy 2px var(--_ask);
    text-underline-offset: 0.25em;
  }
  @media (forced-colors: active) {
    .unseen {
      color: CanvasText;
      border-color: CanvasText;
    }
  }
`;
