package source_test

import (
	"fmt"
	"hash/fnv"
	"testing"

	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/golden"
	"github.com/picaproof/picaproof/pica"
)

// TestRecorded: what each dialect makes of drawn programs is recorded: the text, the omissions, the meaning,
// the smaller programs; and its mistakes and defects.
func TestRecorded(t *testing.T) {
	const seed, programs, smaller = 1, 600, 12
	record := func(key string, parts func(write func(parts ...any))) {
		h := fnv.New64a()
		parts(func(parts ...any) { fmt.Fprintf(h, "%+v\n", parts) })
		golden.Hash(t, key, h.Sum64())
	}
	draw := func(k int) *source.Program { return source.Draw(gen.From(gen.Seed(seed, uint64(k)))) }
	for _, d := range source.Dialects {
		record(d.Name+"-texts", func(write func(...any)) {
			for k := range programs {
				p, reasons := d.Fit(draw(k))
				write(*d.Print(p), reasons, d.Says(p))
				m, err := source.Lower(p, d)
				if err == nil {
					write(*m)
				}
				write(err)
			}
		})
		record(d.Name+"-faults", func(write func(...any)) {
			for k := range d.Faults {
				p, _ := d.Fit(draw(k))
				write(d.Faults[k], *d.Spoil(d.Print(p), &d.Faults[k]))
			}
		})
		record(d.Name+"-defects", func(write func(...any)) {
			for k := range d.Defects {
				f := &d.Defects[k]
				write(f.Name, f.Valid, f.Shows, f.About, f.Class(), f.Text)
				if f.Program != nil {
					write(*d.Print(f.Program()))
				}
			}
		})
	}
	record("smaller", func(write func(...any)) {
		for k := range programs {
			p := draw(k)
			write(p.Size(), p.Parts(), p.Statements())
			left := smaller
			for n, q := range source.Smaller(p, 7*k%100) {
				if write(n, q.Size(), q.Parts(), *source.Nihstro.Print(fit(q))); left == 0 {
					break
				}
				left--
			}
		}
	})
}

func fit(p *source.Program) *source.Program {
	q, _ := source.Nihstro.Fit(p)
	return q
}

// TestTooManyDescriptors: a program may have 128 operand descriptors, and its MADs the first 32.
func TestTooManyDescriptors(t *testing.T) {
	for _, x := range []struct {
		op            pica.Opcode
		operands, max int
	}{{pica.MOV, 1, pica.MaxDescriptors}, {pica.MAD, 3, pica.MaxMADDescs}} {
		for _, n := range []int{x.max, x.max + 1} {
			var list []source.Statement
			for k := range n {
				s := source.Statement{Kind: source.Compute, Op: x.op, Dest: source.Operand{Class: 'r', Mask: 0xF}}
				for range x.operands {
					s.Sources = append(s.Sources, source.Operand{Class: 'r', Selector: uint8(k)})
				}
				list = append(list, s)
			}
			if _, err := source.Lower(source.Minimal(list...), &source.Picasso); (err == nil) != (n == x.max) {
				t.Errorf("%v with %d descriptors: %v", x.op, n, err)
			}
		}
	}
}

// TestNumbers: numbers in a source that a reader cannot mistake.
func TestNumbers(t *testing.T) {
	for x, want := range map[uint32]string{0: "0", 1 << 23: "-0", 0x3F0000: "1.000007629", 0xBF0001: "-1.000022888",
		0x408000: "3.000015259", 0x7F0000: "1.844688481e+19"} {
		if got := source.MiddleText(x); got != want {
			t.Errorf("%06x: got %s, want %s", x, got, want)
		}
	}
	for x, want := range map[uint32]string{0: "0", 0x3F800000: "1", 0xBFC00001: "-1.5000001192092896",
		0x7F7FFFFF: "3.4028234663852886e+38", 1: "1.4012984643388e-45"} {
		if got := source.FloatText(x); got != want {
			t.Errorf("%08x: got %s, want %s", x, got, want)
		}
	}
}
