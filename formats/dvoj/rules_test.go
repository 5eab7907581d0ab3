package dvoj_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/shbin"
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

// ruleCases break the clean file in one place each, by its model or its bytes.
// findings are all that Check must report, in order; near is an edit close by
// after which the first of them is not reported.
var ruleCases = []struct {
	findings string
	at       int // offset of the first finding
	model    func(f *dvoj.File)
	bytes    func(b []byte) []byte
	near     func(f *dvoj.File)
	options  []dvoj.Option
}{
	{findings: "DVOJ001/E", at: 0x57, bytes: cut(0x57)},
	{findings: "DVOJ002/E", at: 0, bytes: set8(3, 'L')},
	{findings: "DVOJ003/E", at: 0, bytes: set8(3, 'B')},
	{findings: "DVOJ003/W", at: 0, bytes: set8(3, 'B'), options: []dvoj.Option{dvoj.AllowDVOB}},
	{findings: "DVOJ004/W", at: 4, model: func(f *dvoj.File) { f.Version = 0x1234 }, near: func(f *dvoj.File) { f.Version = 0x1002 }},
	{findings: "DVOJ005/E", at: 6, bytes: set8(6, 2)},
	{findings: "DVOJ005/W", at: 6, bytes: set8(6, 2), options: []dvoj.Option{dvoj.TypeFlags}},
	{findings: "DVOJ006/W", at: 7, model: func(f *dvoj.File) { f.Type, f.Merge = shbin.GeometryShader, 2 }, near: func(f *dvoj.File) { f.Type, f.Merge = 1, 1 }},
	{findings: "DVOJ007/W", at: 7, model: func(f *dvoj.File) { f.Merge = 1 }},
	{findings: "DVOJ006/W DVOJ007/W", at: 7, model: func(f *dvoj.File) { f.Merge = 2 }},
	{findings: "DVOJ008/W", at: 0xC, model: func(f *dvoj.File) { f.Unknown = 0 }},
	{findings: "DVOJ008/I", at: 0xC, model: func(f *dvoj.File) { f.Type, f.Unknown = 1, 0 }},
	{findings: "DVOJ010/E", at: 0x10, bytes: set32(0x10, constants+2)},
	{findings: "DVOJ011/E", at: 0x10, bytes: set32(0x10, constants-4)},
	{findings: "DVOJ011/E", at: 0x50, bytes: set32(0x54, 41+4)},
	{findings: "DVOJ011/E", at: 0x20, bytes: set32(0x24, 0x40000001)},
	{findings: "DVOJ010/E DVOJ011/E", at: 0x20, bytes: set32(0x20, 0xFFFFFFFF)},
	{findings: "DVOJ012/I", at: 0x10, bytes: after(func(f *dvoj.File) { f.Constants = nil }, set32(0x10, 0))},
	{findings: "DVOJ013/E", at: 0x24, model: all(long(0), func(f *dvoj.File) { f.Labels[1].Word = 0 })},
	{findings: "DVOJ014/E", at: 0x24, model: long(4097), near: long(4096)},
	{findings: "DVOJ015/W", at: 0x24, model: long(513), near: long(512)},
	{findings: "DVOJ016/W", at: 0x2C, model: func(f *dvoj.File) { f.Descriptors = make([]shbin.Descriptor, 129) },
		near: func(f *dvoj.File) { f.Descriptors = make([]shbin.Descriptor, 128) }},
	{findings: "DVOJ020/W", at: 0x34, model: func(f *dvoj.File) { f.Lines = f.Lines[:2] }},
	{findings: "DVOJ021/E", at: lines + 8, model: func(f *dvoj.File) { f.Lines[1].Name = 41 }, near: func(f *dvoj.File) { f.Lines[1].Name = 40 }},
	{findings: "DVOJ030/E DVOJ033/W", at: relocations, model: func(f *dvoj.File) { f.Relocations[0].Word = 3 }},
	{findings: "DVOJ031/W", at: relocations + 12, model: relocate(0, 0)},
	{findings: "DVOJ032/W", at: relocations + 12, model: relocate(0, 1)},
	{findings: "DVOJ033/W", at: code + 4, model: word(mov)},
	{findings: "DVOJ034/I", at: relocations + 12, model: all(word(mov), relocate(1, 0)), near: all(word(mov), relocate(0, 1))},

	{findings: "DVOJ111/W", at: 0xA, model: func(f *dvoj.File) { f.OutputMask = 3 }},
	{findings: "DVOJ112/W", at: 8, model: func(f *dvoj.File) { f.InputMask = 3 }},
	{findings: "DVOJ130/E", at: constants, model: constant(shbin.Constant{Type: 3})},
	{findings: "DVOJ131/E", at: constants + 1, model: constant(shbin.Constant{Reserved1: 1})},
	{findings: "DVOJ132/E", at: constants + 2, model: constant(shbin.Constant{Register: 16}), near: constant(shbin.Constant{Register: 15})},
	{findings: "DVOJ133/W", at: constants + 4, model: constant(shbin.Constant{Payload: shbin.Payload{2}})},
	{findings: "DVOJ134/W", at: constants + 8, model: constant(shbin.Constant{Payload: shbin.Payload{15: 1}})},
	{findings: "DVOJ135/W", at: constants + 4, model: constant(shbin.FloatConstant(5, 1<<24, 0, 0, 0)), near: constant(shbin.FloatConstant(5, 1<<23, 0, 0, 0))},
	{findings: "DVOJ136/W", at: constants + 0x28, model: constant(shbin.FloatConstant(4, 0, 0, 0, 0)), near: constant(shbin.FloatConstant(5, 0, 0, 0, 0))},
	{findings: "DVOJ140/E", at: labels + 0x14, model: func(f *dvoj.File) { f.Labels[1].Word = 4 }},
	{findings: "DVOJ141/E", at: labels + 0x18, model: func(f *dvoj.File) { f.Labels[1].Length = 1 }, near: func(f *dvoj.File) { f.Labels[1].Length = 0 }},
	{findings: "DVOJ142/E DVOJ173/I", at: labels, model: func(f *dvoj.File) { f.Labels[0].Name = 41 }},
	{findings: "DVOJ143/I", at: labels, model: func(f *dvoj.File) { f.Labels[0].ID = 1 }},
	{findings: "DVOJ144/I", at: labels + 2, model: func(f *dvoj.File) { f.Labels[0].Flags = 0 }},
	{findings: "DVOJ150/E", at: outputs, model: output(shbin.Output{Semantic: 7, Mask: 1})},
	{findings: "DVOJ151/E DVOJ111/W", at: outputs + 2, model: output(shbin.Output{Semantic: shbin.Dummy, Register: 16, Mask: 1})},
	{findings: "DVOJ152/E DVOJ111/W", at: outputs + 2, model: output(shbin.Output{Register: 7, Mask: 1})},
	{findings: "DVOJ153/W", at: outputs + 4, model: output(shbin.Output{})},
	{findings: "DVOJ154/E", at: outputs + 4, model: output(shbin.Output{Mask: 0x1F})},
	{findings: "DVOJ155/I", at: outputs + 6, model: output(shbin.Output{Mask: 1, Unknown: 1})},
	{findings: "DVOJ156/E", at: outputs + 8, model: output(shbin.Output{Mask: 3}, shbin.Output{Semantic: 3, Mask: 6}),
		near: output(shbin.Output{Mask: 3}, shbin.Output{Semantic: 3, Mask: 4})},
	{findings: "DVOJ157/W", at: outputs + 8, model: output(shbin.Output{Mask: 3}, shbin.Output{Mask: 4})},
	{findings: "DVOJ160/E", at: uniforms + 8 + 4, model: uniform(0x74, 0x75)},
	{findings: "DVOJ161/E", at: uniforms + 8, model: uniform(0x13, 0x10)},
	{findings: "DVOJ162/E DVOJ173/I", at: uniforms + 8, model: func(f *dvoj.File) { f.Uniforms[1].Name = 41 }},
	{findings: "DVOJ163/W DVOJ173/I DVOJ174/I", at: uniforms + 8, model: func(f *dvoj.File) { f.Uniforms[1].Name = 36 }},
	{findings: "DVOJ164/W DVOJ173/I DVOJ174/I", at: uniforms + 8, model: func(f *dvoj.File) { f.Uniforms[1].Name = 31 }},
	{findings: "DVOJ165/I", at: uniforms + 8 + 4, model: func(f *dvoj.File) { f.Uniforms[0], f.Uniforms[1] = f.Uniforms[1], f.Uniforms[0] }},
	{findings: "DVOJ166/I", at: uniforms + 8, model: uniform(0, 0)},
	{findings: "DVOJ167/I DVOJ112/W", at: uniforms + 8, model: uniform(1, 2)},
	{findings: "DVOJ170/W DVOJ173/I", at: padding - 1 + 2, model: func(f *dvoj.File) { f.Symbols = append(f.Symbols, "ab"...); f.Symbols[40] = 0 }},
	{findings: "DVOJ171/W", at: symbols, model: func(f *dvoj.File) { copy(f.Symbols, "\xC3\xA9") }},
	{findings: "DVOJ172/W", at: symbols + 2, model: func(f *dvoj.File) { f.Symbols[2] = 0xFF }},
	{findings: "DVOJ173/I", at: symbols - 3*8, model: func(f *dvoj.File) { f.Lines = nil }},
	{findings: "DVOJ174/I", at: lines + 8, model: func(f *dvoj.File) { f.Lines[0].Name = 4 }},
	{findings: "DVOJ174/I", at: lines, model: func(f *dvoj.File) { f.Uniforms[0].Name, f.Lines[0].Name = 31, 33 }},
	{findings: "DVOJ200/E DVOJ202/W", at: code, bytes: set32(0x28, code)},
	{findings: "DVOJ201/W", at: symbols, bytes: spread(0)},
	{findings: "DVOJ202/W", at: symbols, bytes: spread(1)},
	{findings: "DVOJ203/W", at: padding, bytes: func(b []byte) []byte { return append(b, 0, 0, 0, 0) }},
	{findings: "DVOJ203/W", at: padding, bytes: set8(padding, 1)},
	{findings: "DVOJ203/W", at: bareCode + 4, bytes: func([]byte) []byte { return append(bare(), 0, 0, 0, 0) }},
	{findings: "DVOJ204/I", at: padding, bytes: cut(padding)},
	{findings: "DVOJ203/W DVOJ204/I", at: padding, bytes: cut(padding + 1)},
	{findings: "DVOJ033/W CODE001/W", at: code + 4, model: word(0x40000000)},
	{findings: "DVOJ033/W CODE002/W", at: code + 4, model: word(mov | 1)},
	{findings: "DVOJ033/W CODE003/W", at: code + 4, model: word(0x24<<26 | 3<<10)},
	{findings: "DVOJ033/W CODE004/W", at: code + 4, model: word(0x2C<<26 | 1<<8)},
}

