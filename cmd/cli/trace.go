package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// traceLine is one line of the JSON trace.
type traceLine struct {
	Vertex  int              `json:"vertex"`
	Step    int              `json:"step"`
	PC      int              `json:"pc"`
	Word    string           `json:"word"`
	Text    string           `json:"text"`
	Sources []runVector      `json:"sources"`
	Result  *runVector       `json:"result,omitempty"`
	Written string           `json:"written,omitempty"`
	Address [3]int32         `json:"address"`
	Flags   [2]bool          `json:"flags"`
	If      []pica.IfEntry   `json:"if"`
	Call    []pica.CallEntry `json:"call"`
	Loop    []pica.LoopEntry `json:"loop"`
	Scopes  string           `json:"scopes,omitempty"`
	Skipped bool             `json:"skipped,omitempty"`
	Next    int              `json:"next"`
	Trap    *runTrap         `json:"trap,omitempty"`
}

// trace prints a record for each instruction of each vertex.
func (a *app) trace(job *pica.Job) error {
	storage := job.Profile.Knobs[pica.KnobStorage]
	trapped := false
	err := a.report(func(w io.Writer) error {
		out := bufio.NewWriter(w)
		if !a.json() {
			fmt.Fprintf(out, traceFormat, "step", "pc", "instruction", "operands", "result", "flags and addresses", "stacks")
		}
		for i := range job.Vertices {
			steps, err := oracle.Trace(job, i)
			if err != nil {
				return err
			}
			if len(job.Vertices) > 1 && !a.json() {
				fmt.Fprintf(out, "vertex %d\n", i)
			}
			for s := range steps {
				trapped = trapped || s.Trap.Cause != pica.TrapNone
				if a.json() {
					err = writeLine(out, jsonStep(storage, job, i, s))
				} else {
					_, err = io.WriteString(out, textStep(storage, job, s))
				}
				if err != nil {
					return err
				}
			}
		}
		return out.Flush()
	})
	if err == nil && trapped {
		return errFindings
	}
	return err
}

