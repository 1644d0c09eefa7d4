// Files that are dropped: on a field they are for it, elsewhere for the one that they fit.

const CALLS = /\.(?:jsonl|ndjson|txt|log|sh|list)$/i;

/** `sources`: the places by name, `{ root, source }`. A file that misses all of them never makes the browser leave the page. */
export function takeDrops(sources, isShown) {
  const over = (event) => sources.find(({ root }) => root.contains(event.target));
  const light = (chosen) => {
    for (const { root } of sources) root.classList.toggle("dropping", root === chosen?.root);
  };
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    light(isShown() ? over(event) : undefined);
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) light(undefined);
  });
  addEventListener("drop", async (event) => {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    light(undefined);
    if (!isShown()) return;
    const at = over(event);
    if (at !== undefined && files.length === 1) return at.source.take(files[0]);
    // Several at once: one for each field.
    const [settings, calls] = sources;
    for (const file of files.slice(0, 2)) await (CALLS.test(file.name) ? calls : settings).source.take(file);
  });
}
