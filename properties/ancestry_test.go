package properties_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/ancestry"
	"github.com/picaproof/picaproof/oracle/impl"
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

// runDisturbed runs a job and replaces every result of the words that are no members. It returns the outputs; ok is
// false if the budget ended the run.
func runDisturbed(job *pica.Job, c *gen.Choices, members map[int]bool) (o [pica.NumOutputs]pica.Vec4, ok bool) {
	m := impl.NewMachine()
	if err := m.Load(job, 0); err != nil {
		panic(err)
	}
	for s := m.Step(); s != nil; s = m.Step() {
		if s.Trap.Cause == pica.TrapBudget || s.Trap.Cause == pica.TrapPrimitives {
			return o, false
		}
		if s.Trap.Cause != pica.TrapNone || members[s.PC] {
			continue
		}
		op, state := pica.OpcodeOf(s.Word), m.State()
		info := &pica.Opcodes[op]
		if info.Writes&pica.WritesDest != 0 {
			register := &state.O[:][op.Layout().Dest.Get(s.Word)&15]
			if op.Layout().Dest.Get(s.Word) >= pica.DestTemporary {
				register = &state.R[op.Layout().Dest.Get(s.Word)-pica.DestTemporary]
			}
			for lane := range register {
				if s.Written&(8>>lane) != 0 {
					register[lane] = anyNumber(c)
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
	return m.State().O, true
}

// changes returns, for each member of the inputs and uniforms, a function that gives it another value.
func changes(a *ancestry.Ancestry) (list []func(v *values, c *gen.Choices)) {
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
					list = append(list, func(v *values, c *gen.Choices) { bank.of(v)[k][lane] = anyNumber(c) })
				}
			}
		}
	}
	for k, members := range a.Ints {
		for part := range 3 {
			if members&(8>>part) != 0 {
				list = append(list, func(v *values, c *gen.Choices) { v.job.Ints[k][part] = uint8(c.Bits(4)) })
			}
		}
	}
	for k, member := range a.Bools {
		if member {
			list = append(list, func(v *values, _ *gen.Choices) { v.job.Bools ^= 1 << k })
		}
	}
	return list
}

// TestAncestry holds that a component of an output depends on what its ancestry holds and on nothing else: on
// generated programs no change of anything outside ever changes it, and for three fifths of the inputs and uniforms
// inside some of 64 values does. The others matter in the program, but saturation, rounding, comparisons and loops
// that write the same again absorb each of the values.
func TestAncestry(t *testing.T) {
	const seed = 34
	modes := []gen.Mode{gen.Mixed, gen.Flow, gen.Geometry, gen.Mixed, gen.Long}
	var g gen.Generator
	var out pica.Outcome
	engine := impl.New()
	sliced, refused, compared, members, effective := 0, 0, 0, 0, 0
	for n := range long.Numbers(t, 10_000, long.Few(200, 100)) {
		c := gen.From(gen.Seed(seed+1, uint64(n)))
		job := g.Job(gen.Seed(seed, uint64(n)), gen.Pick(c, modes))
		base := valuesOf(job)
		job = base.clone().full()
		if err := engine.Run(job, &out); err != nil {
			t.Fatal(err)
		}
		before := out.Vertices[0].State.O
		output, component := drawComponent(c, &before, base.job.Initial)
		a, err := ancestry.Of(job, 0, output, component)
		if errors.Is(err, ancestry.ErrNotEnded) || errors.Is(err, ancestry.ErrTooManyPaths) {
			refused++
			continue
		}
		if err != nil {
			t.Fatalf("case %d of seed %d: %v", n, seed, err)
		}
		sliced++
		for range 4 {
			other := base.clone()
			other.changeOthers(c, a)
			after, ended := runDisturbed(other.full(), c, a.Words())
			if !ended {
				continue
			}
			compared++
			if got, want := after[output][component], before[output][component]; got != want {
				t.Fatalf("case %d of seed %d: o%d.%c: %06x became %06x with a change outside its ancestry %+v", n, seed,
					output, "xyzw"[component], want, got, a)
			}
		}
		const most = 4 // members of a program
		list := changes(a)
		for range min(most, len(list)) {
			change := gen.Pick(c, list)
			members++
			for range 64 {
				other := base.clone()
				change(other, c)
				if err := engine.Run(other.full(), &out); err != nil {
					t.Fatal(err)
				}
				if out.Vertices[0].State.O[output][component] != before[output][component] {
					effective++
					break
				}
			}
		}
	}
	t.Logf("%d sliced, %d refused, %d compared, %d members, %d of them effective", sliced, refused, compared, members,
		effective)
	if refused*10 > sliced {
		t.Errorf("%d programs refused, %d not", refused, sliced)
	}
	if compared < 3*sliced {
		t.Errorf("of %d runs only %d ended", 4*sliced, compared)
	}
	if effective*5 < members*3 {
		t.Errorf("of %d members only %d have an effect", members, effective)
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
