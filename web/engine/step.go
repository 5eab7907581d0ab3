package engine

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/ancestry"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/given"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/assign"
	"github.com/picaproof/picaproof/pica/decode"
	"github.com/picaproof/picaproof/pica/show"
)

// defaultProfile is the profile of calls that name none.
const defaultProfile = "f24"

// ProfilesResult lists profiles and knobs.
type ProfilesResult struct {
	Profiles []Profile `json:"profiles"`
	Knobs    []Knob    `json:"knobs"`
}

// Profile is a named profile.
type Profile struct {
	Name  string `json:"name"`
	About string `json:"about"`
}

// Knob is a question that implementations answer differently.
type Knob struct {
	Name   string  `json:"name"`
	About  string  `json:"about"`
	Open   string  `json:"open,omitempty"` // open questions about the console
	Values []Value `json:"values"`
}

// Value is an answer.
type Value struct {
	Name  string `json:"name"`
	Class string `json:"class"` // "console", "documented", "implementation" or "guess"
	About string `json:"about"`
}

// Setting is one value in a profile with its evidence.
type Setting = profile.Setting

// SettingsParams have the text of a profile: "hw,round=rne".
type SettingsParams struct {
	Profile string `json:"profile"`
}

// SettingsResult explains a profile.
type SettingsResult struct {
	Profile  string    `json:"profile"`
	Settings []Setting `json:"settings"`
}

// ProgramParams name a program of a file.
type ProgramParams struct {
	File    int `json:"file"`
	Program int `json:"program"`
}

// RegistersResult lists the registers that a run may be given.
type RegistersResult struct {
	Inputs   []Register `json:"inputs"`
	Uniforms []Register `json:"uniforms"`
}

// Register is an input or a uniform that the program names, reads or has a constant for.
type Register struct {
	Register string `json:"register"`       // "c4"
	Name     string `json:"name,omitempty"` // "projection"
	// Read says that an instruction of the program names the register.
	Read bool `json:"read"`
	// Value is the constant of the file, in the form of [Assignment]; empty if it has none.
	Value string `json:"value,omitempty"`
	// Given is the value of a job, in the form of [Assignment]; empty if it gives none.
	Given string `json:"given,omitempty"`
}

// RunParams describe a run.
type RunParams struct {
	File    int    `json:"file"`
	Program int    `json:"program"`
	Entry   string `json:"entry,omitempty"`   // a label or @word; the entry of the program if empty
	Profile string `json:"profile,omitempty"` // with knobs: "hw,round=rne"; f24 if empty
	// Inputs and Uniforms are set in their order, after the constants of the file.
	Inputs   []Assignment `json:"inputs,omitempty"`
	Uniforms []Assignment `json:"uniforms,omitempty"`
	Limit    int          `json:"limit,omitempty"` // instructions, at most a million
}

// Assignment gives a register a value: "1,2,3" (missing components are 0, 0, 0, 1), "raw:3f0000,0,0,3f0000" with the
// bits of float24, "3,0,1,0" for an integer register, "true" for a boolean.
type Assignment struct {
	Register string `json:"register"` // or a name of the symbol table
	Value    string `json:"value"`
}

// RunResult is the end of a run.
type RunResult struct {
	Run   int `json:"run"`
	Steps int `json:"steps"` // instructions in the trace
	// Outcome is the outcome as run --format json prints it, without primitives.
	Outcome    show.Run `json:"outcome"`
	Primitives int      `json:"primitives"`
}

// RunWindow selects a part of a run.
type RunWindow struct {
	Run int `json:"run"`
	Window
}

// PrimitivesResult lists triangles.
type PrimitivesResult struct {
	Primitives []show.Primitive `json:"primitives"`
	Next
}

// TraceResult lists steps.
type TraceResult struct {
	Steps []Step `json:"steps"`
	Next
}

// Step is a line of run --trace --format json with the registers that it changed.
type Step struct {
	show.Step
	Changed []Change `json:"changed"`
}

// Change is a register with another value than before.
type Change struct {
	Register string      `json:"register"` // "r3"
	Before   show.Vector `json:"before"`
	After    show.Vector `json:"after"`
}

