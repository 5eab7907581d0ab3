/** What the page shows before a file is open. */
import { button, fill, h } from "./dom";
import type { App } from "./state";
import type { Example } from "./bridge";
import { openExample } from "./share";

export function startPage(app: App, pick: () => void): HTMLElement {
  const cards = h("div", { class: "cards" }, h("p", { class: "dim" }, "The engine starts …"));
  app.client.call("examples", {}).then(({ examples }) => fill(cards, ...examples.map((x) => card(app, x))))
    .catch((e: unknown) => fill(cards, h("p", { role: "alert" }, "The engine did not start: " + String(e))));
  return h("div", { class: "start", tabindex: 0, role: "region", "aria-label": "Start" }, h("div", {},
    h("h1", {}, "What is in this shader file?"),
    h("p", { class: "lead" }, "Every byte with its owner, every rule it breaks, its programs as assembly, and each step of a run, " +
      "under the rules of the console or of an emulator."),
    h("div", { class: "drop" }, button("Open a file", pick, undefined, "button primary"),
      h("div", {}, h("div", {}, "or drop it here: SHBIN, DVOJ, csdr, ZPSH, SHARCFB, GSH, BNSH"),
        h("div", { class: "dim" }, "The file stays on this machine. After the first visit the page works without a network."))),
    h("h2", {}, "Or start with an example"), cards));
}

function card(app: App, x: Example): HTMLElement {
  return h("button", { type: "button", class: "card", onclick: () => void openExample(app, x) },
    h("b", {}, x.title), ...x.text.map((t) => h("p", {}, t)));
}
