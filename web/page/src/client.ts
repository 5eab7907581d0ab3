/**
 * The client of the bridge: it sends calls to the worker, counts what crosses, and can cancel by
 * ending the worker. Files are opened again in the new worker, under the numbers of their handles.
 */
import { carriedEngine, workerAddress } from "./alone";
import type { BytesResult, Methods } from "./bridge";

export type ToWorker = { module?: WebAssembly.Module } | { id: number; method: string; params: string; bytes?: Uint8Array };
export type FromWorker =
  | { ready: true; module?: WebAssembly.Module }
  | { ready: false; failed: string }
  | { id: number; json: string; bytes?: Uint8Array }
  | { id: number; error: Failure };

/** Failure is an error of the engine. */
export interface Failure {
  message: string;
  rule?: string;
  offset?: number;
}

/** BridgeError is an answer that names what is wrong, and the rule and offset where there are any. */
export class BridgeError extends Error {
  constructor(message: string, readonly rule?: string, readonly offset?: number) {
    super(message);
  }
}

/** Cancelled is the error of every call that was waiting when the worker was ended. */
export class Cancelled extends Error {
  constructor() {
    super("cancelled");
  }
}

type Params<M extends keyof Methods> = Methods[M]["params"];
type Result<M extends keyof Methods> = Methods[M]["result"];

interface Waiting {
  method: string;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** What has crossed the bridge; tests read it. */
export interface Traffic {
  calls: number;
  largest: number;
  largestMethod: string;
}

export class Client {
  readonly traffic: Traffic = { calls: 0, largest: 0, largestMethod: "" };
  private worker!: Worker;
  /** epoch counts the workers; numbers of files and runs belong to one of them. */
  epoch = 0;
  private module: WebAssembly.Module | undefined;
  private waiting = new Map<number, Waiting>();
  private next = 1;
  private ready!: Promise<void>;

  /** busy is told how many calls are waiting. */
  constructor(private readonly busy: (waiting: number) => void) {
    this.start();
  }

  private start(): void {
    const worker = new Worker(workerAddress());
    this.worker = worker;
    this.epoch++;
    let failed: (e: Error) => void = () => undefined;
    this.ready = new Promise((resolve, reject) => {
      failed = reject;
      worker.onmessage = (event: MessageEvent<FromWorker>) => {
        const m = event.data;
        if (!("ready" in m)) return this.receive(m);
        if (!m.ready) return reject(new Error(m.failed));
        if (m.module) this.module = m.module;
        resolve();
      };
      worker.onerror = (e) => {
        reject(new Error(e.message || "the worker did not start"));
        this.restart(new Error(e.message || "the worker ended"));
      };
    });
    this.ready.catch(() => undefined);
    if (this.module) return worker.postMessage({ module: this.module } satisfies ToWorker);
    carriedEngine().then((module) => {
      if (module) this.module = module;
      worker.postMessage((module ? { module } : {}) satisfies ToWorker);
    }, failed);
  }

  /** started resolves when the engine answers. */
  started(): Promise<void> {
    return this.ready;
  }

  /** call asks the engine. Large binary results are bytes, all others one small JSON text. */
  call<M extends keyof Methods>(method: M, params: Params<M>, bytes?: Uint8Array): Promise<Result<M>> {
    return new Promise((resolve, reject) => {
      const id = this.next++;
      this.waiting.set(id, { method, resolve: resolve as (v: unknown) => void, reject });
      this.busy(this.waiting.size);
      const text = JSON.stringify(params);
      this.weigh(method, text.length);
      this.ready.then(() => {
        if (!this.waiting.has(id)) return; // cancelled meanwhile
        this.worker.postMessage({ id, method, params: text, ...(bytes ? { bytes } : {}) } satisfies ToWorker);
      }, (e: Error) => {
        this.waiting.delete(id);
        this.busy(this.waiting.size);
        reject(e);
      });
    });
  }

  /**
   * cancel ends the worker; every waiting call fails, and a new worker starts from the compiled module. Before there is
   * such a module no call runs, and the engine goes on starting.
   */
  cancel(): void {
    if (this.module) this.restart(new Cancelled());
  }

  private restart(error: Error): void {
    this.worker.terminate();
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    if (this.module) this.start();
    this.busy(0);
    for (const w of waiting) w.reject(error);
  }

  private weigh(method: string, size: number): void {
    this.traffic.calls++;
    if (size <= this.traffic.largest) return;
    this.traffic.largest = size;
    this.traffic.largestMethod = method;
  }

  private receive(m: Extract<FromWorker, { id: number }>): void {
    const w = this.waiting.get(m.id);
    if (!w) return;
    this.waiting.delete(m.id);
    this.busy(this.waiting.size);
    if ("error" in m) return w.reject(new BridgeError(m.error.message, m.error.rule, m.error.offset));
    this.weigh(w.method, Math.max(m.json.length, m.bytes?.length ?? 0));
    w.resolve(m.bytes ? { ...(JSON.parse(m.json) as object), bytes: m.bytes } : JSON.parse(m.json));
  }

  /** content fetches the bytes of a file that the engine made. */
  async content(file: number, length: number): Promise<Uint8Array> {
    const all = new Uint8Array(length);
    for (let at = 0; at >= 0 && at < length;) {
      const part = (await this.call("bytes", { file, offset: at })) as BytesResult & { bytes?: Uint8Array };
      if (part.bytes) all.set(part.bytes, at);
      at = part.next;
    }
    return all;
  }
}