// StateParams name a step of a run. The number of steps stands for the end.
type StateParams struct {
	Run  int `json:"run"`
	Step int `json:"step"`
}

// StateResult is the state before a step.
type StateResult struct {
	Step  int        `json:"step"`
	State show.State `json:"state"`            // registers of zeros are left out
	Trap  *show.Trap `json:"trap,omitempty"`   // at the end of a run that trapped
	Scope string     `json:"scopes,omitempty"` // open scopes of implementations that do not have the console's stacks
	// Uniforms are the float uniforms that the run may read, in the format of registers; those of zeros are left out.
	Uniforms map[string]show.Vector `json:"uniforms"`
	Inputs   map[string]show.Vector `json:"inputs"`
	Ints     [4][4]int              `json:"ints"`
	Bools    int                    `json:"bools"` // bit n is bn
}

// SeekParams describe a search for a step.
type SeekParams struct {
	Run   int   `json:"run"`
	From  int   `json:"from"`           // the search leaves out this step
	Back  bool  `json:"back,omitempty"` // toward the first step
	Words []int `json:"words"`
}

// SeekResult is a step, or -1.
type SeekResult struct {
	Step int `json:"step"`
}

// AncestryParams name a component of an output.
type AncestryParams struct {
	Run       int    `json:"run"`
	Component string `json:"component"` // "o0.x", or "position.x"
	Window           // of Steps
}

// AncestryResult is what fed a component.
type AncestryResult struct {
	Component string         `json:"component"` // "o0.x"
	Inputs    []given.Source `json:"inputs"`
	Uniforms  []given.Source `json:"uniforms"`
	Constants []given.Source `json:"constants"` // uniforms that the file gives
	Initial   []string       `json:"initial"`   // state from before the run: "r3.xy", "aL"
	// Words has how often each word fed the component, as pairs of a word and a number.
	Words [][2]int `json:"words"`
	Steps []int    `json:"steps"`
	Next
}

// PartParams name two runs of one program.
type PartParams struct {
	A int `json:"a"`
	B int `json:"b"`
}

// PartResult is the first step at which two runs part.
type PartResult struct {
	Parted bool       `json:"parted"`
	Step   int        `json:"step"` // -1 if they do not part
	A      *show.Step `json:"left,omitempty"`
	B      *show.Step `json:"right,omitempty"`
}

func (e *Engine) profiles(Empty) (r ProfilesResult, err error) {
	for _, s := range profile.Sets {
		r.Profiles = append(r.Profiles, Profile{s.Name, s.About})
	}
	for i := range impl.Catalogue {
		k := &impl.Catalogue[i]
		x := Knob{Name: k.Name, About: k.About, Open: k.Open}
		for _, v := range k.Values {
			x.Values = append(x.Values, Value{v.Name, string(v.Class), v.About})
		}
		r.Knobs = append(r.Knobs, x)
	}
	return r, nil
}

func (e *Engine) settings(p SettingsParams) (r SettingsResult, err error) {
	set, err := profile.Parse(p.Profile)
	if err != nil {
		return r, err
	}
	return SettingsResult{set.Name, profile.Describe(set)}, nil
}

func (e *Engine) registers(p ProgramParams) (r RegistersResult, err error) {
	f, x, err := e.program(p.File, p.Program)
	if err != nil {
		return r, err
	}
	if x.shader == nil {
		return r, errNoRun
	}
	read, values := readBy(x.shader), constantsOf(x.shader)
	all := maps.Clone(read)
	job := map[given.Register]string{}
	if f.job != nil {
		job = givenBy(f.job, read)
	}
	for _, list := range []map[given.Register]string{values, job} {
		for register := range list {
			all[register] = true
		}
	}
	for _, list := range [][]pica.Symbol{x.shader.Inputs, x.shader.Uniforms} {
		for _, s := range list {
			for n := max(s.First, 0); n <= min(s.Last, pica.NumFloats); n++ {
				all[given.Register{Class: s.Class, N: n}] = true
			}
		}
	}
	r.Inputs, r.Uniforms = []Register{}, []Register{}
	order := func(r given.Register) int { return strings.IndexByte("vcib", r.Class) }
	for _, register := range slices.SortedFunc(maps.Keys(all), func(a, b given.Register) int {
		return cmp.Or(cmp.Compare(order(a), order(b)), cmp.Compare(a.N, b.N))
	}) {
		row := Register{register.String(), x.nameOf(register.Class, register.N), read[register], values[register],
			job[register]}
		switch register.Class {
		case 'v':
			r.Inputs = append(r.Inputs, row)
		case 'c', 'i', 'b':
			r.Uniforms = append(r.Uniforms, row)
		}
	}
	return r, nil
}

