package dvoj_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen/dvojgen"
)

// Where the tables of cleanModel are.
const (
	constants   = 0x58
	labels      = constants + 3*0x14
	code        = labels + 2*0x10
	bareCode    = 0x58
	descriptors = code + 3*4
	lines       = descriptors + 8
	relocations = lines + 3*8
	outputs     = relocations + 12
	uniforms    = outputs + 8
	symbols     = uniforms + 2*8
	padding     = symbols + 41
	size        = padding + 3
)

// combinations are edits of the clean file, by its model or its bytes, that break
// several rules at once, or one in spite of an option. findings are all that Check
// must report, in order.
var combinations = []struct {
	findings string
	at       int // offset of the first finding
	model    func(f *dvoj.File)
	bytes    func(b []byte) []byte
	options  []dvoj.Option
}{
	{findings: "DVOJ002/E", at: 0, bytes: func(b []byte) []byte { return set8(7, 1)(set8(0, 'd')(b)) }},
	{findings: "DVOJ003/E", at: 0, bytes: func(b []byte) []byte { return set8(7, 1)(set8(3, 'B')(b)) }},
	{findings: "DVOJ003/W", at: 0, bytes: set8(3, 'B'), options: []dvoj.Option{dvoj.AllowDVOB}},
	{findings: "DVOJ005/W", at: 6, bytes: set8(6, 2), options: []dvoj.Option{dvoj.TypeFlags}},
	{findings: "DVOJ006/W DVOJ007/W", at: 7, model: func(f *dvoj.File) { f.Merge = 2 }},
	{findings: "DVOJ010/E DVOJ011/E", at: 0x20, bytes: set32(0x20, 0xFFFFFFFF)},
	{findings: "DVOJ030/E DVOJ033/W", at: relocations, model: func(f *dvoj.File) { f.Relocations[0].Word = 3 }},
	{findings: "DVOJ142/E DVOJ173/I", at: labels, model: func(f *dvoj.File) { f.Labels[0].Name = 41 }},
	{findings: "DVOJ151/E DVOJ111/W", at: outputs + 2,
		model: output(shbin.Output{Semantic: shbin.Dummy, Register: 16, Mask: 1})},
	{findings: "DVOJ152/E DVOJ111/W", at: outputs + 2, model: output(shbin.Output{Register: 7, Mask: 1})},
	{findings: "DVOJ162/E DVOJ173/I", at: uniforms + 8, model: func(f *dvoj.File) { f.Uniforms[1].Name = 41 }},
	{findings: "DVOJ163/W DVOJ173/I DVOJ174/I", at: uniforms + 8,
		model: func(f *dvoj.File) { f.Uniforms[1].Name = 36 }},
	{findings: "DVOJ164/W DVOJ173/I DVOJ174/I", at: uniforms + 8,
		model: func(f *dvoj.File) { f.Uniforms[1].Name = 31 }},
	{findings: "DVOJ167/I DVOJ112/W", at: uniforms + 8, model: uniform(1, 2)},
	{findings: "DVOJ170/W DVOJ173/I", at: padding - 1 + 2,
		model: func(f *dvoj.File) { f.Symbols = append(f.Symbols, "ab"...); f.Symbols[40] = 0 }},
	{findings: "DVOJ200/E DVOJ202/W", at: code, bytes: set32(0x28, code)},
	{findings: "DVOJ203/W DVOJ204/I", at: padding, bytes: cut(padding + 1)},
	{findings: "DVOJ033/W CODE001/W", at: code + 4, model: word(0x40000000)},
	{findings: "DVOJ033/W CODE002/W", at: code + 4, model: word(mov | 1)},
	{findings: "DVOJ033/W CODE003/W", at: code + 4, model: word(0x24<<26 | 3<<10)},
	{findings: "DVOJ033/W CODE004/W", at: code + 4, model: word(0x2C<<26 | 1<<8)},
}

