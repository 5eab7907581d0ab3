/** A listing: labels, instructions, control flow in the margin, lint marks; hovering explains. */
import { fill, h, plain, s } from "./dom";
import { Rows } from "./rows";
import type { Doc } from "./state";
import type { Edge, Explanation, Line, Lint } from "./bridge";

interface Row {
  line: Line;
  label: boolean;
}

interface Arrow {
  from: number; // rows
  to: number;
  lane: number;
  back: boolean;
}

const lanes = 7, laneWidth = 8, rowHeight = 20;

export interface ListingOptions {
  /** picked is told the word under the cursor. */
  picked?(word: number): void;
  breakpoints?: boolean;
  profile?(): string;
}

let serial = 0;

export class Listing {
  readonly root: HTMLElement;
  readonly rows: Rows;
  lines: Line[] = [];
  readonly breakpoints = new Set<number>();
  private table: Row[] = [];
  private rowOf = new Map<number, number>();
  private arrows: Arrow[] = [];
  private laneCount = 0;
  private lints = new Map<number, Lint[]>();
  private current = -1;
  private pc = -1;
  private kept: Set<number> | undefined;
  private readonly tip = h("div", { class: "tip", role: "tooltip", hidden: true });
  private tipTimer = 0;
  private readonly id = "listing" + ++serial;
  program = 0;

  constructor(readonly doc: Doc, private readonly options: ListingOptions = {}) {
    this.rows = new Rows({ id: this.id, label: "Program", role: "listbox", render: (i) => this.row(i), keydown: (e) => this.key(e) });
    this.root = h("div", { class: "listing editor" }, this.rows.root, this.tip);
    this.rows.root.addEventListener("click", (e) => this.click(e));
    this.rows.root.addEventListener("pointerover", (e) => this.hover(e));
    this.rows.root.addEventListener("pointerleave", () => this.untip());
    this.rows.root.addEventListener("scroll", () => this.untip(), { passive: true });
    doc.watch((origin) => {
      if (origin !== this) this.follow();
    });
  }

  async load(program: number): Promise<void> {
    this.program = program;
    const lines = await this.doc.all("listing", { program }, (r) => r.lines);
    const edges = await this.doc.all("flow", { program }, (r) => r.edges);
    const lints = await this.doc.all("lints", {}, (r) => r.lints);
    if (this.program !== program) return;
    this.lines = lines;
    this.table = lines.flatMap((line) => (line.label ? [{ line, label: true }, { line, label: false }] : [{ line, label: false }]));
    this.rowOf.clear();
    this.table.forEach((r, i) => {
      if (!r.label && r.line.word >= 0) this.rowOf.set(r.line.word, i);
    });
    this.lints.clear();
    for (const l of lints) {
      if (l.program === program) this.lints.set(l.word, [...(this.lints.get(l.word) ?? []), l]);
    }
    this.arrange(edges);
    this.current = -1;
    this.rows.setCount(this.table.length);
    this.follow();
  }

  /** line returns the line under the cursor. */
  get line(): Line | undefined {
    return this.table[this.current]?.line;
  }

  /** word returns the word under the cursor, or -1. */
  get word(): number {
    return this.table[this.current]?.line.word ?? -1;
  }

  setPc(word: number): void {
    this.pc = word;
    const row = this.rowOf.get(word);
    if (row !== undefined) this.rows.show(row);
    this.rows.refresh();
  }

  /** keep fades every word that is not in the set. */
  keep(words: Set<number> | undefined): void {
    this.kept = words;
    this.rows.refresh();
  }

  /** go moves the cursor to a word. */
  go(word: number): void {
    const row = this.rowOf.get(word);
    if (row !== undefined) this.pick(row);
  }

  toggle(word: number): void {
    if (word < 0) return;
    if (!this.breakpoints.delete(word)) this.breakpoints.add(word);
    this.rows.refresh();
  }

  /** nextLint moves the cursor to the next or the previous mark of lint. */
  nextLint(by: number): void {
    const at = [...this.lints.keys()].filter((w) => w >= 0).sort((a, b) => a - b);
    const to = by > 0 ? at.find((w) => w > this.word) : at.filter((w) => w < this.word).pop();
    if (to !== undefined) this.go(to);
  }

