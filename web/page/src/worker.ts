/// <reference lib="webworker" />
/** The worker runs picaproof itself: one WebAssembly module, one function. */
import "go:wasm_exec";
import type { Failure, FromWorker, ToWorker } from "./client";

declare const Go: new () => { importObject: WebAssembly.Imports; run(i: WebAssembly.Instance): Promise<void> };
type Answer = { result: string; bytes?: Uint8Array } | { error: Failure };
declare function picaproof(method: string, params: string, bytes?: Uint8Array): Answer;

const scope = globalThis as unknown as DedicatedWorkerGlobalScope;
const post = (m: FromWorker, transfer: Transferable[] = []) => scope.postMessage(m, transfer);

async function compiled(): Promise<WebAssembly.Module> {
  const response = await fetch(new URL("picaproof.wasm.gz", location.href));
  if (!response.ok) throw new Error(`picaproof.wasm.gz: ${response.status} ${response.statusText}`);
  const data = await response.arrayBuffer();
  const head = new Uint8Array(data, 0, 2);
  if (head[0] !== 0x1f || head[1] !== 0x8b) return WebAssembly.compile(data); // the server has decompressed it
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(stream, { headers: { "Content-Type": "application/wasm" } }));
}

async function start(module?: WebAssembly.Module): Promise<void> {
  const compiledNow = module ?? (await compiled());
  const go = new Go();
  const instance = await WebAssembly.instantiate(compiledNow, go.importObject);
  // An engine that has ended answers no call. An error of the worker lets the page start another one.
  void go.run(instance).then(() => setTimeout(() => {
    throw new Error("the engine ended");
  }));
  post(module ? { ready: true } : { ready: true, module: compiledNow });
}

function answer(m: Extract<ToWorker, { id: number }>): void {
  const a = picaproof(m.method, m.params, m.bytes);
  if ("error" in a) post({ id: m.id, error: a.error });
  else if (a.bytes) post({ id: m.id, json: a.result, bytes: a.bytes }, [a.bytes.buffer]);
  else post({ id: m.id, json: a.result });
}

scope.onmessage = (event: MessageEvent<ToWorker>) => {
  const m = event.data;
  if ("id" in m) {
    try {
      answer(m);
    } catch (e) {
      post({ id: m.id, error: { message: String(e) } });
    }
    return;
  }
  start(m.module).catch((e: unknown) => post({ ready: false, failed: String(e) }));
};
