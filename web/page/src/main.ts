/** The frame: open files, their views, the keyboard, and what is said at the foot. */
import { FileActions } from "./actions";
import { alone, carriedLinks } from "./alone";
import { Cancelled, Client } from "./client";
import { CodeView } from "./code";
import { CompareView } from "./compare";
import { button, count, fill, h, iconButton, plain } from "./dom";
import { LookView } from "./look";
import { isLinkFile, openLinkFile, openLinks, readLink, shareDialog } from "./share";
import { startPage } from "./start";
import { Doc, type App, type ViewName } from "./state";
import { StepView, type StepState } from "./step";
import type { FileInfo } from "./bridge";

interface View {
  root: HTMLElement;
  loaded?: Promise<unknown>;
  focus(): void;
}

const viewNames: readonly (readonly [ViewName, string])[] = [["look", "Look"], ["code", "Code"], ["step", "Step"], ["compare", "Compare"]];
const keys: readonly (readonly [string, string])[] = [
  ["o", "open a file"], ["1 2 3 4", "look, code, step, compare"], ["/", "find"], ["g", "go to an offset"],
  ["n, p", "next and previous finding"], ["c", "copy the selection as text"], ["s", "share a link"],
  ["F6", "next pane"], ["← → ↑ ↓ Page Home End", "move in a pane; the other panes follow"],
  ["e", "edit the assembly"], [". ,", "step forward, step back"], ["< >", "first step, end"], ["] [", "run to the cursor, run back to it"],
  ["b", "set or clear a breakpoint at the cursor"], ["t", "dark or light"], ["Esc", "cancel what runs; close"], ["?", "this list"],
];

class Page implements App {
  readonly docs: Doc[] = [];
  readonly client: Client;
  private doc: Doc | undefined;
  private readonly views = new Map<Doc, Map<ViewName, View>>();
  private readonly files = h("div", { class: "files", role: "group", "aria-label": "Open files" });
  private readonly sub = h("div", { class: "sub" });
  private readonly main = h("main", {});
  private readonly said = h("div", { class: "said", role: "status" });
  private readonly busy = h("div", { class: "busy", hidden: true }, "working", button("Cancel", () => this.client.cancel(), "Cancel (Esc)", "quiet"));
  private readonly picker = h("input", { type: "file", multiple: true, hidden: true, "aria-label": "Files to open", onchange: () => void this.picked() });
  private readonly actions: FileActions;
  private busyTimer = 0;

  constructor() {
    this.client = new Client((n) => this.waiting(n));
    this.actions = new FileActions(this);
    document.body.append(
      h("header", { class: "top" },
        h("div", { class: "brand" }, h("img", { src: document.querySelector<HTMLLinkElement>("link[rel=icon]")!.href, alt: "" }), h("span", {}, "picaproof")),
        this.files,
        button("Open", () => this.picker.click(), "Open a file (o)"),
        button("Share", () => void shareDialog(this, this.doc, this.step()), "Share a link (s)", "quiet"),
        iconButton("M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13zM8 3v10a5 5 0 0 0 0-10z", "", () => theme(true), "Dark or light (t)"),
        button("?", () => this.help(), "Keys (?)", "quiet"), this.picker),
      this.sub, this.main,
      h("footer", { class: "foot" }, this.said, this.busy, h("span", { class: "wide" }, "Files stay on this machine")));
    window.addEventListener("keydown", (e) => this.key(e));
    window.addEventListener("dragover", (e) => {
      e.preventDefault();
      document.body.classList.add("dragging");
    });
    window.addEventListener("dragleave", (e) => {
      if (!e.relatedTarget) document.body.classList.remove("dragging");
    });
    window.addEventListener("drop", (e) => {
      e.preventDefault();
      document.body.classList.remove("dragging");
      void this.openFiles([...(e.dataTransfer?.files ?? [])]);
    });
    window.addEventListener("hashchange", () => void readLink(this));
    this.client.started().catch((e: unknown) => this.fail(e));
  }

  async start(): Promise<void> {
    this.show(undefined);
    await openLinks(this, carriedLinks());
    await readLink(this);
  }

  say(text: string): void {
    this.said.textContent = plain(text);
  }

  fail(error: unknown): void {
    this.say(error instanceof Cancelled ? "Cancelled." : "Error: " + (error instanceof Error ? error.message : String(error)));
  }

  dialog(title: string, ...body: (Node | string)[]): HTMLDialogElement {
    const d = h("dialog", { "aria-label": title, onclose: () => d.remove() },
      h("header", {}, h("h2", {}, title), button("✕", () => d.close(), "Close (Esc)", "quiet")), h("div", { class: "body", tabindex: 0 }, ...body));
    document.body.append(d);
    d.showModal();
    return d;
  }

