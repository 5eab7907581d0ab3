package asm_test

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func disassemble(t *testing.T, s *pica.Shader, o asm.Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := asm.Disassemble(&b, s, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSamples(t *testing.T) {
	for _, name := range []string{
		"picasso/p02_arith_all", "picasso/p03_flow_all", "picasso/p07_gsh_point", "picasso/p14_mad_swap",
		"picasso/p15_relative", "picasso/p16_alias_swizzle", "nihstro/n02_arith", "nihstro/n03_flow",
	} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			s := pica.Shader{Program: readSample(t, name+".shbin")}
			golden(t, filepath.Base(name)+".pica", disassemble(t, &s, asm.Options{}))
		})
	}
}

func TestFormat(t *testing.T) {
	const (
		identity = uint32(pica.IdentityDescriptor)
		mixed    = uint32(0x5<<0 | 1<<4 | 0x6C<<5 | 0x55<<14 | 1<<22 | 0xAA<<23) // .yw, -yzwx, yyyy, -zzzz
	)
	table := []uint32{identity, mixed, identity ^ 15, identity | 1<<31}
	for _, c := range []struct {
		want string
		word uint32
	}{
		{"add o0, c0, v0", 0x00<<26 | 0x20<<12},
		{"dp4 o0.yw, -c95.yzwx, r15.y", 0x02<<26 | 0x7F<<12 | 0x1F<<7 | 1},
		{"add o0._, c0, v0", 0x00<<26 | 0x20<<12 | 2},
		{"add o0, c0, v0, desc 3", 0x00<<26 | 0x20<<12 | 3},
		{"add o0._, c0.x, v0.x, desc 4", 0x00<<26 | 0x20<<12 | 4},
		{"mad r15, r1, c1[a0.y], r2", 0x3F<<26 | 3<<24 | 2<<22 | 0x11<<17 | 0x21<<10 | 0x12<<5},
		{"madi o7.yw, -r1.yzwx, v2.y, -c8[aL].z", 0x30<<26 | 7<<24 | 3<<22 | 0x11<<17 | 2<<12 | 0x28<<5 | 1},
		{"dphi r0, v1, c2[a0.x]", 0x18<<26 | 0x10<<21 | 1<<19 | 1<<14 | 0x22<<7},
		{"mov o1, r3[aL]", 0x13<<26 | 1<<21 | 3<<19 | 0x13<<12},
		{"mova a0.yw, -c1.yzwx", 0x12<<26 | 0x21<<12 | 1},
		{"mova a0.xyzw, r1", 0x12<<26 | 0x11<<12},
		{"mova a0._, r1", 0x12<<26 | 0x11<<12 | 2},
		{"cmp r0, lt, ge, r1", 0x2E<<26 | 2<<24 | 5<<21 | 0x10<<12 | 0x11<<7},
		{"cmp r0, 6, 7, r1, desc 2", 0x2F<<26 | 2<<24 | 7<<21 | 0x10<<12 | 0x11<<7 | 2},
		{"ifc cmp.x && !cmp.y, 12, 3", 0x28<<26 | 1<<25 | 1<<22 | 12<<10 | 3},
		{"ifc !cmp.x || cmp.y, 4095, 255", 0x28<<26 | 1<<24 | 4095<<10 | 255},
		{"ifu b15, 12, 0", 0x27<<26 | 15<<22 | 12<<10},
		{"call 8, 4", 0x24<<26 | 8<<10 | 4},
		{"callc cmp.x, 8, 4", 0x25<<26 | 3<<24 | 2<<22 | 8<<10 | 4},
		{"callc cmp.x (!cmp.y), 8, 4", 0x25<<26 | 1<<25 | 2<<22 | 8<<10 | 4},
		{"callc !cmp.y (!cmp.x), 8, 4", 0x25<<26 | 3<<22 | 8<<10 | 4},
		{"callu b0, 8, 4", 0x26<<26 | 8<<10 | 4},
		{"loop i3, 9", 0x29<<26 | 3<<22 | 8<<10},
		{"breakc !cmp.y", 0x23<<26 | 1<<25 | 3<<22},
		{"jmpc cmp.x || cmp.y, 0", 0x2C<<26 | 3<<24},
		{"jmpu b2, 7", 0x2D<<26 | 2<<22 | 7<<10},
		{"jmpu !b2, 7", 0x2D<<26 | 2<<22 | 7<<10 | 1},
		{"setemit 3", 0x2B<<26 | 3<<24},
		{"setemit 1, prim", 0x2B<<26 | 1<<24 | 1<<23},
		{"setemit 0, inv", 0x2B<<26 | 1<<22},
		{"setemit 2, prim inv", 0x2B<<26 | 2<<24 | 3<<22},
		{"emit", 0x2A << 26},
		{"break", 0x20 << 26},
		{"nop", 0x21 << 26},
		{"end", 0x22 << 26},
		{".word 0x88000001 ; end, ignored bits 0x00000001", 0x22<<26 | 1},
		{".word 0x5c000123 ; reserved(0x17)", 0x17<<26 | 0x123},
		{".word 0xb4801c06 ; jmpu b2, 7, ignored bits 0x00000006", 0x2D<<26 | 2<<22 | 7<<10 | 6},
		{".word 0x90402004 ; call 8, 4, ignored bits 0x00400000", 0x24<<26 | 1<<22 | 8<<10 | 4},
		{".word 0x48e11000 ; mova a0.xyzw, r1, ignored bits 0x00e00000", 0x12<<26 | 7<<21 | 0x11<<12},
		{".word 0x4c000f80 ; mov o0, v0, ignored bits 0x00000f80", 0x13<<26 | 0xF80},
	} {
		if got := asm.Format(c.word, table); got != c.want {
			t.Errorf("0x%08x:\n got %s\nwant %s", c.word, got, c.want)
		}
	}
}

