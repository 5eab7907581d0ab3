/** The pane of structure: records, lists and fields as a tree of virtual rows. */
import { fill, h, plain } from "./dom";
import { Rows } from "./rows";
import type { Doc } from "./state";
import type { Counts, TreeNode as Part } from "./bridge";

interface Item {
  part: Part;
  depth: number;
  open: boolean;
  /** parts that are still in the engine, behind this row */
  more?: { path: string; from: number; left: number };
  /** the request for the children of an open record */
  opening?: Promise<void>;
}

const window = 400; // parts fetched at once
const mostOwners = 16, mostAsked = 6;

/** above says that one path is another or lies above it. */
export function above(path: string, below: string): boolean {
  return below === path || (below.startsWith(path) && (below[path.length] === "." || below[path.length] === "["));
}

/** badge shows the worst severity with its number. */
export function badge(c: Counts): HTMLElement | null {
  for (const [n, kind] of [[c.errors, "error"], [c.warnings, "warning"], [c.infos, "info"]] as const) {
    if (n > 0) return h("span", { class: "mark " + kind, title: `${n} ${kind}`, "aria-label": `${n} ${kind}` }, String(n));
  }
  return null;
}

export class TreePane {
  readonly root: HTMLElement;
  private readonly rows: Rows;
  private items: Item[] = [];
  private current = -1;
  private wanted = "";

  constructor(private readonly doc: Doc) {
    this.rows = new Rows({
      id: "tree", label: "Structure", role: "tree", render: (i) => this.row(i), keydown: (e) => this.key(e),
    });
    this.rows.root.addEventListener("click", (e) => this.click(e));
    this.root = h("section", { class: "pane structure", "aria-label": "Structure" }, this.rows.root);
    doc.watch((origin) => {
      if (origin === this) return this.rows.refresh();
      void this.reveal(doc.selection?.path ?? "");
    });
  }

  /** load fetches the first level and opens it where the file is small. */
  async load(): Promise<void> {
    this.items = await this.children("", 0, 0);
    if (this.items.length <= 12) {
      for (let i = this.items.length - 1; i >= 0; i--) {
        const item = this.items[i]!;
        if (!item.more && item.part.children > 0 && item.part.children <= 24) await this.expand(i);
      }
    }
    this.rows.setCount(this.items.length);
  }

  private async children(path: string, depth: number, from: number, limit = window): Promise<Item[]> {
    const r = await this.doc.ask("tree", { ...(path ? { path } : {}), from, limit });
    const items: Item[] = r.nodes.map((part) => ({ part, depth, open: false }));
    if (r.next >= 0 && items.length > 0) {
      const last = items[items.length - 1]!.part;
      items.push({ part: last, depth, open: false, more: { path, from: r.next, left: r.total - r.next } });
    }
    return items;
  }

  private async expand(i: number): Promise<void> {
    const item = this.items[i];
    if (item?.open) return item.opening;
    if (!item || item.part.children === 0) return;
    item.open = true;
    return (item.opening = this.fetch(item));
  }

  private async fetch(item: Item): Promise<void> {
    const parts = await this.children(item.part.path, item.depth + 1, 0).catch((e: unknown) => {
      item.open = false;
      throw e;
    });
    const at = this.items.indexOf(item);
    if (at < 0 || !item.open) return;
    this.items.splice(at + 1, 0, ...parts);
    this.rows.setCount(this.items.length);
  }

  private collapse(i: number): void {
    const item = this.items[i]!;
    let end = i + 1;
    while (end < this.items.length && this.items[end]!.depth > item.depth) end++;
    this.items.splice(i + 1, end - i - 1);
    item.open = false;
    if (this.current > i) this.current = i;
    this.rows.setCount(this.items.length);
  }

  private async more(i: number): Promise<void> {
    const item = this.items[i]!;
    if (!item.more) return;
    const { path, from, left } = item.more;
    const parts = await this.children(path, item.depth, from, Math.min(window, left));
    const next = parts[parts.length - 1];
    if (next?.more) { // behind a gap are elements that are there already
      next.more.left = left - (next.more.from - from);
      if (next.more.left <= 0) parts.pop();
    }
    const at = this.items.indexOf(item);
    if (at >= 0) this.items.splice(at, 1, ...parts);
    this.rows.setCount(this.items.length);
  }

  /** reveal opens the records above a path and shows its row. */
  private async reveal(path: string): Promise<void> {
    this.wanted = path;
    for (let i = 0; path && i < this.items.length && this.wanted === path;) {
      const item = this.items[i]!;
      if (item.more) {
        // The list goes on in the engine: the element's index says where.
        const rest = path.slice(item.more.path.length);
        const index = Number(/^\[(\d+)\]/.exec(rest)?.[1] ?? -1);
        if (above(item.more.path, path) && rest !== "" && (index < 0 || index >= item.more.from && index < item.more.from + item.more.left)) {
          if (index >= item.more.from + window) await this.skip(i, index);
          else await this.more(i);
          continue;
        }
      } else if (above(item.part.path, path)) {
        this.current = i;
        if (item.part.path === path || item.part.children === 0) break;
        await this.expand(i);
      }
      i++;
    }
    if (this.wanted !== path) return;
    if (!path) this.current = -1;
    if (this.current >= 0) this.rows.show(this.current);
    this.rows.refresh();
  }