  private help(): void {
    this.dialog("Keys", h("div", { class: "keys" }, ...keys.flatMap(([k, what]) => [
      h("span", {}, ...k.split(" ").flatMap((part) => [h("kbd", {}, part), " "])), h("span", {}, what),
    ])));
  }

  private waiting(n: number): void {
    clearTimeout(this.busyTimer);
    if (n === 0) this.busy.hidden = true;
    else this.busyTimer = window.setTimeout(() => (this.busy.hidden = false), 250);
  }

  private async picked(): Promise<void> {
    const files = [...(this.picker.files ?? [])];
    this.picker.value = "";
    await this.openFiles(files);
  }

  private async openFiles(files: File[]): Promise<void> {
    for (const f of files) {
      try {
        const bytes = new Uint8Array(await f.arrayBuffer()); // a folder has no bytes
        if (isLinkFile(bytes)) await openLinkFile(this, bytes);
        else await this.open(f.name, bytes);
      } catch (e) {
        this.fail(new Error(`${f.name}: ${e instanceof Error ? e.message : String(e)}`));
      }
    }
  }

  async open(name: string, bytes: Uint8Array, as?: string): Promise<Doc | undefined> {
    this.say(`Opening ${name}, ${count(bytes.length, "byte")} …`);
    try {
      const info = await this.client.call("open", { name, ...(as ? { as } : {}) }, bytes);
      const doc = new Doc(this, name, bytes, info, as);
      this.add(doc);
      return doc;
    } catch (e) {
      this.fail(e);
      return undefined;
    }
  }

  async adopt(info: FileInfo, show = true): Promise<Doc> {
    const doc = new Doc(this, info.name, await this.client.content(info.file, info.length), info, info.format || undefined);
    if (show) this.add(doc);
    return doc;
  }

  async sample(name: string): Promise<Doc | undefined> {
    try {
      const r = await this.client.call("sample", { name });
      if (r.info) return await this.adopt(r.info);
      return await this.open(name, new TextEncoder().encode(r.source ?? ""), "source");
    } catch (e) {
      this.fail(e);
      return undefined;
    }
  }

  private add(doc: Doc): void {
    this.docs.push(doc);
    const { format, title, accepted, findings } = doc.info;
    this.say(`${doc.name}: ${title || format || "unknown format"}, ${accepted ? "accepted" : "refused"}, ` +
      `${count(findings.errors, "error")}, ${count(findings.warnings, "warning")}, ${count(findings.infos, "info")}`);
    this.show(doc);
  }

  private close(doc: Doc): void {
    const i = this.docs.indexOf(doc);
    this.docs.splice(i, 1);
    this.views.delete(doc);
    void doc.ask("close", {}).catch(() => undefined);
    this.show(this.doc === doc ? this.docs[Math.min(i, this.docs.length - 1)] : this.doc);
  }

  show(doc: Doc | undefined, view?: ViewName): void {
    this.doc = doc;
    fill(this.files, ...this.docs.map((d) => h("div", { class: "filetab" + (d === doc ? " on" : "") },
      h("button", { type: "button", class: "clip", "aria-current": d === doc ? "true" : null, title: plain(d.name), onclick: () => this.show(d) }, d.name),
      button("✕", () => this.close(d), "Close " + plain(d.name), ""))));
    this.files.querySelector(".on")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.sub.hidden = !doc;
    if (!doc) {
      document.title = "picaproof";
      fill(this.main, startPage(this, () => this.picker.click()));
      return;
    }
    document.title = plain(doc.name) + " · picaproof";
    if (view) doc.view = view;
    this.bar(doc);
    const v = this.view(doc, doc.view);
    fill(this.main, v.root);
    v.focus();
  }

