/** On a narrow screen one pane is in front; tabs choose it. On a wide one all are visible. */
import { h } from "./dom";

export class PaneTabs {
  readonly root: HTMLElement;
  private readonly tabs: HTMLButtonElement[];

  constructor(private readonly panes: HTMLElement, names: string[], front = 0) {
    this.tabs = names.map((name, i) => h("button", {
      type: "button", role: "tab", onclick: () => this.show(i), onkeydown: (e: KeyboardEvent) => this.key(e, i),
    }, name));
    this.root = h("div", { class: "panetabs tabs", role: "tablist", "aria-label": "Panes" }, ...this.tabs);
    this.show(front);
  }

  show(i: number): void {
    this.tabs.forEach((t, j) => {
      t.setAttribute("aria-selected", String(i === j));
      t.tabIndex = i === j ? 0 : -1;
    });
    [...this.panes.children].forEach((p, j) => p.classList.toggle("front", i === j));
  }

  private key(e: KeyboardEvent, i: number): void {
    const to = { ArrowRight: i + 1, ArrowLeft: i - 1 }[e.key];
    if (to === undefined || !this.tabs[to]) return;
    e.preventDefault();
    this.show(to);
    this.tabs[to].focus();
  }
}
