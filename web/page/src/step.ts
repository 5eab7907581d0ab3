/** The view of steps: what a run is given, where it is, and the registers before the next step. */
import { button, count, fill, h, iconButton, plain } from "./dom";
import { Given } from "./given";
import { Listing } from "./listing";
import { PaneTabs } from "./panes";
import { pickProgram, programs } from "./programs";
import { Pages, Rows } from "./rows";
import type { App, Doc } from "./state";
import type { AncestryResult, PartResult, Program, RunResult, ShowVector, StateResult, Step } from "./bridge";

const components = "xyzw";
const delay = 120; // milliseconds without a change before the program runs again

interface Run {
  result: RunResult;
  epoch: number;
  trace: Pages<Step>;
}

/** StepState is what a link keeps. */
export interface StepState {
  program: number;
  step: number;
  profile: string;
  versus: string;
  inputs: Record<string, string>;
  uniforms: Record<string, string>;
  breakpoints: number[];
  ancestry?: string;
}

export class StepView {
  readonly root = h("div", { class: "view" });
  private readonly listing: Listing;
  private given: Given | undefined;
  private readonly left = h("section", { class: "pane", "aria-label": "Given" }, h("header", {}, h("h2", {}, "Given")));
  private readonly bar = h("div", { class: "stepbar", role: "group", "aria-label": "Steps" });
  private readonly head = h("header", {});
  private readonly middle: HTMLElement;
  private readonly registers = h("div", { class: "registers", tabindex: 0, role: "region", "aria-label": "Registers" });
  private readonly trace: Rows;
  private readonly panes: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly where = h("span", { class: "mono", role: "status" });
  private readonly apart = h("div", {});
  private readonly source = h("div", {});
  private list: Program[] = [];
  private program = 0;
  private run: Run | undefined;
  private versus: Run | undefined;
  private part: PartResult | undefined;
  private step = 0;
  private shown: StateResult | undefined;
  private ancestors: AncestryResult | undefined;
  private ancestrySteps: Set<number> | undefined;
  private looked: { register: string; component: number } | undefined;
  private timer = 0;
  private round = 0;
  private used: string[] = [];
  readonly loaded: Promise<void>;
  /** ready resolves when the last change has been run and shown. */
  ready: Promise<void> = Promise.resolve();

  constructor(private readonly app: App, private readonly doc: Doc) {
    this.program = doc.place?.program ?? 0;
    this.listing = new Listing(doc, { breakpoints: true, profile: () => this.given?.settings.profile ?? "f24" });
    this.slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Step", oninput: () => void this.go(Number(this.slider.value)) });
    this.trace = new Rows({ id: "trace", label: "Trace", role: "listbox", render: (i) => this.traceRow(i), keydown: (e) => this.traceKey(e) });
    this.trace.root.hidden = true;
    this.trace.root.addEventListener("click", (e) => {
      const row = (e.target as HTMLElement).closest<HTMLElement>("[data-i]");
      if (row) void this.go(Number(row.dataset["i"]));
    });
    this.middle = h("section", { class: "pane", "aria-label": "Program" }, this.head, this.listing.root, this.trace.root);
    this.panes = h("div", { class: "panes step" }, this.left, this.middle,
      h("section", { class: "pane", "aria-label": "Registers" }, h("header", {}, h("h2", {}, "Registers")), this.registers));
    fill(this.bar,
      h("div", { class: "group" },
        iconButton("M3 3h2v10H3zM13 3v10L6 8z", "", () => void this.go(0), "First step (<)"),
        iconButton("M12 3v10L4 8z", "", () => void this.go(this.step - 1), "Step back (,)"),
        iconButton("M4 3l8 5-8 5z", "", () => void this.go(this.step + 1), "Step forward (.)"),
        iconButton("M3 3l7 5-7 5zM11 3h2v10h-2z", "", () => void this.go(Infinity), "End (>)")),
      this.slider, this.where,
      h("div", { class: "group" },
        iconButton("M2 3h2v10H2zM9 3v4h5v2H9v4L4.5 8z", "back", () => void this.seek(true), "Run back to the cursor or a breakpoint ([)"),
        iconButton("M12 3h2v10h-2zM7 3v4H2v2h5v4l4.5-5z", "forward", () => void this.seek(false), "Run to the cursor or a breakpoint (])"),
        iconButton("M8 4a4 4 0 1 0 0 8a4 4 0 1 0 0-8z", "breakpoint", () => this.listing.toggle(this.listing.word), "Set or clear a breakpoint at the cursor (b)"),
        this.traceButton()));
    this.root.append(this.bar, this.apart, this.source, new PaneTabs(this.panes, ["Given", "Program", "Registers"], 1).root, this.panes);
    this.loaded = this.load();
  }

