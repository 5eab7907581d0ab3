/** The view of code: the listing, an explanation of the instruction at the cursor, and an editor. */
import { button, choice, fill, h } from "./dom";
import { explained, Listing } from "./listing";
import { PaneTabs } from "./panes";
import { pickProgram, programs } from "./programs";
import { empty } from "./tree";
import type { App, Doc } from "./state";
import type { Editor } from "./edit";
import type { AssembleResult, Program } from "./bridge";

export class CodeView {
  readonly root = h("div", { class: "view" });
  readonly loaded: Promise<unknown>;
  private readonly listing: Listing;
  private readonly explain = h("div", { class: "explain", tabindex: 0, role: "region", "aria-label": "Explanation", "aria-live": "polite" });
  private readonly head = h("header", {}, h("h2", {}, "Program"));
  private readonly side = h("section", { class: "pane", "aria-label": "Explanation" }, h("header", {}, h("h2", {}, "Instruction")), this.explain);
  private readonly panes: HTMLElement;
  private list: Program[] = [];
  private program = 0;
  private result: Doc | undefined;
  private resultListing: Listing | undefined;
  private editing = false;
  private readonly left: HTMLElement;
  private readonly edit = button("Edit", () => void this.toggleEdit(), "Edit the assembly (e)", "quiet");
  private form = "flat";

  constructor(private readonly app: App, private readonly doc: Doc) {
    this.program = doc.place?.program ?? 0;
    this.listing = new Listing(doc, { picked: (w) => void this.show(w) });
    this.left = h("section", { class: "pane", "aria-label": "Program" }, this.head, this.listing.root);
    this.panes = h("div", { class: "panes code" }, this.left, this.side);
    this.root.append(new PaneTabs(this.panes, ["Program", "Explain"]).root, this.panes);
    this.edit.setAttribute("aria-pressed", "false");
    empty(this.explain, "Choose an instruction", "It is explained here with its operands, the rules of the profile and their sources.");
    this.loaded = this.load();
  }

  private async load(): Promise<void> {
    this.list = await programs(this.doc);
    this.header();
    await this.open(this.program);
  }

  private header(): void {
    fill(this.head, h("h2", {}, "Program"), pickProgram(this.list, this.program, (n) => void this.open(n).catch((e: unknown) => this.app.fail(e))), this.edit);
  }

  private async open(n: number): Promise<void> {
    this.program = n;
    const wrong = this.list.find((p) => p.program === n)?.error;
    this.listing.root.hidden = wrong !== undefined;
    if (wrong) return empty(this.explain, "No listing", wrong);
    await this.listing.load(n);
    const place = this.doc.place;
    if (place?.program === n) this.listing.go(place.word);
    if (this.editing) await this.startEditor();
  }

  private async show(word: number): Promise<void> {
    const line = this.listing.line;
    try {
      const x = await this.listing.explain(word);
      if (this.listing.word === word) fill(this.explain, ...explained(x, true));
    } catch (e) {
      fill(this.explain, h("pre", { class: "mono" }, line?.text ?? ""), h("p", { class: "mono dim" }, line?.bits ?? ""),
        h("p", { class: "dim" }, e instanceof Error ? e.message : String(e)));
    }
  }

  command(key: string): boolean {
    if (key === "e") void this.toggleEdit();
    else if (key === "n" || key === "p") this.listing.nextLint(key === "n" ? 1 : -1);
    else return false;
    return true;
  }

  focus(): void {
    this.listing.rows.root.focus();
  }

  private async toggleEdit(): Promise<void> {
    this.editing = !this.editing;
    this.edit.setAttribute("aria-pressed", String(this.editing));
    this.panes.classList.toggle("editing", this.editing);
    if (this.editing) await this.startEditor().catch((e: unknown) => this.app.fail(e));
    else {
      this.showListing(false);
      fill(this.side, h("header", {}, h("h2", {}, "Instruction")), this.explain);
    }
  }

  private editor: Editor | undefined;

  private async startEditor(): Promise<void> {
    const { Editor } = await import("./edit");
    const { text, dialect } = await this.text();
    const state = h("div", { class: "strip", role: "status" });
    this.editor = new Editor(text, async (source) => {
      const r = await this.app.client.call("assemble", { name: this.doc.baseName + ".shbin", text: source, dialect });
      await this.assembled(r, state);
      return r.errors;
    });
    fill(this.side, h("header", {}, h("h2", {}, "Assembly"),
      choice("Form of the text", [["flat", "flat"], ["structured", "structured"], ["pretty", "pretty"]], this.form, (f) => {
        this.form = f;
        void this.startEditor();
      })), this.editor.root, state);
    this.side.setAttribute("aria-label", "Assembly");
    this.editor.focus();
  }

  private async text(): Promise<{ text: string; dialect: string }> {
    let text = "", dialect = "default";
    for (let from = 0; from >= 0;) {
      const r = await this.doc.ask("text", { program: this.program, form: this.form, from });
      text += r.text;
      dialect = r.dialect;
      from = r.next;
    }
    return { text, dialect };
  }

  /** assembled shows the result beside the original. */
  private async assembled(r: AssembleResult, state: HTMLElement): Promise<void> {
    const before = this.result;
    if (!r.info) {
      fill(state, h("span", { class: "lint error" }, `${r.errors.length} ${r.errors.length === 1 ? "error" : "errors"}: `),
        h("span", { class: "grow clip" }, r.errors[0] ? `line ${r.errors[0].line}: ${r.errors[0].message}` : ""));
      return;
    }
    const made = (this.result = await this.app.adopt(r.info, false));
    if (before) void before.ask("close", {}).catch(() => undefined);
    let changed = "";
    if (made.info.format) {
      const d = await this.app.client.call("diff", { a: await this.doc.number(), b: await made.number(), limit: 1 }).catch(() => undefined);
      if (d) changed = d.total === 0 ? "the same as the file" : `${d.total} ${d.total === 1 ? "difference" : "differences"} from the file`;
    }
    const open = (view: "look" | "step" | "compare") => {
      this.result = undefined;
      this.app.docs.push(made);
      made.compareWith = this.doc;
      this.app.show(made, view);
    };
    const beside = button("Result", () => this.showListing(!this.resultListing), "Show the listing of the result instead of the original", "quiet");
    beside.setAttribute("aria-pressed", String(this.resultListing !== undefined));
    fill(state, h("span", { class: "verdict ok" }, "assembles"), h("span", { class: "dim grow clip" }, changed),
      made.info.programs ? beside : null, made.info.supports.run ? button("Step", () => open("step"), "Step through the result", "quiet") : null,
      button("Compare", () => open("compare"), "Compare the result with the file", "quiet"), button("Open", () => open("look"), "Open the result", "quiet"));
    if (this.resultListing && made.info.programs) this.showListing(true);
  }

  /** showListing shows the listing of the result, or that of the file. */
  private showListing(result: boolean): void {
    if (result && this.result) {
      const l = (this.resultListing = new Listing(this.result));
      l.load(0).catch((e: unknown) => this.app.fail(e));
      fill(this.left, h("header", {}, h("h2", {}, "Result"), h("span", { class: "grow" }), this.edit), l.root);
    } else {
      this.resultListing = undefined;
      this.header();
      fill(this.left, this.head, this.listing.root);
    }
    this.side.querySelector("[aria-pressed]")?.setAttribute("aria-pressed", String(this.resultListing !== undefined));
  }
}
