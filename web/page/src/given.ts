/** What a run is given: profile and knobs, inputs and uniforms by name. */
import { choice, fill, h, labelled, plain } from "./dom";
import type { Assignment, ProfilesResult, Register, RegistersResult, ShowRegisters } from "./bridge";

/** Presets are values that show how numbers behave; bits are those of float24. */
const presets: readonly (readonly [string, string])[] = [
  ["0,0,0,0", "0"], ["1,1,1,1", "1"], ["-1,-1,-1,-1", "−1"], ["1,2,3,1", "1, 2, 3, 1"], ["0.1,0.2,0.3,1", "0.1, 0.2, 0.3, 1"],
  ["raw:800000,800000,800000,800000", "−0"], ["raw:7f0000,7f0000,7f0000,7f0000", "infinity"],
  ["raw:ff0000,ff0000,ff0000,ff0000", "−infinity"], ["raw:7f8000,7f8000,7f8000,7f8000", "NaN"],
  ["raw:7effff,7effff,7effff,7effff", "largest"], ["raw:010000,010000,010000,010000", "smallest normal"],
  ["raw:00ffff,00ffff,00ffff,00ffff", "largest subnormal"], ["raw:000001,000001,000001,000001", "smallest subnormal"],
];

export interface Settings {
  profile: string;
  versus: string;
  inputs: Record<string, string>;
  uniforms: Record<string, string>;
}

export class Given {
  readonly root = h("div", { class: "given", tabindex: -1 });
  settings: Settings = { profile: "f24", versus: "", inputs: {}, uniforms: {} };
  private registers: RegistersResult = { inputs: [], uniforms: [] };
  private readonly states = new Map<string, HTMLElement>();
  private readonly boxes = new Map<string, HTMLElement>();
  private base = "f24";
  private knobs = new Map<string, string>();

  constructor(private readonly profiles: ProfilesResult, private readonly changed: () => void) {}

  /** show makes the form for the registers of a program. */
  show(registers: RegistersResult): void {
    this.registers = registers;
    const [base = "f24", ...knobs] = this.settings.profile.split(",");
    this.base = base;
    this.knobs = new Map(knobs.map((k) => k.split("=") as [string, string]));
    this.states.clear();
    this.boxes.clear();
    const section = (title: string, kind: "inputs" | "uniforms", list: Register[]) => [
      h("h3", {}, title, h("span", { class: "dim" }, list.length === 0 ? "none" : "")),
      ...list.map((r) => this.register(kind, r)),
    ];
    fill(this.root, h("h3", {}, "Rules"), this.profileBox(),
      ...section("Inputs", "inputs", registers.inputs), ...section("Uniforms", "uniforms", registers.uniforms));
  }

  assignments(kind: "inputs" | "uniforms"): Assignment[] {
    return Object.entries(this.settings[kind]).filter(([r, v]) => v !== "" && this.registers[kind].some((x) => x.register === r))
      .map(([register, value]) => ({ register, value }));
  }

  /** unset marks the registers that the run read and that nobody gave a value. */
  unset(ranges: (ShowRegisters[] | null)[]): void {
    const names = new Set(ranges.flatMap((r) => r ?? []).flatMap(expand));
    for (const [register, e] of this.states) e.textContent = names.has(register) ? "read, not set" : "";
  }

  /** keep fades the registers that are not in the set. */
  keep(registers: Set<string> | undefined): void {
    for (const [register, e] of this.boxes) e.classList.toggle("faded", registers !== undefined && !registers.has(register));
  }

