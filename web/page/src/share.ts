/**
 * Links: the file, the selection and the state of a run in the fragment of the address, compressed.
 * A fragment is never sent to a server. Beyond the limit the same bytes are a file to download.
 */
import { alone } from "./alone";
import { button, count, h, save, toClipboard } from "./dom";
import type { App, Doc, Selection, ViewName } from "./state";
import type { StepState, StepView } from "./step";
import type { Example } from "./bridge";

const longestLink = 8000; // characters; trackers and chats keep links of this length
const mostOpened = 64 << 20; // bytes of a link after decompression
const longestName = 255; // characters, as of a file on a disk
const magic = "picaproof link 1\n";

interface State {
  name: string;
  as?: string;
  view: ViewName;
  selection?: Selection;
  step?: StepState;
}

/** shareDialog shows a link that reproduces the state. */
export async function shareDialog(app: App, doc: Doc | undefined, step: StepView | undefined): Promise<void> {
  if (!doc) return app.say("Open a file first.");
  const packed = await pack(doc, step);
  const fragment = await compress(packed);
  const link = location.origin + location.pathname + "#s=" + fragment;
  if (alone || link.length > longestLink) {
    const why = alone ? "This page is a file of your own, so a link to it opens nowhere else."
      : `The link would have ${link.length.toLocaleString("en")} characters. Up to ${longestLink.toLocaleString("en")} fit into an address.`;
    app.dialog("Share", h("p", {}, why + " Send a file instead: it holds the file and the state of the page, and any copy of the page opens it."),
      h("div", { class: "actions" }, button("Save the file", () => save(doc.baseName + ".picaproof", magic + fragment), undefined, "button primary")));
    return;
  }
  const area = h("textarea", { class: "link", readonly: true, "aria-label": "Link" });
  area.value = link;
  app.dialog("Share", h("p", {}, `The link holds the file itself (${count(doc.bytes.length, "byte")}) and what the page shows. It opens anywhere; nothing is sent to a server.`), area,
    h("div", { class: "actions" }, button("Copy", () => void toClipboard(link).then(() => app.say("Copied the link."), () => area.select()), undefined, "button primary")));
  area.select();
}

async function pack(doc: Doc, step: StepView | undefined): Promise<Uint8Array> {
  const state: State = {
    name: doc.name, view: doc.view, ...(doc.as ? { as: doc.as } : {}), ...(doc.selection ? { selection: doc.selection } : {}),
    ...(step ? { step: step.state() } : {}),
  };
  const head = new TextEncoder().encode(JSON.stringify(state));
  const all = new Uint8Array(4 + head.length + doc.bytes.length);
  new DataView(all.buffer).setUint32(0, head.length);
  all.set(head, 4);
  all.set(doc.bytes, 4 + head.length);
  return all;
}

/** readLink opens what the fragment of the address holds. */
export async function readLink(app: App): Promise<void> {
  const fragment = location.hash;
  if (!isLink(fragment)) return;
  history.replaceState(null, "", location.pathname + location.search);
  await openLinks(app, [fragment]);
}

const isLink = (text: string): boolean => /^#[sj]=./.test(text);

/** openLinks opens fragments. Two files are compared if the last state says so. */
export async function openLinks(app: App, links: string[]): Promise<void> {
  try {
    for (const link of links.filter(isLink)) {
      const kind = link[1], data = link.slice(3);
      if (kind === "s") await unpack(app, data);
      else {
        const doc = await app.open("job.json", await decompress(data), "job");
        if (doc?.info.supports.run) app.show(doc, "step");
      }
    }
    const compared = app.docs.find((d) => d.view === "compare");
    if (compared && links.length > 1) app.show(compared);
  } catch (e) {
    app.fail(damaged("the link", e));
  }
}

const damaged = (what: string, e: unknown): Error => new Error(`${what} is damaged: ${e instanceof Error ? e.message : String(e)}`);

/** isLinkFile says that bytes are a link saved as a file. */
export function isLinkFile(bytes: Uint8Array): boolean {
  return bytes.length > magic.length && new TextDecoder().decode(bytes.subarray(0, magic.length)) === magic;
}

