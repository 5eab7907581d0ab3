package properties_test

import (
	"errors"
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/ancestry"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// values is a job whose inputs and uniforms are all written out in the bits of the registers.
type values struct {
	job    pica.Job
	inputs []pica.Vec4
	floats []pica.Vec4
}

// valuesOf writes out the first vertex of a job.
func valuesOf(job *pica.Job) *values {
	v := &values{job: *job, inputs: make([]pica.Vec4, pica.NumInputs), floats: make([]pica.Vec4, pica.NumFloats)}
	unit := &oracle.Console(&job.Profile).Unit
	bits := func(f pica.NumberFormat, x pica.Vec4) pica.Vec4 {
		for k := range x {
			if f == pica.Float32 {
				x[k] = unit.Ops.FromFloat32(unit, x[k])
			} else {
				x[k] &= 0xFFFFFF
			}
		}
		return x
	}
	for k, x := range job.Vertices[0] {
		v.inputs[k] = bits(job.InputFormat, x)
	}
	for _, up := range job.Floats {
		for k, x := range up.Values {
			if up.Register+k < pica.NumFloats {
				v.floats[up.Register+k] = bits(up.Format, x)
			}
		}
	}
	v.job.Initial = &pica.State{}
	if job.Initial != nil {
		*v.job.Initial = *job.Initial
	}
	return v
}

// clone returns a copy that shares no memory that tests change.
func (v *values) clone() *values {
	c := &values{job: v.job, inputs: slices.Clone(v.inputs), floats: slices.Clone(v.floats)}
	initial := *v.job.Initial
	c.job.Initial = &initial
	return c
}

// full returns the job.
func (v *values) full() *pica.Job {
	v.job.Vertices, v.job.InputFormat = [][]pica.Vec4{v.inputs}, pica.Float24
	v.job.Floats = []pica.Upload{{Format: pica.Float24, Values: v.floats}}
	return &v.job
}

// anyNumber draws the bits of a number: often a small one.
func anyNumber(c *gen.Choices) uint32 {
	if c.Chance(8) {
		return gen.Pick(c, []uint32{0, 0x3F0000, 0x400000, 0x408000, 0xBF0000, 0xC00000, 0x3E0000, 0x410000, 0x800000})
	}
	if c.Chance(12) {
		return uint32(c.Bits(1))<<23 | (0x38+uint32(c.Bits(4)))<<16 | uint32(c.Bits(16)) // 2^-7 to 2^8
	}
	return uint32(c.Bits(24))
}

// tries is the number of values that a member gets.
const tries = 64

// likely returns values that show what a number does: those at which instructions change, and those near the
// present one.
func likely(present uint32, n int, c *gen.Choices) uint32 {
	const one, infinity, sign, exponent = 0x3F0000, 0x7F0000, 0x800000, 0x010000
	list := [...]uint32{0x7F8000, infinity, sign | infinity, 0, one, sign | one, present ^ sign, present + 1, present - 1,
		present + exponent, present - exponent, present ^ 0x8000, infinity - 1, sign | infinity - 1, one + exponent,
		one - exponent}
	switch {
	case n < len(list):
		return list[n] & 0xFFFFFF
	case n < tries/2:
		return integer(int(c.Bits(8)) - 128)
	}
	return anyNumber(c)
}

// integer returns a number between -128 and 127.
func integer(n int) (number uint32) {
	if n < 0 {
		return 0x800000 | integer(-n)
	}
	if n == 0 {
		return 0
	}
	top := bits.Len(uint(n)) - 1
	return uint32(63+top)<<16 | uint32(n)<<(16-top)&0xFFFF
}

// changeOthers gives everything that is no member another value.
func (v *values) changeOthers(c *gen.Choices, a *ancestry.Ancestry) {
	bank := func(registers []pica.Vec4, members []uint8) {
		for k := range registers {
			for lane := range 4 {
				if members[k]&(8>>lane) == 0 {
					registers[k][lane] = anyNumber(c)
				}
			}
		}
	}
	bank(v.inputs, a.Inputs[:])
	bank(v.floats, a.Floats[:])
	initial := v.job.Initial
	bank(initial.O[:], a.Outputs[:])
	bank(initial.R[:], a.R[:])
	for k := range initial.Address {
		if a.Rest&(pica.RegA0X<<k) == 0 {
			initial.Address[k] = int32(c.Bits(8)) - 128
		}
		if a.Rest&(pica.RegCCX<<k) == 0 {
			initial.CC[k] = c.Chance(8)
		}
	}
	if a.Rest&pica.RegAL == 0 {
		initial.AL = int32(c.Bits(7))
	}
	for k := range v.job.Ints {
		for part := range 4 {
			if a.Ints[k]&(8>>part) == 0 {
				v.job.Ints[k][part] = uint8(c.Bits(3))
			}
		}
	}
	for k := range pica.NumBools {
		if !a.Bools[k] && c.Chance(8) {
			v.job.Bools ^= 1 << k
		}
	}
}

// runWith runs a job and lets a function change the state after each step. It returns the outputs; ok is false if the
// budget ended the run.
func runWith(job *pica.Job, after func(s *pica.Step, state *pica.State)) (o [pica.NumOutputs]pica.Vec4, ok bool) {
	m := impl.NewMachine()
	if err := m.Load(job, 0); err != nil {
		panic(err)
	}
	for s := m.Step(); s != nil; s = m.Step() {
		if s.Trap.Cause == pica.TrapBudget || s.Trap.Cause == pica.TrapPrimitives {
			return m.State().O, false
		}
		if s.Trap.Cause == pica.TrapNone {
			after(s, m.State())
		}
	}
	return m.State().O, true
}

// disturb replaces every result of a step.
func disturb(s *pica.Step, state *pica.State, number func(present uint32) uint32, c *gen.Choices) {
	op := pica.OpcodeOf(s.Word)
	info := &pica.Opcodes[op]
	if info.Writes&pica.WritesDest != 0 {
		register := &state.O[:][op.Layout().Dest.Get(s.Word)&15]
		if op.Layout().Dest.Get(s.Word) >= pica.DestTemporary {
			register = &state.R[op.Layout().Dest.Get(s.Word)-pica.DestTemporary]
		}
		for lane := range register {
			if s.Written&(8>>lane) != 0 {
				register[lane] = number(register[lane])
			}
		}
	}
	if info.Writes&pica.WritesCC != 0 {
		state.CC = [2]bool{c.Chance(8), c.Chance(8)}
	}
	for k := range state.Address {
		if info.Writes&pica.WritesAddress != 0 && pica.Descriptor(s.Descriptor).Mask()&(8>>k) != 0 {
			state.Address[k] = int32(c.Bits(8)) - 128
		}
	}
}

// A member is an input or a uniform, to which change gives another value, or an executed instruction with a result.
type member struct {
	change func(v *values, n int, c *gen.Choices)
	step   int
}

// membersOf lists the members of an ancestry.
func membersOf(a *ancestry.Ancestry) (list []member) {
	for _, bank := range []struct {
		of      func(v *values) []pica.Vec4
		members []uint8
	}{
		{func(v *values) []pica.Vec4 { return v.inputs }, a.Inputs[:]},
		{func(v *values) []pica.Vec4 { return v.floats }, a.Floats[:]},
	} {
		for k, members := range bank.members {
			for lane := range 4 {
				if members&(8>>lane) != 0 {
					list = append(list, member{change: func(v *values, n int, c *gen.Choices) {
						x := &bank.of(v)[k][lane]
						*x = likely(*x, n, c)
					}})
				}
			}
		}
	}
	for k, members := range a.Ints {
		for part := range 3 {
			if members&(8>>part) != 0 {
				list = append(list, member{change: func(v *values, n int, _ *gen.Choices) {
					x := &v.job.Ints[k][part]
					if n%2 == 0 {
						*x ^= uint8(n/2 + 1)
					} else {
						*x += uint8(4 * n)
					}
				}})
			}
		}
	}
	for k, counts := range a.Bools {
		if counts {
			list = append(list, member{change: func(v *values, _ int, _ *gen.Choices) { v.job.Bools ^= 1 << k }})
		}
	}
	for _, s := range a.Steps {
		if pica.Opcodes[pica.OpcodeOf(s.Word)].Writes&(pica.WritesDest|pica.WritesAddress|pica.WritesCC) != 0 {
			list = append(list, member{step: s.Index})
		}
	}
	return list
}

// A sliced is a run with the ancestry of a component of its outputs.
type sliced struct {
	*ancestry.Ancestry
	base              *values
	output, component int
	value             uint32       // of the component
	executed          map[int]bool // the words that the run executed
	others            map[int]bool // those of them that are no members
}

// sliceOf slices a run of a job.
func sliceOf(base *values, c *gen.Choices) (*sliced, error) {
	job := base.clone().full()
	steps, err := impl.Trace(job, 0)
	if err != nil {
		return nil, err
	}
	s := &sliced{base: base, executed: map[int]bool{}, others: map[int]bool{}}
	var after [pica.NumOutputs]pica.Vec4
	for step := range steps {
		s.executed[step.PC] = true
		after = step.State.O
	}
	s.output, s.component = drawComponent(c, &after, base.job.Initial)
	s.value = after[s.output][s.component]
	if s.Ancestry, err = ancestry.Of(job, 0, s.output, s.component); err != nil {
		return nil, err
	}
	words := s.Words()
	for pc := range s.executed {
		s.others[pc] = !words[pc]
	}
	return s, nil
}

// disturbed returns the component after a run with other values of all that is no member; change, which may be nil,
// also gives a member another value. ok is false if the run did not end.
func (s *sliced) disturbed(c *gen.Choices, change func(v *values)) (value uint32, ok bool) {
	other := s.base.clone()
	other.changeOthers(c, s.Ancestry)
	if change != nil {
		change(other)
	}
	o, ok := runWith(other.full(), func(step *pica.Step, state *pica.State) {
		if s.others[step.PC] {
			disturb(step, state, func(uint32) uint32 { return anyNumber(c) }, c)
		}
	})
	return o[s.output][s.component], ok
}

// shows reports whether some of the values of a member shows in the component, and whether one does if all that is no
// member has other values too.
func (s *sliced) shows(m member, c *gen.Choices) (alone, together bool) {
	for n := range tries {
		other := s.base.clone()
		if m.change != nil {
			m.change(other, n, c)
		}
		o, _ := runWith(other.full(), func(step *pica.Step, state *pica.State) {
			if m.change == nil && step.Index == m.step {
				disturb(step, state, func(x uint32) uint32 { return likely(x, n, c) }, c)
			}
		})
		if o[s.output][s.component] != s.value {
			return true, true
		}
	}
	for n := range tries {
		if m.change == nil {
			break
		}
		got, ended := s.disturbed(c, func(v *values) { m.change(v, n, c) })
		if ended && got != s.value {
			return false, true
		}
	}
	return false, false
}

// TestAncestry holds that a component of an output depends on what its ancestry holds and on nothing else. On
// generated programs no change of anything outside ever changes it; for nine tenths of the inputs, uniforms and
// results inside some of 64 values does. The others are ancestors that no single change shows: a second guard that
// leads to the same instructions, an operand of a comparison that its range decides, a sum of infinities that is NaN
// with either sign, an index that reads registers with the same value.
func TestAncestry(t *testing.T) {
	const seed = 34
	modes := []gen.Mode{gen.Mixed, gen.Flow, gen.Geometry, gen.Mixed, gen.Long}
	var g gen.Generator
	slices, endless, compared, members, alone, together := 0, 0, 0, 0, 0, 0
	for n := range long.Numbers(t, 10_000, 400) {
		c := gen.From(gen.Seed(seed+1, uint64(n)))
		base := valuesOf(g.Job(gen.Seed(seed, uint64(n)), gen.Pick(c, modes)))
		if c.Chance(4) {
			base.job.Profile = profile.HW()
		}
		s, err := sliceOf(base, c)
		switch {
		case errors.Is(err, ancestry.ErrNotEnded):
			endless++
			continue
		case err != nil:
			t.Fatalf("case %d of seed %d: %v", n, seed, err)
		}
		slices++
		for range 4 {
			got, ended := s.disturbed(c, nil)
			if !ended {
				continue
			}
			compared++
			if got != s.value {
				t.Fatalf("case %d of seed %d: o%d.%c: %06x became %06x with a change outside its ancestry %+v", n, seed,
					s.output, "xyzw"[s.component], s.value, got, s.Ancestry)
			}
		}
		const most = 4 // members of a program
		list := membersOf(s.Ancestry)
		for range min(most, len(list)) {
			members++
			shown, needed := s.shows(gen.Pick(c, list), c)
			if shown {
				alone++
			}
			if needed {
				together++
			}
		}
	}
	t.Logf("%d sliced, %d did not end, %d compared, %d members, %d of them show alone, %d alone or with others",
		slices, endless, compared, members, alone, together)
	if endless*100 > slices {
		t.Errorf("%d programs did not end, %d did", endless, slices)
	}
	if compared < 3*slices {
		t.Errorf("of %d runs only %d ended", 4*slices, compared)
	}
	// The share that is drawn has about nine tenths: three standard deviations less at most.
	const share, deviations = 0.9, 3
	n := float64(members)
	if least := share*n - deviations*math.Sqrt(n*share*(1-share)); float64(alone) < least {
		t.Errorf("of %d members only %d have an effect, want at least %.0f", members, alone, least)
	}
}

// drawComponent draws a component of an output, if possible one that the run changed.
func drawComponent(c *gen.Choices, after *[pica.NumOutputs]pica.Vec4, initial *pica.State) (output, component int) {
	type part struct{ output, component int }
	var changed []part
	for k := range after {
		for lane := range 4 {
			if after[k][lane] != initial.O[k][lane] {
				changed = append(changed, part{k, lane})
			}
		}
	}
	if len(changed) == 0 {
		return c.Below(pica.NumOutputs), c.Below(4)
	}
	p := gen.Pick(c, changed)
	return p.output, p.component
}
