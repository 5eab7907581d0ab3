//go:build linux || darwin

package kit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/picaproof/picaproof/conform/kit"
	"github.com/picaproof/picaproof/conform/kit/kittest"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/pica"
)

// four is the core of four instructions that the pages about adapters show.
type four struct{}

func (four) Name() string { return "four" }

func (four) Run(job *pica.Job, out *pica.Outcome) error {
	*out = pica.Outcome{Storage: pica.Float32, Vertices: make([]pica.VertexOutcome, len(job.Vertices))}
	for i, in := range job.Vertices {
		v := &out.Vertices[i]
		if i > 0 && job.Keep {
			v.State = out.Vertices[i-1].State
		}
		if err := fourRun(job, in, v); err != nil {
			return err
		}
	}
	return nil
}

// fourRun runs a program once.
func fourRun(job *pica.Job, in []pica.Vec4, v *pica.VertexOutcome) error {
	uniforms := kit.Uniforms(job)
	read := func(n uint32) (x pica.Vec4) {
		switch {
		case n < pica.SourceTemporary && int(n) < len(in):
			return in[n]
		case n < pica.SourceTemporary:
			return x
		case n < pica.SourceUniform:
			return v.R[n-pica.SourceTemporary]
		}
		u := uniforms[n-pica.SourceUniform]
		u.Format.WidenVector(&x, &u.Value)
		return x
	}
	code := append(job.Code[:len(job.Code):len(job.Code)], make([]uint32, pica.MaxCode-len(job.Code))...)
	for _, w := range code[job.Entry:] {
		op := pica.OpcodeOf(w)
		switch {
		case op == pica.END:
			return nil
		case op == pica.NOP:
			continue
		case op != pica.ADD && op != pica.MUL && op != pica.MOV || w>>19&3 != 0:
			return &adapter.RefusalError{Kind: adapter.KindUnsupported, Message: fmt.Sprintf("opcode %d", w>>26)}
		}
		var d uint32
		if n := int(w & 127); n < len(job.Descriptors) {
			d = job.Descriptors[n]
		}
		operand := func(n, selectors, negate uint32) (x pica.Vec4) {
			from := read(n)
			for k := range x {
				x[k] = from[selectors>>(6-2*k)&3] ^ negate<<31
			}
			return x
		}
		a, b := operand(w>>12&127, d>>5&255, d>>4&1), operand(w>>7&31, d>>14&255, d>>13&1)
		to := &v.O[w>>21&15]
		if w>>25&1 == 1 {
			to = &v.R[w>>21&15]
		}
		for k := range a {
			switch {
			case d>>(3-k)&1 == 0:
			case op == pica.ADD:
				to[k] = math.Float32bits(math.Float32frombits(a[k]) + math.Float32frombits(b[k]))
			case op == pica.MUL:
				to[k] = math.Float32bits(math.Float32frombits(a[k]) * math.Float32frombits(b[k]))
			default:
				to[k] = a[k]
			}
		}
	}
	return nil
}

// fourJob returns a job of the four instructions with random operands.
func fourJob(r *rand.Rand) *pica.Job {
	numbers := []uint32{0, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001, 1,
		0x807FFFFF, 0x00800000, 0x7F7FFFFF, 0x3F800001, 0x33800000}
	vectors := func(n int, mask uint32) (list []pica.Vec4) {
		for range n {
			var v pica.Vec4
			for k := range v {
				if v[k] = r.Uint32(); r.IntN(2) == 0 {
					v[k] = numbers[r.IntN(len(numbers))]
				}
				v[k] &= mask
			}
			list = append(list, v)
		}
		return list
	}
	j := &pica.Job{OutMask: 0xFFFF, InputFormat: pica.Float32, Keep: r.IntN(2) == 0, Entry: r.IntN(3)}
	for range j.Entry + r.IntN(12) {
		op := []pica.Opcode{pica.ADD, pica.MUL, pica.MOV, pica.NOP}[r.IntN(4)]
		j.Code = append(j.Code, uint32(op)<<26|r.Uint32()&(1<<26-1)&^(3<<19))
	}
	j.Code = append(j.Code, uint32(pica.END)<<26)
	for range pica.MaxDescriptors - r.IntN(8) {
		j.Descriptors = append(j.Descriptors, r.Uint32())
	}
	for range 4 {
		j.Floats = append(j.Floats,
			pica.Upload{Register: r.IntN(96), Format: pica.Float32, Values: vectors(1+r.IntN(20), 1<<32-1)},
			pica.Upload{Register: r.IntN(96), Format: pica.Float24, Values: vectors(1+r.IntN(20), 1<<24-1)})
	}
	for range 1 + r.IntN(3) {
		j.Vertices = append(j.Vertices, vectors(r.IntN(17), 1<<32-1))
	}
	return j
}

// TestGuides: the cores that the pages about adapters show answer alike: programs of the four
// instructions, and generated programs, which they refuse or not.
func TestGuides(t *testing.T) {
	const seed = 11
	model := adapter.InProcess("four", pica.Profile{NoGeometry: true}, func() pica.Engine { return four{} })
	for _, c := range []struct{ language, page, source string }{
		{"cpp", "adapter.md", "mycore.cpp"},
		{"py", "adapter-python.md", "mycore.py"},
		{"rs", "adapter-rust.md", "mycore.rs"},
	} {
		t.Run(c.language, func(t *testing.T) {
			core := start(t, kittest.Build(t, kittest.Page(t, c.page, c.source)))
			r := rand.New(rand.NewPCG(seed, 0))
			var g gen.Generator
			var ends [adapter.NumFates]int
			for n := range long.Few(4000, 400) {
				job := fourJob(r)
				if n%4 == 3 {
					job = g.Job(gen.Seed(seed, uint64(n)), gen.Modes[n/4%len(gen.Modes)])
				}
				want, got := model.Ask(t.Context(), job), core.Ask(t.Context(), job)
				ends[got.Fate]++
				var diff view.Difference
				if got.Fate != want.Fate || job.Stage == pica.Vertex && got.Message != want.Message ||
					view.Compare(view.OfAnswer(want), view.OfAnswer(got), &diff) == view.Differs {
					t.Fatalf("seed %d, job %d: got %v, want %v: %+v", seed, n, &got, &want, diff)
				}
			}
			if ends[adapter.Answered] < 250 || ends[adapter.Unsupported] < 50 {
				t.Errorf("ends of the jobs: %v", ends)
			}
		})
	}
}