func writeLine(w io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// traceFormat is the row of the readable trace; the columns are wide enough for
// most instructions, and a long one pushes its row only.
const traceFormat = "%5v %5v  %-32s %-36s %-28s %-24s %s\n"

func textStep(storage pica.Value, job *pica.Job, s *pica.Step) string {
	if s.Trap.Cause != pica.TrapNone {
		return fmt.Sprintf("%5d %5d  trapped: %v\n", s.Index, s.PC, s.Trap.Cause)
	}
	sources := make([]string, 0, 3)
	for _, v := range operands(s) {
		sources = append(sources, vectorText(storage, v, 15))
	}
	result := ""
	if s.Skipped {
		result = "skipped"
	}
	if s.Written != 0 {
		result = vectorText(storage, s.Result, s.Written)
	}
	return strings.TrimRight(fmt.Sprintf(traceFormat, s.Index, s.PC, asm.Format(s.Word, job.Descriptors), strings.Join(sources, " "), result,
		stateText(s.State), stacksText(&s.State.Stacks)+s.Scopes), " \n") + "\n"
}

// operands returns what the instruction read; one that is skipped reads nothing.
func operands(s *pica.Step) []pica.Vec4 {
	if s.Skipped {
		return nil
	}
	return s.Sources[:pica.Opcodes[pica.OpcodeOf(s.Word)].Sources]
}

// vectorText returns the components in mask (bit 3 = x) as "(1, 2, _, 4)".
func vectorText(storage pica.Value, v pica.Vec4, mask uint8) string {
	var parts [4]string
	for k, b := range v {
		parts[k] = "_"
		if mask>>(3-k)&1 != 0 {
			parts[k] = componentOf(storage, b).text()
		}
	}
	return "(" + strings.Join(parts[:], ", ") + ")"
}

func stateText(s *pica.State) string {
	flag := map[bool]string{true: "1", false: "0"}
	return fmt.Sprintf("cc %s%s a0 %d,%d aL %d", flag[s.CC[0]], flag[s.CC[1]], s.Address[0], s.Address[1], s.AL)
}

// stacksText lists the entries of the three stacks, top last.
func stacksText(s *pica.Stacks) string {
	var parts []string
	for _, e := range s.If[:s.IfDepth] {
		parts = append(parts, fmt.Sprintf("if(else %d, end %d)", e.Else, e.End))
	}
	for _, e := range s.Call[:s.CallDepth] {
		parts = append(parts, fmt.Sprintf("call(end %d, return %d)", e.End, e.Return))
	}
	for _, e := range s.Loop[:s.LoopDepth] {
		parts = append(parts, fmt.Sprintf("loop(%d to %d, %d left, step %d)", e.Entry, e.End, e.Count, e.Step))
	}
	return strings.Join(parts, " ")
}

func jsonStep(storage pica.Value, job *pica.Job, vertex int, s *pica.Step) traceLine {
	line := traceLine{
		Vertex: vertex, Step: s.Index, PC: s.PC, Word: fmt.Sprintf("%08x", s.Word), Text: asm.Format(s.Word, job.Descriptors), Sources: []runVector{},
		Address: [3]int32{s.State.Address[0], s.State.Address[1], s.State.AL}, Flags: s.State.CC, Scopes: s.Scopes, Skipped: s.Skipped, Next: s.Next,
		If: s.State.Stacks.If[:s.State.Stacks.IfDepth], Call: s.State.Stacks.Call[:s.State.Stacks.CallDepth], Loop: s.State.Stacks.Loop[:s.State.Stacks.LoopDepth],
	}
	if s.Trap.Cause != pica.TrapNone {
		line.Trap = &runTrap{s.Trap.Cause.String(), s.Trap.PC}
		return line
	}
	for _, v := range operands(s) {
		line.Sources = append(line.Sources, vectorJSON(storage, v))
	}
	if s.Written != 0 {
		result := vectorJSON(storage, s.Result)
		line.Result = &result
		for k := range 4 {
			if s.Written>>(3-k)&1 != 0 {
				line.Written += "xyzw"[k : k+1]
			}
		}
	}
	return line
}

// breakpoint runs the first vertex until the instruction at pc is next, and
// prints what the registers hold then.
func (a *app) breakpoint(job *pica.Job, pc int) error {
	steps, err := oracle.Trace(job, 0)
	if err != nil {
		return err
	}
	storage := job.Profile.Knobs[pica.KnobStorage]
	state, at := &pica.State{}, 0
	if job.Initial != nil {
		state = job.Initial
	}
	if job.Entry != pc {
		found := false
		for s := range steps {
			state, at = s.State, s.Index+1
			if found = s.Next == pc && !s.Ended; found {
				break
			}
		}
		if !found {
			return failure{fmt.Sprintf("the program ended after %s without coming to word %d", plural(at, "instruction"), pc)}
		}
	}
	if a.json() {
		return a.reportJSON(stateJSON(storage, pc, at, state))
	}
	return a.report(func(w io.Writer) error {
		word := uint32(0)
		if pc < len(job.Code) {
			word = job.Code[pc]
		}
		fmt.Fprintf(w, "after %s, before word %d: %s\n", plural(at, "instruction"), pc, asm.Format(word, job.Descriptors))
		for name, v := range registers(state) {
			fmt.Fprintf(w, "  %-4s%s\n", name, vectorText(storage, v, 15))
		}
		fmt.Fprintf(w, "  %s\n", strings.TrimRight(stateText(state)+"  "+stacksText(&state.Stacks), " "))
		return nil
	})
}

// registers yields temporaries and outputs that are not zero.
func registers(s *pica.State) iter.Seq2[string, pica.Vec4] {
	return func(yield func(string, pica.Vec4) bool) {
		for k, v := range s.R {
			if v != (pica.Vec4{}) && !yield(fmt.Sprintf("r%d", k), v) {
				return
			}
		}
		for k, v := range s.O {
			if v != (pica.Vec4{}) && !yield(fmt.Sprintf("o%d", k), v) {
				return
			}
		}
	}
}

func stateJSON(storage pica.Value, pc, steps int, s *pica.State) map[string]any {
	regs := map[string]runVector{}
	for name, v := range registers(s) {
		regs[name] = vectorJSON(storage, v)
	}
	return map[string]any{
		"pc": pc, "steps": steps, "registers": regs,
		"address": [3]int32{s.Address[0], s.Address[1], s.AL}, "flags": s.CC,
		"if": s.Stacks.If[:s.Stacks.IfDepth], "call": s.Stacks.Call[:s.Stacks.CallDepth], "loop": s.Stacks.Loop[:s.Stacks.LoopDepth],
	}
}

// versus runs each vertex under two profiles and prints the first instruction
// after which they part.
func (a *app) versus(job *pica.Job, other pica.Profile) error {
	second := *job
	second.Profile = other
	for i := range job.Vertices {
		left, err := oracle.Trace(job, i)
		if err != nil {
			return err
		}
		right, err := oracle.Trace(&second, i)
		if err != nil {
			return err
		}
		next, stop := iter.Pull(right)
		for l := range left {
			r, ok := next()
			if !ok || parted(job, &second, l, r) {
				defer stop()
				return a.reportParting(job, &second, i, l, r)
			}
		}
		stop()
	}
	if a.json() {
		return a.reportJSON(map[string]any{"parted": false})
	}
	return a.report(func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s and %s agree on every step\n", job.Profile.Name, other.Name)
		return err
	})
}

// parted reports whether two steps differ in anything a program can see: what
// ran, what came out as a value, where control goes.
func parted(a, b *pica.Job, l, r *pica.Step) bool {
	if l.PC != r.PC || l.Next != r.Next || l.Ended != r.Ended || l.Trap != r.Trap || l.Written != r.Written ||
		l.State.CC != r.State.CC || l.State.Address != r.State.Address || l.State.AL != r.State.AL {
		return true
	}
	for k := range 4 {
		if l.Written>>(3-k)&1 == 0 {
			continue
		}
		x := componentOf(a.Profile.Knobs[pica.KnobStorage], l.Result[k])
		y := componentOf(b.Profile.Knobs[pica.KnobStorage], r.Result[k])
		if !x.same(y) {
			return true
		}
	}
	return false
}

func (a *app) reportParting(job, second *pica.Job, vertex int, l, r *pica.Step) error {
	storage, other := job.Profile.Knobs[pica.KnobStorage], second.Profile.Knobs[pica.KnobStorage]
	var err error
	if a.json() {
		result := map[string]any{"parted": true, "profile": job.Profile.Name, "versus": second.Profile.Name, "left": jsonStep(storage, job, vertex, l), "right": nil}
		if r != nil {
			result["right"] = jsonStep(other, second, vertex, r)
		}
		err = a.reportJSON(result)
	} else {
		err = a.report(func(w io.Writer) error {
			fmt.Fprintf(w, "vertex %d: %s and %s part\n", vertex, job.Profile.Name, second.Profile.Name)
			fmt.Fprintf(w, traceFormat, "step", "pc", "instruction", "operands", "result", "flags and addresses", "stacks")
			fmt.Fprint(w, textStep(storage, job, l))
			if r != nil {
				fmt.Fprint(w, textStep(other, second, r))
			}
			return nil
		})
	}
	if err != nil {
		return err
	}
	return errFindings
}
