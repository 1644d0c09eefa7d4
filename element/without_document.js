// The bundle can be imported where there is no document, as servers that render pages do: it then defines nothing. What its parts
// touch while they are loaded is stood in for inside the module alone; no global is set.

const BANNER = `const HTMLElement = globalThis.HTMLElement ?? class {};
const document = globalThis.document ?? { documentElement: { style: {} }, createTreeWalker: () => ({}), createComment: () => ({}) };
`;

export const withoutDocument = {
  name: "without-document",
  renderChunk: (code) => ({ code: BANNER + code, map: null }),
};
