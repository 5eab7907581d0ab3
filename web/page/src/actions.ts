/** What can be done with a file: find, go to, copy, rewrite, convert, download. */
import { button, choice, count, fill, h, hex, labelled, plain, save, toClipboard } from "./dom";
import type { App, Doc } from "./state";
import type { WrittenResult } from "./bridge";

const mostCopied = 2000; // rows of text

export class FileActions {
  private bar1: HTMLElement | undefined;

  constructor(private readonly app: App) {}

  /** bar makes the buttons for a file. */
  bar(doc: Doc): HTMLElement {
    const { supports } = doc.info;
    return h("div", { class: "actions" },
      button("Find", () => this.find(doc), "Find (/)", "quiet"),
      button("Go to", () => this.goTo(doc), "Go to an offset (g)", "quiet"),
      button("Copy", () => void this.copy(doc), "Copy the selection as text (c)", "quiet"),
      supports.canon ? button("Canonical", () => void this.canon(doc), "Write the canonical form", "quiet") : null,
      supports.convert.length > 0 ? button("Convert", () => void this.convert(doc), "Convert into another format", "quiet") : null,
      button("Save", () => save(doc.name, doc.bytes), "Save the file", "quiet"));
  }

  find(doc: Doc): void {
    this.bar1?.remove();
    this.app.show(doc, "look");
    const query = h("input", { class: "input", type: "search", "aria-label": "Find", spellcheck: "false", autocomplete: "off" });
    let kind = "text";
    const hints: Record<string, string> = { text: "a name", hex: "44 56 4c 50", field: "part of a path or a value" };
    const pick = choice("Kind", [["text", "text"], ["hex", "hex"], ["field", "field"]], kind, (k) => {
      kind = k;
      query.placeholder = hints[k]!;
      query.focus();
    });
    query.placeholder = hints[kind]!;
    const go = async (back: boolean) => {
      const sel = doc.selection;
      const from = back ? (sel && sel.offset > 0 ? sel.offset - 1 : doc.bytes.length) : sel ? sel.offset + 1 : 0;
      try {
        let r = await doc.ask("find", { kind, query: query.value, from: Math.max(0, from), back });
        if (r.offset < 0) r = await doc.ask("find", { kind, query: query.value, from: back ? doc.bytes.length : 0, back });
        if (r.offset < 0) return this.app.say("Not found.");
        const { regions } = await doc.ask("regions", { offset: r.offset, length: 1, limit: 1 });
        const path = r.path ?? regions[0]?.path ?? "";
        doc.select({ offset: r.offset, length: r.length, path }, this);
        this.app.say(`Found at ${hex(r.offset)}, ${path}`);
      } catch (e) {
        this.app.fail(e);
      }
    };
    const close = () => {
      this.bar1?.remove();
      this.bar1 = undefined;
    };
    this.bar1 = h("div", { class: "findbar", role: "search" }, pick, query,
      button("↑", () => void go(true), "Previous (Shift Enter)", "quiet"), button("↓", () => void go(false), "Next (Enter)", "quiet"),
      button("✕", close, "Close (Esc)", "quiet"));
    this.bar1.addEventListener("keydown", (e) => {
      if (e.key === "Escape") close();
      if (e.key === "Enter" && e.target === query) void go(e.shiftKey);
    });
    document.querySelector("main")?.prepend(this.bar1);
    query.focus();
  }

  goTo(doc: Doc): void {
    const where = h("input", { class: "input grow", "aria-label": "Offset or path", placeholder: "0x40, 64, or dvle[0].entry", autocomplete: "off" });
    const go = async () => {
      const text = where.value.trim();
      d.close();
      try {
        if (/^(0x[0-9a-f]+|\d+)$/i.test(text)) {
          const offset = Number(text);
          if (offset >= doc.bytes.length) return this.app.say(`The file ends at ${hex(doc.bytes.length)}.`);
          await doc.selectByte(offset, this);
        } else {
          const r = await doc.ask("find", { kind: "field", query: text });
          if (r.offset < 0) return this.app.say("No such field.");
          doc.select({ offset: r.offset, length: r.length, path: r.path ?? "" }, this);
        }
        this.app.show(doc, doc.view === "code" ? "code" : "look");
      } catch (e) {
        this.app.fail(e);
      }
    };
    const d = this.app.dialog("Go to", h("form", { class: "field", onsubmit: (e: Event) => {
      e.preventDefault();
      void go();
    } }, where, h("button", { class: "button primary", type: "submit" }, "Go")));
    where.focus();
  }

  /** copy writes the selection as rows of dump, or the findings if nothing is selected. */
  async copy(doc: Doc): Promise<void> {
    try {
      const text = doc.selection ? await dumpText(doc) : await findingsText(doc);
      await toClipboard(text).then(() => this.app.say(`Copied ${count(text.split("\n").length - 1, "row")}.`), () => {
        const area = h("textarea", { class: "link", readonly: true, "aria-label": "Text" });
        area.value = text;
        this.app.dialog("Text", area);
        area.select();
      });
    } catch (e) {
      this.app.fail(e);
    }
  }