// Where names exceed their limit, they are not compared: two uniforms have one name, and
// 12 labels have one that is most of the file.
func TestLongTwins(t *testing.T) {
	b := edited(t, func(f *dvoj.File) {
		f.Uniforms[1].Name = f.Uniforms[0].Name
		long := shbin.Label{Name: uint32(len(f.Symbols))}
		f.Symbols = append(append(f.Symbols, bytes.Repeat([]byte("n"), 4000)...), 0)
		for range 12 {
			f.Labels = append(f.Labels, long)
		}
	})
	ids := formattest.IDs(dvoj.Check(b))
	if !slices.Contains(ids, "DVOJ205/E") || slices.Contains(ids, "DVOJ164/W") {
		t.Errorf("got %q, want DVOJ205 and no DVOJ164", ids)
	}
}

// TestFaults breaks every rule.
func TestFaults(t *testing.T) { format().Faults(t, dvojgen.Format) }

func TestTogether(t *testing.T) {
	for _, c := range combinations {
		t.Run(strings.ReplaceAll(c.findings, "/", "."), func(t *testing.T) {
			var b []byte
			if c.model != nil {
				b = edited(t, c.model)
			} else {
				b = c.bytes(mustAppend(t, cleanModel()))
			}
			findings := dvoj.Check(b, c.options...)
			if diff := cmp.Diff(strings.Fields(c.findings), formattest.IDs(findings)); diff != "" {
				t.Fatalf("findings (-want +got):\n%s%v", diff, findings)
			}
			if findings[0].Off != c.at {
				t.Errorf("got offset 0x%x, want 0x%x: %v", findings[0].Off, c.at, findings[0])
			}
			format(c.options...).Agree(t, b)
		})
	}
}

// TestLeniencies checks that a file which needed one says so and is written as
// it was.
func TestLeniencies(t *testing.T) {
	for option, b := range map[dvoj.Option][]byte{
		dvoj.AllowDVOB: set8(3, 'B')(mustAppend(t, cleanModel())),
		dvoj.TypeFlags: set8(6, 2)(mustAppend(t, cleanModel())),
	} {
		f := mustParse(t, b, option)
		if !slices.Equal(f.Leniencies, []dvoj.Option{option}) {
			t.Errorf("%s: leniencies are %v", option, f.Leniencies)
		}
		if got := mustAppend(t, f); !slices.Equal(got, b) {
			t.Errorf("%s: written\ngot  %x\nwant %x", option, got, b)
		}
		if f := mustParse(t, mustAppend(t, cleanModel()), option); f.Leniencies != nil {
			t.Errorf("leniencies of a good file are %v", f.Leniencies)
		}
	}
	if f := mustParse(t, set8(3, 'B')(mustAppend(t, cleanModel())), dvoj.AllowDVOB).
		Canonical(); string(mustAppend(t, f)[:4]) != "DVOJ" {
		t.Error("the canonical form has the other magic")
	}
}

func cut(n int) func(b []byte) []byte { return func(b []byte) []byte { return b[:n] } }

func set8(at int, v byte) func(b []byte) []byte {
	return func(b []byte) []byte { b[at] = v; return b }
}

func set32(at int, v uint32) func(b []byte) []byte {
	return func(b []byte) []byte { binary.LittleEndian.PutUint32(b[at:], v); return b }
}

// word puts a code word between the others.
func word(w uint32) func(f *dvoj.File) { return func(f *dvoj.File) { f.Code[1] = w } }

func output(list ...shbin.Output) func(f *dvoj.File) {
	return func(f *dvoj.File) { f.Outputs = list }
}

func uniform(first, last shbin.Register) func(f *dvoj.File) {
	return func(f *dvoj.File) { f.Uniforms[1].First, f.Uniforms[1].Last = first, last }
}

// spread puts four bytes in front of the symbols.
func spread(v byte) func(b []byte) []byte {
	return func(b []byte) []byte {
		b = slices.Insert(b, symbols, 0, 0, 0, v)
		return set32(0x50, symbols+4)(b)
	}
}
