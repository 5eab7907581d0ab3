package diff_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/convert"
	"github.com/picaproof/picaproof/formats/diff"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/formats/zpsh"
)

const (
	movO0V0 = 0x4C000000 // mov o0, v0; descriptor 0
	movO0V1 = 0x4C001000
	dp3R0   = 0x06000000 // dp3 r0, v0, v0; descriptor 0
	rcpR0   = 0x3A000000
	movaA0  = 0x48000000
	cmpV0   = 0xB8000000
	madR0   = 0xF0000000 // mad r0, v0, v0, v0; descriptor 0
	end     = 0x88000000
	jmpu    = 0xB4000000
	xyzw    = 0x36F
)

func program(words []uint32, descriptors ...uint32) *shbin.File {
	f := &shbin.File{
		DVLP: shbin.DVLP{Code: words},
		DVLEs: []shbin.DVLE{{End: uint32(len(words)), OutputMask: 1, Tables: shbin.Tables{
			Outputs: []shbin.Output{{Semantic: shbin.Position, Mask: 0xF}},
		}}},
	}
	for _, d := range descriptors {
		f.DVLP.Descriptors = append(f.DVLP.Descriptors, shbin.Descriptor{Word: d})
	}
	return f
}

func compare(t *testing.T, a, b convert.Model) diff.Result {
	t.Helper()
	r, err := diff.Models(a, b, convert.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// wantedFields compares the texts of structs by the fields of one of them: a test names the fields
// it is about, and a struct may get others.
var wantedFields = cmp.Comparer(func(a, b string) bool {
	has := func(text, fields string) bool {
		list := strings.Split(strings.Trim(text, "{}"), ", ")
		return !slices.ContainsFunc(strings.Split(strings.Trim(fields, "{}"), ", "),
			func(field string) bool { return !slices.Contains(list, field) })
	}
	return a == b || strings.HasPrefix(a, "{") && strings.HasPrefix(b, "{") && (has(a, b) || has(b, a))
})

// TestCode compares single instructions with their descriptors.
func TestCode(t *testing.T) {
	one := func(word uint32, descriptors ...uint32) *shbin.File {
		return program([]uint32{word, end}, descriptors...)
	}
	for _, c := range []struct {
		name string
		a, b *shbin.File
		same bool
	}{
		{"the same", one(movO0V0, xyzw), one(movO0V0, xyzw), true},
		{"another source", one(movO0V0, xyzw), one(movO0V1, xyzw), false},
		{"descriptors in another order", one(movO0V0, xyzw, 1), one(movO0V0|1, 1, xyzw), true},
		{"a descriptor more", one(movO0V0, xyzw), one(movO0V0, xyzw, 1), true},
		{"bit 31", one(movO0V0, xyzw), one(movO0V0, xyzw|1<<31), true},
		{"another mask", one(movO0V0, xyzw), one(movO0V0, xyzw&^1), false},
		{"another selector", one(movO0V0, xyzw), one(movO0V0, xyzw^0x20), false},
		{"negation", one(movO0V0, xyzw), one(movO0V0, xyzw|0x10), false},
		{"a selector that the mask hides", one(movO0V0, xyzw&^1), one(movO0V0, xyzw&^1^0x20), true},
		{"the second source of mov", one(movO0V0, xyzw), one(movO0V0, xyzw|0x7FE000), true},
		{"a bit that mov ignores", one(movO0V0, xyzw), one(movO0V0|0x80, xyzw), true},
		{"w of dp3", one(dp3R0, xyzw), one(dp3R0, xyzw^0x60), true},
		{"z of dp3", one(dp3R0, xyzw), one(dp3R0, xyzw^0x180), false},
		{"the second source of dp3", one(dp3R0, xyzw), one(dp3R0, xyzw|0x2000), false},
		{"y of rcp", one(rcpR0, xyzw), one(rcpR0, xyzw^0x600), true},
		{"x of rcp", one(rcpR0, xyzw), one(rcpR0, xyzw^0x800), false},
		{"the mask of mova beyond y", one(movaA0, xyzw), one(movaA0, xyzw&^3), true},
		{"the mask of mova", one(movaA0, xyzw), one(movaA0, xyzw&^4), false},
		{"the mask of cmp", one(cmpV0, xyzw), one(cmpV0, xyzw&^0xF), true},
		{"y of cmp", one(cmpV0, xyzw), one(cmpV0, xyzw^0x200), false},
		{"an operator of cmp", one(cmpV0, xyzw), one(cmpV0|1<<26, xyzw), false},
		{"the third source of mad", one(madR0, xyzw), one(madR0, xyzw|0x400000), false},
		{"another mad", one(madR0, xyzw), one(madR0|1<<26, xyzw), false},
		{"a bit that jmpu ignores", one(jmpu, xyzw), one(jmpu|2, xyzw), true},
		{"the condition of jmpu", one(jmpu, xyzw), one(jmpu|1, xyzw), false},
		{"a reserved opcode", one(0x40000000), one(0x40000001), false},
		{"a descriptor that is not there", one(movO0V0 | 5), one(movO0V0 | 5), true},
		{"another that is not there", one(movO0V0 | 5), one(movO0V0 | 6), false},
		{"a descriptor of 0 in its place", one(movO0V0|5, xyzw), one(movO0V0, 0), false},
		{"bits of end", one(end), one(end | 1), true},
	} {
		r, err := diff.Models(c.a.Canonical(), c.b.Canonical(), convert.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Same() != c.same {
			t.Errorf("%s: got %v, want same %t", c.name, r.Differences, c.same)
		}
	}
}

// TestConstants: a constant is shown as the numbers of its type, other bytes in hex; of long
// texts the differing part is shown.
func TestConstants(t *testing.T) {
	with := func(c shbin.Constant) *shbin.File {
		f := program([]uint32{end})
		f.DVLEs[0].Constants = []shbin.Constant{c}
		return f
	}
	float := shbin.FloatConstant(3, 0x3F0000, 0xBF0000, 0, 0)
	nan, unknown := float, shbin.Constant{Type: 7}
	bools, rest := shbin.BoolConstant(1, true), shbin.IntConstant(0, 1, 2, 3, 4)
	copy(nan.Payload[:], []byte{1, 0, 0x7F})
	bools.Payload[1], rest.Payload[9] = 3, 0xAB
	for _, c := range []struct {
		a, b shbin.Constant
		want diff.Difference
	}{
		{float, nan,
			diff.Difference{Path: "dvle[0].constants[0].payload",
				A: "1 (0x3f0000), -1 (0xbf0000), 0 (0x000000), 0 (0x000000)",
				B: "NaN (0x7f0001), -1 (0xbf0000), 0 (0x000000), 0 (0x000000)"}},
		{shbin.BoolConstant(1, false), shbin.BoolConstant(1, true),
			diff.Difference{Path: "dvle[0].constants[0].payload", A: "false", B: "true"}},
		{shbin.BoolConstant(1, false), bools,
			diff.Difference{Path: "dvle[0].constants[0].payload", A: "false",
				B: "bytes 01030000000000000000000000000000"}},
		{shbin.IntConstant(0, 1, 2, 3, 4), rest,
			diff.Difference{Path: "dvle[0].constants[0].payload", A: "1, 2, 3, 4",
				B: "1, 2, 3, 4, bytes 0000000000ab000000000000"}},
		{unknown, shbin.Constant{Type: 7, Register: 2},
			diff.Difference{Path: "dvle[0].constants[0].register", A: "0", B: "2"}},
	} {
		r := compare(t, with(c.a), with(c.b))
		if d := cmp.Diff([]diff.Difference{c.want}, r.Differences); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	}
	long := func(last byte) *gsh.File {
		return &gsh.File{Shaders: []gsh.Shader{{Shader: gx2.Shader{Code: append(make([]byte, 300), last)}}}}
	}
	d := compare(t, long(1), long(2)).Differences
	want := diff.Difference{Path: "shaders[0].code[0x128]", A: "00 00 00 00 01", B: "00 00 00 00 02"}
	if len(d) != 1 || d[0] != want {
		t.Errorf("code: %q, want %q", d, want)
	}
	long = func(last byte) *gsh.File { return &gsh.File{Opaque: []wire.Hex{append(make([]byte, 300), last)}} }
	d = compare(t, long(1), long(2)).Differences
	if len(d) != 1 || !strings.HasSuffix(d[0].A, `01"`) || !strings.HasSuffix(d[0].B, `02"`) || len(d[0].A) > 40 {
		t.Errorf("long texts: %q", d)
	}
}

// TestRegisters: registers of GX2 shaders have their names and fields.
func TestRegisters(t *testing.T) {
	file := func(word uint32) *gsh.File {
		s := gx2.Shader{Registers: make([]uint32, len(gx2.Vertex.RegisterNames()))}
		s.Registers[0] = word
		return &gsh.File{Shaders: []gsh.Shader{{Shader: s}}}
	}
	want := diff.Difference{Path: "shaders[0].SQ_PGM_RESOURCES_VS", A: "0x103: NUM_GPRS 3, STACK_SIZE 1",
		B: "0x3: NUM_GPRS 3, STACK_SIZE 0"}
	if d := compare(t, file(0x103), file(3)).Differences; len(d) != 1 || d[0] != want {
		t.Errorf("registers: %q, want %q", d, want)
	}
}

func TestDifferences(t *testing.T) {
	base := func() *shbin.File {
		f := program([]uint32{movO0V0, movO0V1, end}, xyzw)
		d := &f.DVLEs[0]
		d.Symbols = wire.Hex("a\x00b\x00")
		d.Uniforms = []shbin.Uniform{{Name: 0, First: 0x10, Last: 0x13}, {Name: 2, First: 0x14, Last: 0x14}}
		d.Constants = []shbin.Constant{shbin.BoolConstant(1, true), shbin.IntConstant(0, 1, 2, 3, 4)}
		return f
	}
	for _, c := range []struct {
		name string
		edit func(f *shbin.File, d *shbin.DVLE)
		want []diff.Difference
	}{
		{"nothing", func(*shbin.File, *shbin.DVLE) {}, []diff.Difference{}},
		{"names elsewhere", func(_ *shbin.File, d *shbin.DVLE) {
			d.Symbols, d.Uniforms[0].Name, d.Uniforms[1].Name = wire.Hex("b\x00a\x00"), 2, 0
		}, []diff.Difference{}},
		{"a name", func(_ *shbin.File, d *shbin.DVLE) { d.Symbols = wire.Hex("a\x00c\x00") },
			[]diff.Difference{{"dvle[0].uniforms[1]", `{name "b", first c4, last c4}`, ""},
				{"dvle[0].uniforms[1]", "", `{name "c", first c4, last c4}`}}},
		{"order of names", func(_ *shbin.File, d *shbin.DVLE) { slices.Reverse(d.Uniforms) },
			[]diff.Difference{{"dvle[0].uniforms.order", `"a" "b"`, `"b" "a"`}}},
		{"the register of a name", func(_ *shbin.File, d *shbin.DVLE) {
			d.Uniforms = []shbin.Uniform{{Name: 2, First: 0x15, Last: 0x15}, d.Uniforms[0]}
		}, []diff.Difference{{"dvle[0].uniforms[1].first", "c4", "c5"}, {"dvle[0].uniforms[1].last", "c4", "c5"},
			{"dvle[0].uniforms.order", `"a" "b"`, `"b" "a"`}}},
		{"a uniform less", func(_ *shbin.File, d *shbin.DVLE) { d.Uniforms = d.Uniforms[1:] },
			[]diff.Difference{{"dvle[0].uniforms[0]", `{name "a", first c0, last c3}`, ""},
				{"dvle[0].symbols", "", `"a"`}}},
		{"a constant more", func(_ *shbin.File, d *shbin.DVLE) {
			d.Constants = append([]shbin.Constant{shbin.BoolConstant(0, true)}, d.Constants...)
		}, []diff.Difference{{"dvle[0].constants[0]", "", "b0 = true"}}},
		{"a value", func(_ *shbin.File, d *shbin.DVLE) { d.Constants[1].Payload[0] = 9 },
			[]diff.Difference{{"dvle[0].constants[1].payload", "1, 2, 3, 4", "9, 2, 3, 4"}}},
		{"an output",
			func(_ *shbin.File, d *shbin.DVLE) { d.Outputs[0].Semantic, d.Outputs[0].Unknown = shbin.Color, 1 },
			[]diff.Difference{{"dvle[0].outputs[0].semantic", "position", "color"},
				{"dvle[0].outputs[0].unknown", "0", "1"}}},
		{"an instruction more", func(f *shbin.File, d *shbin.DVLE) {
			f.DVLP.Code = []uint32{movO0V0, 0x84000000, movO0V1, end}
		}, []diff.Difference{{"dvlp.code[1]", "", "nop"}}},
		{"an instruction", func(f *shbin.File, d *shbin.DVLE) { f.DVLP.Code[0] = movO0V1 },
			[]diff.Difference{{"dvlp.code[0]", "mov o0, v0", "mov o0, v1"}}},
		{"lines", func(f *shbin.File, d *shbin.DVLE) {
			f.DVLP.Lines, f.DVLP.FileNames = []shbin.Line{{Line: 1}, {Line: 2}, {Line: 3}}, wire.Hex("f\x00")
		},
			[]diff.Difference{{"dvlp.lines[0]", "", `{name "f", line 1}`}, {"dvlp.lines[1]", "", `{name "f", line 2}`},
				{"dvlp.lines[2]", "", `{name "f", line 3}`}}},
		{"source file names", func(f *shbin.File, _ *shbin.DVLE) { f.DVLP.FileNames = wire.Hex("f\x00g\x00") },
			[]diff.Difference{{"dvlp.file_names[0]", "", `"f"`}, {"dvlp.file_names[1]", "", `"g"`}}},
		{"a value before a constant more", func(_ *shbin.File, d *shbin.DVLE) {
			d.Constants[1].Payload[3] = 9
			d.Constants = append(d.Constants, shbin.BoolConstant(2, false))
		}, []diff.Difference{{"dvle[0].constants[1].payload", "1, 2, 3, 4", "1, 2, 3, 9"},
			{"dvle[0].constants[2]", "", "b2 = false"}}},
		{"geometry", func(_ *shbin.File, d *shbin.DVLE) { d.Geometry.Mode = shbin.Fixed },
			[]diff.Difference{{"dvle[0].geometry.mode", "point", "fixed"}}},
	} {
		other := base()
		c.edit(other, &other.DVLEs[0])
		r, err := diff.Models(base(), other, convert.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, r.Differences, wantedFields); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}

func TestAcrossFormats(t *testing.T) {
	target := func(name string) convert.Target {
		target, ok := convert.ByName(name)
		if !ok {
			t.Fatalf("no target %s", name)
		}
		return target
	}
	f := program([]uint32{movO0V0, end}, xyzw)
	for _, name := range []string{"zpsh@3", "zpsh@4", "dvoj", "csdr", "cgfx"} {
		converted, _, err := target(name).Convert(f, convert.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, pair := range [][2]convert.Model{{f, converted}, {converted, f}} {
			if r := compare(t, pair[0], pair[1]); !r.Same() || r.As == "" {
				t.Errorf("%s: %+v", name, r)
			}
		}
		changed := program([]uint32{movO0V1, end}, xyzw)
		changed.DVLEs[0].Constants = []shbin.Constant{shbin.BoolConstant(3, true)}
		if r := compare(t, changed, converted); len(r.Differences) != 2 {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestZPSHByRegister(t *testing.T) {
	file := func(e zpsh.Entry) *zpsh.File {
		z := &zpsh.File{Revision: zpsh.R3, Code: []uint32{end}, Entries: []zpsh.Entry{e}}
		z.SetNames("main")
		return z
	}
	const one, two, half, four = 0x3F0000, 0x400000, 0x3E0000, 0x410000
	a := file(zpsh.Entry{Ints: []zpsh.Int{{Register: 1}, {Register: 2}},
		Floats:  []zpsh.Float{{Register: 4, Value: [4]uint32{}}},
		Outputs: []zpsh.Output{{Register: 3, Map: 0x03020100}}})
	b := file(zpsh.Entry{Ints: []zpsh.Int{{Register: 0}, {Register: 2, Value: [4]uint8{1}}},
		Floats:  []zpsh.Float{{Register: 4, Value: [4]uint32{one, two, half, four}}},
		Outputs: []zpsh.Output{{Register: 3, Map: 0x1F020100}}, OutputReserved: 0xAAAA})
	want := []diff.Difference{
		{"entries[0].ints[0]", "", "{register 0, value [0,0,0,0]}"},
		{"entries[0].ints[1]", "{register 1, value [0,0,0,0]}", ""},
		{"entries[0].ints[2].value", "[0,0,0,0]", "[1,0,0,0]"},
		{"entries[0].floats[4].value[0]", "0 (0x000000)", "1 (0x3f0000)"},
		{"entries[0].floats[4].value[1]", "0 (0x000000)", "2 (0x400000)"},
		{"entries[0].floats[4].value[2]", "0 (0x000000)", "0.5 (0x3e0000)"},
		{"entries[0].floats[4].value[3]", "0 (0x000000)", "4 (0x410000)"},
		{"entries[0].outputs[3].map", "position.x position.y position.z position.w",
			"position.x position.y position.z unused"},
	}
	if d := cmp.Diff(want, compare(t, a, b).Differences, wantedFields); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestOtherFormats: models of formats without PICA200 programs are compared too.
func TestOtherFormats(t *testing.T) {
	a, b := &bnsh.File{Variations: []bnsh.Variation{{Binary: &bnsh.Program{}}}},
		&bnsh.File{Variations: []bnsh.Variation{{}}}
	b.Name = "x"
	r := compare(t, a, b)
	if len(r.Differences) != 2 || r.Differences[0] != (diff.Difference{Path: "name", A: `""`, B: `"x"`}) ||
		r.Differences[1].Path != "variations[0].binary" || r.Differences[1].A == "" || r.Differences[1].B != "" {
		t.Errorf("got %+v", r.Differences)
	}
	if _, err := diff.Models(a, new(shbin.File), convert.Options{}); err == nil {
		t.Error("compared a BNSH with a SHBIN")
	}
}

// TestManyDifferences: differences that are not kept are counted.
func TestManyDifferences(t *testing.T) {
	a, b := make([]uint32, 4096), make([]uint32, 4096)
	for i := range b {
		b[i] = 0x84000000
	}
	r := compare(t, program(a, xyzw), program(b, xyzw))
	if len(r.Differences) != 1000 || r.More != 3096 || r.Same() {
		t.Errorf("%d kept, %d counted, same %t", len(r.Differences), r.More, r.Same())
	}
}

// TestSharedNames: names that share the bytes of one long run differ.
func TestSharedNames(t *testing.T) {
	const n = 1 << 8
	file := func(symbols string, shift uint32) *shbin.File {
		f := program([]uint32{movO0V0, end}, xyzw)
		d := &f.DVLEs[0]
		d.Symbols = wire.Hex(symbols)
		for k := range uint32(n) {
			d.Uniforms = append(d.Uniforms, shbin.Uniform{Name: k + shift, First: 0x10, Last: 0x10})
		}
		return f
	}
	run := strings.Repeat("a", 8*n)
	a := file(run+"\x00", 0)
	for _, c := range []struct {
		name string
		b    *shbin.File
		want int
	}{
		{"the same", file(run+"\x00", 0), 0},
		{"elsewhere", file("bbb"+run+"\x00", 3), 1},
		{"a shorter run", file(run+"\x00", 1), 3},
		{"another first byte", file("b"+run[1:]+"\x00", 0), 2},
		{"another last byte", file(run[1:]+"b\x00", 0), 2 * n},
	} {
		r := compare(t, a, c.b)
		if got := len(r.Differences) + r.More; got != c.want {
			t.Errorf("%s: %d differences, want %d", c.name, got, c.want)
		}
	}
}

// TestFormOfGSH: style and the number of the align mode are form; whether programs are
// aligned, opaque blocks, and bytes without an owner are content.
func TestFormOfGSH(t *testing.T) {
	file := func(edit func(f *gsh.File)) *gsh.File {
		f := &gsh.File{
			Align: 1, Opaque: []wire.Hex{{1}}, Shaders: make([]gsh.Shader, 1),
			Layout: &gsh.Layout{Blocks: []gsh.Block{{Type: gsh.Padding, Padding: make(wire.Hex, 4)},
				{Type: 11}, {Type: gsh.End}}},
		}
		edit(f)
		return f
	}
	for _, c := range []struct {
		path string // path of the only difference; "layout." marks a difference in form
		edit func(f *gsh.File)
	}{
		{"", func(*gsh.File) {}},
		{"", func(f *gsh.File) { f.Layout.Blocks[1].ID, f.Layout.Blocks[0].Padding = 7, nil }},
		{"form layout.align", func(f *gsh.File) { f.Align = 2 }},
		{"form layout.style", func(f *gsh.File) { f.Style = gsh.StyleN }},
		{"aligned form layout.align", func(f *gsh.File) { f.Align = 0 }},
		{"opaque[0].data", func(f *gsh.File) { f.Opaque = []wire.Hex{{2}} }},
		{"opaque[0].type", func(f *gsh.File) { f.Layout.Blocks[1].Type = 12 }},
		{"shaders[0].slack.gap", func(f *gsh.File) {
			f.Shaders = []gsh.Shader{{Slack: &gsh.Slack{Unknown: 1, Gap: wire.Hex{1}}}}
		}},
		{"layout.padding", func(f *gsh.File) { f.Layout.Blocks[0].Padding = wire.Hex{1} }},
		{"layout.tail", func(f *gsh.File) { f.Layout.Tail = wire.Hex{1} }},
	} {
		r := compare(t, file(func(*gsh.File) {}), file(c.edit))
		var got []string
		for _, d := range r.Differences {
			got = append(got, d.Path)
		}
		for _, d := range r.Layout {
			got = append(got, "form "+d.Path)
		}
		for _, d := range r.Layout {
			if want := "0"; d.Path == "layout.align" && c.path == "aligned form layout.align" && d.B != want {
				t.Errorf("%s: got %q and %q, want %q behind it", d.Path, d.A, d.B, want)
			}
		}
		if strings.Join(got, " ") != c.path || r.Same() != (len(r.Differences) == 0) {
			t.Errorf("got %v, want %q", got, c.path)
		}
	}
}
