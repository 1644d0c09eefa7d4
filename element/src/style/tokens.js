// Colours and type: each a custom property of the host page's, or what stands here. The page's `color-scheme` says which half holds.
import { css } from "lit";

export const tokens = css`
  :host {
    --_paper: var(--toolgate-paper, light-dark(#ffffff, #192027));
    --_field: var(--toolgate-field, light-dark(#fbfcfc, #141a20));
    --_ink: var(--toolgate-ink, light-dark(#17212b, #e6ebf0));
    --_ink-soft: var(--toolgate-ink-soft, light-dark(#55626f, #9dabb8));
    --_line: var(--toolgate-line, light-dark(#d9dee3, #2c3640));
    --_edge: var(--toolgate-edge, light-dark(#7d8995, #66747f));
    --_focus: var(--toolgate-focus, light-dark(#1f6feb, #6cb0ff));
    --_allow: var(--toolgate-allow, light-dark(#00735c, #5fd0b0));
    --_allow-soft: var(--toolgate-allow-soft, light-dark(#e0f3ee, #12352d));
    --_ask: var(--toolgate-ask, light-dark(#8a5a00, #f0b849));
    --_ask-soft: var(--toolgate-ask-soft, light-dark(#fdf0d5, #3a2c0d));
    --_deny: var(--toolgate-deny, light-dark(#b3261e, #ff8a7a));
    --_deny-soft: var(--toolgate-deny-soft, light-dark(#fce6e2, #43201c));
    --_passthrough: var(--toolgate-passthrough, light-dark(#44546a, #a9b8cc));
    --_passthrough-soft: var(--toolgate-passthrough-soft, light-dark(#e8ecf2, #252f3b));
    --_info: var(--toolgate-info, light-dark(#2b5ea8, #8db8f5));
    --_on-strong: var(--toolgate-on-strong, light-dark(#ffffff, #11161b));
    --_radius: var(--toolgate-radius, 0.5rem);
    --_text: var(--toolgate-font, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif);
    --_mono: var(--toolgate-mono, ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace);
    --tint: var(--_passthrough);
    --tint-soft: var(--_passthrough-soft);
  }
  [data-kind="allow"] {
    --tint: var(--_allow);
    --tint-soft: var(--_allow-soft);
  }
  [data-kind="ask"] {
    --tint: var(--_ask);
    --tint-soft: var(--_ask-soft);
  }
  [data-kind="deny"] {
    --tint: var(--_deny);
    --tint-soft: var(--_deny-soft);
  }
  [data-kind="passthrough"],
  [data-kind="none"] {
    --tint: var(--_passthrough);
    --tint-soft: var(--_passthrough-soft);
  }
  [data-severity="error"],
  [data-standing="bad"] {
    --tint: var(--_deny);
    --tint-soft: var(--_deny-soft);
  }
  [data-severity="warning"] {
    --tint: var(--_ask);
    --tint-soft: var(--_ask-soft);
  }
  [data-severity="info"] {
    --tint: var(--_info);
  }
`;
