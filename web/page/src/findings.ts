/** The pane of findings: a list, and the rule behind the selected one. */
import { placeOf } from "./bytes";
import { button, fill, h, hex } from "./dom";
import { Pages, Rows } from "./rows";
import { above, empty } from "./tree";
import type { App, Doc } from "./state";
import type { Found as Finding, ExpectExample, ExpectExplained as Rule } from "./bridge";

const evidence: Record<string, string> = {
  console: "measured on the console", documented: "documented", implementation: "what implementations do", guess: "a guess",
};

export class FindingsPane {
  readonly root: HTMLElement;
  private readonly rows: Rows;
  private readonly detail = h("div", { class: "detail", role: "region", "aria-label": "Rule", tabindex: 0, hidden: true });
  private readonly none = h("div", {});
  private pages: Pages<Finding>;
  private total = 0;
  private current = -1;
  private first: Finding[] = [];

  constructor(private readonly app: App, private readonly doc: Doc, arrived: (first: Finding[]) => void) {
    this.rows = new Rows({
      id: "findings", label: "Findings", role: "listbox", render: (i) => this.row(i), keydown: (e) => this.key(e),
    });
    this.pages = new Pages(200, async (from, limit) => {
      const r = await doc.ask("findings", { from, limit });
      if (from < 2000) {
        this.first.push(...r.findings);
        arrived(this.first);
      }
      return r.findings;
    }, () => this.rows.refresh());
    this.rows.root.addEventListener("click", (e) => {
      const row = (e.target as HTMLElement).closest<HTMLElement>("[data-i]");
      if (row) void this.pick(Number(row.dataset["i"]));
    });
    this.root = h("section", { class: "pane findings", "aria-label": "Findings" }, this.none, this.rows.root, this.detail);
    doc.watch((origin) => {
      if (origin !== this) this.follow();
    });
  }

  async load(): Promise<number> {
    const { findings } = this.doc.info;
    this.total = findings.errors + findings.warnings + findings.infos;
    this.rows.root.hidden = this.total === 0;
    if (this.total === 0) {
      const { format, accepted, error } = this.doc.info;
      if (format === "") empty(this.none, "Unknown format", error ?? "No parser knows this file. The bytes are shown as they are.");
      else if (accepted) empty(this.none, "No findings", "The strict parser accepts the file, and no rule complains.");
      else empty(this.none, "Refused", error ?? "");
    }
    this.rows.setCount(this.total);
    if (this.total > 0) await this.pages.get(0);
    return this.total;
  }

  private row(i: number): HTMLElement {
    const f = this.pages.at(i);
    const selected = i === this.current;
    const common = {
      class: "findingrow" + (selected ? " sel" : ""), role: "option", "aria-selected": selected ? "true" : "false",
      id: "finding-" + i, "data-i": i, "aria-posinset": i + 1, "aria-setsize": this.total,
    };
    if (selected) this.rows.root.setAttribute("aria-activedescendant", "finding-" + i);
    if (!f) return h("div", common, "…");
    return h("div", common,
      h("span", { class: "mark " + f.severity, "aria-label": f.severity }, f.severity.charAt(0).toUpperCase()),
      h("span", { class: "id" }, f.rule), h("span", { class: "dim clip" }, f.path), h("span", { class: "dim" }, hex(placeOf(f).offset)),
      h("span", { class: "message" }, f.message, f.more ? ` (and ${f.more} more)` : ""));
  }

  /** pick selects a finding. */
  async pick(i: number): Promise<void> {
    if (i < 0 || i >= this.total) return;
    this.current = i;
    this.rows.show(i);
    const f = await this.pages.get(i);
    if (!f || this.current !== i) return;
    this.doc.select({ ...placeOf(f), path: f.path }, this);
    this.rows.refresh();
    await this.explain(f);
  }

  /** follow marks the first finding about the selection of another pane. */
  private follow(): void {
    const sel = this.doc.selection;
    if (!sel) return;
    const about = (f: Finding) => f.path === sel.path ||
      inside(sel, placeOf(f)) ||
      (sel.length > 0 && above(sel.path, f.path) && sel.path !== "");
    const i = this.first.findIndex(about);
    if (i === this.current) return;
    this.current = i;
    if (i >= 0) {
      this.rows.show(i);
      void this.explain(this.first[i]!);
    } else {
      this.rows.root.removeAttribute("aria-activedescendant");
      this.detail.hidden = true;
    }
    this.rows.refresh();
  }

  /** step selects a finding before or behind the selected one. */
  step(by: number): void {
    void this.pick(Math.max(0, Math.min(this.total - 1, this.current + by)));
  }

  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const steps: Record<string, number> = {
      ArrowDown: 1, ArrowUp: -1, PageDown: this.rows.page, PageUp: -this.rows.page, Home: -this.total, End: this.total,
    };
    const step = steps[e.key];
    if (step === undefined) return;
    e.preventDefault();
    this.step(step);
  }

  private async explain(f: Finding): Promise<void> {
    let rule: Rule | undefined;
    try {
      const { rules } = await this.app.client.call("rule", { id: f.rule });
      rule = rules.find((r) => r.format === this.doc.info.format) ?? rules[0];
    } catch {
      rule = undefined; // a rule of another package has no entry; the finding stands alone
    }
    fill(this.detail,
      h("h3", {}, f.rule, " ", h("span", { class: "dim" }, rule?.title ?? "")),
      h("p", {}, rule?.statement ?? f.message),
      h("dl", { class: "facts2" },
        ...fact("expected", f.expected), ...fact("found", f.found), ...fact("at", `${hex(placeOf(f).offset)} ${f.path}`), ...fact("in the decoded bytes", f.encoded && `at ${hex(f.offset)}`),
        ...fact("evidence", rule ? `${evidence[rule.class] ?? rule.class}: ${rule.source}` : undefined),
        ...fact("readers", rule?.readers)),
      ...(f.related ?? []).map((r) => button(`also ${hex(r.offset)} ${r.path}`, () =>
        this.doc.select({ offset: r.offset, length: r.length, path: r.path }, this), undefined, "quiet")),
      h("div", { class: "actions" },
        this.example("Open the trigger", rule?.triggering), this.example("Open the near miss", rule?.near_miss)));
    this.detail.hidden = false;
    this.detail.scrollTop = 0;
  }

  private example(text: string, x: ExpectExample | undefined): HTMLElement | null {
    return x ? button(text, () => void this.app.sample(x.vector), `${text}: ${x.comment}`) : null;
  }
}

function fact(name: string, text: string | undefined): HTMLElement[] {
  return text ? [h("dt", {}, name), h("dd", { class: "mono" }, text)] : [];
}

/** inside says that a range lies in another, which is not empty. */
function inside(small: { offset: number; length: number }, large: { offset: number; length: number }): boolean {
  return large.length > 0 && small.length <= large.length && small.offset >= large.offset && small.offset < large.offset + large.length;
}
