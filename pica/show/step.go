package show

import (
	"fmt"
	"iter"
	"strings"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// Step is the JSON form of an executed instruction.
type Step struct {
	Vertex  int              `json:"vertex"`
	Step    int              `json:"step"`
	PC      int              `json:"pc"`
	Word    string           `json:"word"`
	Text    string           `json:"text"`
	Sources []Vector         `json:"sources"`
	Result  *Vector          `json:"result,omitempty"`
	Written string           `json:"written,omitempty"`
	Address [3]int32         `json:"address"` // a0.x, a0.y, aL
	Flags   [2]bool          `json:"flags"`
	If      []pica.IfEntry   `json:"if"`
	Call    []pica.CallEntry `json:"call"`
	Loop    []pica.LoopEntry `json:"loop"`
	Scopes  string           `json:"scopes,omitempty"`
	Skipped bool             `json:"skipped,omitempty"`
	Next    int              `json:"next"`
	Trap    *Trap            `json:"trap,omitempty"`
}

// StepOf returns a step of a vertex of a job.
func StepOf(job *pica.Job, vertex int, s *pica.Step) Step {
	storage, stacks := job.Profile.Storage, &s.State.Stacks
	line := Step{
		Vertex: vertex, Step: s.Index, PC: s.PC, Word: fmt.Sprintf("%08x", s.Word),
		Text: asm.Format(s.Word, job.Descriptors), Sources: []Vector{},
		Address: addresses(s.State), Flags: s.State.CC, Scopes: s.Scopes(), Skipped: s.Skipped, Next: s.Next,
		If: stacks.If[:stacks.IfDepth], Call: stacks.Call[:stacks.CallDepth], Loop: stacks.Loop[:stacks.LoopDepth],
		Trap: trapOf(s.Trap),
	}
	if line.Trap != nil {
		return line
	}
	for _, v := range operands(s) {
		line.Sources = append(line.Sources, VectorOf(storage, v))
	}
	if s.Written != 0 {
		result := VectorOf(storage, s.Result)
		line.Result = &result
		for k := range 4 {
			if s.Written>>(3-k)&1 != 0 {
				line.Written += "xyzw"[k : k+1]
			}
		}
	}
	return line
}

func addresses(s *pica.State) [3]int32 { return [3]int32{s.Address[0], s.Address[1], s.AL} }

// stepFormat is a row of the readable trace. The columns are wide enough for most
// instructions; a longer one shifts the rest of its row.
const stepFormat = "%5v %5v  %-32s %-36s %-28s %-24s %s\n"

// StepHeading returns the heading of the rows that StepText returns.
func StepHeading() string {
	return fmt.Sprintf(stepFormat, "step", "pc", "instruction", "operands", "result", "flags and addresses", "stacks")
}

// StepText returns a step as a row of text.
func StepText(job *pica.Job, s *pica.Step) string {
	storage := job.Profile.Storage
	if s.Trap.Cause != pica.TrapNone {
		return fmt.Sprintf("%5d %5d  trapped: %v\n", s.Index, s.PC, s.Trap.Cause)
	}
	var sources []string
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
	return strings.TrimRight(fmt.Sprintf(stepFormat, s.Index, s.PC, asm.Format(s.Word, job.Descriptors),
		strings.Join(sources, " "), result,
		flagsText(s.State), stacksText(&s.State.Stacks)+s.Scopes()), " \n") + "\n"
}

// StepParts returns the instruction of a step, its operands and its effect as text. before is the state before
// the step.
func StepParts(job *pica.Job, s *pica.Step, before *pica.State) (instruction, sources, effect string) {
	instruction = asm.Format(s.Word, job.Descriptors)
	if s.Trap.Cause != pica.TrapNone {
		return instruction, "", fmt.Sprintf("trapped: %v", s.Trap.Cause)
	}
	var values, effects []string
	for _, v := range operands(s) {
		values = append(values, vectorText(job.Profile.Storage, v, 15))
	}
	add := func(shown bool, text string) {
		if shown {
			effects = append(effects, text)
		}
	}
	add(s.Skipped, "skipped")
	add(s.Written != 0, vectorText(job.Profile.Storage, s.Result, s.Written))
	add(s.State.CC != before.CC || addresses(s.State) != addresses(before), flagsText(s.State))
	add(s.Ended, "ends")
	add(!s.Ended && s.Next != s.PC+1, fmt.Sprintf("goes to word %d", s.Next))
	return instruction, strings.Join(values, " "), strings.Join(effects, ", ")
}

// operands returns the operands of a step; a skipped instruction has none.
func operands(s *pica.Step) []pica.Vec4 {
	if s.Skipped {
		return nil
	}
	return s.Sources[:pica.Opcodes[pica.OpcodeOf(s.Word)].Sources]
}

func flagsText(s *pica.State) string {
	flag := map[bool]string{true: "1", false: "0"}
	return fmt.Sprintf("cc %s%s a0 %d,%d aL %d", flag[s.CC[0]], flag[s.CC[1]], s.Address[0], s.Address[1], s.AL)
}

// stacksText lists the entries of the three stacks, top last.
func stacksText(s *pica.Stacks) string {
	var entries []string
	for _, e := range s.If[:s.IfDepth] {
		entries = append(entries, fmt.Sprintf("if(else %d, end %d)", e.Else, e.End))
	}
	for _, e := range s.Call[:s.CallDepth] {
		entries = append(entries, fmt.Sprintf("call(end %d, return %d)", e.End, e.Return))
	}
	for _, e := range s.Loop[:s.LoopDepth] {
		entries = append(entries, fmt.Sprintf("loop(%d to %d, %d left, step %d)", e.Entry, e.End, e.Count, e.Step))
	}
	return strings.Join(entries, " ")
}

// State is the JSON form of the registers at a breakpoint. Temporaries and
// outputs of zeros are left out.
type State struct {
	PC        int               `json:"pc"`
	Steps     int               `json:"steps"` // instructions executed
	Registers map[string]Vector `json:"registers"`
	Address   [3]int32          `json:"address"` // a0.x, a0.y, aL
	Flags     [2]bool           `json:"flags"`
	If        []pica.IfEntry    `json:"if"`
	Call      []pica.CallEntry  `json:"call"`
	Loop      []pica.LoopEntry  `json:"loop"`
}

// StateOf returns the state before the instruction at pc of a job.
func StateOf(job *pica.Job, pc, steps int, s *pica.State) State {
	j := State{PC: pc, Steps: steps, Registers: map[string]Vector{}, Address: addresses(s), Flags: s.CC,
		If: s.Stacks.If[:s.Stacks.IfDepth], Call: s.Stacks.Call[:s.Stacks.CallDepth],
		Loop: s.Stacks.Loop[:s.Stacks.LoopDepth]}
	for name, v := range registers(s) {
		j.Registers[name] = VectorOf(job.Profile.Storage, v)
	}
	return j
}

// StateText returns a state as lines of text.
func StateText(job *pica.Job, s *pica.State) string {
	var b strings.Builder
	for name, v := range registers(s) {
		fmt.Fprintf(&b, "  %-4s%s\n", name, vectorText(job.Profile.Storage, v, 15))
	}
	fmt.Fprintf(&b, "  %s\n", strings.TrimRight(flagsText(s)+"  "+stacksText(&s.Stacks), " "))
	return b.String()
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