// readBy returns the inputs and uniforms that the instructions of a shader name.
func readBy(s *pica.Shader) given.Set {
	read := given.Set{}
	for _, word := range s.Code {
		i := decode.Decode(word)
		info := &pica.Opcodes[i.Op]
		for _, n := range i.Src[:info.Sources] {
			switch {
			case n < pica.SourceTemporary:
				read.Add('v', int(n), 1)
			case n >= pica.SourceUniform:
				read.Add('c', int(n)-pica.SourceUniform, 1)
			}
		}
		switch {
		case info.Flow == pica.FlowLoop:
			read.Add('i', int(i.Int), 1)
		case info.Condition >= pica.OnUniform:
			read.Add('b', int(i.Bool), 1)
		}
	}
	return read
}

// constantsOf returns the constants of a shader as [Assignment] writes them.
func constantsOf(s *pica.Shader) map[given.Register]string {
	values := map[given.Register]string{}
	for _, u := range s.Floats {
		for k, v := range u.Values {
			if u.Register+k < pica.NumFloats {
				values[given.Register{Class: 'c', N: u.Register + k}] = vectorText(u.Format, v)
			}
		}
	}
	for n, v := range s.Ints {
		values[given.Register{Class: 'i', N: n}] = fmt.Sprintf("%d,%d,%d,%d", v[0], v[1], v[2], v[3])
	}
	for n, v := range s.Bools {
		values[given.Register{Class: 'b', N: n}] = fmt.Sprint(v)
	}
	return values
}

// givenBy returns the values that a job gives to inputs, to float uniforms, and to the integers and booleans that a
// program reads: a job gives all of them.
func givenBy(job *pica.Job, read given.Set) map[given.Register]string {
	values := constantsOf(&pica.Shader{Floats: job.Floats})
	for register := range read {
		switch n := register.N; register.Class {
		case 'i':
			v := job.Ints[n]
			values[register] = fmt.Sprintf("%d,%d,%d,%d", v[0], v[1], v[2], v[3])
		case 'b':
			values[register] = fmt.Sprint(job.Bools>>n&1 == 1)
		}
	}
	if masks := given.Inputs(job); len(masks) > 0 {
		for n, v := range job.Vertices[0] {
			if masks[0]>>n&1 == 1 {
				values[given.Register{Class: 'v', N: n}] = vectorText(job.InputFormat, v)
			}
		}
	}
	return values
}

// vectorText returns a vector as [Assignment] writes it.
func vectorText(f pica.NumberFormat, v pica.Vec4) string {
	var parts [4]string
	before := ""
	for k, x := range v {
		if parts[k] = f.Decimal(x); f == pica.Float24 {
			before, parts[k] = "raw:", f.Hex(x)
		}
	}
	return before + strings.Join(parts[:], ",")
}

var errNoRun = errors.New("only PICA200 programs of accepted files run")

// The limits of a run.
const (
	defaultLimit = 100_000
	maxLimit     = pica.DefaultBudget
)

// run is the trace of a program over one vertex.
type run struct {
	of     *file
	job    *pica.Job
	shader *pica.Shader
	values given.Set
	out    *pica.Outcome
	pcs    []int32 // of the steps

	machine *oracle.Machine
	at      int      // the number of steps that the machine has made
	chunks  []*chunk // the newest last
}

