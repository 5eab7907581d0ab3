/** What the parts of the page share: the open files, the selection, and where to say things. */
import type { Client } from "./client";
import type { FileInfo, Methods } from "./bridge";
import type { StepState } from "./step";

/** Selection is a range of bytes with the path of its owner. */
export interface Selection {
  offset: number;
  length: number;
  path: string;
}

/** Place is a word of a program. */
export interface Place {
  program: number;
  word: number;
}

export type ViewName = "look" | "code" | "step" | "compare";

export interface App {
  readonly client: Client;
  readonly docs: Doc[];
  /** say announces a short text, to the eye and to a screen reader. */
  say(text: string): void;
  /** fail shows an error. */
  fail(error: unknown): void;
  open(name: string, bytes: Uint8Array, as?: string): Promise<Doc | undefined>;
  /** adopt shows a file that the engine has made. */
  adopt(info: FileInfo, show?: boolean): Promise<Doc>;
  sample(name: string): Promise<Doc | undefined>;
  show(doc: Doc | undefined, view?: ViewName): void;
  /** restore sets what the run of a file is given, and its step. */
  restore(doc: Doc, state: Partial<StepState>): Promise<void>;
  /** dialog shows a modal dialog and returns its body. */
  dialog(title: string, ...body: (Node | string)[]): HTMLDialogElement;
}

type FileMethod = { [M in keyof Methods]: Methods[M]["params"] extends { file: number } ? M : never }[keyof Methods];

/** Doc is an open file. */
export class Doc {
  selection: Selection | undefined;
  place: Place | undefined;
  view: ViewName = "look";
  /** compareWith is the other file of the view that compares. */
  compareWith: Doc | undefined;
  private epoch: number;
  private opening: Promise<void> | undefined;
  private readonly watchers = new Set<(origin: unknown) => void>();

  constructor(
    private readonly app: App,
    readonly name: string,
    readonly bytes: Uint8Array,
    public info: FileInfo,
    readonly as?: string,
  ) {
    this.epoch = app.client.epoch;
  }

  /** number returns the number of the file in the engine of today, which may have been started again. */
  async number(): Promise<number> {
    if (this.epoch !== this.app.client.epoch) {
      this.opening ??= this.reopen().finally(() => (this.opening = undefined));
      await this.opening;
    }
    return this.info.file;
  }

  private async reopen(): Promise<void> {
    this.info = await this.app.client.call("open", { name: this.name, ...(this.as ? { as: this.as } : {}) }, this.bytes);
    this.epoch = this.app.client.epoch;
  }

  /** ask calls a method about this file. */
  async ask<M extends FileMethod>(method: M, params: Omit<Methods[M]["params"], "file">): Promise<Methods[M]["result"]> {
    let file: number;
    do file = await this.number(); while (this.epoch !== this.app.client.epoch);
    return this.app.client.call(method, { ...params, file } as Methods[M]["params"]);
  }

  /** all collects a list window by window. */
  async all<M extends FileMethod, T>(
    method: M, params: Omit<Methods[M]["params"], "file">, list: (r: Methods[M]["result"]) => T[], most = Infinity,
  ): Promise<T[]> {
    const items: T[] = [];
    for (let from = 0; from >= 0 && items.length < most;) {
      const r = await this.ask(method, { ...params, from } as Omit<Methods[M]["params"], "file">);
      items.push(...list(r));
      from = (r as { next: number }).next;
    }
    return items;
  }

  /** watch calls f after each selection; f gets the part of the page that made it. */
  watch(f: (origin: unknown) => void): void {
    this.watchers.add(f);
  }

  select(selection: Selection, origin: unknown): void {
    this.selection = selection;
    for (const f of this.watchers) f(origin);
  }

  /** selectByte selects the owner of a byte. */
  async selectByte(offset: number, origin: unknown): Promise<void> {
    const { regions } = await this.ask("regions", { offset, length: 1, limit: 1 });
    const r = regions[0];
    if (r) this.select({ offset: r.offset, length: r.length, path: r.path }, origin);
  }

  /** baseName is the name without folders and extension. */
  get baseName(): string {
    return this.name.replace(/^.*[/\\]/, "").replace(/\.[^.]*$/, "") || "file";
  }
}
