/** The editor: CodeMirror in a shadow root, so that its styles need no exception of the policy. */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { h, plain } from "./dom";
import type { SourceError } from "./bridge";

const assembly = StreamLanguage.define<null>({
  startState: () => null,
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^(;|\/\/).*/)) return "comment";
    if (stream.match(/^"[^"]*"?/)) return "string";
    if (stream.match(/^[A-Za-z_$][\w$.]*:/)) return "labelName";
    if (stream.match(/^\.[A-Za-z]\w*/)) return "meta";
    if (stream.string.slice(0, stream.start).trim() === "" && stream.match(/^[A-Za-z_]\w*/)) return "keyword";
    if (stream.match(/^-?(0x[0-9a-fA-F]+|\d+(\.\d+)?([eE][-+]?\d+)?)\b/)) return "number";
    if (stream.match(/^(v|r|c|o|i|b)\d+(\.[xyzwrgba]+)?\b/)) return "variableName";
    if (stream.match(/^(a0|aL|cmp)(\.[xy])?\b/)) return "variableName";
    if (stream.match(/^[A-Za-z_]\w*/)) return "name";
    stream.next();
    return null;
  },
});

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--dim)" },
  { tag: tags.keyword, color: "var(--accent)", fontWeight: "600" },
  { tag: tags.labelName, fontWeight: "600" },
  { tag: tags.meta, color: "var(--info)" },
  { tag: tags.string, color: "var(--warning)" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--bg)" },
  ".cm-scroller": { fontFamily: "var(--mono)", fontSize: "12.5px", lineHeight: "20px" },
  ".cm-gutters": { backgroundColor: "var(--bg)", color: "var(--dim)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--hover)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused": { outline: "none" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--soft)" },
  ".cm-tooltip": { backgroundColor: "var(--bg)", color: "var(--text)", border: "1px solid var(--line)", borderRadius: "6px", font: "13px/19px var(--ui)" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--error)" },
});

const delay = 200; // milliseconds without a key

export class Editor {
  readonly root = h("div", { class: "editor" });
  private readonly view: EditorView;
  private timer = 0;
  private round = 0;

  /** check is called with the text after each pause, and returns what is wrong with it. */
  constructor(text: string, private readonly check: (text: string) => Promise<SourceError[]>) {
    const shadow = this.root.attachShadow({ mode: "open" });
    const place = h("div", {});
    place.style.height = "100%";
    shadow.append(place);
    this.view = new EditorView({
      parent: place, root: shadow,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(), highlightActiveLineGutter(), highlightActiveLine(), history(), drawSelection(), lintGutter(), assembly,
          syntaxHighlighting(colours), theme, keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
          EditorView.contentAttributes.of({ "aria-label": "Assembly" }),
          EditorView.updateListener.of((u) => {
            if (u.docChanged) this.later();
          }),
        ],
      }),
    });
    void this.run();
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  focus(): void {
    this.view.focus();
  }

  private later(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.run(), delay);
  }

  private async run(): Promise<void> {
    const round = ++this.round, doc = this.view.state.doc;
    const errors = await this.check(doc.toString()).catch((e: unknown): SourceError[] =>
      [{ line: 0, column: 0, length: 0, message: String(e) }]);
    if (round !== this.round || doc !== this.view.state.doc) return;
    this.view.dispatch(setDiagnostics(this.view.state, errors.map((e): Diagnostic => {
      const line = doc.line(Math.max(1, Math.min(e.line, doc.lines)));
      const from = e.line > 0 ? line.from + units(line.text, e.column - 1) : line.from;
      const to = e.line > 0 ? Math.max(from, line.from + units(line.text, e.column - 1 + e.length)) : line.to;
      return { from, to, severity: "error", message: plain([e.message, e.hint].filter((t) => t).join("; ")) };
    })));
  }
}

/** units returns how many UTF-16 units of a text its first bytes in UTF-8 are. */
function units(text: string, bytes: number): number {
  let n = 0;
  for (const c of text) {
    const code = c.codePointAt(0)!;
    bytes -= code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes < 0) break;
    n += c.length;
  }
  return n;
}