  private traceButton(): HTMLButtonElement {
    const b = button("Trace", () => {
      this.trace.root.hidden = !this.trace.root.hidden;
      this.listing.root.hidden = !this.trace.root.hidden;
      b.setAttribute("aria-pressed", String(!this.trace.root.hidden));
      this.trace.refresh();
      this.trace.show(this.step);
    }, "Show the executed instructions instead of the program", "quiet");
    b.setAttribute("aria-pressed", "false");
    return b;
  }

  private async load(): Promise<void> {
    const profiles = await this.app.client.call("profiles", {});
    this.given = new Given(profiles, () => this.later());
    this.given.settings.profile = jobProfile(this.doc) ?? "f24";
    this.left.append(this.given.root);
    this.list = (await programs(this.doc)).filter((p) => p.kind === "pica200");
    await this.open(this.program);
  }

  private async open(n: number): Promise<void> {
    this.program = n;
    fill(this.head, h("h2", {}, "Program"), pickProgram(this.list, n, (p) => void this.open(p).catch((e: unknown) => this.app.fail(e))));
    await this.listing.load(n);
    this.used = [...new Set(this.listing.lines.flatMap((l) => l.text.match(/\b[ro]\d+\b/g) ?? []))]
      .sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    const registers = await this.doc.ask("registers", { program: n });
    for (const kind of ["inputs", "uniforms"] as const) { // a job brings values, which the form shows
      for (const r of registers[kind]) if (r.given) this.given!.settings[kind][r.register] ??= r.given;
    }
    this.given!.show(registers);
    await this.execute(0);
  }

  /** restore applies what a link keeps. */
  async restore(s: Partial<StepState>): Promise<void> {
    await this.loaded;
    Object.assign(this.given!.settings, {
      profile: s.profile || "f24", versus: s.versus ?? "", inputs: { ...s.inputs }, uniforms: { ...s.uniforms },
    });
    const named = await this.doc.ask("registers", { program: s.program ?? this.program }); // an example uses names
    for (const kind of ["inputs", "uniforms"] as const) {
      const values = this.given!.settings[kind];
      for (const r of named[kind]) {
        if (!r.name || values[r.name] === undefined) continue;
        values[r.register] = values[r.name]!;
        delete values[r.name];
      }
    }
    for (const b of s.breakpoints ?? []) this.listing.breakpoints.add(b);
    await this.open(s.program ?? this.program);
    if (s.step !== undefined) await this.go(s.step);
    if (s.ancestry) await this.fed(s.ancestry);
  }

  /** state returns what a link keeps. */
  state(): StepState {
    const s = this.given?.settings ?? { profile: "f24", versus: "", inputs: {}, uniforms: {} };
    return {
      program: this.program, step: this.step, profile: s.profile, versus: s.versus, inputs: s.inputs, uniforms: s.uniforms,
      breakpoints: [...this.listing.breakpoints], ...(this.ancestors ? { ancestry: this.ancestors.component } : {}),
    };
  }

