// Milliseconds until all that is named is imported.
const begun = performance.now();
await Promise.all(process.argv.slice(2).map((address) => import(address)));
console.log(performance.now() - begun);
