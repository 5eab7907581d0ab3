/** The pane of bytes: virtual rows, owners as colours, folded zero rows. */
import { button, count, fill, h, hex, plain } from "./dom";
import { Rows } from "./rows";
import type { Doc, Selection } from "./state";
import type { Found as Finding, Region, TreeNode } from "./bridge";

interface Fold {
  row: number; // the first row on the page
  offset: number; // of its first byte
  rows: number; // of bytes
}

const leastFold = 4; // rows of zeros that are folded to one

/** Layout maps rows of the page to bytes. */
export class Layout {
  readonly rows: number;
  readonly folds: Fold[] = [];

  constructor(readonly bytes: Uint8Array, readonly width: number, open: ReadonlySet<number>) {
    const full = Math.ceil(bytes.length / width);
    let removed = 0;
    for (let i = 0; i < full;) {
      let n = 0;
      while (i + n < full && this.zeros(i + n)) n++;
      if (n >= leastFold && !open.has(i * width)) {
        this.folds.push({ row: i - removed, offset: i * width, rows: n });
        removed += n - 1;
      }
      i += Math.max(1, n);
    }
    this.rows = full - removed;
  }

  private zeros(row: number): boolean {
    const end = Math.min(this.bytes.length, (row + 1) * this.width);
    for (let i = row * this.width; i < end; i++) if (this.bytes[i] !== 0) return false;
    return true;
  }

  /** before returns the last fold for which a key is at most n. */
  private before(n: number, key: "row" | "offset"): Fold | undefined {
    let low = 0, high = this.folds.length;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (this.folds[mid]![key] <= n) low = mid + 1;
      else high = mid;
    }
    return this.folds[low - 1];
  }

  /** at returns the first byte of a row, and the fold if the row is one. */
  at(row: number): { offset: number; fold?: Fold } {
    const f = this.before(row, "row");
    if (!f) return { offset: row * this.width };
    if (f.row === row) return { offset: f.offset, fold: f };
    return { offset: f.offset + (f.rows + row - f.row - 1) * this.width };
  }

  /** rowOf returns the row that shows a byte. */
  rowOf(offset: number): number {
    const f = this.before(offset, "offset");
    const row = Math.floor(offset / this.width);
    if (!f) return row;
    const last = f.offset / this.width + f.rows - 1;
    return f.row + Math.max(0, row - last);
  }
}

const blockSize = 4096;
const hues = 8; // a ninth colour is for gaps and padding

let serial = 0;

export class BytesPane {
  readonly root: HTMLElement;
  private readonly rows: Rows;
  private readonly legend = h("div", { class: "legend", role: "group", "aria-label": "Owners" });
  private readonly owner = h("div", { class: "owner" });
  private layout: Layout;
  private width = 16;
  private cursor = 0;
  private placed = false;
  private readonly opened = new Set<number>();
  private readonly blocks = new Map<number, Region[] | null>();
  private readonly colours = new Map<string, number>();
  private marks: { offset: number; end: number; kind: string }[] = [];

  constructor(private readonly doc: Doc, owners: TreeNode[]) {
    this.layout = new Layout(doc.bytes, this.width, this.opened);
    this.rows = new Rows({
      id: "bytes" + ++serial, label: "Bytes", role: "grid",
      render: (i) => this.row(i),
      visible: () => this.drawn(),
      keydown: (e) => this.key(e),
    });
    this.rows.root.addEventListener("pointerdown", (e) => this.press(e));
    this.root = h("section", { class: "pane bytes", "aria-label": "Bytes" }, this.rows.root, this.owner, this.legend);
    // Neighbours get different colours when they are numbered in the order of the file.
    [...owners].sort((a, b) => a.offset - b.offset).forEach((r, i) => this.colours.set(r.path, i % hues));
    fill(this.legend, ...owners.map((r) => {
      const b = button("", () => doc.select({ offset: r.offset, length: r.length, path: r.path }, this), undefined, "");
      b.append(h("i", { class: "o" + this.colours.get(r.path) }), plain(r.path));
      return b;
    }));
    doc.watch((origin) => this.selected(origin));
    new ResizeObserver(() => this.fit()).observe(this.rows.root);
    this.rows.setCount(this.layout.rows);
    void this.describe();
  }

  /** drawn shows what was selected before there were rows. */
  private drawn(): void {
    if (this.placed) return;
    this.placed = true;
    if (this.doc.selection) this.selected(undefined);
  }

