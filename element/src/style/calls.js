// The calls, their decisions and why.
import { css } from "lit";

export const calls = css`
  .sign {
    flex: none;
    width: 1.125rem;
    height: 1.125rem;
    fill: none;
    stroke: var(--_on-strong);
    stroke-width: 2.4;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .sign .shape {
    fill: var(--tint);
    stroke: none;
  }
  .sign .hollow,
  .sign .bare {
    stroke: var(--tint);
  }
  .sign .hollow {
    stroke-dasharray: 3 3;
  }
  .badge {
    display: inline-flex;
    flex: none;
    gap: 0.375rem;
    align-items: center;
    padding: 0.125rem 0.625rem 0.125rem 0.25rem;
    color: var(--tint);
    font-size: 0.8125rem;
    font-weight: 700;
    line-height: 1.4;
    white-space: nowrap;
    background: var(--tint-soft);
    border: 1px solid transparent;
    border-radius: 999px;
  }
  .tally li {
    display: flex;
    gap: 0.375rem;
    align-items: center;
    font-size: 0.875rem;
  }
  .tally {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1rem;
    margin: 0.25rem 0 0;
    padding: 0;
    list-style: none;
  }
  .calls {
    display: grid;
    gap: 0.5rem;
    margin: 1rem 0 0;
    padding: 0;
    list-style: none;
  }
  .call {
    container-type: inline-size;
    min-width: 0;
    background: var(--_field);
    border: 1px solid var(--_line);
    border-inline-start: 4px solid var(--tint);
    border-radius: var(--_radius);
  }
  .changes {
    display: flex;
    flex: none;
    gap: 0.125rem;
  }
  .row {
    display: flex;
    gap: 0.125rem;
    align-items: center;
    padding-inline-end: 0.375rem;
  }
  .open .badge {
    min-width: 5.875rem;
  }
  .open {
    display: flex;
    flex: 1;
    flex-wrap: wrap;
    gap: 0.375rem 0.625rem;
    align-items: center;
    min-width: 0;
    min-height: 2.75rem;
    padding: 0.5rem 0.625rem;
    text-align: start;
    background: none;
    border: 0;
  }
  .what {
    flex: 1;
    min-width: min(100%, 8rem);
    overflow-wrap: anywhere;
  }
  .tool {
    margin-inline-end: 0.25rem;
    font-weight: 600;
  }
  .was {
    color: var(--_ink-soft);
    font-size: 0.8125rem;
    font-style: italic;
  }
  .chevron {
    width: 0.5rem;
    height: 0.5rem;
    margin-inline-end: 0.25rem;
    border: solid var(--_ink-soft);
    border-width: 0 2px 2px 0;
    rotate: 45deg;
    translate: 0 -0.125rem;
  }
  [aria-expanded="true"] .chevron {
    rotate: 225deg;
    translate: 0 0.125rem;
  }
  /* Where there is little room, what a call is stands below its badge, and what can be done with it below that. */
  @container (max-width: 26rem) {
    .row {
      display: block;
    }
    .row .what {
      order: 1;
      min-width: 100%;
    }
    .row .open {
      width: 100%;
    }
    .row .chevron {
      margin-inline-start: auto;
    }
    .changes {
      padding: 0 0.25rem 0.375rem;
    }
  }
  .why {
    padding: 0.25rem 0.875rem 0.875rem;
    font-size: 0.9375rem;
    border-top: 1px solid var(--_line);
  }
  .why[hidden] {
    display: none;
  }
  .meaning {
    font-weight: 600;
  }
  .facts {
    display: grid;
    gap: 0.375rem;
    margin: 0.75rem 0 0;
  }
  .facts > div {
    display: grid;
    grid-template-columns: 4.5rem minmax(0, 1fr);
    gap: 0.5rem;
    align-items: baseline;
  }
  dt {
    color: var(--_ink-soft);
    font-size: 0.875rem;
  }
  dd {
    margin: 0;
    font-size: 0.9375rem;
    overflow-wrap: anywhere;
  }
  .command {
    max-height: 16rem;
    margin: 0.875rem 0 0;
    padding: 0.5rem 0.75rem;
    overflow: auto;
    font: 0.9375rem/1.7 var(--_mono);
    overflow-wrap: anywhere;
    white-space: pre-wrap;
    background: var(--_paper);
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
  }
  .legend {
    margin-top: 0.25rem;
  }
  mark {
    color: inherit;
    background: none;
    text-decoration: underline 2px;
    text-decoration-skip-ink: none;
    text-underline-offset: 0.25em;
  }
  mark.accepted {
    background: var(--tint-soft);
    text-decoration-color: var(--tint);
  }
  mark.seen {
    text-decoration: underline wavy 2px var(--_deny);
  }
  mark.parts {
    text-decoration-style: dashed;
  }
  .rule {
    min-height: 1.5rem;
    padding: 0.0625rem 0.5rem;
    color: var(--tint);
    text-align: start;
    background: var(--tint-soft);
    border: 1px solid transparent;
    border-radius: var(--_radius);
  }
  .asked,
  .suggestions {
    display: grid;
    gap: 0.5rem;
    margin: 0.5rem 0 0;
    padding: 0;
    list-style: none;
  }
  .because {
    display: block;
    color: var(--_ink-soft);
    font-size: 0.875rem;
  }
  details {
    margin-top: 1rem;
  }
  summary {
    min-height: 1.5rem;
    font-size: 0.875rem;
    cursor: pointer;
  }
  .suggestion {
    padding: 0.625rem 0.75rem;
    background: var(--_paper);
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
  }
  .suggestion .line {
    justify-content: space-between;
  }
  .covers {
    margin: 0.25rem 0 0;
    padding-inline-start: 1.25rem;
  }
  .form {
    display: grid;
    gap: 0.75rem;
    margin-top: 0.5rem;
    padding: 0.75rem;
  }
  .field {
    display: grid;
    gap: 0.25rem;
    font-size: 0.875rem;
    font-weight: 600;
  }
  .field input,
  .field .cm-editor {
    width: 100%;
    font-weight: 400;
  }
  .field input {
    font: 0.9375rem/1.5 var(--_mono);
  }
  @media (forced-colors: active) {
    .badge,
    .rule {
      border-color: CanvasText;
    }
    .sign .shape {
      fill: CanvasText;
    }
    .sign {
      stroke: Canvas;
    }
    .sign .hollow,
    .sign .bare {
      stroke: CanvasText;
    }
  }
`;
