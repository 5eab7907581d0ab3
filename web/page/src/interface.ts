/** The table of picaproof interface. */
import { count, fill, h } from "./dom";
import type { Doc } from "./state";
import type { ReflectionShader, ReflectionVariable, Row } from "./bridge";

const mostRows = 1000;

export class InterfaceTable {
  readonly root: HTMLDetailsElement;
  private readonly summary = h("summary", {}, "Interface");
  private readonly body = h("div", { class: "shaders" });

  constructor(private readonly doc: Doc) {
    this.root = h("details", { class: "interface" }, this.summary, this.body);
    this.root.hidden = true;
  }

  async load(): Promise<void> {
    const rows = await this.doc.all("interface", {}, (r) => r.rows, mostRows).catch(() => [] as Row[]);
    if (rows.length === 0) return;
    const tables: HTMLElement[] = [];
    let body: HTMLTableSectionElement | undefined;
    const kinds = new Map<string, number>();
    for (const row of rows) {
      kinds.set(row.kind, (kinds.get(row.kind) ?? 0) + 1);
      if (row.kind === "shader" && row.shader) {
        body = h("tbody");
        tables.push(h("table", { class: "shader" }, caption(row.shader), heading(), body));
      } else if (row.link || row.unread) {
        tables.push(h("p", { class: "mono" }, row.link
          ? `${row.link.input} (${row.link.semantic}) ← ${row.link.from ?? row.link.default}` : `${row.unread!.output} is not read by ${row.unread!.pixel}`));
      } else body?.append(line(row));
    }
    const part = (kind: string) => (kinds.has(kind) ? [count(kinds.get(kind)!, kind)] : []);
    fill(this.summary, "Interface", h("span", { class: "dim" },
      ["shader", "input", "output", "uniform", "block", "sampler", "constant"].flatMap(part).join(", ") +
      (rows.length >= mostRows ? `; the first ${mostRows} rows` : "")));
    fill(this.body, ...tables);
    for (const t of tables) if (t.querySelector("tbody:empty")) t.querySelector("thead")?.remove();
    this.root.open = rows.length <= 24 && !matchMedia("(max-width: 900px)").matches;
    this.root.hidden = false;
  }
}

function caption(s: ReflectionShader): HTMLElement {
  const about = [s.stage, s.entry !== undefined ? `entry ${s.entry}` : "", s.mode ? `mode ${s.mode}` : "", s.geometry ?? "",
    s.gx2 ? `NUM_GPRS ${s.gx2.num_gprs}, STACK_SIZE ${s.gx2.stack_size}` : "",
    s.work_group ? `work group ${s.work_group.join("×")}` : ""];
  return h("caption", {}, h("b", {}, s.name || s.path), " ", (s.name ? [s.path, ...about] : about).filter((t) => t).join(", "));
}

function heading(): HTMLElement {
  return h("thead", {}, h("tr", {}, ...["kind", "name", "type", "place"].map((t) => h("th", { scope: "col" }, t))));
}

function line(row: Row): HTMLElement {
  const v: ReflectionVariable = row.variable ?? {};
  const place = row.constant ? `${row.constant.register} = ${row.constant.value}` : [
    v.register, v.gpr, v.semantic && `semantic ${v.semantic}`, v.location !== undefined && `location ${v.location}`,
    v.block && `in ${v.block}`, v.offset !== undefined && `offset ${v.offset}`, v.size !== undefined && `${v.size} bytes`,
    v.count !== undefined && v.count > 1 && `×${v.count}`, v.interpolation, v.default && `else ${v.default}`,
  ].filter((t) => t).join("  ");
  return h("tr", {}, h("th", { scope: "row" }, row.kind), h("td", {}, v.name ?? ""), h("td", {}, v.type ?? ""),
    h("td", {}, row.unknown ?? place));
}