  private profileBox(): HTMLElement {
    const { profiles, knobs } = this.profiles;
    const all = profiles.map((p) => [p.name, `${p.name}: ${p.about}`] as const);
    const turned = h("span", { class: "dim" });
    const update = () => {
      this.settings.profile = [this.base, ...[...this.knobs].map(([k, v]) => `${k}=${v}`)].join(",");
      turned.textContent = this.knobs.size > 0 ? `${this.knobs.size} turned` : "";
    };
    update();
    const pick = choice("Profile", all, this.base, (v) => {
      this.base = v;
      update();
      this.changed();
    });
    const versus = choice("Second profile", [["", "no second profile"], ...all], this.settings.versus.split(",")[0] ?? "", (v) => {
      this.settings.versus = v;
      this.changed();
    });
    const list = h("details", {}, h("summary", {}, "Knobs ", turned), ...knobs.map((k) => h("label", { class: "reg" },
      h("div", { class: "who" }, h("code", {}, k.name), h("span", { class: "dim" }, k.about)),
      choice(k.name, [["", "as the profile"], ...k.values.map((v) => [v.name, `${v.name}: ${v.about} (${v.class})`] as const)], this.knobs.get(k.name) ?? "", (v) => {
        if (v) this.knobs.set(k.name, v);
        else this.knobs.delete(k.name);
        update();
        this.changed();
      }))));
    list.classList.add("knobs");
    return h("div", { class: "profilebox" }, pick, labelled("beside", versus, "field"), list);
  }

  private register(kind: "inputs" | "uniforms", r: Register): HTMLElement {
    const unset = h("span", { class: "unset" });
    this.states.set(r.register, unset);
    const label = plain(r.name ? `${r.name} ${r.register}` : r.register);
    const box = h("div", { class: "reg", role: "group", "aria-label": label });
    this.boxes.set(r.register, box);
    const who = h("div", { class: "who" }, h("b", { class: "mono" }, r.register), r.name ? h("span", { class: "mono clip" }, r.name) : null,
      r.value && !this.settings[kind][r.register] ? h("span", { class: "dim" }, "constant") : null,
      r.read ? null : h("span", { class: "dim" }, "not read"), unset);
    const set = (value: string) => {
      if (value === "") delete this.settings[kind][r.register];
      else this.settings[kind][r.register] = value;
      this.changed();
    };
    const draw = (): void => fill(box, ...this.fields(r, this.settings[kind][r.register] ?? "", label, who, set, draw));
    draw();
    return box;
  }

  /** fields are the controls of one register. */
  private fields(
    r: Register, value: string, label: string, who: HTMLElement, set: (v: string) => void, redraw: () => void,
  ): HTMLElement[] {
    if (/^b/.test(r.register)) {
      return [who, choice(label, [["", r.value ? `constant ${r.value}` : "not set"], ["true", "true"], ["false", "false"]], value, set)];
    }
    const bits = value.startsWith("raw:");
    const parts = (bits ? value.slice(4) : value).split(",");
    const fallback = (r.value ?? "").replace(/^raw:/, "").split(",");
    const inputs = ["x", "y", "z", "w"].map((c, i) => h("input", {
      class: "input", "aria-label": `${label}.${c}${bits ? " bits" : ""}`, value: value ? (parts[i] ?? "").trim() : "", spellcheck: "false",
      placeholder: value ? (i === 3 ? "1" : "0") : (fallback[i] ?? "").trim() || "–", autocomplete: "off", title: "component " + c,
      onchange: () => update(),
    }));
    const update = () => {
      const texts = inputs.map((e) => e.value.trim());
      if (texts.every((t) => t === "")) return set("");
      const filled = texts.map((t, i) => t || (bits ? "000000" : i === 3 ? "1" : "0"));
      set((bits ? "raw:" : "") + filled.join(","));
    };
    const integer = /^i/.test(r.register);
    const four = h("div", { class: "four" }, ...inputs);
    if (integer) return [who, four];
    const preset = h("select", { class: "preset", "aria-label": `preset for ${label}`, onchange: () => {
      set(preset.value);
      redraw();
    } }, h("option", { value: value, selected: true }, bits ? "bits" : value ? "values" : "not set"),
      ...presets.map(([v, t]) => h("option", { value: v }, t)), value ? h("option", { value: "" }, "not set") : null);
    return [h("div", { class: "who" }, who, preset), four];
  }
}

/** expand lists the registers of a range. */
function expand(r: ShowRegisters): string[] {
  const [, kind = "", first = "0"] = /^([a-z]+)(\d+)/.exec(r.first) ?? [];
  const [, , last = first] = /^([a-z]+)(\d+)/.exec(r.last) ?? [];
  const names: string[] = [];
  for (let i = Number(first); i <= Number(last); i++) names.push(kind + i);
  return names;
}
