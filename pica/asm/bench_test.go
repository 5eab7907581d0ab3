package asm_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// benchText is a program of that many words with every kind of instruction; the number of lines is
// a multiple of eight.
func benchText(words int) string {
	const lines = `	mad r0.xy, r1, -c4[aL].wzyx, r2
	add r3, colour, v0
	ifc cmp.x && !cmp.y
		mov r1, r2.x ; comment
		call shade
		nop
	.end
	cmp c0, lt, ge, r1
	dp4 o0.x, matrix[3], r0
`
	const head = ".limit 4096\n.fvec matrix[4], colour\n.proc shade\nmul r1, r1, r2\nnop\n.end\n.proc main\n"
	return head + strings.Repeat(lines, words/8-1) + strings.Repeat("nop\n", 5) + "end\n.end"
}

var benchSizes = []int{512, 1024, 2048, pica.MaxCode}

func assembled(tb testing.TB, text string) *asm.Assembly {
	a, err := asm.Assemble([]asm.Source{{Text: text}}, asm.AssembleOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	return a
}

func perWord(b *testing.B, words int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(words), "ns/word")
}

func BenchmarkAssemble(b *testing.B) {
	for _, words := range benchSizes {
		text := benchText(words)
		b.Run(fmt.Sprint(words), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				assembled(b, text)
			}
			perWord(b, words)
		})
	}
}

// Random words: nearly every one has a descriptor of its own.
func BenchmarkAssembleAnyWords(b *testing.B) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	for _, words := range benchSizes {
		s := &pica.Shader{}
		for range words {
			s.Code = append(s.Code, r.Uint32())
		}
		for range pica.MaxDescriptors {
			s.Descriptors = append(s.Descriptors, r.Uint32())
		}
		var text strings.Builder
		if err := asm.Disassemble(&text, s, asm.Options{}); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(words), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				assembled(b, text.String())
			}
			perWord(b, words)
		})
	}
}

func BenchmarkDisassemble(b *testing.B) {
	for _, form := range []struct {
		name    string
		options asm.Options
	}{{"flat", asm.Options{}}, {"structured", asm.Options{Structured: true}}, {"pretty", asm.Options{Pretty: true}}} {
		for _, words := range benchSizes {
			s := assembled(b, benchText(words)).Shader(0)
			b.Run(fmt.Sprintf("%s/%d", form.name, words), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := asm.Disassemble(io.Discard, &s, form.options); err != nil {
						b.Fatal(err)
					}
				}
				perWord(b, words)
			})
		}
	}
}

func BenchmarkFormat(b *testing.B) {
	b.ReportAllocs()
	table := []uint32{uint32(pica.IdentityDescriptor)}
	for b.Loop() {
		asm.Format(0xFE428645, table)
	}
}
