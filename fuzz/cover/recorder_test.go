package cover_test

import (
	"testing"

	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// add is ADD of two registers into r0, the first one indexed.
func add(index, src1, src2 uint32) uint32 {
	layout := pica.ADD.Layout()
	w := layout.Dest.Put(uint32(pica.ADD)<<26, pica.DestTemporary)
	return layout.Index.Put(layout.Src[0].Put(layout.Src[1].Put(w, src2), src1), index)
}

func setemit(slot, primitive, inverted uint32) uint32 {
	layout := pica.SETEMIT.Layout()
	return layout.Vertex.Put(layout.Primitive.Put(layout.Winding.Put(uint32(pica.SETEMIT)<<26, inverted), primitive),
		slot)
}

// TestPrograms lists points that small programs reach, and some that they just miss.
func TestPrograms(t *testing.T) {
	const (
		emit = uint32(pica.EMIT) << 26
		mova = uint32(pica.MOVA) << 26
		v0   = pica.SourceInput
		r0   = pica.SourceTemporary
		c0   = pica.SourceUniform
	)
	for _, x := range []struct {
		name       string
		stage      pica.Stage
		code       []uint32
		has, lacks string
	}{
		{"pairs", pica.Vertex, []uint32{nop, add(0, r0, r0), end}, "pair/nop,add pair/add,end", "pair/nop,end"},
		{"forms", pica.Vertex, []uint32{add(0, c0, v0), end},
			"add/1.file=c add/2.file=v add/dest=r add/mask=xyzw add/1.swizzle=identity add/1.sign=plain " +
				"add/index=none", "add/dest=source hazard/two_input_registers"},
		{"alias", pica.Vertex, []uint32{add(0, c0, r0), end}, "add/dest=source", "add/dest=r"},
		{"equal numbers", pica.Vertex, []uint32{add(0, v0, v0) &^ (pica.DestTemporary << 21), end},
			"add/dest=o", "add/dest=source"},
		{"two inputs", pica.Vertex, []uint32{add(0, v0, v0+1), end}, "hazard/two_input_registers", ""},
		{"one input twice", pica.Vertex, []uint32{add(0, v0+1, v0+1), end}, "add/1.file=v",
			"hazard/two_input_registers"},
		{"mova mova", pica.Vertex, []uint32{mova, mova, end}, "hazard/mova_after_mova", ""},
		{"mova nop mova", pica.Vertex, []uint32{mova, nop, mova, end}, "opcode/mova", "hazard/mova_after_mova"},
		{"break outside", pica.Vertex, []uint32{brk, end}, "trap/hang", "opcode/break pair/break,end"},
		{"endless", pica.Vertex, []uint32{jmp(0)},
			"trap/step-budget jmpu/target=backward flow/4.2.12_backward_jump", "jmpu/target=next"},
		{"off the end", pica.Vertex, []uint32{jmp(4095)},
			"trap/pc-out-of-range jmpu/target=forward", "trap/step-budget"},
		{"reserved", pica.Vertex, []uint32{0x10 << 26}, "trap/reserved-opcode", "trap/hang"},
		{"emit in vertex", pica.Vertex, []uint32{emit}, "trap/emit-in-vertex", "opcode/emit"},
		{"depth", pica.Vertex, []uint32{loop(0, 8), loop(0, 7), loop(0, 6), loop(0, 5), nop, nop, nop, nop, nop, end},
			"depth/loop=4", "overflow/loop"},
		{"overflow", pica.Vertex,
			[]uint32{loop(0, 9), loop(0, 8), loop(0, 7), loop(0, 6), loop(0, 5), nop, nop, nop, nop, nop, end},
			"depth/loop=4 overflow/loop", ""},
		{"passes", pica.Vertex, []uint32{loop(1, 1), nop, end},
			"loop/i1,passes=2 ends/call=0,if=0,loop=again ends/call=0,if=0,loop=exit loop/start=0,step=positive",
			"loop/i1,passes=1 ends/call=0,if=0,loop=break"},
		{"one pass", pica.Vertex, []uint32{loop(0, 1), nop, end}, "loop/i0,passes=1 ends/call=0,if=0,loop=exit",
			"ends/call=0,if=0,loop=again"},
		{"the loop wins", pica.Vertex, []uint32{call(2, 3), end, loop(0, 4), ifTrue(5, 0), nop, end},
			"ends/call=1,if=1,loop=exit flow/4.2.3_if_ends_with_the_loop", "flow/4.2.2_return_lost_to_an_if"},
		{"untaken", pica.Vertex, []uint32{flow(pica.JMPU, 0, 2, 1), nop, end}, "jmpu.inverted/uniform=true",
			"jmpu.inverted/uniform=false jmpu/target=next jmpu/target=forward"},
		{"condition", pica.Vertex, []uint32{flow(pica.JMPC, 2, 1, 0), end},
			"condition/x,refs=00,cc=00 jmpc/condition=true jmpc/target=next", "jmpc/condition=false"},
		{"another condition", pica.Vertex, []uint32{flow(pica.BREAKC, 2+8, 0, 0), end},
			"condition/x,refs=10,cc=00 breakc/condition=false", "trap/hang"},

		{"triangle", pica.Geometry,
			[]uint32{emit, setemit(1, 0, 0), emit, setemit(2, 1, 1), emit, setemit(0, 1, 0), emit, end},
			"geometry/emit_without_setemit emit/slot=0,prim=false,inverted=false " +
				"setemit/slot=2,prim=true,inverted=true emit/slot=2,prim=true,inverted=true " +
				"primitive/new_vertices=3 primitive/new_vertices=1 bank_0/emitted bank_1/emitted",
			"geometry/primitive_with_a_slot_never_emitted primitive/new_vertices=2"},
		{"reuse", pica.Geometry, []uint32{setemit(0, 1, 0), emit, emit, end},
			"geometry/primitive_with_a_slot_never_emitted primitive/new_vertices=1", "geometry/emit_without_setemit"},
		{"slot 3", pica.Geometry, []uint32{setemit(3, 0, 0), emit},
			"setemit/slot=3,prim=false,inverted=false trap/emit-vertex-id", "opcode/emit"},
	} {
		t.Run(x.name, func(t *testing.T) {
			expect(t, points(t, &pica.Job{
				Program:  pica.Program{Code: x.code, Descriptors: []uint32{uint32(pica.IdentityDescriptor)}},
				Stage:    x.stage,
				Vertices: make([][]pica.Vec4, 1),
				Bools:    1,
				Ints:     [pica.NumInts][4]uint8{{0, 0, 1}, {1, 0, 1}},
				Budget:   100,
			}), x.has, x.lacks)
		})
	}
}

// TestScalarOperands: RCP reads its operand unless nothing is written.
func TestScalarOperands(t *testing.T) {
	for mask := range uint8(16) {
		got := points(t, &pica.Job{
			Program: pica.Program{
				Code:        []uint32{uint32(pica.RCP) << 26, end},
				Descriptors: []uint32{uint32(pica.MakeDescriptor(mask, [3]bool{}, [3]uint8{}))},
			},
			Vertices: make([][]pica.Vec4, 1),
		})
		if got.Has(named(t, "rcp/src=+0")) != (mask != 0) || got.Has(named(t, "rcp/result=+inf")) != (mask != 0) {
			t.Errorf("mask %04b: an operand or a result is seen: %v", mask, mask == 0)
		}
	}
}

// TestSkipped: an ignored instruction has no points.
func TestSkipped(t *testing.T) {
	job := pica.Job{Program: pica.Program{Code: []uint32{nop, add(0, 0, 0), nop, end}},
		Vertices: make([][]pica.Vec4, 1)}
	job.Profile.Support[pica.ADD] = pica.SupportSkip
	expect(t, points(t, &job), "opcode/nop opcode/end pair/nop,end",
		"opcode/add pair/nop,add pair/add,nop pair/nop,nop")
}

// TestOffsets classifies relative addresses like the examples of the
// instruction set page.
func TestOffsets(t *testing.T) {
	classes := []string{"inside", "wraps", "ones", "outside", "ignored"}
	for _, x := range []struct {
		base   uint32
		offset int32
		class  string
	}{
		{pica.SourceUniform, 0, "inside"}, {pica.SourceUniform + 40, 55, "inside"},
		{pica.SourceUniform + 40, -40, "inside"},
		{pica.SourceUniform, -41, "wraps"}, {pica.SourceUniform, -128, "wraps"},
		{pica.SourceUniform + 40, 88, "wraps"}, {pica.SourceUniform + 95, 127, "wraps"},
		{pica.SourceUniform, -1, "ones"}, {pica.SourceUniform, -32, "ones"}, {pica.SourceUniform + 40, 56, "ones"},
		{pica.SourceUniform, 127, "ones"},
		{pica.SourceUniform, -129, "outside"}, {pica.SourceUniform + 95, 128, "outside"},
		{pica.SourceUniform, -1 << 31, "outside"},
		{pica.SourceTemporary, 1, "ignored"}, {pica.SourceInput, 1, "ignored"},
	} {
		got := points(t, &pica.Job{
			Program:  pica.Program{Code: []uint32{add(pica.IndexA0Y, x.base, 0), end}},
			Vertices: make([][]pica.Vec4, 1),
			Initial:  &pica.State{Address: [2]int32{0, x.offset}},
		})
		for _, class := range classes {
			if want := class == x.class; got.Has(named(t, "index/a0.y="+class)) != want {
				t.Errorf("base %#x, offset %d: %s is %v, want %v", x.base, x.offset, class, !want, want)
			}
		}
	}
}

// TestAnyRecord: records that make no sense do no harm.
func TestAnyRecord(t *testing.T) {
	const seed = 6
	var r cover.Recorder
	for n := range uint64(20000) {
		c := gen.From(gen.Seed(seed, n))
		state := func() *pica.State {
			return &pica.State{Address: [2]int32{int32(c.Bits(32)), int32(c.Bits(8))},
				AL: int32(c.Bits(32)), Stacks: pica.Stacks{
					If:      [pica.IfDepth]pica.IfEntry{{Else: 1}, {Else: uint16(c.Bits(3))}},
					Call:    [pica.CallDepth]pica.CallEntry{{End: uint16(c.Bits(3))}},
					Loop:    [pica.LoopDepth]pica.LoopEntry{{End: uint16(c.Bits(3)), Count: uint8(c.Bits(1))}},
					IfDepth: uint8(c.Below(pica.IfDepth + 1)), CallDepth: uint8(c.Below(pica.CallDepth + 1)),
					LoopDepth: uint8(c.Below(pica.LoopDepth + 1)),
				}}
		}
		job := &pica.Job{Stage: pica.Stage(c.Bits(1)), Bools: uint16(c.Bits(16))}
		job.Profile.Knobs.Storage = pica.NumberFormat(c.Bits(1))
		r.Start(job, int(c.Bits(1)), state())
		for range 4 {
			s := pica.Step{PC: int(c.Bits(3)), Word: uint32(c.Bits(32)), Descriptor: uint32(c.Bits(32)),
				Written: uint8(c.Bits(4)), State: state()}
			for k := range s.Result {
				s.Result[k] = uint32(c.Bits(32))
				for source := range s.Sources {
					s.Sources[source][k] = uint32(c.Bits(32))
				}
			}
			r.Step(&s)
		}
	}
}

// TestAllocations: neither the recorder nor a set allocates.
func TestAllocations(t *testing.T) {
	var g gen.Generator
	var r cover.Recorder
	var out pica.Outcome
	engine := impl.Watched(&r)
	job := g.Job(gen.Seed(1, 1), gen.Mixed)
	if err := engine.Run(job, &out); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(10, func() {
		r.Reached = cover.Set{}
		engine.Run(job, &out)
		r.Reached.Touch()
	}); n != 0 {
		t.Errorf("%v allocations a run", n)
	}
}