  /** mark underlines the bytes of findings. */
  mark(findings: Finding[]): void {
    this.marks = findings.map((f) => ({ ...placeOf(f), kind: f.severity.charAt(0) })).filter((f) => f.length > 0)
      .map(({ offset, length, kind }) => ({ offset, end: offset + length, kind }));
    this.rows.refresh();
  }

  focus(): void {
    this.rows.root.focus();
  }

  /** fit chooses 8, 16 or 32 bytes a row by the room there is. */
  private fit(): void {
    const wide = 1040; // pixels that 32 bytes need
    const space = matchMedia("(max-width: 560px)").matches ? 8 : this.rows.root.clientWidth >= wide ? 32 : 16;
    if (space === this.width) return;
    this.width = space;
    this.relayout();
  }

  private relayout(): void {
    const { offset } = this.layout.at(this.rows.first);
    const selected = this.doc.selection && this.rows.shows(this.layout.rowOf(this.cursor));
    this.layout = new Layout(this.doc.bytes, this.width, this.opened);
    this.rows.setCount(this.layout.rows);
    this.rows.start(this.layout.rowOf(offset));
    if (selected) this.rows.show(this.layout.rowOf(this.cursor));
  }

  /** region returns the owner of a byte if it is known, and asks for it otherwise. */
  private region(offset: number): Region | undefined {
    const block = Math.floor(offset / blockSize);
    const have = this.blocks.get(block);
    if (have === undefined) {
      this.blocks.set(block, null);
      void this.load(block);
    }
    if (!have) return undefined;
    let low = 0, high = have.length;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (have[mid]!.offset <= offset) low = mid + 1;
      else high = mid;
    }
    for (let i = low - 1; i >= 0 && i >= low - 4; i--) { // a finding's region may be empty
      const r = have[i]!;
      if (offset < r.offset + r.length) return r;
    }
    return undefined;
  }

  private async load(block: number): Promise<void> {
    try {
      const end = Math.min(this.doc.bytes.length, (block + 1) * blockSize);
      const regions: Region[] = [];
      for (let at = block * blockSize; at >= 0 && at < end;) {
        const r = await this.doc.ask("regions", { offset: at, length: end - at });
        regions.push(...r.regions);
        if (r.next <= at) break;
        at = r.next;
      }
      this.blocks.set(block, regions);
      this.rows.refresh();
    } catch {
      this.blocks.delete(block);
    }
  }

  /** colour numbers the record that owns a region. */
  private colour(r: Region | undefined): number {
    if (!r || r.kind === "gap" || r.kind === "padding") return 8;
    for (let path = r.path; path;) {
      const c = this.colours.get(path);
      if (c !== undefined) return c;
      const cut = Math.max(path.lastIndexOf("."), path.lastIndexOf("["));
      path = cut > 0 ? path.slice(0, cut) : "";
    }
    return 8;
  }

  private row(index: number): HTMLElement {
    const { offset, fold } = this.layout.at(index);
    const digits = this.doc.bytes.length > 0xffffff ? 8 : this.doc.bytes.length > 0xffff ? 6 : 4;
    const at = h("span", { class: "at", role: "rowheader" }, offset.toString(16).padStart(digits, "0"));
    const sel = this.doc.selection;
    if (fold) {
      const end = fold.offset + fold.rows * this.width;
      const inside = sel && sel.offset < end && sel.offset + sel.length > fold.offset;
      return h("div", { class: "byterow fold" + (inside ? " sel" : ""), role: "row", "aria-rowindex": index + 1, "data-fold": fold.offset },
        at, h("span", { role: "gridcell" }, `⋯ ${Math.min(end, this.doc.bytes.length) - fold.offset} zero bytes`));
    }
    const cells = h("span", { class: "cells", role: "gridcell" });
    const chars = h("span", { class: "chars", role: "gridcell" });
    const end = Math.min(offset + this.width, this.doc.bytes.length);
    for (let o = offset; o < end; o++) {
      const b = this.doc.bytes[o]!;
      const r = this.region(o);
      const inside = sel && o >= sel.offset && o < sel.offset + sel.length;
      let cls = inside ? "in" : "o" + this.colour(r);
      if (o === this.cursor && document.activeElement === this.rows.root) cls += " cursor";
      if (b === 0 && !inside) cls += " zero";
      const mark = this.marked(o);
      const cell = h("span", {
        class: `cell ${cls}${mark ? " " + mark : ""}${(o - offset) % 8 === 0 && o > offset ? " mid" : ""}`, "data-o": o,
      });
      cell.textContent = b.toString(16).padStart(2, "0");
      const char = h("span", { class: "char " + cls, "data-o": o });
      char.textContent = b >= 0x20 && b < 0x7f ? String.fromCharCode(b) : "·";
      cells.append(cell);
      chars.append(char);
    }
    for (let o = end; o < offset + this.width; o++) cells.append(h("span", { class: "cell" + ((o - offset) % 8 === 0 ? " mid" : "") }));
    return h("div", { class: "byterow", role: "row", "aria-rowindex": index + 1 }, at, cells, chars);
  }

  private marked(offset: number): string {
    let found = "";
    for (const m of this.marks) {
      if (offset >= m.offset && offset < m.end && (found === "" || "ewi".indexOf(m.kind) < "ewi".indexOf(found))) found = m.kind;
    }
    return found;
  }

  private press(e: PointerEvent): void {
    const t = e.target as HTMLElement;
    const fold = t.closest<HTMLElement>("[data-fold]")?.dataset["fold"];
    if (fold !== undefined) {
      this.opened.add(Number(fold));
      this.relayout();
      return;
    }
    const o = t.closest<HTMLElement>("[data-o]")?.dataset["o"];
    if (o !== undefined && e.button === 0) this.go(Number(o));
  }

  /** go moves the cursor and selects the owner of the byte. */
  go(offset: number): void {
    this.cursor = Math.max(0, Math.min(offset, this.doc.bytes.length - 1));
    this.rows.show(this.layout.rowOf(this.cursor));
    void this.doc.selectByte(this.cursor, this);
  }

  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const steps: Record<string, number> = {
      ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.width, ArrowDown: this.width,
      PageUp: -this.width * this.rows.page, PageDown: this.width * this.rows.page,
      Home: -this.cursor, End: this.doc.bytes.length - 1 - this.cursor,
    };
    const step = steps[e.key];
    const { fold } = this.layout.at(this.layout.rowOf(this.cursor));
    if (fold && (e.key === "Enter" || e.key === " ")) {
      this.opened.add(fold.offset);
      this.relayout();
    } else if (step !== undefined) {
      let to = this.cursor + step;
      if (fold && Math.abs(step) <= this.width && step !== 0) { // a folded row is one row
        to = step > 0 ? fold.offset + fold.rows * this.width + (this.cursor % this.width) : fold.offset - this.width + (this.cursor % this.width);
      }
      this.go(to);
    } else return;
    e.preventDefault();
  }

  private selected(origin: unknown): void {
    const sel = this.doc.selection;
    if (sel && origin !== this && sel.offset >= 0) {
      this.cursor = Math.min(sel.offset, Math.max(0, this.doc.bytes.length - 1));
      this.rows.show(this.layout.rowOf(this.cursor));
    }
    this.rows.refresh();
    void this.describe();
  }

  /** describe shows the owner of the selection in words. */
  private async describe(): Promise<void> {
    const sel: Selection | undefined = this.doc.selection;
    if (!sel) {
      fill(this.owner, h("div", { class: "dim" }, "Select a byte, a field or a finding; the other panes follow."));
      return;
    }
    let r: Region | undefined;
    try {
      r = (await this.doc.ask("regions", { offset: sel.offset, length: Math.max(1, sel.length), limit: 1 })).regions[0];
    } catch {
      r = undefined;
    }
    if (sel !== this.doc.selection) return;
    const same = r?.path === sel.path;
    const raw = [...this.doc.bytes.subarray(sel.offset, sel.offset + Math.min(sel.length, 8))];
    const little = raw.length > 0 && raw.length <= 4 && sel.length <= 4
      ? raw.reduceRight((n, b) => n * 256 + b, 0) : undefined;
    fill(this.owner,
      h("div", { class: "path" }, sel.path || "(no owner)", same && r?.value ? " = " + r.value : ""),
      h("div", { class: "dim" },
        `${hex(sel.offset)}, ${count(sel.length, "byte")}`,
        same && r ? `, ${r.kind}` : "",
        little !== undefined ? `, little-endian ${little} ${hex(little, sel.length * 2)}` : "",
        same && r?.also?.length ? `, also ${r.also.join(", ")}${r.more ? ` and ${r.more} more` : ""}` : ""));
  }
}

/** placeOf returns the bytes of the file that a finding is about. */
export function placeOf(f: Finding): { offset: number; length: number } {
  return f.encoded ?? { offset: f.offset, length: f.length };
}
