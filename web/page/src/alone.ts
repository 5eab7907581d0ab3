/**
 * A standalone file carries the worker, the engine and what to show in elements of types that no browser executes:
 * `picaproof dump --format html` writes one.
 */
const carried = (id: string): string | undefined => document.getElementById(id)?.textContent?.trim();

/** alone says that the page is a standalone file. */
export const alone = carried("worker") !== undefined;

/** workerAddress is where the script of the worker is. */
export function workerAddress(): URL | string {
  const script = carried("worker");
  if (script === undefined) return new URL("worker.js", import.meta.url);
  return URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
}

/** carriedEngine compiles the engine of a standalone file. */
export async function carriedEngine(): Promise<WebAssembly.Module | undefined> {
  const text = carried("engine");
  if (text === undefined) return undefined;
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(stream, { headers: { "Content-Type": "application/wasm" } }));
}

/** carriedLinks are the fragments of the files that it shows. */
export function carriedLinks(): string[] {
  return carried("show")?.split("\n") ?? [];
}