  private later(): void {
    clearTimeout(this.timer);
    this.ready = new Promise((resolve) => {
      this.timer = window.setTimeout(() => void this.execute(this.step).catch((e: unknown) => this.app.fail(e)).finally(resolve), delay);
    });
  }

  private async start(profile: string): Promise<Run> {
    const result = await this.doc.ask("run", {
      program: this.program, profile, inputs: this.given!.assignments("inputs"), uniforms: this.given!.assignments("uniforms"),
    });
    return {
      result, epoch: this.app.client.epoch,
      trace: new Pages(100, async (from, limit) => (await this.app.client.call("trace", { run: result.run, from, limit })).steps,
        () => this.trace.refresh()),
    };
  }

  /** execute runs the program and shows a step. */
  private async execute(step: number, stay = false): Promise<void> {
    const round = ++this.round, { profile, versus } = this.given!.settings;
    const run = await this.start(profile);
    const second = versus ? await this.start(versus) : undefined;
    const part = second ? await this.app.client.call("part", { a: run.result.run, b: second.result.run }) : undefined;
    if (round !== this.round) return;
    this.run = run;
    this.versus = second;
    this.part = part;
    this.clearAncestry();
    const { outcome, steps } = run.result;
    this.given!.unset([outcome.never_set, outcome.without_value]);
    this.slider.max = String(steps);
    this.trace.setCount(steps);
    this.showPart();
    // Two runs stop where they part, unless the engine has been started again.
    await this.go(part?.parted && !stay ? Math.min(part.step, steps) : Math.min(step, steps));
  }

  private showPart(): void {
    const p = this.part;
    if (!p) return fill(this.apart);
    const { profile, versus } = this.given!.settings;
    if (!p.parted) return fill(this.apart, h("div", { class: "strip" }, `${profile} and ${versus} do the same in every step.`));
    const value = (s: Step | PartResult["left"]) => (s?.result ? vector(s.result) : s?.trap ? "trap: " + s.trap.cause : s ? `next word ${s.next}` : "ends");
    fill(this.apart, h("div", { class: "strip" }, h("b", {}, `They part at step ${p.step}: `), h("code", {}, p.left?.text ?? p.right?.text ?? ""),
      h("span", {}, profile, " ", h("code", {}, value(p.left))), h("span", {}, versus, " ", h("code", {}, value(p.right))),
      button("Go there", () => void this.go(p.step), undefined, "quiet"), button("Behind it", () => void this.go(p.step + 1), undefined, "quiet")));
  }

  /** go shows the state before a step; the number of steps stands for the end. */
  async go(step: number): Promise<void> {
    if (!this.run) return;
    if (this.run.epoch !== this.app.client.epoch) return this.execute(step, true); // the engine has been started again
    const { result } = this.run;
    const to = Math.max(0, Math.min(step, result.steps));
    this.step = to;
    const round = this.round;
    try {
      const state = await this.app.client.call("state", { run: result.run, step: to });
      const second = this.versus && (await this.app.client.call("state", { run: this.versus.result.run, step: Math.min(to, this.versus.result.steps) }));
      const last = to > 0 ? await this.run.trace.get(to - 1) : undefined;
      const next = to < result.steps ? await this.run.trace.get(to) : undefined;
      if (this.step !== to || round !== this.round) return;
      this.shown = state;
      this.slider.value = String(to);
      const trap = state.trap ?? (to === result.steps ? result.outcome.vertices[0]?.trap : undefined);
      this.where.textContent = `step ${to} of ${result.steps}` + (to === result.steps ? (trap ? `, trap: ${trap.cause}` : ", end") : "");
      this.listing.setPc(next ? next.pc : trap ? trap.pc : last?.pc ?? -1);
      this.trace.show(to);
      this.draw(state, last, second);
    } catch (e) {
      this.app.fail(e);
    }
  }

  /** number returns the number of a run in the engine of today. */
  private async number(run: Run): Promise<number> {
    if (run.epoch !== this.app.client.epoch) await this.execute(this.step, true);
    return (this.run ?? run).result.run;
  }