// jobOf returns the job that parameters describe, its shader, and the registers that have a value.
func (e *Engine) jobOf(p *RunParams) (f *file, job *pica.Job, shader *pica.Shader, values given.Set, err error) {
	fail := func(err error) (*file, *pica.Job, *pica.Shader, given.Set, error) { return nil, nil, nil, nil, err }
	f, x, err := e.program(p.File, p.Program)
	if err != nil {
		return fail(err)
	}
	if x.shader == nil {
		return fail(errNoRun)
	}
	entry := *x.shader
	if p.Entry != "" {
		if entry, err = assign.Entry([]pica.Shader{entry}, p.Entry); err != nil {
			return fail(fmt.Errorf("entry %q: %w", p.Entry, err))
		}
	}
	set, err := profile.Parse(cmp.Or(p.Profile, defaultProfile))
	if err != nil {
		return fail(err)
	}
	mask := uint16(0)
	if f.job != nil {
		copied := *f.job
		job, values = &copied, given.ByJob()
		job.Entry, job.Vertices, job.Floats = entry.Entry, job.Vertices[:min(len(job.Vertices), 1)], slices.Clone(job.Floats)
		if p.Profile != "" {
			job.Profile = set
		}
		if masks := given.Inputs(job); len(masks) > 0 {
			mask = masks[0]
		}
	} else {
		made := entry.Job(set)
		job, values = &made, given.By(&entry)
	}
	if p.Limit < 0 || p.Limit > maxLimit {
		return fail(fmt.Errorf("limit %d: want at most %d instructions", p.Limit, maxLimit))
	}
	if p.Limit > 0 || job.Budget == 0 || job.Budget > maxLimit {
		job.Budget = cmp.Or(p.Limit, defaultLimit)
	}
	for _, a := range p.Uniforms {
		class, n, err := assign.Uniform(job, entry, a.Register, a.Value)
		if err != nil {
			return fail(fmt.Errorf("%s: %w", a.Register, err))
		}
		values.Add(class, n, 1)
	}
	if len(job.Vertices) == 0 || len(p.Inputs) > 0 {
		in := assign.Inputs{Shader: entry}
		var registers [pica.NumInputs]pica.Vec4
		var list []assign.Assignment
		for _, a := range p.Inputs {
			list = append(list, assign.Assignment{Name: a.Register, Value: a.Value})
		}
		n, err := in.Vertex(list, registers[:])
		if err != nil {
			return fail(fmt.Errorf("inputs: %w", err))
		}
		job.Vertices, job.InputFormat, mask = [][]pica.Vec4{slices.Clone(registers[:n])}, in.Format, in.Given
	}
	return f, job, &entry, values.With(mask), nil
}

func (e *Engine) run(p RunParams) (r RunResult, err error) {
	f, job, shader, values, err := e.jobOf(&p)
	if err != nil {
		return r, err
	}
	x := &run{of: f, job: job, shader: shader, values: values, out: &pica.Outcome{}, machine: impl.NewMachine()}
	if err := impl.New().Run(job, x.out); err != nil {
		return r, err
	}
	if err := x.machine.Load(job, 0); err != nil {
		return r, err
	}
	for s := x.machine.Step(); s != nil; s = x.machine.Step() {
		x.pcs = append(x.pcs, int32(s.PC))
	}
	x.at = len(x.pcs)
	r.Outcome = show.RunOf(job, "oracle", true, x.out)
	r.Outcome.Semantics = show.Semantics(shader.Outputs)
	if r.Outcome.NeverSet, r.Outcome.WithoutValue, err = given.Missing(job, shader, maps.Clone(values)); err != nil {
		return r, err
	}
	for i := range r.Outcome.Vertices {
		r.Primitives += len(r.Outcome.Vertices[i].Prims)
		r.Outcome.Vertices[i].Prims = []show.Primitive{}
	}
	values.AddUploads(job)
	r.Run, r.Steps = e.runs.add(x), len(x.pcs)
	return r, nil
}

func (e *Engine) primitives(p RunWindow) (r PrimitivesResult, err error) {
	x, err := e.runs.get("run", p.Run)
	if err != nil {
		return r, err
	}
	list := show.RunOf(x.job, "oracle", true, x.out).Vertices[0].Prims
	r.Primitives, r.Next = take(p.Window, len(list), room, func(i int) show.Primitive { return list[i] })
	return r, nil
}

