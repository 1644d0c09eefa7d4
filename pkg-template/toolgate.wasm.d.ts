/** The module itself, for hosts that hand it to `init` (a bundler or worker imports it as a compiled module). */
declare const module: WebAssembly.Module;
export default module;