  private async canon(doc: Doc): Promise<void> {
    try {
      await this.written(doc, "Canonical form", await doc.ask("canon", {}));
    } catch (e) {
      this.app.fail(e);
    }
  }

  private async convert(doc: Doc): Promise<void> {
    const targets = doc.info.supports.convert;
    let to = targets[0]!, picked = 0;
    const choices = doc.info.supports.choices ? await doc.all("choices", {}, (r) => r.choices, 500) : [];
    const go = async () => {
      const c = choices[picked];
      try {
        const r = await doc.ask("convert", { to, ...(c?.shader ? { shader: c.shader } : {}), ...(c?.entry ? { entry: c.entry } : {}) });
        d.close();
        await this.written(doc, "Converted to " + to, r);
      } catch (e) {
        fill(problem, e instanceof Error ? e.message : String(e));
      }
    };
    const problem = h("p", { role: "alert", class: "lint error" });
    const d = this.app.dialog("Convert",
      labelled("into", choice("Target", targets.map((t) => [t, t] as const), to, (t) => (to = t))),
      choices.length > 0 ? labelled("of", choice("Shader and entry point",
        choices.map((c, i) => [String(i), plain([c.shader, c.entry].filter((t) => t).join(", entry ") || String(i))] as const), "0",
        (i) => (picked = Number(i)))) : "",
      problem, h("div", { class: "actions" }, button("Convert", () => void go(), undefined, "button primary")));
  }

  /** written shows what the engine wrote, with the list of losses. */
  private async written(from: Doc, title: string, r: WrittenResult): Promise<void> {
    const made = await this.app.adopt(r.info, false);
    const same = made.bytes.length === from.bytes.length && made.bytes.every((b, i) => b === from.bytes[i]);
    const show = (compare: boolean) => {
      d.close();
      this.app.docs.push(made);
      if (compare) made.compareWith = from;
      this.app.show(made, compare ? "compare" : "look");
    };
    const d = this.app.dialog(title,
      h("p", {}, same ? "The file is the same, byte for byte." : `${made.name}: ${count(made.bytes.length, "byte")}; the file has ${count(from.bytes.length, "byte")}.`),
      h("h3", {}, r.losses.length === 0 ? "Nothing is lost." : count(r.losses.length + r.more, "loss", "losses")),
      h("ul", { class: "losses" }, ...r.losses.map((l) => h("li", {},
        h("code", {}, l.path), ` ${l.kind}`, l.was !== undefined ? ` ${l.was}` : "", l.now !== undefined ? ` → ${l.now}` : "", h("div", { class: "dim" }, l.why))),
      r.more ? h("li", {}, `and ${r.more} more`) : null),
      h("div", { class: "actions" },
        button("Compare", () => show(true)), button("Open", () => show(false)),
        button("Save", () => save(made.name, made.bytes), undefined, "button primary")));
  }
}

/** cutOff is the text of the rows that are copied. It ends with a line that says so if there may be more. */
function cutOff(rows: string[]): string {
  const more = rows.length < mostCopied ? [] : [`(cut off after ${mostCopied.toLocaleString("en")} rows)`];
  return [...rows.slice(0, mostCopied), ...more].join("\n") + "\n";
}

async function dumpText(doc: Doc): Promise<string> {
  const { offset, length } = doc.selection!;
  const rows: string[] = [], end = offset + Math.max(1, length);
  for (let at = offset; at >= 0 && at < end && rows.length < mostCopied;) {
    const r = await doc.ask("regions", { offset: at, length: end - at });
    for (const g of r.regions) {
      const from = Math.max(g.offset, offset), to = Math.min(g.offset + g.length, end);
      for (let o = from; o < to && rows.length < mostCopied; o += 8) {
        const bytes = [...doc.bytes.subarray(o, Math.min(o + 8, to))];
        const chars = bytes.map((b) => (b >= 0x20 && b < 0x7f ? String.fromCharCode(b) : ".")).join("");
        const what = o === from ? `${g.path}${g.kind === "field" ? "" : ` (${g.kind})`}${g.value ? " = " + plain(g.value) : ""}` : "";
        rows.push(`${o.toString(16).padStart(6, "0")}  ${bytes.map((b) => b.toString(16).padStart(2, "0")).join(" ").padEnd(24)}${chars.padEnd(8)}  ${what}`.trimEnd());
      }
    }
    if (r.next <= at) break;
    at = r.next;
  }
  return cutOff(rows);
}

async function findingsText(doc: Doc): Promise<string> {
  const all = await doc.all("findings", {}, (r) => r.findings, mostCopied);
  return cutOff(all.map((f) => `${hex(f.offset)}: ${f.rule} ${f.path}: ${f.message}` +
    (f.expected || f.found ? ` (expected ${f.expected ?? ""}, found ${f.found ?? ""})` : "") + ` [${f.severity}]`));
}
