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
)

// Where things are in the bytes of cleanModel.
const (
	dvlp  = 0x10
	dvle0 = 0x70
	dvle1 = 0x13C
)

// ruleCases breaks the clean file in one place each. A case edits the model or
// the bytes; findings are all that Check must report, in order, and near is an
// edit close by after which the first of them must not be reported.
var ruleCases = []struct {
	findings string
	at       int // offset of the first finding
	model    func(f *shbin.File)
	bytes    func(b []byte) []byte
	near     func(f *shbin.File)
}{
	{findings: "DVLB001/E", at: 7, bytes: cut(7)},
	{findings: "DVLB002/E", at: 0, bytes: set8(3, 'X')},
	{findings: "DVLB003/E", at: 4, bytes: set32(4, 0)},
	{findings: "DVLB004/E", at: 4, bytes: set32(4, 0x40000001)},
	{findings: "DVLB004/E", at: 4, bytes: cut(15)},
	{findings: "DVLB014/I DVLB013/W", at: 0x195, bytes: pad(1)},
	{findings: "DVLB005/E", at: 8, bytes: set32(8, dvle0+2)},
	{findings: "DVLB006/E", at: 8, bytes: set32(8, 0x0C)},
	{findings: "DVLB006/E DVLB006/E DVLP002/E", at: 8, bytes: cut(0x10)},
	{findings: "DVLB006/E", at: 12, bytes: set32(12, 0xFFFFFFFC)},
	{findings: "DVLB007/E DVLB008/W", at: 12, bytes: set32(12, dvle0)},
	{findings: "DVLB007/E", at: 12, bytes: set32(12, dvle0+0x3C)},
	{findings: "DVLB008/W", at: 12, bytes: swap(8, 12)},
	{findings: "DVLP002/E", at: dvlp, bytes: set8(dvlp, 'd')},
	{findings: "DVLP001/E", at: dvlp + 8, bytes: set32(dvlp+8, 0x18)},
	{findings: "DVLP001/E", at: dvlp + 0x10, bytes: set32(dvlp+0x10, 0x1B)},
	{findings: "DVLB008/W DVLP001/E", at: 12, bytes: set32(12, dvlp)},
	{findings: "DVLP014/W DVLP012/W DVLB012/W DVLB012/W", at: dvlp, bytes: set32(dvlp+0x10, 0x1C)},
	{findings: "DVLP003/W DVLE003/I DVLE003/I", at: dvlp + 4, model: func(f *shbin.File) { f.Program.Version = 0x0D02 }},
	{findings: "DVLP003/W", at: dvlp + 4, model: func(f *shbin.File) { f.Program.Version = 0x10C02 }},
	{findings: "DVLP004/E", at: dvlp + 8, bytes: set32(dvlp+8, 0x2A)},
	{findings: "DVLP005/E", at: dvlp + 8, bytes: set32(dvlp+8, 0xFFFFFFFC)},
	{findings: "DVLP004/E DVLP005/E", at: dvlp + 8, bytes: set32(dvlp+8, 0xFFFFFFFE)},
	{findings: "DVLP006/E DVLP016/W", at: dvlp + 0xC, bytes: set32(dvlp+0xC, 0)},
	{findings: "DVLP007/E DVLP008/W", at: dvlp + 0xC, model: func(f *shbin.File) { f.Program.Code, f.Program.Lines = code(4097), nil },
		near: func(f *shbin.File) { f.Program.Code, f.Program.Lines = code(4096), nil }},
	{findings: "DVLP009/E", at: dvlp + 0x10, bytes: set32(dvlp+0x10, 0x36)},
	{findings: "DVLP010/E", at: dvlp + 0x10, bytes: set32(dvlp+0x10, 0x80000000)},
	{findings: "DVLP010/E DVLP011/E", at: dvlp + 0x10, bytes: set32(dvlp+0x14, 0x20000001)},
	{findings: "DVLP011/E", at: dvlp + 0x14, model: func(f *shbin.File) { f.Program.Descriptors = make([]shbin.Descriptor, 129) },
		near: func(f *shbin.File) { f.Program.Descriptors = make([]shbin.Descriptor, 128) }},
	{findings: "DVLP015/E", at: dvlp + 0x18, bytes: set32(dvlp+0x18, 0x3E)},
	{findings: "DVLP015/E", at: dvlp + 0x18, bytes: set32(dvlp+0x1C, 0x7FFFFFFF)},
	{findings: "DVLP016/W", at: dvlp + 0x1C, model: func(f *shbin.File) { f.Program.Lines = f.Program.Lines[:2] }},
	{findings: "DVLP018/E", at: dvlp + 0x20, bytes: set32(dvlp+0x24, 0xFFFFFF00)},
	{findings: "DVLP017/E", at: dvlp + 0x44, model: func(f *shbin.File) { f.Program.Lines[1].Name = 12 },
		near: func(f *shbin.File) { f.Program.Lines[1].Name = 11 }},
	{findings: "DVLP019/W", at: dvlp + 0x61, model: func(f *shbin.File) { f.Program.FileNames = wire.Hex("s.vsh\x00s.gsh\x00ab") },
		near: func(f *shbin.File) { f.Program.FileNames = wire.Hex("s.vsh\x00s.gsh\x00a\x00") }},
	{findings: "DVLP020/I", at: dvlp + 0x54, model: func(f *shbin.File) { f.Program.FileNames = wire.Hex("s\x00vsh\x00s.gsh\x00") }},
	{findings: "DVLP021/I", at: dvlp + 0x20, bytes: after(func(f *shbin.File) { f.Program.Lines, f.Program.FileNames = nil, nil }, set32(dvlp+0x20, 0x40))},
	{findings: "DVLP012/W", at: dvlp + 0x38, model: func(f *shbin.File) { f.Program.Descriptors[0].Flags = 16 }},
	{findings: "DVLP012/I", at: dvlp + 0x38, model: func(f *shbin.File) { f.Program.Descriptors[0].Flags = 15 }},
	{findings: "DVLP013/I", at: dvlp + 0x34, model: func(f *shbin.File) { f.Program.Descriptors[0].Word |= 1 << 31 }},
	{findings: "DVLP008/W", at: dvlp + 0xC, model: func(f *shbin.File) { f.Program.Code, f.Program.Lines = code(513), nil },
		near: func(f *shbin.File) { f.Program.Code, f.Program.Lines = code(512), nil }},

	{findings: "DVLE002/E", at: dvle1, bytes: set8(dvle1, 'X')},
	{findings: "DVLE003/W", at: dvle0 + 4, model: entry(func(e *shbin.DVLE) { e.Version = 1 })},
	{findings: "DVLE003/I", at: dvle0 + 4, model: entry(func(e *shbin.DVLE) { e.Version = 0x1002 })},
	{findings: "DVLE004/E", at: dvle0 + 6, model: entry(func(e *shbin.DVLE) { e.Type = 2 })},
	{findings: "DVLE005/W", at: dvle1 + 7, model: geometry(func(e *shbin.DVLE) { e.Merge = 2 }), near: geometry(func(e *shbin.DVLE) { e.Merge = 1 })},
	{findings: "DVLE006/W", at: dvle0 + 7, model: entry(func(e *shbin.DVLE) { e.Merge = 1 })},
	{findings: "DVLE007/E DVLE009/W", at: dvle0 + 8, model: entry(func(e *shbin.DVLE) { e.Entry = 3 }), near: entry(func(e *shbin.DVLE) { e.Entry = 2 })},
	{findings: "DVLP008/W DVLE010/E", at: dvlp + 0xC, model: func(f *shbin.File) {
		f.Program.Code, f.Program.Lines, f.Entries[0].Entry, f.Entries[0].End = code(600), nil, 512, 600
	}},
	{findings: "DVLE008/E", at: dvle0 + 0xC, model: entry(func(e *shbin.DVLE) { e.End = 4 })},
	{findings: "DVLE009/W", at: dvle0 + 0xC, model: entry(func(e *shbin.DVLE) { e.End = 0 }), near: entry(func(e *shbin.DVLE) { e.End = 1 })},
	{findings: "DVLE014/W", at: dvle0 + 0x17, model: entry(func(e *shbin.DVLE) { e.Geometry.Fixed = 1 })},
	{findings: "DVLE013/E DVLE017/W", at: dvle1 + 0x14, model: geometry(func(e *shbin.DVLE) { e.Geometry.Mode = 3 })},
	{findings: "DVLE015/E", at: dvle1 + 0x16, model: geometry(func(e *shbin.DVLE) { e.Geometry = shbin.Geometry{Mode: shbin.Variable} }),
		near: geometry(func(e *shbin.DVLE) { e.Geometry = shbin.Geometry{Mode: shbin.Variable, Variable: 1} })},
	{findings: "DVLE016/E", at: dvle1 + 0x15, model: geometry(func(e *shbin.DVLE) { e.Geometry.First = 96 }), near: geometry(func(e *shbin.DVLE) { e.Geometry.First = 95 })},
	{findings: "DVLE016/E", at: dvle1 + 0x17, model: geometry(func(e *shbin.DVLE) { e.Geometry.Fixed = 0 })},
	{findings: "DVLE017/W", at: dvle1 + 0x16, model: geometry(func(e *shbin.DVLE) { e.Geometry.Variable = 1 })},
	{findings: "DVLE018/W", at: dvle1 + 0x17, model: geometry(func(e *shbin.DVLE) { e.Geometry.Fixed = 17 }), near: geometry(func(e *shbin.DVLE) { e.Geometry.Fixed = 16 })},
	{findings: "DVLE018/W", at: dvle1 + 0x16, model: geometry(func(e *shbin.DVLE) { e.Geometry = shbin.Geometry{Mode: shbin.Variable, Variable: 33} }),
		near: geometry(func(e *shbin.DVLE) { e.Geometry = shbin.Geometry{Mode: shbin.Variable, Variable: 32} })},
	{findings: "DVLE020/E", at: dvle0 + 0x20, bytes: set32(dvle0+0x20, 0x7E)},
	{findings: "DVLE021/E", at: dvle0 + 0x38, bytes: set32(dvle0+0x38, 0x3F)},
	{findings: "DVLE021/E", at: dvle0 + 0x18, bytes: set32(dvle0+0x1C, 0x0CCCCCCD)},
	{findings: "DVLE022/I", at: dvle1 + 0x18, bytes: set32(dvle1+0x18, 0)},

	{findings: "DVLE030/E", at: dvle0 + 0x40, model: constant(func(c *shbin.Constant) { c.Type = 3 })},
	{findings: "DVLE031/E", at: dvle0 + 0x41, model: constant(func(c *shbin.Constant) { c.Reserved1 = 1 })},
	{findings: "DVLE031/E", at: dvle0 + 0x43, model: constant(func(c *shbin.Constant) { c.Reserved3 = 1 })},
	{findings: "DVLE032/E", at: dvle0 + 0x42, model: constant(func(c *shbin.Constant) { c.Register = 16 }), near: constant(func(c *shbin.Constant) { c.Register = 15 })},
	{findings: "DVLE032/E", at: dvle0 + 0x42, model: constant(func(c *shbin.Constant) { *c = shbin.IntConstant(4, 0, 0, 0, 0) }),
		near: constant(func(c *shbin.Constant) { *c = shbin.IntConstant(3, 0, 0, 0, 0) })},
	{findings: "DVLE032/E", at: dvle0 + 0x42, model: constant(func(c *shbin.Constant) { *c = shbin.FloatConstant(96, 0, 0, 0, 0) }),
		near: constant(func(c *shbin.Constant) { *c = shbin.FloatConstant(95, 0, 0, 0, 0) })},
	{findings: "DVLE033/W", at: dvle0 + 0x44, model: constant(func(c *shbin.Constant) { c.Payload[0] = 2 })},
	{findings: "DVLE034/W", at: dvle0 + 0x48, model: constant(func(c *shbin.Constant) { c.Payload[15] = 1 })},
	{findings: "DVLE035/W", at: dvle0 + 0x78, model: func(f *shbin.File) { f.Entries[0].Constants[2].Payload[15] = 1 }},
	{findings: "DVLE036/W", at: dvle0 + 0x54, model: func(f *shbin.File) { f.Entries[0].Constants[1] = f.Entries[0].Constants[0] },
		near: func(f *shbin.File) { f.Entries[0].Constants[1] = shbin.IntConstant(3, 0, 0, 0, 0) }},
	{findings: "DVLE040/E", at: dvle0 + 0x80, model: label(func(l *shbin.Label) { l.Word = 4 }), near: label(func(l *shbin.Label) { l.Word = 3 })},
	{findings: "DVLE041/E", at: dvle0 + 0x84, model: label(func(l *shbin.Label) { l.Length = 4 }), near: label(func(l *shbin.Label) { l.Length = 3 })},
	{findings: "DVLE041/E", at: dvle0 + 0x84, model: label(func(l *shbin.Label) { l.Word, l.Length = 2, 0xFFFFFFFE })},
	{findings: "DVLE042/E DVLE073/I", at: dvle0 + 0x7C, model: label(func(l *shbin.Label) { l.Name = 23 })},
	{findings: "DVLE043/I", at: dvle0 + 0x7C, model: label(func(l *shbin.Label) { l.ID = 1 })},
	{findings: "DVLE044/I", at: dvle0 + 0x7E, model: label(func(l *shbin.Label) { l.Flags = 0 })},
	{findings: "DVLE050/E", at: dvle0 + 0x9C, model: output(func(o *shbin.Output) { o.Semantic = 7 })},
	{findings: "DVLE050/E", at: dvle0 + 0x9C, model: output(func(o *shbin.Output) { o.Semantic = 10 }), near: output(func(o *shbin.Output) { o.Semantic = 9 })},
	{findings: "DVLE051/E DVLE011/W", at: dvle0 + 0x9E, model: output(func(o *shbin.Output) { o.Register = 16 }), near: output(func(o *shbin.Output) { o.Register = 15 })},
	{findings: "DVLE052/E DVLE011/W", at: dvle0 + 0x9E, model: output(func(o *shbin.Output) { o.Register = 7 }), near: output(func(o *shbin.Output) { o.Semantic, o.Register = 9, 7 })},
	{findings: "DVLE052/E DVLE011/W", at: dvle1 + 0x42, model: geometry(func(e *shbin.DVLE) { e.Outputs[0].Semantic, e.Outputs[0].Register = 9, 7 })},
	{findings: "DVLE053/W", at: dvle0 + 0xA0, model: output(func(o *shbin.Output) { o.Mask = 0 })},
	{findings: "DVLE054/E", at: dvle0 + 0xA0, model: output(func(o *shbin.Output) { o.Mask = 0x1F })},
	{findings: "DVLE055/I", at: dvle0 + 0xA2, model: output(func(o *shbin.Output) { o.Unknown = 1 })},
	{findings: "DVLE056/E", at: dvle1 + 0x50, model: geometry(func(e *shbin.DVLE) { e.Outputs[2].Mask = 6 })},
	{findings: "DVLE057/W", at: dvle1 + 0x50, model: geometry(func(e *shbin.DVLE) { e.Outputs[2].Semantic = shbin.Position }),
		near: geometry(func(e *shbin.DVLE) { e.Outputs[1].Semantic, e.Outputs[2].Semantic = shbin.Dummy, shbin.Dummy })},
	{findings: "DVLE050/E DVLE050/E DVLE057/W", at: dvle1 + 0x48, model: geometry(func(e *shbin.DVLE) { e.Outputs[1].Semantic, e.Outputs[2].Semantic = 0xFFFF, 0xFFFF })},
	{findings: "DVLE011/W", at: dvle0 + 0x12, model: entry(func(e *shbin.DVLE) { e.OutputMask = 3 })},
	{findings: "DVLE060/E", at: dvle0 + 0xB0, model: uniform(func(u *shbin.Uniform) { u.First, u.Last = 0x74, 0x74 }), near: uniform(func(u *shbin.Uniform) { u.First, u.Last = 0x73, 0x73 })},
	{findings: "DVLE060/E", at: dvle0 + 0xB2, model: uniform(func(u *shbin.Uniform) { u.First, u.Last = 0x87, 0x88 }), near: uniform(func(u *shbin.Uniform) { u.First, u.Last = 0x87, 0x87 })},
	{findings: "DVLE061/E", at: dvle0 + 0xAC, model: uniform(func(u *shbin.Uniform) { u.First, u.Last = 0x11, 0x10 })},
	{findings: "DVLE061/E", at: dvle0 + 0xAC, model: uniform(func(u *shbin.Uniform) { u.First, u.Last = 0x6F, 0x70 })},
	{findings: "DVLE062/E DVLE073/I", at: dvle0 + 0xAC, model: uniform(func(u *shbin.Uniform) { u.Name = 0xFFFFFFFF })},
	{findings: "DVLE063/W DVLE073/I", at: dvle0 + 0xAC, model: uniform(func(u *shbin.Uniform) { u.Name = 22 }), near: uniform(func(u *shbin.Uniform) { u.Name = 21 })},
	{findings: "DVLE064/W DVLE073/I DVLE074/I", at: dvle0 + 0xAC, model: uniform(func(u *shbin.Uniform) { u.Name = 13 }), near: uniform(func(u *shbin.Uniform) { u.Name = 14 })},
	{findings: "DVLE064/W", at: dvle0 + 0xAC, model: func(f *shbin.File) {
		f.Entries[0].Uniforms[1].Name = 19
		f.Entries[0].Symbols = wire.Hex("main\x00endmain\x00inPos\x00inPos\x00")
	}},
	{findings: "DVLE065/I", at: dvle0 + 0xB0, model: entry(func(e *shbin.DVLE) { e.Uniforms[0], e.Uniforms[1] = e.Uniforms[1], e.Uniforms[0] })},
	{findings: "DVLE066/I", at: dvle0 + 0xAC, model: uniform(func(u *shbin.Uniform) { u.First, u.Last = 0, 0 }), near: uniform(func(u *shbin.Uniform) { u.First, u.Last = 1, 1 })},
	{findings: "DVLE067/I DVLE012/W", at: dvle0 + 0xAC, model: uniform(func(u *shbin.Uniform) { u.First, u.Last = 1, 2 })},
	{findings: "DVLE012/W", at: dvle0 + 0x10, model: entry(func(e *shbin.DVLE) { e.InputMask = 0 })},
	{findings: "DVLE070/W DVLE073/I", at: dvle0 + 0xCB, model: entry(func(e *shbin.DVLE) { e.Symbols = append(e.Symbols, 'x') })},
	{findings: "DVLE071/W", at: dvle0 + 0xB4, model: entry(func(e *shbin.DVLE) { copy(e.Symbols, "\u00e9\u00e9") })},
	{findings: "DVLE072/W", at: dvle0 + 0xB6, model: entry(func(e *shbin.DVLE) { copy(e.Symbols, "\u00e9\xff\xfe") })},
	{findings: "DVLE073/I", at: dvle0 + 0xB4, model: label(func(l *shbin.Label) { l.Name = 2 })},
	{findings: "DVLE074/I", at: dvle0 + 0x8C, model: entry(func(e *shbin.DVLE) { e.Symbols[4] = '-' })},

	{findings: "DVLB015/E", model: twins(16), near: twins(10)},
	{findings: "DVLB010/W", model: twins(2)},
	{findings: "DVLB009/E", at: dvle1 - 8 + 0x48, model: overlap},
	{findings: "DVLP012/W DVLB009/E DVLB012/W", at: dvlp + 0x2C, bytes: set32(dvlp+0x10, 0x28)},
	{findings: "DVLB011/W", at: dvle1 - 1, model: gap(4, 0), near: gap(0, 0)},
	{findings: "DVLB012/W", at: dvle1 - 1, model: gap(4, 1)},
	{findings: "DVLB012/W", at: dvle1 - 1, model: gap(0, 1)},
	{findings: "DVLB013/W", at: 0x194, bytes: pad(4)},
	{findings: "DVLB013/W", at: 0x194, bytes: func(b []byte) []byte { return append(b, "TAIL"...) }},

	{findings: "CODE001/W", at: dvlp + 0x2C, model: word(0x10 << 26)},
	{findings: "CODE002/E", at: dvlp + 0x2C, model: word(0x00<<26 | 1), near: word(0x1C<<26 | 1)},
	{findings: "CODE002/E", at: dvlp + 0x2C, model: word(0x2F<<26 | 1)},
	{findings: "CODE002/E", at: dvlp + 0x2C, model: word(0x3F<<26 | 1), near: word(0x3F<<26 | 0x20)},
	{findings: "CODE003/E", at: dvlp + 0x2C, model: word(0x24<<26 | 3<<10), near: word(0x24<<26 | 2<<10 | 1)},
	{findings: "CODE003/E", at: dvlp + 0x2C, model: word(0x26<<26 | 2<<10 | 2)},
	{findings: "CODE003/E", at: dvlp + 0x2C, model: word(0x27<<26 | 4<<10), near: word(0x28<<26 | 3<<10 | 0xFF)},
	{findings: "CODE003/E", at: dvlp + 0x2C, model: word(0x29<<26 | 3<<10), near: word(0x2D<<26 | 2<<10 | 1)},
	{findings: "CODE004/W", at: dvlp + 0x2C, model: word(0x2C<<26 | 2<<8), near: word(0x23<<26 | 2<<8)},
}