  /** seek runs to the cursor or a breakpoint, in either direction. */
  private async seek(back: boolean): Promise<void> {
    if (!this.run) return;
    const words = [...new Set([...this.listing.breakpoints, this.listing.word])].filter((w) => w >= 0);
    if (words.length === 0) return this.app.say("Put the cursor on an instruction, or set a breakpoint.");
    try {
      const { step } = await this.app.client.call("seek", { run: await this.number(this.run), from: this.step, back, words });
      if (step < 0) this.app.say(back ? "No step before this one is there." : "No step after this one is there.");
      else await this.go(step);
    } catch (e) {
      this.app.fail(e);
    }
  }

  command(key: string): boolean {
    const moves: Record<string, () => void> = {
      "<": () => void this.go(0), ">": () => void this.go(Infinity),
      ".": () => void this.go(this.step + 1), ",": () => void this.go(this.step - 1),
      "]": () => void this.seek(false), "[": () => void this.seek(true), b: () => this.listing.toggle(this.listing.word),
      n: () => this.listing.nextLint(1), p: () => this.listing.nextLint(-1),
    };
    moves[key]?.();
    return moves[key] !== undefined;
  }

  focus(): void {
    this.listing.rows.root.focus();
  }

  private draw(state: StateResult, last: Step | undefined, second: StateResult | undefined): void {
    const changed = new Map((last?.changed ?? []).map((c) => [c.register, c]));
    const table = (names: string[], of: (s: StateResult) => Record<string, ShowVector>) => h("table", {}, h("thead", { class: "sr" },
      h("tr", {}, h("th", {}, "register"), ...[...components].map((c) => h("th", {}, c)))), h("tbody", {}, ...names.flatMap((name) => {
      const v = of(state)[name], before = changed.get(name)?.before;
      const other = second && of(second)[name];
      const different = second && (v?.bits.join() ?? "") !== (other?.bits.join() ?? "");
      const rows = [h("tr", {}, h("th", { scope: "row" }, name), ...[0, 1, 2, 3].map((i) => this.value(name, i, v, before, different ? other ?? zero(v) : undefined)))];
      if (different) rows.push(h("tr", { class: "old" }, h("th", { scope: "row" }, h("span", { class: "sr" }, `${name} in ${this.given!.settings.versus}`)),
        ...[0, 1, 2, 3].map((i) => h("td", {}, text(other?.value[i] ?? 0)))));
      return rows;
    })));
    const registers = (s: StateResult) => s.state.registers;
    const given = (title: string, values: Record<string, ShowVector>, of: (s: StateResult) => Record<string, ShowVector>) =>
      Object.keys(values).length > 0 ? [h("h3", {}, title), table(Object.keys(values), of)] : [];
    const names = (kind: string) => [...new Set([...this.used.filter((r) => r.startsWith(kind)), ...Object.keys(state.state.registers).filter((r) => r.startsWith(kind))])]
      .sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    const s = state.state;
    const semantics = this.run?.result.outcome.semantics ?? {};
    const outputs = names("o");
    fill(this.registers,
      this.looked ? this.bits(state, this.looked.register, this.looked.component) : null,
      h("h3", {}, "Temporaries"), table(names("r"), registers),
      h("h3", {}, "Outputs ", h("span", { class: "dim" }, plain(outputs.filter((o) => semantics[o]).map((o) => `${o} ${semantics[o]}`).join(", ")))), table(outputs, registers),
      h("h3", {}, "Flags and addresses"),
      h("p", { class: "mono" }, `cmp.x ${s.flags[0] ? 1 : 0}  cmp.y ${s.flags[1] ? 1 : 0}  a0.x ${s.address[0]}  a0.y ${s.address[1]}  aL ${s.address[2]}`),
      h("h3", {}, "Scopes"),
      h("div", { class: "stacks" },
        stack("if", s.if.map((x) => `else ${x.else}, end ${x.end}`)), stack("call", s.call.map((x) => `to ${x.end}, back ${x.return}`)),
        stack("loop", s.loop.map((x) => `${x.entry}–${x.end}, ${x.count} left, step ${x.step}`)), state.scopes ? h("p", { class: "mono" }, state.scopes) : null),
      ...given("Inputs", state.inputs, (x) => x.inputs), ...given("Uniforms", state.uniforms, (x) => x.uniforms),
      h("p", { class: "mono dim" }, state.ints.map((v, i) => (v.some((n) => n) ? `i${i} ${v.join(",")}  ` : "")).join("") +
        (state.bools ? "true: " + [...Array(16).keys()].filter((i) => state.bools & (1 << i)).map((i) => "b" + i).join(" ") : "")));
  }

