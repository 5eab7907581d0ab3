package properties_test

import (
	"cmp"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// The oracle does not use the instruction table. The tests below run single instructions on it
// and compare their effects with the table.

const (
	tablePC      = 8
	tableSamples = 200
	tableSeed    = 17
)

// single is a job of one instruction, at tablePC, with random operands, uniforms and state.
// Targets are far away, so that no scope ends with the instruction.
type single struct {
	random *rand.Rand
	engine pica.Engine
	job    pica.Job
}

func newSingle() *single {
	s := &single{random: rand.New(rand.NewPCG(tableSeed, 0)), engine: oracle.New()}
	s.job = pica.Job{
		Entry: tablePC, OutMask: 0xFFFF, Initial: new(pica.State),
		Vertices: [][]pica.Vec4{make([]pica.Vec4, pica.NumInputs)},
		Floats:   []pica.Upload{{Values: make([]pica.Vec4, pica.NumFloats)}},
	}
	s.job.Descriptors = make([]uint32, pica.MaxDescriptors)
	return s
}

// reseed makes what is drawn for an opcode independent of the number of draws for others.
func (s *single) reseed(op pica.Opcode) { s.random = rand.New(rand.NewPCG(tableSeed, uint64(op))) }

var tableNumbers = []uint32{0, 0x800000, 1, 0x80FFFF, 0x3F0000, 0xBF0000, 0x7F0000, 0xFF0000, 0x7F8000,
	0x7EFFFF, 0x400000, 0xC08000}

func (s *single) number() uint32 {
	if s.random.IntN(3) == 0 {
		return tableNumbers[s.random.IntN(len(tableNumbers))]
	}
	return s.random.Uint32()&0x80FFFF | (0x3A+s.random.Uint32N(10))<<16
}

// draw redraws everything in the job of a word except the word. An instruction of the geometry
// stage is followed by an EMIT, which shows the state that SETEMIT has stored.
func (s *single) draw(op pica.Opcode) (word uint32) {
	for _, list := range [][]pica.Vec4{s.job.Vertices[0], s.job.Floats[0].Values,
		s.job.Initial.R[:], s.job.Initial.O[:]} {
		for k := range list {
			list[k] = pica.Vec4{s.number(), s.number(), s.number(), s.number()}
		}
	}
	s.job.Initial.Address = [2]int32{s.random.Int32N(9) - 4, s.random.Int32N(9) - 4}
	s.job.Initial.AL, s.job.Initial.CC = s.random.Int32N(9)-4, [2]bool{s.random.IntN(2) == 0, s.random.IntN(2) == 0}
	s.job.Bools = uint16(s.random.Uint32())
	for k := range s.job.Ints {
		s.job.Ints[k] = [4]uint8{uint8(s.random.IntN(256)), uint8(s.random.IntN(256)), uint8(s.random.IntN(256))}
	}
	for k := range s.job.Descriptors {
		s.job.Descriptors[k] = s.random.Uint32()
	}
	word = uint32(op)<<26 | s.random.Uint32()>>6
	dst := op.Layout().Dst
	s.job.Stage, s.job.Budget, s.job.Code = pica.Vertex, 1, make([]uint32, tablePC+2)
	if pica.Opcodes[op].Writes&pica.WritesEmit != 0 {
		s.job.Stage, s.job.Budget, s.job.Code[tablePC+1] = pica.Geometry, 2, uint32(pica.EMIT)<<26
	}
	return dst.Put(word, dst.Get(word)|1<<10)
}

// run executes a word.
func (s *single) run(t *testing.T, word uint32) pica.VertexOutcome {
	t.Helper()
	s.job.Code[tablePC] = word
	var out pica.Outcome // its own memory: outcomes are compared
	if err := s.engine.Run(&s.job, &out); err != nil {
		t.Fatal(err)
	}
	return out.Vertices[0]
}

// TestUnreadBits: a bit that the table calls unread never changes the effect on the oracle,
// and every other bit below the opcode changes it for some operands.
func TestUnreadBits(t *testing.T) {
	t.Logf("seed %d", tableSeed)
	s := newSingle()
	for op := range pica.Opcode(pica.NumOpcodes) {
		s.reseed(op)
		info := &pica.Opcodes[op]
		var matters uint32
		want := ^info.Unread & (1<<26 - 1)
		for range long.Until(t, 4*tableSamples, tableSamples/8, func() bool { return matters == want }) {
			word := s.draw(op)
			before := s.run(t, word)
			for bit := range 26 {
				if matters>>bit&1 != 0 && info.Unread>>bit&1 == 0 {
					continue
				}
				if got := s.run(t, word^1<<bit); !reflect.DeepEqual(got, before) {
					matters |= 1 << bit
				}
			}
		}
		if matters != want {
			t.Errorf("%v: the bits 0x%07x change what the oracle does, want 0x%07x", op, matters, want)
		}
	}
}

// TestEffects: an instruction changes the state in the table and no other, and goes where the
// table says.
func TestEffects(t *testing.T) {
	t.Logf("seed %d", tableSeed)
	s := newSingle()
	for op := range pica.Opcode(pica.NumOpcodes) {
		if op.Reserved() {
			continue
		}
		info, l := &pica.Opcodes[op], op.Layout()
		var seen pica.Effect
		for range tableSamples {
			word := s.draw(op)
			before, v := s.job.Initial, s.run(t, word)
			var effects pica.Effect
			add := func(changed bool, e pica.Effect) {
				if changed {
					effects |= e
				}
			}
			add(v.R != before.R || v.O != before.O && s.job.Stage == pica.Vertex, pica.WritesDest)
			add(v.Address != before.Address, pica.WritesAddress)
			add(v.CC != before.CC, pica.WritesCC)
			next := tablePC + s.job.Budget
			add(v.AL != before.AL || v.Stacks != (pica.Stacks{}) ||
				v.Trap != pica.Trap{Cause: pica.TrapBudget, PC: next} &&
					info.Writes&pica.WritesEmit == 0, pica.WritesFlow)
			add(info.Writes&pica.WritesEmit != 0 &&
				(len(v.Primitives) > 0 || v.Trap.Cause == pica.TrapEmitVertexID), pica.WritesEmit)
			if effects&^info.Writes != 0 {
				t.Fatalf("%v, word 0x%08x: effects %06b, the table has %06b", op, word, effects, info.Writes)
			}
			seen |= effects
			if info.Flow != pica.FlowNone {
				s.checkFlow(t, info, word, int(l.Dst.Get(word)), &v)
			}
		}
		// EMIT without SETEMIT completes no primitive: TestGeometry checks its effect.
		if want := info.Writes &^ pica.Emits; seen != want && op != pica.EMIT {
			t.Errorf("%v: effects %06b in %d samples, the table has %06b", op, seen, tableSamples, want)
		}
	}
}

// checkFlow compares the stacks and the next pc after a flow instruction.
func (s *single) checkFlow(t *testing.T, info *pica.OpcodeInfo, word uint32, target int, v *pica.VertexOutcome) {
	t.Helper()
	l, cc := &info.Layout, s.job.Initial.CC
	holds := true
	uniform := s.job.Bools>>l.Bool.Get(word)&1 != 0
	switch x, y := cc[0] == (l.RefX.Get(word) != 0), cc[1] == (l.RefY.Get(word) != 0); info.Condition {
	case pica.OnFlags:
		holds = [4]bool{x || y, x && y, x, y}[l.CondOp.Get(word)]
	case pica.OnUniform:
		holds = uniform
	case pica.OnUniformInverse:
		holds = uniform == (word&1 == 0)
	}
	var pushed [3]uint8 // IF, CALL, LOOP
	want := pica.Trap{Cause: pica.TrapBudget, PC: tablePC + 1}
	switch info.Flow {
	case pica.FlowEnd:
		want = pica.Trap{}
	case pica.FlowBreak:
		if holds {
			want = pica.Trap{Cause: pica.TrapHang, PC: tablePC}
		}
	case pica.FlowLoop:
		pushed[2] = 1
	case pica.FlowIf:
		if holds {
			pushed[0] = 1
		} else {
			want.PC = target
		}
	case pica.FlowJump, pica.FlowCall:
		if holds {
			want.PC = target
		}
		if holds && info.Flow == pica.FlowCall {
			pushed[1] = 1
		}
	}
	got := [3]uint8{v.Stacks.IfDepth, v.Stacks.CallDepth, v.Stacks.LoopDepth}
	if v.Trap != want || got != pushed {
		t.Fatalf("%s, word 0x%08x: trap %v, depths %v; the table says %v, %v", info.Name, word,
			v.Trap, got, want, pushed)
	}
}

// TestOperands: components that an instruction reads, according to the table, change its
// result, others do not; results are broadcast, copied, truth values, and of the number
// classes in the table.
func TestOperands(t *testing.T) {
	t.Logf("seed %d", tableSeed)
	s := newSingle()
	for op := range pica.Opcode(pica.NumOpcodes) {
		info, l := &pica.Opcodes[op], op.Layout()
		if info.Sources == 0 {
			continue
		}
		wanted := info.Reads
		for k := range info.Sources {
			wanted[k] = cmp.Or(wanted[k], 15)
		}
		s.reseed(op)
		var reads [3]uint8
		scalar := true
		for range long.Until(t, 4*tableSamples, tableSamples/8, func() bool { return reads == wanted }) {
			s.draw(op)
			word := l.Dest.Put(uint32(op)<<26, pica.DestTemporary+15)
			for k := range info.Sources {
				word = l.Src[k].Put(word, uint32(pica.SourceTemporary+k))
			}
			word = l.CmpY.Put(l.CmpX.Put(word, pica.CmpLT), pica.CmpEQ)
			s.job.Descriptors[0] = uint32(pica.IdentityDescriptor)
			want := s.run(t, word)
			result := want.R[15]
			if info.Writes&pica.WritesDest != 0 {
				scalar = scalar && result == pica.Vec4{result[0], result[0], result[0], result[0]}
				for k, x := range result {
					switch {
					case info.Never.Has(pica.Float24.Class(x)):
						t.Fatalf("%v: the result %06x is %v", op, x, pica.Float24.Class(x))
					case info.Truth && x != 0 && x != 0x3F0000:
						t.Fatalf("%v: the result %06x is neither 0 nor 1", op, x)
					case info.Copies && x != s.job.Initial.R[0][k]:
						t.Fatalf("%v: the result %06x is not the operand %06x", op, x, s.job.Initial.R[0][k])
					}
				}
			}
			for k := range info.Sources {
				for slot := range 4 {
					saved := s.job.Initial.R[k]
					s.job.Initial.R[k][slot] = s.number()
					got := s.run(t, word)
					got.R[k] = want.R[k]
					if !reflect.DeepEqual(got, want) {
						reads[k] |= 8 >> slot
					}
					s.job.Initial.R[k] = saved
				}
			}
		}
		for k := range info.Sources {
			if reads[k] != wanted[k] {
				t.Errorf("%v: source %d contributes the slots %04b, the table has %04b", op, k+1, reads[k], wanted[k])
			}
		}
		if info.Writes&pica.WritesDest != 0 && scalar != info.Scalar {
			t.Errorf("%v: broadcast %t, the table has %t", op, scalar, info.Scalar)
		}
	}
}