func TestRules(t *testing.T) {
	formattest.RuleTable(t, dvoj.Rules)
	hit := make(map[string]bool)
	for _, c := range ruleCases {
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
			for _, id := range formattest.IDs(findings) {
				hit[id] = true
			}
			if c.near == nil {
				return
			}
			if near := formattest.IDs(dvoj.Check(edited(t, c.near))); slices.Contains(near, strings.Fields(c.findings)[0]) {
				t.Errorf("the near miss reports %v", near)
			}
		})
	}
	for _, r := range dvoj.Rules {
		for _, severity := range append([]diag.Severity{r.Severity}, r.Also...) {
			if id := r.ID + "/" + severity.Letter(); !hit[id] {
				t.Errorf("no case for %s", id)
			}
		}
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
	if f := mustParse(t, set8(3, 'B')(mustAppend(t, cleanModel())), dvoj.AllowDVOB).Canonical(); string(mustAppend(t, f)[:4]) != "DVOJ" {
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

// after edits the model, then the bytes.
func after(model func(f *dvoj.File), bytes func(b []byte) []byte) func(b []byte) []byte {
	return func([]byte) []byte {
		f := cleanModel()
		model(f)
		b, err := f.AppendUnchecked(nil)
		if err != nil {
			panic(err)
		}
		return bytes(b)
	}
}

func all(edits ...func(f *dvoj.File)) func(f *dvoj.File) {
	return func(f *dvoj.File) {
		for _, edit := range edits {
			edit(f)
		}
	}
}

// bare is a file with one word of code and nothing else.
func bare() []byte { return build(&dvoj.File{Unknown: none, Code: words(1)}) }

// long gives the file n words, all without operands, and no lines.
func long(n int) func(f *dvoj.File) {
	return func(f *dvoj.File) {
		f.Code, f.Lines, f.Relocations = words(n), nil, nil
		f.Symbols = f.Symbols[8:]
		for i := range f.Labels {
			f.Labels[i].Name -= 8
		}
		for i := range f.Uniforms {
			f.Uniforms[i].Name -= 8
		}
	}
}

// word puts a code word between the others.
func word(w uint32) func(f *dvoj.File) { return func(f *dvoj.File) { f.Code[1] = w } }

func relocate(words ...uint32) func(f *dvoj.File) {
	return func(f *dvoj.File) {
		f.Relocations = nil
		for _, w := range words {
			f.Relocations = append(f.Relocations, dvoj.Relocation{Word: w})
		}
	}
}

func constant(c shbin.Constant) func(f *dvoj.File) {
	return func(f *dvoj.File) { f.Constants[0] = c }
}

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