  private value(register: string, i: number, v: ShowVector | undefined, before: ShowVector | undefined, other: ShowVector | undefined): HTMLElement {
    const now = v?.bits[i], changed = before && before.bits[i] !== (now ?? before.bits[i]?.replace(/./g, "0"));
    const apart = other && other.bits[i] !== now;
    const b = h("button", { type: "button", title: (v ? "0x" + v.bits[i] : "0") + (changed ? `, before ${text(before.value[i] ?? 0)}` : ""),
      "aria-label": `${register}.${components[i]} ${text(v?.value[i] ?? 0)}${changed ? ", changed" : ""}`,
      onclick: () => {
        this.looked = { register, component: i };
        void this.go(this.step);
      } }, text(v?.value[i] ?? 0));
    return h("td", { class: apart ? "apart" : changed ? "changed" : "" }, b);
  }

  /** bits shows one component as number, bits and fields. */
  private bits(state: StateResult, register: string, i: number): HTMLElement {
    const v = state.state.registers[register] ?? state.inputs[register] ?? state.uniforms[register];
    const bits = v?.bits[i] ?? "000000";
    const n = Number.parseInt(bits, 16), wide = bits.length > 6;
    const [e, m] = wide ? [8, 23] : [7, 16];
    const exponent = (n >>> m) & ((1 << e) - 1), significand = n & ((1 << m) - 1);
    const field = (name: string, value: string) => h("span", {}, h("small", {}, name), value);
    const name = `${register}.${components[i]}`;
    return h("div", { class: "bitsview", role: "group", "aria-label": name },
      h("div", { class: "who reg" }, h("b", { class: "mono" }, name), h("span", { class: "mono" }, text(v?.value[i] ?? 0)),
        h("span", { class: "grow" }), /^o/.test(register) ? button("What fed it?", () => void this.fed(name), `What fed ${name} in this run`, "quiet") : null,
        button("✕", () => {
          this.looked = undefined;
          void this.go(this.step);
        }, "Close", "quiet")),
      h("div", { class: "bitrow" }, field("bits", "0x" + bits), field("sign", String((n >>> (e + m)) & 1)),
        field("exponent", `${exponent.toString(2).padStart(e, "0")} = ${exponent}`),
        field("significand", significand.toString(2).padStart(m, "0"))));
  }

