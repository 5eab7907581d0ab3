/** The view that compares two files: the differences in structure first, the bytes below. */
import { BytesPane } from "./bytes";
import { choice, count, fill, h, hex, plain } from "./dom";
import { Pages, Rows } from "./rows";
import { owners } from "./tree";
import type { App, Doc } from "./state";
import type { Difference, DiffResult } from "./bridge";

export class CompareView {
  readonly root = h("div", { class: "view compare" });
  private readonly head = h("div", { class: "strip" });
  private readonly rows: Rows;
  private pages: Pages<Difference> | undefined;
  private total = 0;
  private current = -1;
  private other: Doc | undefined;
  private readonly pair = h("div", { class: "bytepair" });
  private readonly notes = h("div", { class: "notes" });
  private serial = 0;
  private headed: [DiffResult | undefined, unknown] = [undefined, undefined];

  constructor(private readonly app: App, private readonly doc: Doc) {
    this.rows = new Rows({ id: "differences", label: "Differences", role: "listbox", render: (i) => this.row(i), keydown: (e) => this.key(e) });
    this.rows.root.addEventListener("click", (e) => {
      const row = (e.target as HTMLElement).closest<HTMLElement>("[data-i]");
      if (row) void this.pick(Number(row.dataset["i"]));
    });
    this.root.append(this.head, this.notes, this.rows.root, this.pair);
  }

  focus(): void {
    const others = this.app.docs.filter((d) => d !== this.doc);
    const other = this.doc.compareWith && others.includes(this.doc.compareWith) ? this.doc.compareWith : this.other && others.includes(this.other) ? this.other : others[others.length - 1];
    if (!other) {
      fill(this.head, h("h2", {}, "Compare"), h("span", { class: "dim" }, "Open a second file to compare it with this one."));
      this.rows.root.hidden = true;
      return;
    }
    this.rows.root.hidden = false;
    this.rows.root.focus();
    if (other === this.other) this.header(...this.headed); // the list of files may have changed
    else void this.compare(other).catch((e: unknown) => this.app.fail(e));
  }

  private header(r?: DiffResult, problem?: unknown): void {
    this.headed = [r, problem];
    const others = this.app.docs.filter((d) => d !== this.doc);
    fill(this.head, h("h2", {}, "Compare"), h("span", { class: "clip" }, this.doc.name), h("span", { class: "dim" }, "with"),
      choice("Other file", others.map((d, i) => [String(i), plain(d.name)] as const), String(others.indexOf(this.other!)), (i) => {
        const d = others[Number(i)];
        if (d) void this.compare(d).catch((e: unknown) => this.app.fail(e));
      }),
      r ? h("b", {}, r.total === 0 ? (r.same ? "The files are the same." : "No difference in content.") : count(r.total, "difference")) : null,
      problem ? h("span", { role: "alert", class: "lint error" }, problem instanceof Error ? problem.message : String(problem)) : null,
      r?.as ? h("span", { class: "dim" }, "compared as " + r.as) : null);
  }

  private async compare(other: Doc): Promise<void> {
    this.other = this.doc.compareWith = other;
    const serial = ++this.serial;
    this.header();
    const ask = async (from: number, limit: number) =>
      this.app.client.call("diff", { a: await this.doc.number(), b: await other.number(), from, limit });
    const first = await ask(0, 200).catch((e: unknown) => this.header(undefined, e));
    if (!first || serial !== this.serial) return;
    this.total = first.total;
    this.current = -1;
    this.pages = new Pages(200, async (from, limit) => (await ask(from, limit)).differences, () => this.rows.refresh());
    this.header(first);
    fill(this.notes,
      ...(first.refused ?? []).map((t) => h("p", { class: "none" }, "Refused, compared field by field: " + t)),
      note("Layout, which does not count", (first.layout ?? []).map((d) => `${d.path}: ${d.a ?? "–"} → ${d.b ?? "–"}`)),
      note("Not compared", (first.not_compared ?? []).map((l) => `${l.path} ${l.kind} ${l.was ?? ""} ${l.why}`)));
    this.rows.setCount(this.total);
    const panes = await Promise.all([this.doc, other].map(async (d) => new BytesPane(d, await owners(d))));
    if (serial === this.serial) fill(this.pair, ...panes.map((p) => p.root));
  }

  private row(i: number): HTMLElement {
    const d = this.pages?.at(i);
    const sel = i === this.current;
    const common = { class: "comparerow" + (sel ? " sel" : ""), role: "option", "aria-selected": String(sel), id: "difference-" + i, "data-i": i };
    if (sel) this.rows.root.setAttribute("aria-activedescendant", "difference-" + i);
    if (!d) return h("div", common, "…");
    return h("div", common, h("span", { title: plain(d.path) }, d.path, d.name ? ` (${d.name})` : ""),
      h("span", { class: "minus", title: plain(d.a ?? "") }, d.a ? "− " + d.a : "−"), h("span", { class: "plus", title: plain(d.b ?? "") }, d.b ? "+ " + d.b : "+"));
  }

  private async pick(i: number): Promise<void> {
    if (i < 0 || i >= this.total) return;
    this.current = i;
    this.rows.show(i);
    this.rows.refresh();
    const d = await this.pages?.get(i);
    if (!d) return;
    if (d.offset_a !== undefined) await this.doc.selectByte(d.offset_a, this);
    if (d.offset_b !== undefined && this.other) await this.other.selectByte(d.offset_b, this);
    this.app.say(`${d.path}${d.offset_a !== undefined ? " at " + hex(d.offset_a) : ""}: ${d.a || "absent"}, then ${d.b || "absent"}`);
  }

  command(key: string): boolean {
    if (key !== "n" && key !== "p") return false;
    void this.pick(Math.max(0, Math.min(this.total - 1, this.current + (key === "n" ? 1 : -1))));
    return true;
  }

  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const to: Record<string, number> = {
      ArrowDown: this.current + 1, ArrowUp: this.current - 1, PageDown: this.current + this.rows.page,
      PageUp: this.current - this.rows.page, Home: 0, End: this.total - 1,
    };
    const i = to[e.key];
    if (i === undefined) return;
    e.preventDefault();
    void this.pick(Math.max(0, Math.min(this.total - 1, i)));
  }
}

function note(title: string, lines: string[]): HTMLElement | null {
  return lines.length === 0 ? null : h("details", { class: "interface" }, h("summary", {}, title, h("span", { class: "dim" }, String(lines.length))),
    h("ul", { class: "none mono" }, ...lines.map((l) => h("li", {}, l))));
}
