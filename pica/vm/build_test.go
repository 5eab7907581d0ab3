package vm_test

import (
	"testing"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

// builder assembles test programs. Registers are source or destination fields.
type builder struct {
	insts  []decode.Inst
	dst    []string // label of the target; loops name the word behind their body
	end    []string // label of DST+NUM
	labels map[string]int
}

func newBuilder() *builder { return &builder{labels: make(map[string]int)} }

const (
	v0 = pica.SourceInput
	r0 = pica.SourceTemporary
	c0 = pica.SourceUniform
	o0 = pica.DestOutput
)

// descriptors of every built program: identity; .x of each operand; negated first operand.
var descriptors = []uint32{uint32(pica.IdentityDescriptor), 0x00000008, uint32(pica.IdentityDescriptor) | 1<<4}

func (b *builder) op(i decode.Inst) *builder {
	b.insts, b.dst, b.end = append(b.insts, i), append(b.dst, ""), append(b.end, "")
	return b
}

func (b *builder) flow(i decode.Inst, dst, end string) *builder {
	b.op(i)
	b.dst[len(b.dst)-1], b.end[len(b.end)-1] = dst, end
	return b
}

func (b *builder) label(name string) *builder {
	b.labels[name] = len(b.insts)
	return b
}

// add appends r += c[n].
func (b *builder) add(r, n uint8) *builder {
	return b.op(decode.Inst{Op: pica.ADD, Dest: r0 + r, Src: [3]uint8{c0 + n, r0 + r}})
}

func (b *builder) mov(dest, src uint8) *builder {
	return b.op(decode.Inst{Op: pica.MOV, Dest: dest, Src: [3]uint8{src}})
}

func (b *builder) nop() *builder  { return b.op(decode.Inst{Op: pica.NOP}) }
func (b *builder) stop() *builder { return b.op(decode.Inst{Op: pica.END}) }

// equal sets both flags to a == b.
func (b *builder) equal(a, c uint8) *builder {
	return b.op(decode.Inst{Op: pica.CMP, Src: [3]uint8{a, c}})
}

// true sets both flags.
func (b *builder) true() *builder { return b.equal(c0, r0+15) }

// when is a condition on cc.x.
func when(op pica.Opcode, holds bool) decode.Inst {
	return decode.Inst{Op: op, CondOp: pica.CondX, RefX: holds}
}

func (b *builder) ifTrue(els, end string) *builder { return b.flow(when(pica.IFC, true), els, end) }
func (b *builder) jump(to string) *builder         { return b.flow(when(pica.JMPC, true), to, "") }
func (b *builder) breakTrue() *builder             { return b.op(when(pica.BREAKC, true)) }
func (b *builder) call(dst, end string) *builder {
	return b.flow(decode.Inst{Op: pica.CALL}, dst, end)
}
func (b *builder) loop(i uint8, end string) *builder {
	return b.flow(decode.Inst{Op: pica.LOOP, Int: i}, end, "")
}

// finish appends the usual end of a program.
func (b *builder) finish() *builder { return b.mov(o0, r0).mov(o0+1, r0+1).stop() }

func (b *builder) program(t testing.TB) pica.Program {
	t.Helper()
	p := pica.Program{Descriptors: descriptors}
	at := func(label string) int {
		a, ok := b.labels[label]
		if !ok {
			t.Fatalf("no label %q", label)
		}
		return a
	}
	for k, i := range b.insts {
		if b.dst[k] != "" {
			dst := at(b.dst[k])
			if b.end[k] != "" {
				i.Num = uint8(at(b.end[k]) - dst)
			}
			if i.Op == pica.LOOP {
				dst--
			}
			i.Dst = uint16(dst)
		}
		w, err := decode.Encode(i)
		if err != nil {
			t.Fatal(err)
		}
		p.Code = append(p.Code, w)
	}
	return p
}

// profileF24 is the zero profile, with a name.
var profileF24 = pica.Profile{Name: "f24"}

var profileHW = pica.Profile{Name: "hw", Knobs: pica.Knobs{
	Upload: pica.UploadRZ, Round: pica.RoundRZ, Flush: pica.FlushAll, Hazards: pica.HazardsTrap,
}}

var profileF32 = func() pica.Profile {
	p := pica.Profile{Name: "f32", Knobs: pica.Knobs{
		Storage: pica.Float32, Upload: pica.UploadExact, Dot: pica.DotSeeded,
		ReciprocalZero: pica.ReciprocalZeroSigned, Reciprocal: pica.ReciprocalTwice,
		Compare: pica.CompareKeep, InnerAL: pica.InnerALStart,
		BreakOutside: pica.BreakOutsideIgnored, ProgramEnd: pica.ProgramEnd4095,
		EmitInVertex: pica.EmitInVertexAbort, Vertex3: pica.Vertex3Abort,
	}}
	for op := range pica.Opcode(pica.NumOpcodes) {
		switch base := op.Base(); {
		case op.Reserved(), base == pica.DST, base == pica.DSTI, base == pica.LITP:
			p.Support[op] = pica.SupportSkip
		}
	}
	return p
}()

var profiles = []*pica.Profile{&profileF24, &profileHW, &profileF32}

// with returns a profile with changed knobs.
func with(p pica.Profile, change func(k *pica.Knobs)) pica.Profile {
	change(&p.Knobs)
	return p
}

// number returns the pattern of a small integer in a profile's storage.
func number(p *pica.Profile, n int) uint32 {
	return p.Storage.Integer(int64(n))
}
