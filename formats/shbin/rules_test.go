package shbin_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen/shbingen"
)

// Where things are in the bytes of cleanModel.
const (
	dvlp  = 0x10
	dvle0 = 0x70
	dvle1 = 0x13C
)

// combinations are edits of the model or of the bytes of the clean file that break
// several rules at once. findings are all that Check must report, in order.
var combinations = []struct {
	findings string
	at       int // offset of the first finding
	model    func(f *shbin.File)
	bytes    func(b []byte) []byte
}{
	{findings: "DVLB014/I DVLB013/W", at: 0x195, bytes: pad(1)},
	{findings: "DVLB006/E DVLB006/E DVLP002/E", at: 8, bytes: cut(0x10)},
	{findings: "DVLB007/E DVLB008/W", at: 12, bytes: set32(12, dvle0)},
	{findings: "DVLB008/W DVLP001/E", at: 12, bytes: set32(12, dvlp)},
	{findings: "DVLP014/W DVLP012/W DVLB012/W DVLB012/W", at: dvlp, bytes: set32(dvlp+0x10, 0x1C)},
	{findings: "DVLP003/W DVLE003/I DVLE003/I", at: dvlp + 4,
		model: func(f *shbin.File) { f.DVLP.Version = 0x0D02 }},
	{findings: "DVLP004/E DVLP005/E", at: dvlp + 8, bytes: set32(dvlp+8, 0xFFFFFFFE)},
	{findings: "DVLP006/E DVLP016/W", at: dvlp + 0xC, bytes: set32(dvlp+0xC, 0)},
	{findings: "DVLP007/E DVLP008/W", at: dvlp + 0xC,
		model: func(f *shbin.File) { f.DVLP.Code, f.DVLP.Lines = code(4097), nil }},
	{findings: "DVLP010/E DVLP011/E", at: dvlp + 0x10, bytes: set32(dvlp+0x14, 0x20000001)},
	{findings: "DVLE007/E DVLE009/W", at: dvle0 + 8, model: dvle(func(e *shbin.DVLE) { e.Entry = 3 })},
	{findings: "DVLP008/W DVLE010/E", at: dvlp + 0xC, model: func(f *shbin.File) {
		f.DVLP.Code, f.DVLP.Lines, f.DVLEs[0].Entry, f.DVLEs[0].End = code(600), nil, 512, 600
	}},
	{findings: "DVLE013/E DVLE017/W", at: dvle1 + 0x14, model: geometry(func(e *shbin.DVLE) { e.Geometry.Mode = 3 })},
	{findings: "DVLE042/E DVLE073/I", at: dvle0 + 0x7C, model: label(func(l *shbin.Label) { l.Name = 23 })},
	{findings: "DVLE051/E DVLE011/W", at: dvle0 + 0x9E, model: output(func(o *shbin.Output) { o.Register = 16 })},
	{findings: "DVLE052/E DVLE011/W", at: dvle0 + 0x9E, model: output(func(o *shbin.Output) { o.Register = 7 })},
	{findings: "DVLE052/E DVLE011/W", at: dvle1 + 0x42,
		model: geometry(func(e *shbin.DVLE) { e.Outputs[0].Semantic, e.Outputs[0].Register = 9, 7 })},
	{findings: "DVLE050/E DVLE050/E DVLE057/W", at: dvle1 + 0x48,
		model: geometry(func(e *shbin.DVLE) { e.Outputs[1].Semantic, e.Outputs[2].Semantic = 0xFFFF, 0xFFFF })},
	{findings: "DVLE062/E DVLE073/I", at: dvle0 + 0xAC, model: uniform(func(u *shbin.Uniform) { u.Name = 0xFFFFFFFF })},
	{findings: "DVLE063/W DVLE073/I", at: dvle0 + 0xAC, model: uniform(func(u *shbin.Uniform) { u.Name = 22 })},
	{findings: "DVLE064/W DVLE073/I DVLE074/I", at: dvle0 + 0xAC,
		model: uniform(func(u *shbin.Uniform) { u.Name = 13 })},
	{findings: "DVLE067/I DVLE012/W", at: dvle0 + 0xAC,
		model: uniform(func(u *shbin.Uniform) { u.First, u.Last = 1, 2 })},
	{findings: "DVLE070/W DVLE073/I", at: dvle0 + 0xCB,
		model: dvle(func(e *shbin.DVLE) { e.Symbols = append(e.Symbols, 'x') })},
	{findings: "DVLP012/W DVLB009/E DVLB012/W", at: dvlp + 0x2C, bytes: set32(dvlp+0x10, 0x28)},
}

// TestFaults breaks every rule.
func TestFaults(t *testing.T) { format().Faults(t, shbingen.Format) }

func TestTogether(t *testing.T) {
	for _, c := range combinations {
		t.Run(c.findings, func(t *testing.T) {
			b := mustAppend(t, cleanModel())
			if c.model != nil {
				b = edited(t, c.model)
			}
			if c.bytes != nil {
				b = c.bytes(b)
			}
			findings := shbin.Check(b)
			if diff := cmp.Diff(strings.Fields(c.findings), formattest.IDs(findings)); diff != "" {
				t.Fatalf("findings (-want +got):\n%s%v", diff, findings)
			}
			if c.at != 0 && findings[0].Off != c.at {
				t.Errorf("got offset 0x%x, want 0x%x: %v", findings[0].Off, c.at, findings[0])
			}
			format().Agree(t, b)
		})
	}
}