export async function openLinkFile(app: App, bytes: Uint8Array): Promise<void> {
  try {
    await unpack(app, new TextDecoder().decode(bytes.subarray(magic.length)));
  } catch (e) {
    throw damaged("the saved state", e);
  }
}

/** check refuses a state whose parts have other types than the page writes. */
function check(state: State): void {
  const text = (v: unknown) => typeof v === "string", number = (v: unknown) => Number.isSafeInteger(v);
  const object = (v: unknown) => typeof v === "object" && v !== null && !Array.isArray(v);
  const texts = (v: unknown) => object(v) && Object.values(v as object).every(text);
  const need = (ok: boolean, part: string) => {
    if (!ok) throw new Error(part + " is not what the page writes");
  };
  const optional = (of: object, part: string, is: (v: unknown) => boolean, prefix = "") => {
    const v = (of as Record<string, unknown>)[part];
    need(v === undefined || is(v), prefix + part);
  };
  need(object(state), "the state");
  need(text(state.name), "name");
  need(["look", "code", "step", "compare"].includes(state.view), "view");
  optional(state, "as", text);
  optional(state, "selection", (v) => object(v) && number((v as Selection).offset) && number((v as Selection).length) && text((v as Selection).path));
  optional(state, "step", object);
  for (const part of ["program", "step"]) optional(state.step ?? {}, part, number, "step.");
  for (const part of ["profile", "versus", "ancestry"]) optional(state.step ?? {}, part, text, "step.");
  for (const part of ["inputs", "uniforms"]) optional(state.step ?? {}, part, texts, "step.");
  optional(state.step ?? {}, "breakpoints", (v) => Array.isArray(v) && v.every(number), "step.");
}

async function unpack(app: App, data: string): Promise<void> {
  const all = await decompress(data);
  const size = new DataView(all.buffer).getUint32(0);
  if (size + 4 > all.length) throw new Error("it is cut off");
  const state = JSON.parse(new TextDecoder().decode(all.subarray(4, 4 + size))) as State;
  check(state);
  const doc = await app.open(state.name.slice(0, longestName), all.slice(4 + size), state.as);
  if (!doc) return;
  const can: Record<ViewName, boolean> = { look: true, code: doc.info.supports.listing, step: doc.info.supports.run, compare: true };
  const view = can[state.view] ? state.view : "look";
  if (state.step && doc.info.supports.run) await app.restore(doc, state.step);
  app.show(doc, view);
  if (state.selection) doc.select(state.selection, undefined);
}

/** openExample opens a file that teaches, with the run that its sentences describe. */
export async function openExample(app: App, x: Example): Promise<void> {
  const doc = await app.sample(x.name);
  if (!doc) return;
  if (x.offset !== undefined) await doc.selectByte(x.offset, undefined).catch((e: unknown) => app.fail(e));
  const object = (list: Example["inputs"] | null) => Object.fromEntries((list ?? []).map((a) => [a.register, a.value]));
  if (!doc.info.supports.run || (x.offset !== undefined && !x.versus)) return;
  await app.restore(doc, { profile: x.profile ?? "f24", versus: x.versus ?? "", inputs: object(x.inputs), uniforms: object(x.uniforms) });
  app.show(doc, "step");
}

async function compress(bytes: Uint8Array): Promise<string> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  let text = "";
  for (let i = 0; i < packed.length; i += 0x8000) text += String.fromCharCode(...packed.subarray(i, i + 0x8000));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** decompress undoes compress. It stops when a small link would become a very large file. */
async function decompress(data: string): Promise<Uint8Array> {
  const text = atob(data.trim().replaceAll("-", "+").replaceAll("_", "/"));
  const packed = Uint8Array.from(text, (c) => c.charCodeAt(0));
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > mostOpened) throw new Error(`it holds more than ${mostOpened} bytes`);
    parts.push(value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const p of parts) {
    all.set(p, at);
    at += p.length;
  }
  return all;
}