// chunkSteps is the number of steps in a chunk, maxChunks the number of chunks that a run keeps.
const (
	chunkSteps = 256
	maxChunks  = 8
)

// chunk holds consecutive steps of a run, with the state after each.
type chunk struct {
	first  int
	before pica.State // the state before the first step
	scopes string     // the open scopes before the first step
	steps  []pica.Step
}

// chunk returns the chunk that holds a step. The machine goes on from where it is, or starts again.
func (r *run) chunk(step int) (*chunk, error) {
	first := step / chunkSteps * chunkSteps
	if i := slices.IndexFunc(r.chunks, func(c *chunk) bool { return c.first == first }); i >= 0 {
		c := r.chunks[i]
		r.chunks = append(slices.Delete(r.chunks, i, i+1), c)
		return c, nil
	}
	if r.at > max(first-1, 0) {
		if err := r.machine.Load(r.job, 0); err != nil {
			return nil, err
		}
		r.at = 0
	}
	c := &chunk{first: first}
	for ; r.at < first; r.at++ {
		if s := r.machine.Step(); s != nil {
			c.scopes = s.Scopes()
		}
	}
	c.before = *r.machine.State()
	for ; r.at < min(first+chunkSteps, len(r.pcs)); r.at++ {
		s := r.machine.Step()
		if s == nil {
			return nil, errors.New("a run did not repeat itself")
		}
		c.steps = append(c.steps, s.Clone())
	}
	if len(r.chunks) == maxChunks {
		r.chunks = slices.Delete(r.chunks, 0, 1)
	}
	r.chunks = append(r.chunks, c)
	return c, nil
}

// step returns a step with the state before it. The step is nil at the end of the run.
func (r *run) step(n int) (step *pica.Step, before *pica.State, scopes string, err error) {
	if n == len(r.pcs) && n > 0 {
		c, err := r.chunk(n - 1)
		if err != nil {
			return nil, nil, "", err
		}
		i := n - 1 - c.first
		return nil, c.steps[i].State, c.steps[i].Scopes(), nil
	}
	c, err := r.chunk(n)
	if err != nil {
		return nil, nil, "", err
	}
	before, scopes = &c.before, c.scopes
	if i := n - c.first; i > 0 {
		before, scopes = c.steps[i-1].State, c.steps[i-1].Scopes()
	}
	if n == len(r.pcs) {
		return nil, before, scopes, nil
	}
	return &c.steps[n-c.first], before, scopes, nil
}

func (e *Engine) trace(p RunWindow) (r TraceResult, err error) {
	x, err := e.runs.get("run", p.Run)
	if err != nil {
		return r, err
	}
	r.Steps, r.Next = take(p.Window, len(x.pcs), room, func(i int) (s Step) {
		step, before, _, stepErr := x.step(i)
		if err = cmp.Or(err, stepErr); err != nil {
			return s
		}
		return Step{show.StepOf(x.job, 0, step), changes(x.job.Profile.Storage, before, step.State)}
	})
	return r, err
}

// changes lists the registers with other values.
func changes(f pica.NumberFormat, before, after *pica.State) []Change {
	list := []Change{}
	bank := func(name string, a, b []pica.Vec4) {
		for n := range a {
			if a[n] != b[n] {
				list = append(list, Change{fmt.Sprintf("%s%d", name, n), show.VectorOf(f, a[n]), show.VectorOf(f, b[n])})
			}
		}
	}
	bank("r", before.R[:], after.R[:])
	bank("o", before.O[:], after.O[:])
	return list
}

