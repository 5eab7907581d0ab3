/** Elements without markup: every text goes through textContent. */

export type Child = Node | string | null | undefined | false;
type Value = string | number | boolean | null | undefined | ((e: never) => void);

/**
 * h makes an element. Properties that begin with "on" are listeners, the others attributes;
 * true stands for an empty attribute, and false, null and undefined for none.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, props: Record<string, Value> = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") e.addEventListener(name.slice(2), value as EventListener);
    else e.setAttribute(name, value === true ? "" : String(value));
  }
  e.append(...kept(children));
  return e;
}

/** s makes an element of SVG. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K, props: Record<string, string | number> = {}, ...children: Child[]
): SVGElementTagNameMap[K] {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(props)) e.setAttribute(name, String(value));
  e.append(...kept(children));
  return e;
}

/** fill replaces the children of an element. */
export function fill(e: Element, ...children: Child[]): void {
  e.replaceChildren(...kept(children));
}

function kept(children: Child[]): (Node | string)[] {
  return children.filter((c): c is Node | string => c !== null && c !== undefined && c !== false)
    .map((c) => (typeof c === "string" ? plain(c) : c));
}

/** Characters that hide or turn text: controls, zero widths, and marks of direction. */
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** plain makes hidden characters of a text visible as escapes. */
export function plain(text: string): string {
  return text.replace(hidden, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

/** hex formats a number in the notation of the command line. */
export function hex(n: number, digits = 4): string {
  return "0x" + n.toString(16).padStart(digits, "0");
}

/** count formats a number with its noun. */
export function count(n: number, one: string, many = one + "s"): string {
  return n.toLocaleString("en") + " " + (n === 1 ? one : many);
}

/** button makes a button with a visible text and, where the text is short, a longer name. */
export function button(text: string, onclick: () => void, name?: string, cls = "button"): HTMLButtonElement {
  // The name contains the visible text, so that it can be spoken as it is read.
  const label = name && /[A-Za-z]/.test(text) && !name.includes(text) ? `${text}: ${name}` : name;
  return h("button", { type: "button", class: cls, onclick, ...(name ? { title: name, "aria-label": label } : {}) }, text);
}

/** icon draws paths of 16 by 16 units in the colour of the text: not every machine has a font with such characters. */
export function icon(d: string): SVGSVGElement {
  return s("svg", { class: "icon", width: 16, height: 16, viewBox: "0 0 16 16", "aria-hidden": "true" }, s("path", { d }));
}

/** iconButton makes a button with an icon, a text beside it or none, and a name. */
export function iconButton(d: string, text: string, onclick: () => void, name: string, cls = "quiet"): HTMLButtonElement {
  const b = button(text, onclick, name, cls);
  b.prepend(icon(d));
  return b;
}

/** labelled puts a label and a control into one element. */
export function labelled(text: string, control: HTMLElement, cls = "field"): HTMLLabelElement {
  return h("label", { class: cls }, h("span", {}, text), control);
}

/** select makes a list of choices; each is a value and a text. */
export function choice(
  name: string, options: readonly (readonly [string, string])[], value: string, onpick: (value: string) => void,
): HTMLSelectElement {
  const e = h("select", { "aria-label": name, onchange: () => onpick(e.value) },
    ...options.map(([v, text]) => h("option", { value: v, selected: v === value }, text)));
  return e;
}

/** toClipboard fails where the browser has no clipboard for the page, as without HTTPS. */
export async function toClipboard(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}

/** save gives bytes to the browser as a download. */
export function save(name: string, data: Uint8Array | string, type = "application/octet-stream"): void {
  const url = URL.createObjectURL(new Blob([data as BlobPart], { type }));
  const a = h("a", { href: url, download: name });
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
