// A decision at a glance: shape, word and colour say the same thing.
import { html, svg } from "lit";
import { KINDS } from "./words.js";

const SIGNS = {
  allow: svg`<circle class="shape" cx="12" cy="12" r="11" /><path d="M7 12.5l3.5 3.5L17 9" />`,
  ask: svg`<path class="shape" d="M12 1l11 11-11 11L1 12z" /><path d="M9.3 9.5a2.7 2.7 0 1 1 3.6 2.5c-.6.3-.9.7-.9 1.5M12 16.6v.1" />`,
  deny: svg`<path class="shape" d="M7.5 1h9L23 7.5v9L16.5 23h-9L1 16.5v-9z" /><path d="M8 8l8 8M16 8l-8 8" />`,
  passthrough: svg`<circle class="hollow" cx="12" cy="12" r="10.5" /><path class="bare" d="M6.5 12h10M13 8l4 4-4 4" />`,
  none: svg`<circle class="hollow" cx="12" cy="12" r="10.5" /><path class="bare" d="M8 12h8" />`,
};

export function sign(kind) {
  return html`<svg class="sign" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${SIGNS[kind]}</svg>`;
}

export function badge(kind) {
  return html`<span class="badge" part="badge badge-${kind}" data-kind=${kind}>${sign(kind)}<span>${KINDS[kind]}</span></span>`;
}
