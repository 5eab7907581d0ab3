/** The glue of the Go distribution; build.mjs resolves it. */
declare module "go:wasm_exec";