  /** fed keeps what fed a component of an output, and fades the rest. */
  async fed(component: string): Promise<void> {
    if (!this.run) return;
    try {
      const run = await this.number(this.run);
      const r = await this.app.client.call("ancestry", { run, component });
      const steps = [...r.steps];
      for (let from = r.next; from >= 0;) {
        const more = await this.app.client.call("ancestry", { run, component, from });
        steps.push(...more.steps);
        from = more.next;
      }
      this.ancestors = r;
      this.ancestrySteps = new Set(steps);
      this.listing.keep(new Set(r.words.map(([w]) => w)));
      const sources = [...r.inputs, ...r.uniforms, ...r.constants];
      this.given?.keep(new Set(sources.map((s) => s.register)));
      const list = (title: string, from: { name?: string; register: string; components?: string; not_given?: boolean }[]) => from.length === 0 ? "" :
        `${title}: ${from.map((s) => `${s.name ? s.name + " " : ""}${s.register}${s.components ? "." + s.components : ""}${s.not_given ? " (not set)" : ""}`).join(", ")}. `;
      fill(this.source, h("div", { class: "strip" }, h("b", {}, `${r.component} came from ${count(steps.length, "executed instruction")}. `),
        h("span", { class: "grow" }, list("Inputs", r.inputs) + list("Uniforms", r.uniforms) + list("Constants", r.constants) + (r.initial.length ? `State before the run: ${r.initial.join(", ")}.` : "")),
        button("Show all", () => this.clearAncestry(), "Show all instructions again", "quiet")));
      this.trace.refresh();
    } catch (e) {
      this.app.fail(e);
    }
  }

  private clearAncestry(): void {
    this.ancestors = this.ancestrySteps = undefined;
    this.listing.keep(undefined);
    this.given?.keep(undefined);
    fill(this.source);
    this.trace.refresh();
  }

  private traceRow(i: number): HTMLElement {
    const s = this.run?.trace.at(i);
    const sel = i === this.step;
    const common = { id: "trace-" + i, role: "option", "aria-selected": String(sel), "data-i": i };
    if (sel) this.trace.root.setAttribute("aria-activedescendant", "trace-" + i);
    const faded = this.ancestrySteps && !this.ancestrySteps.has(i);
    const cls = `line${sel ? " pc" : ""}${faded ? " faded" : ""}`;
    if (!s) return h("div", { ...common, class: cls }, h("span", { class: "num" }, String(i)), " …");
    return h("div", { ...common, class: cls }, h("span", { class: "num" }, String(i)), h("span", { class: "num" }, String(s.pc)),
      h("span", { class: "asm" }, s.text), h("span", { class: "note" }, s.result ? vector(s.result) : "", s.skipped ? " skipped" : "", s.trap ? " trap: " + s.trap.cause : ""));
  }

  private traceKey(e: KeyboardEvent): void {
    const to: Record<string, number> = { ArrowDown: this.step + 1, ArrowUp: this.step - 1, Home: 0, End: Infinity,
      PageDown: this.step + this.trace.page, PageUp: this.step - this.trace.page };
    const step = to[e.key];
    if (step === undefined || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    void this.go(step);
  }

  /** current returns the state that is shown; tests read it. */
  get current(): { step: number; steps: number; state: StateResult | undefined } {
    return { step: this.step, steps: this.run?.result.steps ?? 0, state: this.shown };
  }
}

/** jobProfile returns the profile that a job names. Its inputs and uniforms stay in the engine. */
function jobProfile(doc: Doc): string | undefined {
  if (doc.info.format !== "job") return undefined;
  try {
    const { profile } = JSON.parse(new TextDecoder().decode(doc.bytes)) as { profile?: unknown };
    return typeof profile === "string" && profile !== "" ? profile : undefined;
  } catch {
    return undefined;
  }
}

function stack(name: string, entries: string[]): HTMLElement {
  return h("div", { class: "stack" }, h("span", { class: "dim" }, name),
    entries.length === 0 ? h("div", { class: "empty" }, "empty") : h("ol", {}, ...entries.map((t) => h("li", {}, t))));
}

function zero(v: ShowVector | undefined): ShowVector {
  const b = (v?.bits[0] ?? "000000").replace(/./g, "0");
  return { bits: [b, b, b, b], value: [0, 0, 0, 0] };
}

/** text formats a value; the bits are shown apart, so seven digits do. */
function text(v: number | string): string {
  if (typeof v === "string") return v;
  if (Object.is(v, -0)) return "-0";
  const short = String(v);
  return short.length <= 10 ? short : String(Number(v.toPrecision(7)));
}

function vector(v: ShowVector): string {
  return "(" + v.value.map(text).join(", ") + ")";
}