func (e *Engine) state(p StateParams) (r StateResult, err error) {
	x, err := e.runs.get("run", p.Run)
	if err != nil {
		return r, err
	}
	if p.Step < 0 || p.Step > len(x.pcs) {
		return r, fmt.Errorf("no step %d in a run of %d", p.Step, len(x.pcs))
	}
	step, before, scopes, err := x.step(p.Step)
	if err != nil {
		return r, err
	}
	end := &x.out.Vertices[0]
	pc := end.Trap.PC
	if step != nil {
		pc = step.PC
	} else if end.Trap.Cause != pica.TrapNone {
		r.Trap = &show.Trap{Cause: end.Trap.Cause.String(), PC: pc}
	} else if n := len(x.pcs); n > 0 {
		pc = int(x.pcs[n-1])
	}
	r.Step, r.State, r.Scope = p.Step, show.StateOf(x.job, pc, p.Step, before), scopes
	r.Uniforms, r.Inputs = map[string]show.Vector{}, map[string]show.Vector{}
	for _, u := range x.job.Floats {
		for k, v := range u.Values {
			if n := u.Register + k; n < pica.NumFloats {
				r.Uniforms[fmt.Sprintf("c%d", n)] = show.VectorOf(u.Format, v)
			}
		}
	}
	for n, v := range x.job.Vertices[0] {
		r.Inputs[fmt.Sprintf("v%d", n)] = show.VectorOf(x.job.InputFormat, v)
	}
	for n, v := range x.job.Ints {
		for k := range v {
			r.Ints[n][k] = int(v[k])
		}
	}
	r.Bools = int(x.job.Bools)
	return r, nil
}

func (e *Engine) seek(p SeekParams) (r SeekResult, err error) {
	x, err := e.runs.get("run", p.Run)
	if err != nil {
		return r, err
	}
	words := map[int32]bool{}
	for _, w := range p.Words {
		words[int32(w)] = true
	}
	by := 1
	if p.Back {
		by = -1
	}
	for n := p.From + by; n >= 0 && n < len(x.pcs); n += by {
		if words[x.pcs[n]] {
			return SeekResult{n}, nil
		}
	}
	return SeekResult{-1}, nil
}

func (e *Engine) ancestry(p AncestryParams) (r AncestryResult, err error) {
	x, err := e.runs.get("run", p.Run)
	if err != nil {
		return r, err
	}
	output, lane, err := given.Component(x.shader, p.Component)
	if err != nil {
		return r, fmt.Errorf("%q: %w", p.Component, err)
	}
	found, err := ancestry.Of(x.job, 0, output, lane)
	if errors.Is(err, pica.ErrUnsupportedProfile) {
		err = fmt.Errorf("profile %s has not the control flow of the console: choose f24 or hw", x.job.Profile.Name)
	}
	if err != nil {
		return r, err
	}
	named := given.Name(x.job, x.shader, x.values, found)
	r = AncestryResult{Component: fmt.Sprintf("o%d.%c", output, "xyzw"[lane]), Inputs: named.Inputs,
		Uniforms: named.Uniforms, Constants: named.Constants, Initial: named.Initial, Words: [][2]int{}}
	for _, w := range slices.Sorted(maps.Keys(named.Words)) {
		r.Words = append(r.Words, [2]int{w, named.Words[w]})
	}
	r.Steps, r.Next = take(p.Window, len(found.Steps), room/4, func(i int) int { return found.Steps[i].Index })
	return r, nil
}

func (e *Engine) part(p PartParams) (r PartResult, err error) {
	a, err := e.runs.get("run", p.A)
	if err != nil {
		return r, err
	}
	b, err := e.runs.get("run", p.B)
	if err != nil {
		return r, err
	}
	if !slices.Equal(a.job.Code, b.job.Code) || a.job.Entry != b.job.Entry || a.job.Stage != b.job.Stage {
		return r, errors.New("the runs are not of one program")
	}
	at, err := compare.Parting(a.job, b.job)
	if err != nil || at == nil {
		return PartResult{Step: -1}, err
	}
	left, right := show.StepOf(a.job, 0, &at.Left), show.StepOf(b.job, 0, &at.Right)
	return PartResult{Parted: true, Step: at.Left.Index, A: &left, B: &right}, nil
}

func (e *Engine) link(p RunParams) (r LinkResult, err error) {
	_, job, _, _, err := e.jobOf(&p)
	if err != nil {
		return r, err
	}
	r.Job, err = json.Marshal(job)
	return r, err
}