// TestEmulatorDump checks the only leniency.
func TestEmulatorDump(t *testing.T) {
	dump := edited(t, func(f *shbin.File) {
		f.DVLP.Code, f.DVLP.Lines, f.DVLEs = code(4096), nil, f.DVLEs[1:]
		f.DVLP.Descriptors = make([]shbin.Descriptor, 4096)
		f.DVLP.FileNames = nil
	})
	if _, err := shbin.Parse(dump); !errors.Is(err, diag.ErrMalformed) {
		t.Errorf("got %v, want a refusal", err)
	}
	f := mustParse(t, dump, shbin.EmulatorDump)
	if !slices.Equal(f.Leniencies, []shbin.Option{shbin.EmulatorDump}) {
		t.Errorf("leniencies are %v", f.Leniencies)
	}
	if got := formattest.IDs(shbin.Check(dump, shbin.EmulatorDump)); !slices.Equal(got, []string{"DVLP011/W"}) {
		t.Errorf("findings are %v", got)
	}
	if got := mustAppend(t, f); !slices.Equal(got, dump) {
		t.Error("the dump is not written as it was read")
	}
	if f := mustParse(t, mustAppend(t, cleanModel()), shbin.EmulatorDump); f.Leniencies != nil {
		t.Errorf("leniencies of a good file are %v", f.Leniencies)
	}
	more := edited(t, func(f *shbin.File) { f.DVLP.Descriptors = make([]shbin.Descriptor, 4097) })
	if _, err := shbin.Parse(more, shbin.EmulatorDump); err == nil {
		t.Error("4097 descriptors are accepted")
	}
}

func TestOverLimitIsItsOwnKind(t *testing.T) {
	if _, err := shbin.Parse(edited(t, twins(16))); !errors.Is(err, diag.ErrLimit) {
		t.Errorf("got %v, want ErrLimit", err)
	}
}

// edited returns the bytes of the clean model after an edit.
func edited(t *testing.T, edit func(f *shbin.File)) []byte {
	t.Helper()
	f := cleanModel()
	edit(f)
	return buildFile(f)
}

func cut(n int) func(b []byte) []byte { return func(b []byte) []byte { return b[:n] } }
func pad(n int) func(b []byte) []byte {
	return func(b []byte) []byte { return append(b, make([]byte, n)...) }
}

func set32(at int, v uint32) func(b []byte) []byte {
	return func(b []byte) []byte { put32(b, at, v); return b }
}

func put32(b []byte, at int, v uint32) {
	copy(b[at:], []byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)})
}

// Edits of the vertex shader, of the geometry shader, and of the first entry of a table of
// the vertex shader, or the second where the first is an input.

func dvle(edit func(e *shbin.DVLE)) func(f *shbin.File) {
	return func(f *shbin.File) { edit(&f.DVLEs[0]) }
}

func geometry(edit func(e *shbin.DVLE)) func(f *shbin.File) {
	return func(f *shbin.File) { edit(&f.DVLEs[1]) }
}

func constant(edit func(c *shbin.Constant)) func(f *shbin.File) {
	return func(f *shbin.File) { edit(&f.DVLEs[0].Constants[0]) }
}

func label(edit func(l *shbin.Label)) func(f *shbin.File) {
	return func(f *shbin.File) { edit(&f.DVLEs[0].Labels[0]) }
}

func output(edit func(o *shbin.Output)) func(f *shbin.File) {
	return func(f *shbin.File) { edit(&f.DVLEs[0].Outputs[0]) }
}

func uniform(edit func(u *shbin.Uniform)) func(f *shbin.File) {
	return func(f *shbin.File) { edit(&f.DVLEs[0].Uniforms[1]) }
}

func code(n int) []uint32 {
	words := make([]uint32, n)
	for i := range words {
		words[i] = nop
	}
	return words
}

// gap enlarges the padding between the two DVLEs and fills it.
func gap(extra int, value byte) func(f *shbin.File) {
	return func(f *shbin.File) {
		place(f)
		f.Layout.DVLEs[1].Offset += uint32(extra)
		f.Layout.Size += uint64(extra)
		bytes := make(wire.Hex, extra+1)
		bytes[extra] = value
		f.Layout.Gaps[0].Bytes = bytes
	}
}

// twins gives the file n vertex shaders that share a table of 96 constants.
func twins(n int) func(f *shbin.File) {
	return func(f *shbin.File) {
		e := shbin.DVLE{Version: 0x0C02, Type: shbin.VertexShader, End: 3}
		for c := range uint8(96) {
			e.Constants = append(e.Constants, shbin.FloatConstant(c, 0, 0, 0, 0))
		}
		f.DVLP.FileNames, f.DVLP.Lines = nil, nil
		f.DVLEs = slices.Repeat([]shbin.DVLE{e}, n)
		shareTables(f)
	}
}