  private arrange(edges: Edge[]): void {
    const arrows = edges.flatMap((e) => {
      const from = this.rowOf.get(e.from), to = this.rowOf.get(e.to) ?? (e.to > e.from ? this.table.length - 1 : undefined);
      return from === undefined || to === undefined || from === to ? [] : [{ from, to, lane: 0, back: to < from }];
    });
    arrows.sort((a, b) => Math.abs(a.from - a.to) - Math.abs(b.from - b.to));
    const used: [number, number][][] = [];
    for (const a of arrows) {
      const low = Math.min(a.from, a.to), high = Math.max(a.from, a.to);
      let lane = 0;
      while (lane < lanes - 1 && used[lane]?.some(([l, u]) => low <= u && high >= l)) lane++;
      (used[lane] ??= []).push([low, high]);
      a.lane = lane;
    }
    this.arrows = arrows;
    this.laneCount = used.length;
  }

  private margin(i: number): SVGElement {
    const width = this.laneCount * laneWidth + 12, mid = rowHeight / 2;
    const svg = s("svg", { class: "flow", width, height: rowHeight, viewBox: `0 0 ${width} ${rowHeight}`, "aria-hidden": "true" });
    for (const a of this.arrows) {
      const low = Math.min(a.from, a.to), high = Math.max(a.from, a.to);
      if (i < low || i > high) continue;
      const x = width - 10 - a.lane * laneWidth - 2;
      let d = "";
      if (i === low) d = `M${width - 2} ${mid}H${x + 3}Q${x} ${mid} ${x} ${mid + 3}V${rowHeight}`;
      else if (i === high) d = `M${width - 2} ${mid}H${x + 3}Q${x} ${mid} ${x} ${mid - 3}V0`;
      else d = `M${x} 0V${rowHeight}`;
      const cls = a.back ? "back" : "";
      svg.append(s("path", { d, class: cls }));
      if (i === a.to) svg.append(s("path", { d: `M${width - 1} ${mid}l-5 -3.5v7z`, class: "head " + cls }));
    }
    return svg;
  }

  private row(i: number): HTMLElement {
    const { line, label } = this.table[i]!;
    const sel = i === this.current;
    if (sel) this.rows.root.setAttribute("aria-activedescendant", `${this.id}-${i}`);
    const common = { id: `${this.id}-${i}`, role: "option", "aria-selected": String(sel), "data-i": i };
    const gutter = this.options.breakpoints ? h("span", { class: "break", "data-break": line.word, "aria-hidden": "true" },
      !label && this.breakpoints.has(line.word) ? "●" : "") : null;
    if (label) {
      return h("div", { ...common, class: "line label" + (sel ? " sel" : "") }, gutter, this.margin(i), h("span", { class: "num" }), line.label! + ":");
    }
    const faded = this.kept && line.word >= 0 && !this.kept.has(line.word);
    const cls = `line${sel ? " sel" : ""}${line.word >= 0 && line.word === this.pc ? " pc" : ""}${faded ? " faded" : ""}`;
    const [, lead, mnemonic, rest] = /^(\s*(?:\d+ +)?(?:[xyzwt]: )?)(\S*)(.*)$/s.exec(line.text) ?? ["", "", "", line.text];
    return h("div", { ...common, class: cls },
      gutter, this.margin(i),
      h("span", { class: "num" }, line.word >= 0 ? String(line.word) : ""),
      h("span", { class: "bits" }, (line.bits ?? "").slice(0, 8)),
      h("span", { class: "asm" + (line.reached ? "" : " dim") }, lead, h("span", { class: line.word >= 0 ? "mn" : "dim" }, mnemonic), rest),
      ...(this.lints.get(line.word) ?? []).slice(0, line.word >= 0 ? 3 : 0).map((l) => h("span", { class: "lint " + l.severity },
        `${l.severity === "error" ? "✖" : l.severity === "warning" ? "▲" : "•"} ${l.rule}`)),
      line.comment || line.source || !line.reached && line.word >= 0
        ? h("span", { class: "note" }, [line.comment, line.source, line.reached ? "" : "not reached"].filter((t) => t).join("  ")) : null);
  }

  private pick(i: number): void {
    if (i < 0 || i >= this.table.length) return;
    this.current = i;
    this.rows.show(i);
    const { line } = this.table[i]!;
    if (line.word >= 0) {
      this.doc.place = { program: this.program, word: line.word };
      this.options.picked?.(line.word);
    }
    if (line.offset >= 0) void this.doc.selectByte(line.offset, this);
  }

