/** The choice of a program, shared by the views of code and of steps. */
import { choice, plain } from "./dom";
import type { Doc } from "./state";
import type { Program } from "./bridge";

const mostPrograms = 2000;

export async function programs(doc: Doc): Promise<Program[]> {
  return doc.all("programs", {}, (r) => r.programs, mostPrograms);
}

/** pickProgram makes a list of programs. */
export function pickProgram(list: Program[], now: number, onpick: (n: number) => void): HTMLSelectElement {
  const e = choice("Program", list.map((p) => [String(p.program),
    plain(`${p.name || p.program} · ${p.stage}, entry ${p.entry}, ${p.words} words${p.error ? " (no listing)" : ""}`)] as const), String(now), (v) => onpick(Number(v)));
  e.classList.add("grow");
  return e;
}