  /** bar fills the line of the file: views, verdict, actions. */
  private bar(doc: Doc): void {
    const { info } = doc;
    const can: Record<ViewName, boolean> = { look: true, code: info.supports.listing, step: info.supports.run, compare: true };
    const tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Views" }, ...viewNames.map(([name, text]) => h("button", {
      type: "button", role: "tab", "aria-selected": String(doc.view === name), disabled: !can[name], hidden: !can[name],
      onclick: () => this.show(doc, name),
    }, text)));
    const { errors, warnings, infos } = info.findings;
    fill(this.sub, tabs,
      h("div", { class: "facts" },
        h("span", { class: "verdict " + (info.accepted ? "ok" : "refused") }, info.accepted ? "accepted" : info.format ? "refused" : "unknown"),
        h("span", { class: "clip" }, info.title || info.format), h("span", { class: "dim clip" }, count(info.length, "byte")),
        h("span", { class: "dim clip wide" }, `${count(errors, "error")}, ${count(warnings, "warning")}, ${count(infos, "info")}`),
        info.writer ? h("span", { class: "dim clip wide" }, "written by " + info.writer) : null),
      this.actions.bar(doc));
  }

  private view(doc: Doc, name: ViewName): View {
    let views = this.views.get(doc);
    if (!views) this.views.set(doc, (views = new Map()));
    let v = views.get(name);
    if (!v) {
      v = name === "look" ? new LookView(this, doc) : name === "code" ? new CodeView(this, doc)
        : name === "step" ? new StepView(this, doc) : new CompareView(this, doc);
      views.set(name, v);
      const made = v;
      made.loaded?.catch((e: unknown) => this.unloaded(doc, name, made, e));
    }
    return v;
  }

  /** unloaded says why a view is empty. It is made anew when it is shown again. */
  private unloaded(doc: Doc, name: ViewName, v: View, e: unknown): void {
    this.fail(e);
    if (!(e instanceof Cancelled) && v.root.hasChildNodes()) return;
    this.views.get(doc)?.delete(name);
    fill(v.root, h("div", { class: "none", role: "alert" }, h("b", {}, e instanceof Error ? e.message : String(e)),
      button("Try again", () => this.show(doc, name))));
  }

  async restore(doc: Doc, state: Partial<StepState>): Promise<void> {
    await (this.view(doc, "step") as StepView).restore(state);
  }

  /** step returns the view of steps if the file has one. */
  step(doc = this.doc): StepView | undefined {
    return doc && (this.views.get(doc)?.get("step") as StepView | undefined);
  }

  private key(e: KeyboardEvent): void {
    const t = e.target as HTMLElement;
    const path = e.composedPath()[0] as HTMLElement;
    if (e.key === "Escape" && !this.busy.hidden) return this.client.cancel();
    if (document.querySelector("dialog[open]")) return;
    if (e.key === "F6") {
      e.preventDefault();
      return this.nextPane(e.shiftKey);
    }
    if ((e.ctrlKey || e.metaKey) && e.key === "f" && this.doc && !path.isContentEditable) {
      e.preventDefault();
      return this.actions.find(this.doc);
    }
    if (e.ctrlKey || e.metaKey || e.altKey || path.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(path.tagName)) return;
    const doc = this.doc;
    if (e.key === "o") this.picker.click();
    else if (e.key === "t") theme(true);
    else if (e.key === "?") this.help();
    else if (!doc) return;
    else if (e.key === "/") this.actions.find(doc);
    else if (e.key === "g") this.actions.goTo(doc);
    else if (e.key === "c") void this.actions.copy(doc);
    else if (e.key === "s") void shareDialog(this, doc, this.step());
    else if (/^[1-4]$/.test(e.key)) {
      const tab = this.sub.querySelectorAll<HTMLButtonElement>("[role=tab]")[Number(e.key) - 1];
      if (tab && !tab.disabled) tab.click();
    } else {
      const v = this.view(doc, doc.view) as View & { command?(key: string): boolean };
      if (!v.command?.(e.key)) return;
    }
    if (t !== document.body || e.key !== "o") e.preventDefault();
  }

  /** nextPane moves the focus to the next list or form. */
  private nextPane(back: boolean): void {
    const places = [...this.main.querySelectorAll<HTMLElement>(".rows, .given, .registers, .editor")].filter((p) => p.offsetParent);
    const now = places.findIndex((p) => p.contains(document.activeElement));
    const next = places[(now + (back ? -1 : 1) + places.length) % places.length];
    const inner = next?.matches("[tabindex]") ? next : next?.querySelector<HTMLElement>("input, button, select, [tabindex]");
    inner?.focus();
  }
}

/** stored returns the chosen colours. A browser may forbid storage; then a choice lasts as long as the page. */
function stored(choice: string | null = null): string | null {
  try {
    if (choice) localStorage.setItem("theme", choice);
    return localStorage.getItem("theme");
  } catch {
    return choice;
  }
}

/** theme applies the chosen colours, or changes them. */
function theme(change = false): void {
  const root = document.documentElement;
  const { classList } = root;
  const dark = classList.contains("dark") || !classList.contains("light") && matchMedia("(prefers-color-scheme: dark)").matches;
  const chosen = change ? stored(dark ? "light" : "dark") : stored();
  root.classList.toggle("dark", chosen === "dark");
  root.classList.toggle("light", chosen === "light");
}

theme();
// A call that nobody waits for any more may be cancelled, too: its end is no error.
addEventListener("unhandledrejection", (event) => {
  if (event.reason instanceof Cancelled) event.preventDefault();
});
const page = new Page();
Object.assign(globalThis, { page }); // for tests and for the console of the browser
void page.start();
if ("serviceWorker" in navigator && !alone) {
  navigator.serviceWorker.register("sw.js").catch(() => undefined);
}