func TestRules(t *testing.T) {
	hit := make(map[string]bool)
	for _, c := range ruleCases {
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
			for _, id := range formattest.IDs(findings) {
				hit[id] = true
			}
			if c.near != nil {
				if near := formattest.IDs(shbin.Check(edited(t, c.near))); slices.Contains(near, strings.Fields(c.findings)[0]) {
					t.Errorf("the near miss reports %v", near)
				}
			}
		})
	}
	hit["DVLP011/W"] = true // TestEmulatorDump
	for _, r := range shbin.Rules {
		for _, severity := range append([]diag.Severity{r.Severity}, r.Also...) {
			if id := r.ID + "/" + severity.Letter(); !hit[id] {
				t.Errorf("no case for %s", id)
			}
		}
	}
}

func TestRuleTable(t *testing.T) { formattest.RuleTable(t, shbin.Rules) }

// TestEmulatorDump checks the only leniency.
func TestEmulatorDump(t *testing.T) {
	dump := edited(t, func(f *shbin.File) {
		f.Program.Code, f.Program.Lines, f.Entries = code(4096), nil, f.Entries[1:]
		f.Program.Descriptors = make([]shbin.Descriptor, 4096)
		f.Program.FileNames = nil
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
	more := edited(t, func(f *shbin.File) { f.Program.Descriptors = make([]shbin.Descriptor, 4097) })
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

func set8(at int, v byte) func(b []byte) []byte {
	return func(b []byte) []byte { b[at] = v; return b }
}

func set32(at int, v uint32) func(b []byte) []byte {
	return func(b []byte) []byte { put32(b, at, v); return b }
}

func put32(b []byte, at int, v uint32) {
	copy(b[at:], []byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)})
}

// swap exchanges two words.
func swap(i, j int) func(b []byte) []byte {
	return func(b []byte) []byte {
		for k := range 4 {
			b[i+k], b[j+k] = b[j+k], b[i+k]
		}
		return b
	}
}

// after edits the model, then the bytes.
func after(model func(f *shbin.File), bytes func(b []byte) []byte) func(b []byte) []byte {
	return func([]byte) []byte {
		f := cleanModel()
		model(f)
		return bytes(buildFile(f))
	}
}

// Edits of the first entry of a table of the vertex shader, or the second where
// the first is an input.

func entry(edit func(e *shbin.DVLE)) func(f *shbin.File) {
	return func(f *shbin.File) { edit(&f.Entries[0]) }
}

func geometry(edit func(e *shbin.DVLE)) func(f *shbin.File) {
	return func(f *shbin.File) { edit(&f.Entries[1]) }
}

func constant(edit func(c *shbin.Constant)) func(f *shbin.File) {
	return func(f *shbin.File) { edit(&f.Entries[0].Constants[0]) }
}

func label(edit func(l *shbin.Label)) func(f *shbin.File) {
	return func(f *shbin.File) { edit(&f.Entries[0].Labels[0]) }
}

func output(edit func(o *shbin.Output)) func(f *shbin.File) {
	return func(f *shbin.File) { edit(&f.Entries[0].Outputs[0]) }
}

func uniform(edit func(u *shbin.Uniform)) func(f *shbin.File) {
	return func(f *shbin.File) { edit(&f.Entries[0].Uniforms[1]) }
}

// word puts a code word between the others.
func word(w uint32) func(f *shbin.File) {
	return func(f *shbin.File) { f.Program.Code[1] = w }
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
		f.Layout.Entries[1].Offset += uint32(extra)
		f.Layout.Size += uint64(extra)
		bytes := make(wire.Hex, extra+1)
		bytes[extra] = value
		f.Layout.Gaps[0].Bytes = bytes
	}
}

// overlap puts the output of the vertex shader on the second of the geometry
// shader.
func overlap(f *shbin.File) {
	f.Entries[0].Outputs = nil
	place(f)
	f.Entries[0].OutputMask = 2
	f.Entries[0].Outputs = f.Entries[1].Outputs[1:2]
	f.Layout.Entries[0].Tables[2] = shbin.Extent{Offset: dvle1 - 8 - dvle0 + 0x48, Count: 1}
}

// twins gives the file n vertex shaders that share a table of 96 constants.
func twins(n int) func(f *shbin.File) {
	return func(f *shbin.File) {
		e := shbin.DVLE{Version: 0x0C02, Type: shbin.VertexShader, End: 3}
		for c := range uint8(96) {
			e.Constants = append(e.Constants, shbin.FloatConstant(c, 0, 0, 0, 0))
		}
		f.Program.FileNames, f.Program.Lines = nil, nil
		f.Entries = slices.Repeat([]shbin.DVLE{e}, n)
		shareTables(f)
	}
}