  /** follow moves the cursor to the instruction that the selection of another pane is in. */
  private follow(): void {
    const sel = this.doc.selection;
    if (!sel || sel.offset < 0) return this.rows.refresh();
    const i = this.table.findIndex((r) => !r.label && r.line.offset >= 0 && r.line.word >= 0 &&
      sel.offset >= r.line.offset && sel.offset < r.line.offset + bytesOf(r.line));
    if (i >= 0 && i !== this.current) {
      this.current = i;
      this.rows.show(i);
      this.options.picked?.(this.table[i]!.line.word);
    }
    this.rows.refresh();
  }

  private click(e: MouseEvent): void {
    const t = e.target as HTMLElement;
    const b = t.closest<HTMLElement>("[data-break]");
    if (b) return this.toggle(Number(b.dataset["break"]));
    const row = t.closest<HTMLElement>("[data-i]");
    if (row) this.pick(Number(row.dataset["i"]));
  }

  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const last = this.table.length - 1;
    const to: Record<string, number> = {
      ArrowDown: this.current + 1, ArrowUp: this.current - 1, PageDown: this.current + this.rows.page,
      PageUp: this.current - this.rows.page, Home: 0, End: last,
    };
    const i = to[e.key];
    if (i === undefined) return;
    e.preventDefault();
    this.pick(Math.max(0, Math.min(last, i)));
  }

  private hover(e: PointerEvent): void {
    if (e.pointerType === "touch") return;
    const row = (e.target as HTMLElement).closest<HTMLElement>("[data-i]");
    const word = row ? this.table[Number(row.dataset["i"])]?.line.word ?? -1 : -1;
    clearTimeout(this.tipTimer);
    if (!row || word < 0) return this.untip();
    this.tipTimer = window.setTimeout(async () => {
      const x = await this.explain(word).catch(() => undefined);
      if (!x || !row.isConnected) return;
      fill(this.tip, ...explained(x));
      this.tip.hidden = false;
      const box = row.getBoundingClientRect(), size = this.tip.getBoundingClientRect();
      this.tip.style.left = Math.max(8, Math.min(e.clientX + 14, innerWidth - size.width - 12)) + "px";
      this.tip.style.top = (box.bottom + size.height + 8 > innerHeight ? Math.max(8, box.top - size.height - 4) : box.bottom + 4) + "px";
    }, 350);
  }

  private untip(): void {
    clearTimeout(this.tipTimer);
    this.tip.hidden = true;
  }

  explain(word: number): Promise<Explanation> {
    const profile = this.options.profile?.();
    return this.doc.ask("explain", { program: this.program, word, ...(profile ? { profile } : {}) });
  }
}

/** bytesOf returns how many bytes of the file an instruction has. */
function bytesOf(line: Line): number {
  return line.bits ? line.bits.replaceAll(" ", "").length / 2 : Math.max(1, line.words) * 4;
}

/** explained shows an explanation. */
export function explained(x: Explanation, full = false): HTMLElement[] {
  const list: HTMLElement[] = [
    h("pre", { class: "mono" }, x.text),
    h("p", {}, x.sentence),
  ];
  if (x.effects.length > 0) list.push(h("pre", { class: "mono effects" }, x.effects.join("\n")));
  if (x.operands.length > 0 && (full || x.effects.length === 0)) {
    list.push(h("table", { class: "operands" }, h("tbody", {}, ...x.operands.map((o) => h("tr", {},
      h("th", { scope: "row" }, o.role), h("td", { class: "mono" }, o.text), h("td", {}, o.name ? plain(o.name) : ""))))));
  }
  for (const r of full ? x.rules : x.rules.slice(0, 3)) {
    list.push(h("p", {}, h("b", {}, r.knob, "=", r.value), " ", r.about, " ", h("span", { class: "dim" }, `(${r.class})`)));
  }
  if (!full && x.rules.length > 3) list.push(h("p", { class: "dim" }, `and ${x.rules.length - 3} more rules`));
  for (const l of x.lints) list.push(h("p", { class: "lint " + l.severity }, `${l.rule} ${l.message}`, h("span", { class: "dim" }, " " + l.reason)));
  if (full && x.fields.length > 0) {
    list.push(h("table", { class: "operands mono" }, h("thead", {}, h("tr", {}, h("th", {}, "field"), h("th", {}, "bits"), h("th", {}, "value"))),
      h("tbody", {}, ...x.fields.map((f) => h("tr", {}, h("th", { scope: "row" }, f.name),
        h("td", {}, f.width === 1 ? String(f.low) : `${f.low + f.width - 1}..${f.low}`), h("td", {}, "0x" + f.value.toString(16)))))));
  }
  list.push(h("p", { class: "dim" }, x.source, full ? `; word ${x.word}, ${x.bits}` : ""));
  return list;
}