// Two words never have the same text, so the text identifies the word.
func TestTextIsUnambiguous(t *testing.T) {
	const seed = 3
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	// Few different descriptors, and repeated ones: many words differ only in the
	// descriptor number.
	table := make([]uint32, 40)
	for k := range table {
		table[k] = []uint32{0, uint32(pica.IdentityDescriptor), 0x0D86C368, 0x8D86C36F, random.Uint32()}[k%5]
	}
	words := make(map[string]uint32)
	check := func(word uint32) {
		text := asm.Format(word, table)
		if other, ok := words[text]; ok && other != word {
			t.Fatalf("0x%08x and 0x%08x both read %q", other, word, text)
		}
		words[text] = word
	}
	draws := slices.Collect(long.Numbers(t, 1000, long.Few(100, 30)))
	for op := range uint32(pica.NumOpcodes) {
		for _, n := range draws {
			random := rand.New(rand.NewPCG(seed, uint64(op)<<32|uint64(n)))
			word := op<<26 | random.Uint32()>>6
			check(word)
			for bit := range 26 {
				check(word ^ 1<<bit)
			}
		}
	}
}

func exampleShader() *pica.Shader {
	return &pica.Shader{
		Program: pica.Program{
			Code: []uint32{
				0x13<<26 | 0x10<<21 | 0<<12,                      // mov r0, v0
				0x29<<26 | 1<<22 | 3<<10,                         // loop i1
				0x00<<26 | 0x10<<21 | 3<<19 | 0x24<<12 | 0x10<<7, // add r0, c4[aL], r0
				0x21 << 26,               // nop
				0x27<<26 | 2<<22 | 6<<10, // ifu b2
				0x24<<26 | 8<<10 | 2,     // call 8
				0x13<<26 | 0x10<<12,      // mov o0, r0
				0x22 << 26,               // end
				0x38<<26 | 1<<28 | 0<<24 | 0x10<<17 | 0x7F<<10 | 0x10<<5, // mad r0, r0, c95, r0
				0x2C<<26 | 3<<24 | 2<<22 | 100<<10,                       // jmpc beyond the end
			},
			Descriptors: []uint32{uint32(pica.IdentityDescriptor), 0x8D86C360},
		},
		Name:    "main",
		OutMask: 3,
		Inputs:  []pica.Symbol{{Name: "position", Class: 'v', First: 0, Last: 0}},
		Uniforms: []pica.Symbol{
			{Name: "bone.matrix", Class: 'c', First: 4, Last: 15},
			{Name: "passes", Class: 'i', First: 1, Last: 1},
			{Name: "lit", Class: 'b', First: 2, Last: 2},
			{Name: "position", Class: 'c', First: 20, Last: 20},
			{Name: "bad name", Class: 'c', First: 95, Last: 95},
			{Name: "outside", Class: 'c', First: 90, Last: 200},
			{Name: "nowhere", Class: 'q', First: -5, Last: 1 << 40},
		},
		Labels: []pica.Label{
			{Name: "proc", Word: 8, Length: 2}, {Name: "again", Word: 8}, {Name: "r0", Word: 6},
			{Name: "endmain", Word: 10},
			{Name: "far", Word: 1 << 30}, {Name: "before", Word: -1}, {Name: "prim", Word: 3},
		},
		Outputs: []pica.Output{
			{Semantic: "position", Register: 0, Mask: 15}, {Semantic: "texcoord0", Register: 1, Mask: 3},
			{Semantic: "line\nbreak", Register: 16, Mask: 1},
		},
		Floats: []pica.Upload{
			{Register: 95, Format: pica.Float24, Values: []pica.Vec4{{0x3F0000, 0xBE0000, 0x7F0000, 1}, {}}},
			{Register: 94, Format: pica.Float32, Values: []pica.Vec4{{0x3F800000, 0x40490FDB, 0xFF800000, 0}}},
		},
		Ints:  map[int][4]uint8{1: {3, 0, 1, 0}, 0: {255, 1, 2, 3}, 4: {}},
		Bools: map[int]bool{2: true, 0: false},
	}
}

func TestHeader(t *testing.T) {
	golden(t, "header.pica", disassemble(t, exampleShader(), asm.Options{}))
	s := exampleShader()
	s.Stage, s.Name, s.Entry = pica.Geometry, "two words", 12345
	text := string(disassemble(t, s, asm.Options{}))
	for _, want := range []string{"\n.gsh\n", "\n.entry 12345\n", "; geometry program \"two words\""} {
		if !strings.Contains(text, want) {
			t.Errorf("header lacks %q:\n%s", want, text)
		}
	}
}

func TestWords(t *testing.T) {
	golden(t, "words.pica", disassemble(t, exampleShader(), asm.Options{NoHeader: true, Words: true}))
}

func TestLines(t *testing.T) {
	s := exampleShader()
	n := 0
	for line := range asm.Lines(s) {
		if line.PC != n || line.Word != s.Code[n] {
			t.Errorf("line %d: pc %d, word 0x%08x", n, line.PC, line.Word)
		}
		if n == 2 && (line.Text != "add r0, c4[aL], r0" || line.Comment != "bone.matrix[0]" || line.Label != "") {
			t.Errorf("line 2: %+v", line)
		}
		if n == 8 && line.Label != "proc" {
			t.Errorf("line 8: label %q, want proc", line.Label)
		}
		n++
		if n == 9 {
			break
		}
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestWriterError(t *testing.T) {
	if err := asm.Disassemble(failingWriter{}, exampleShader(), asm.Options{}); err != os.ErrClosed {
		t.Errorf("got %v, want %v", err, os.ErrClosed)
	}
}
