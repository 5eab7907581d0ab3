import { fill, h } from "./dom";

/** Browsers limit the height of an element; longer lists scroll in proportion. */
const tallest = 6_000_000;

export interface RowsOptions {
  label: string;
  role: string;
  /** render makes the row; it may show what is known so far and call refresh later. */
  render(index: number): HTMLElement;
  /** visible is told which rows can be seen. */
  visible?(first: number, last: number): void;
  keydown?(event: KeyboardEvent): void;
  id: string;
}

/** Rows is a list of rows of one height, of which only the visible ones exist. */
export class Rows {
  readonly root: HTMLDivElement;
  private readonly sizer = h("div", { class: "rows-sizer", role: "presentation" });
  private readonly layer = h("div", { class: "rows-layer", role: "presentation" });
  private count = 0;
  private height = 20;
  private frame = 0;

  constructor(private readonly options: RowsOptions) {
    this.root = h("div", { class: "rows", tabindex: 0, role: options.role, "aria-label": options.label, id: options.id },
      this.sizer);
    this.sizer.append(this.layer);
    this.root.addEventListener("scroll", () => this.refresh(), { passive: true });
    this.root.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
    if (options.keydown) this.root.addEventListener("keydown", (e) => options.keydown?.(e));
    new ResizeObserver(() => this.refresh()).observe(this.root);
  }

  /** setCount says how many rows there are. */
  setCount(n: number): void {
    this.count = n;
    this.refresh();
  }

  get page(): number {
    return Math.max(1, Math.floor(this.root.clientHeight / this.height) - 1);
  }

  private get total(): number {
    return this.count * this.height;
  }

  private get scaled(): boolean {
    return this.total > tallest;
  }

  /** top is the position of the first visible pixel in the whole list. */
  private get top(): number {
    if (!this.scaled) return this.root.scrollTop;
    const view = this.root.clientHeight;
    return (this.root.scrollTop / (tallest - view)) * (this.total - view);
  }

  private set top(y: number) {
    const view = this.root.clientHeight;
    this.root.scrollTop = this.scaled ? (y / (this.total - view)) * (tallest - view) : y;
  }

  private wheel(e: WheelEvent): void {
    if (!this.scaled || e.ctrlKey) return;
    e.preventDefault();
    this.top = Math.min(Math.max(0, this.top + e.deltaY * (e.deltaMode === 1 ? this.height : 1)), this.total);
  }

  /** first is the first row that can be seen; start puts a row there. */
  get first(): number {
    return Math.floor(this.top / this.height);
  }

  start(index: number): void {
    this.measure();
    this.top = index * this.height;
    this.refresh();
  }

  /** shows says whether a row can be seen whole. */
  shows(index: number): boolean {
    const y = index * this.height;
    return y >= this.top && y + this.height <= this.top + this.root.clientHeight;
  }

  /** show scrolls a row into view. */
  show(index: number): void {
    this.measure();
    if (!this.shows(index)) this.top = Math.max(0, index * this.height - this.root.clientHeight / 3);
    this.refresh();
  }

  /** refresh draws the visible rows in the next frame. */
  refresh(): void {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  /** measure gives the list its height, so that it can be scrolled. */
  private measure(): void {
    const css = Number.parseFloat(getComputedStyle(this.root).getPropertyValue("--row"));
    if (css > 0) this.height = css;
    this.sizer.style.height = Math.min(this.total, tallest) + "px";
  }

  private draw(): void {
    const view = this.root.clientHeight;
    if (view === 0) return;
    this.measure();
    const first = Math.max(0, Math.floor(this.top / this.height) - 4);
    const last = Math.min(this.count, Math.ceil((this.top + view) / this.height) + 4);
    this.layer.style.top = first * this.height - this.top + this.root.scrollTop + "px";
    const rows: HTMLElement[] = [];
    for (let i = first; i < last; i++) rows.push(this.options.render(i));
    fill(this.layer, ...rows);
    this.options.visible?.(first, last);
  }
}

/** Pages keeps windows of a long list that come from the bridge. */
export class Pages<T> {
  private pages = new Map<number, T[] | null>();

  constructor(
    private readonly size: number,
    private readonly fetch: (from: number, limit: number) => Promise<T[]>,
    private readonly arrived: () => void,
  ) {}

  /** at returns an item if it is known, and asks for it otherwise. */
  at(index: number): T | undefined {
    const page = Math.floor(index / this.size);
    const have = this.pages.get(page);
    if (have === undefined) {
      this.pages.set(page, null);
      void this.load(page);
    }
    return have?.[index - page * this.size];
  }

  /** get waits for an item. */
  async get(index: number): Promise<T | undefined> {
    const page = Math.floor(index / this.size);
    const have = this.pages.get(page) ?? (await this.load(page));
    return have[index - page * this.size];
  }

  private async load(page: number): Promise<T[]> {
    try {
      const items: T[] = [];
      const from = page * this.size;
      while (items.length < this.size) { // an answer may be cut at its size in bytes
        const more = await this.fetch(from + items.length, this.size - items.length);
        if (more.length === 0) break;
        items.push(...more);
      }
      this.pages.set(page, items);
      this.arrived();
      return items;
    } catch {
      this.pages.delete(page);
      return [];
    }
  }
}