  /** skip fetches the window around an element and leaves a row for those before it. */
  private async skip(i: number, index: number): Promise<void> {
    const item = this.items[i]!;
    const m = item.more!;
    const start = index - (index % window), end = m.from + m.left;
    const parts = await this.children(m.path, item.depth, start, Math.min(window, end - start));
    const next = parts[parts.length - 1];
    if (next?.more) {
      next.more.left = end - next.more.from;
      if (next.more.left <= 0) parts.pop();
    }
    const gap: Item = { ...item, more: { ...m, left: start - m.from } };
    const at = this.items.indexOf(item);
    if (at >= 0) this.items.splice(at, 1, gap, ...parts);
    this.rows.setCount(this.items.length);
  }

  private row(i: number): HTMLElement {
    const { part, depth, open, more } = this.items[i]!;
    const selected = i === this.current;
    const common = {
      class: `treerow d${Math.min(depth, 8)}${selected ? " sel" : ""}`, role: "treeitem", "aria-level": depth + 1,
      "aria-selected": selected ? "true" : "false", "data-i": i, id: "tree-" + i,
    };
    if (selected) this.rows.root.setAttribute("aria-activedescendant", "tree-" + i);
    if (more) return h("div", common, h("span", { class: "twist" }), h("span", { class: "dim" }, `⋯ ${more.left} more`));
    return h("div", { ...common, ...(part.children ? { "aria-expanded": open ? "true" : "false" } : {}) },
      h("span", { class: "twist", "aria-hidden": "true" }, part.children ? (open ? "▾" : "▸") : ""),
      h("span", { class: "name" }, part.name || part.path),
      h("span", { class: "value", title: part.value && part.value.length > 40 ? plain(part.value) : null },
        part.value ?? (part.children ? `${part.children} ${part.children === 1 ? "part" : "parts"}` : "")),
      badge(part.findings),
      h("span", { class: "off" }, part.offset.toString(16).padStart(4, "0")));
  }

  private click(e: MouseEvent): void {
    const t = e.target as HTMLElement;
    const row = t.closest<HTMLElement>("[data-i]");
    if (!row) return;
    const i = Number(row.dataset["i"]);
    const item = this.items[i]!;
    if (item.more) return void this.more(i);
    const toggle = t.classList.contains("twist") || this.current === i;
    this.pick(i);
    if (toggle && item.part.children) item.open ? this.collapse(i) : void this.expand(i);
  }

  private pick(i: number): void {
    const item = this.items[i];
    if (!item) return;
    this.current = i;
    this.rows.show(i);
    if (item.more) return this.rows.refresh();
    const { offset, length, path } = item.part;
    this.doc.select({ offset, length, path }, this);
  }

  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const i = Math.max(0, this.current);
    const item = this.items[i];
    if (!item) return;
    const last = this.items.length - 1;
    if (e.key === "ArrowDown") this.pick(Math.min(last, this.current + 1));
    else if (e.key === "ArrowUp") this.pick(Math.max(0, i - 1));
    else if (e.key === "PageDown") this.pick(Math.min(last, i + this.rows.page));
    else if (e.key === "PageUp") this.pick(Math.max(0, i - this.rows.page));
    else if (e.key === "Home") this.pick(0);
    else if (e.key === "End") this.pick(last);
    else if ((e.key === "Enter" || e.key === " " || e.key === "ArrowRight") && item.more) void this.more(i);
    else if (e.key === "ArrowRight") item.open ? this.pick(Math.min(last, i + 1)) : void this.expand(i);
    else if (e.key === "ArrowLeft" && item.open) this.collapse(i);
    else if (e.key === "ArrowLeft") {
      let up = i;
      while (up > 0 && this.items[up]!.depth >= item.depth) up--;
      this.pick(up);
    } else if (e.key === "Enter" || e.key === " ") item.open ? this.collapse(i) : void this.expand(i);
    else return;
    e.preventDefault();
  }
}

/** owners lists the records whose bytes get colours of their own: whole levels of the tree, as long as they are few. */
export async function owners(doc: Doc): Promise<Part[]> {
  let level = (await doc.ask("tree", { limit: mostOwners })).nodes.filter((p) => p.length > 0);
  const top = level, list = [...level];
  while (level.length > 0 && level.length <= mostAsked) {
    const below: Part[] = [];
    for (const p of level.filter((x) => x.children > 0)) {
      const r = await doc.ask("tree", { path: p.path, limit: mostOwners });
      below.push(...r.nodes.filter((x) => x.children > 0 && (level === top || !x.path.endsWith("]"))));
      if (r.total > mostOwners || list.length + below.length > mostOwners) return list;
    }
    list.push(...below);
    level = below;
  }
  return list;
}

/** empty fills a place with a sentence. */
export function empty(e: Element, title: string, text: string): void {
  fill(e, h("div", { class: "none" }, h("b", {}, title), text));
}
