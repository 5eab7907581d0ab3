// Runs the engine in Node: calls.mjs WASM_EXEC WASM < CALLS. A line of CALLS is {method, params, bytes in Base64};
// a line of the output is {result, bytes in Base64} or {error}.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { createRequire } from "node:module";

const [execFile, wasmFile] = process.argv.slice(2);
createRequire(import.meta.url)(execFile);
const go = new globalThis.Go();
const { instance } = await WebAssembly.instantiate(readFileSync(wasmFile), go.importObject);
go.run(instance);
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { method, params, bytes } = JSON.parse(line);
  const answer = globalThis.picaproof(method, params, bytes && new Uint8Array(Buffer.from(bytes, "base64")));
  if (answer.bytes) answer.bytes = Buffer.from(answer.bytes).toString("base64");
  await new Promise((written) => process.stdout.write(JSON.stringify(answer) + "\n", written));
}
process.exit(0);
