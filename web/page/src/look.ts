/** The view of bytes, structure and findings. */
import { BytesPane } from "./bytes";
import { count, h } from "./dom";
import { FindingsPane } from "./findings";
import { InterfaceTable } from "./interface";
import { owners, TreePane } from "./tree";
import { PaneTabs } from "./panes";
import type { App, Doc } from "./state";

export class LookView {
  readonly root = h("div", { class: "view" });
  readonly bytes: Promise<BytesPane>;
  readonly loaded: Promise<unknown>;

  constructor(private readonly app: App, private readonly doc: Doc) {
    this.loaded = this.bytes = this.load();
  }

  tree: TreePane | undefined;
  private findings: FindingsPane | undefined;

  private async load(): Promise<BytesPane> {
    const tree = this.tree = new TreePane(this.doc);
    const table = new InterfaceTable(this.doc);
    await tree.load();
    const bytes = new BytesPane(this.doc, await owners(this.doc));
    const findings = this.findings = new FindingsPane(this.app, this.doc, (first) => bytes.mark(first));
    const panes = h("div", { class: "panes look" }, bytes.root, tree.root, findings.root);
    const n = await findings.load();
    const tabs = new PaneTabs(panes, ["Bytes", "Structure", n ? count(n, "finding") : "Findings"]);
    this.root.append(table.root, tabs.root, panes);
    await table.load();
    return bytes;
  }

  command(key: string): boolean {
    if (key !== "n" && key !== "p") return false;
    this.findings?.step(key === "n" ? 1 : -1);
    return true;
  }

  focus(): void {
    this.bytes.then((b) => b.focus(), () => undefined);
  }
}
