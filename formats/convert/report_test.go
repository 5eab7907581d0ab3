package convert_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/bits"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/convert"
	"github.com/picaproof/picaproof/formats/csdr"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/formats/zpsh"
)

const (
	movO0V0  = 0x4C000000
	end      = 0x88000000
	identity = 0x0000036F
)

// vertexDVLB has one vertex shader that loses nothing as a ZPSH.
func vertexDVLB() *shbin.File {
	return &shbin.File{
		DVLP: shbin.DVLP{Code: []uint32{movO0V0, end}, Descriptors: []shbin.Descriptor{{Word: identity}}},
		DVLEs: []shbin.DVLE{{
			End: 2, OutputMask: 1,
			Tables: shbin.Tables{
				Labels:  []shbin.Label{{Flags: 1, Length: shbin.NoLength}},
				Outputs: []shbin.Output{{Semantic: shbin.Position, Mask: 0xF}},
				Symbols: wire.Hex("main\x00"),
			},
		}},
	}
}

// geometryDVLB is vertexDVLB as a geometry shader.
func geometryDVLB(g shbin.Geometry) *shbin.File {
	f := vertexDVLB()
	f.DVLEs[0].Type, f.DVLEs[0].Geometry = shbin.GeometryShader, g
	return f
}

// edited returns a DVLB after an edit of it and its first entry point.
func edited(f *shbin.File, edit func(f *shbin.File, d *shbin.DVLE)) *shbin.File {
	edit(f, &f.DVLEs[0])
	return f
}

// vertexZPSH is vertexDVLB as a ZPSH.
func vertexZPSH(edit func(z *zpsh.File, e *zpsh.Entry)) *zpsh.File {
	z := &zpsh.File{
		Revision: zpsh.R4, Code: []uint32{movO0V0, end}, Descriptors: []uint32{identity},
		Entries: []zpsh.Entry{{R4Header: zpsh.R4Header{HeaderWords: 4},
			Outputs: []zpsh.Output{{Register: 0, Map: 0x03020100}}}},
	}
	z.SetNames("main")
	edit(z, &z.Entries[0])
	return z
}

func vertexDVOJ(edit func(o *dvoj.File)) *dvoj.File {
	o := &dvoj.File{Unknown: 0xFFFFFFFF, Code: []uint32{movO0V0, end},
		Descriptors: []shbin.Descriptor{{Word: identity}}}
	edit(o)
	return o
}

func dvlb(t *testing.T) wire.Hex {
	t.Helper()
	b, err := vertexDVLB().AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var update = flag.Bool("update", false, "rewrite testdata/reports.txt")

// TestReport compares the reports of models that lose everything possible with
// testdata/reports.txt.
func TestReport(t *testing.T) {
	var got strings.Builder
	for _, c := range []struct {
		name, target string
		model        convert.Model
		options      convert.Options
	}{
		{"nothing", "zpsh", vertexDVLB(), convert.Options{}},
		{"header", "zpsh", edited(vertexDVLB(), func(f *shbin.File, d *shbin.DVLE) {
			f.DVLP.Version, f.DVLP.Descriptors[0].Flags = 0x0C02, 7
			f.DVLP.FileNames = wire.Hex("a\x00")
			d.Version, d.Merge, d.End, d.InputMask = 0x1002, 1, 1, 1
		}), convert.Options{}},
		{"lines", "zpsh", edited(vertexDVLB(), func(f *shbin.File, d *shbin.DVLE) {
			f.DVLP.Lines, f.DVLP.FileNames = []shbin.Line{{Line: 1}, {Line: 2}}, wire.Hex("a\x00b\x00")
		}), convert.Options{}},
		{"constants", "zpsh", edited(vertexDVLB(), func(_ *shbin.File, d *shbin.DVLE) {
			float := shbin.FloatConstant(3, 0x3F0000, 0, 0, 0x12BE0000)
			odd := shbin.BoolConstant(1, true)
			odd.Payload[1] = 2
			d.Constants = []shbin.Constant{float, odd, shbin.BoolConstant(2, false), shbin.IntConstant(0, 1, 2, 3, 4),
				shbin.IntConstant(0, 5, 6, 7, 8)}
		}), convert.Options{}},
		{"outputs", "zpsh", edited(vertexDVLB(), func(_ *shbin.File, d *shbin.DVLE) {
			d.OutputMask = 0x81
			d.Outputs = []shbin.Output{
				{Semantic: shbin.TexCoord1, Register: 3, Mask: 0xF, Unknown: 9},
				{Semantic: shbin.Color, Register: 2},
				{Semantic: shbin.Dummy, Register: 1, Mask: 3},
				{Semantic: shbin.Position, Register: 0, Mask: 0xF},
			}
		}), convert.Options{}},
		{"names", "zpsh", edited(vertexDVLB(), func(f *shbin.File, d *shbin.DVLE) {
			d.Symbols = wire.Hex("main\x00mtx\x00v\xFF\x00unused\x00")
			d.Labels = append(d.Labels, shbin.Label{ID: 1, Word: 2, Name: 5})
			d.Uniforms = []shbin.Uniform{{Name: 5, First: 0x10, Last: 0x13}, {Name: 9, First: 0, Last: 0}}
			second, third := *d, *d
			second.Labels = nil
			third.Labels = []shbin.Label{{Flags: 1, Length: shbin.NoLength, Name: 9}}
			third.Uniforms = nil
			f.DVLEs = append(f.DVLEs, second, third, *d)
		}), convert.Options{}},
		{"length of a label", "zpsh", edited(vertexDVLB(), func(_ *shbin.File, d *shbin.DVLE) {
			d.Labels[0].Length = 2
		}), convert.Options{}},
		{"point", "zpsh", edited(geometryDVLB(shbin.Geometry{First: 5}),
			func(_ *shbin.File, d *shbin.DVLE) { d.InputMask = 6 }), convert.Options{}},
		{"variable", "zpsh", geometryDVLB(shbin.Geometry{Mode: shbin.Variable, Variable: 3}), convert.Options{}},
		{"fixed", "zpsh", geometryDVLB(shbin.Geometry{Mode: shbin.Fixed, First: 95, Fixed: 16}), convert.Options{}},
		{"to an object", "dvoj", edited(vertexDVLB(), func(f *shbin.File, d *shbin.DVLE) {
			f.DVLP.Version, d.End = 0x0C02, 1
			f.DVLP.Lines, f.DVLP.FileNames = []shbin.Line{{Line: 1}, {Line: 2}}, wire.Hex("a\x00b\x00")
			second := *d
			second.Type, second.Geometry = shbin.GeometryShader, shbin.Geometry{Mode: shbin.Fixed, First: 1, Fixed: 2}
			f.DVLEs = append(f.DVLEs, second)
		}), convert.Options{Entry: "1"}},
		{"to a text", "csdr", vertexDVLB(), convert.Options{}},
		{"to a CGFX", "bcsdr", vertexDVLB(), convert.Options{}},

		{"from ZPSH", "shbin", vertexZPSH(func(*zpsh.File, *zpsh.Entry) {}), convert.Options{}},
		{"what is reserved", "shbin", vertexZPSH(func(z *zpsh.File, e *zpsh.Entry) {
			z.Flags, e.Flags, e.HeaderWords, e.OutputReserved = 1, 2, 8, 0xAAAA
			e.Info |= 0x8000
			e.Outputs[0].Map |= 0x20000000
			z.Strings = append(z.Strings, "more"...)
			z.Layout = &zpsh.Layout{Gaps: []zpsh.Gap{{Entry: 0, Bytes: make(wire.Hex, 4)}}, Tail: wire.Hex{1}}
		}), convert.Options{}},
		{"another hash", "shbin", vertexZPSH(func(z *zpsh.File, _ *zpsh.Entry) {
			z.Layout, z.Leniencies = &zpsh.Layout{Hash: new(uint32(1))}, []zpsh.Option{zpsh.HashMismatch}
		}), convert.Options{}},
		{"maps", "shbin", vertexZPSH(func(_ *zpsh.File, e *zpsh.Entry) {
			e.Outputs = []zpsh.Output{{Register: 0, Map: 0x02030001}, {Register: 1, Map: 0x1F100D0C},
				{Register: 2, Map: 0x1F1F1F1F}, {Register: 3, Map: 0x1F1F1F11}, {Register: 4, Map: 0x0F0E0D0C},
				{Register: 7, Map: 0x0B0A0908}}
		}), convert.Options{}},
		{"points", "shbin", vertexZPSH(func(_ *zpsh.File, e *zpsh.Entry) {
			e.Info = zpsh.PointInfo(4)
			e.Outputs = append(e.Outputs, zpsh.Output{Register: 7, Map: 0x1F1F1F1F})
		}), convert.Options{}},
		{"full vertices", "shbin",
			vertexZPSH(func(_ *zpsh.File, e *zpsh.Entry) { e.Info = zpsh.VariableInfo(4) }), convert.Options{}},
		{"older", "zpsh@3",
			vertexZPSH(func(_ *zpsh.File, e *zpsh.Entry) { e.Flags, e.HeaderWords = 1, 8 }), convert.Options{}},
		{"newer", "zpsh@4", vertexZPSH(func(z *zpsh.File, e *zpsh.Entry) { z.Revision, e.HeaderWords = zpsh.R3, 0 }),
			convert.Options{}},
		{"ZPSH to an object", "dvoj",
			vertexZPSH(func(_ *zpsh.File, e *zpsh.Entry) { e.Info = zpsh.VariableInfo(4) }), convert.Options{}},

		{"from an object", "shbin", vertexDVOJ(func(o *dvoj.File) {
			o.Version, o.Type, o.Unknown = 0x0C02, shbin.GeometryShader, 1
			o.Relocations = []dvoj.Relocation{{}}
			o.Symbols = wire.Hex("unused\x00")
		}), convert.Options{}},
		{"an object to ZPSH", "zpsh", vertexDVOJ(func(o *dvoj.File) {
			o.Version, o.Merge, o.Type = 0x0C02, 1, shbin.GeometryShader
			o.Descriptors[0].Flags = 3
		}), convert.Options{}},

		{"points to an object", "dvoj",
			vertexZPSH(func(_ *zpsh.File, e *zpsh.Entry) { e.Info = zpsh.PointInfo(4) }), convert.Options{}},
		{"a label behind another", "zpsh", edited(vertexDVLB(), func(_ *shbin.File, d *shbin.DVLE) {
			d.Labels = append([]shbin.Label{{Word: 1, Length: shbin.NoLength}}, d.Labels...)
		}), convert.Options{}},
		{"a long name", "shbin", &csdr.File{Version: "0.7.0",
			Objects: []csdr.Object{{Name: strings.Repeat("a", 65), DVLB: dvlb(t)}}}, convert.Options{}},
		{"of two", "shbin", &csdr.File{Version: "1.0", EditData: "<EditData/>", Objects: []csdr.Object{
			{Name: "A", DVLB: dvlb(t), EditData: "<EditData/>"},
			{Name: "B", DVLB: dvlb(t), ShaderKinds: "<ShaderKinds/>", Descriptions: "<Descriptions/>"},
		}}, convert.Options{Shader: "B"}},
		{"the usual names", "shbin",
			&csdr.File{Version: "0.7.0", Objects: []csdr.Object{{Name: "DefaultShader", DVLB: dvlb(t)}}},
			convert.Options{}},
		{"all to a CGFX", "cgfx",
			&csdr.File{Version: "0.7.0",
				Objects: []csdr.Object{{Name: "A", DVLB: dvlb(t)},
					{Name: "B", DVLB: dvlb(t), EditData: "<EditData/>"}}}, convert.Options{}},
		{"programs", "csdr",
			&cgfx.File{Objects: []cgfx.Object{{Name: "A", DVLB: dvlb(t),
				Programs: []cgfx.Program{{Flag: 1, Geometry: -1, Opaque: cgfx.Opaque{1}}}}}}, convert.Options{}},
		{"embedded", "zpsh",
			&cgfx.File{Objects: []cgfx.Object{{Name: "A", DVLB: dvlb(t)}, {Name: "B", DVLB: func() wire.Hex {
				b, err := edited(vertexDVLB(), func(_ *shbin.File, d *shbin.DVLE) { d.End = 1 }).AppendBinary(nil)
				if err != nil {
					t.Fatal(err)
				}
				return b
			}()}}}, convert.Options{Shader: "B"}},
	} {
		target, ok := convert.ByName(c.target)
		if !ok {
			t.Fatalf("no target %s", c.target)
		}
		_, report, err := target.Convert(c.model, c.options)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		fmt.Fprintf(&got, "# %s: %s\n", c.name, c.target)
		for _, l := range report {
			fmt.Fprintln(&got, l)
		}
	}
	const golden = "testdata/reports.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got.String()); d != "" {
		t.Errorf("reports (-want +got):\n%s", d)
	}
}

func TestRefused(t *testing.T) {
	two := edited(vertexDVLB(), func(f *shbin.File, d *shbin.DVLE) { f.DVLEs = append(f.DVLEs, *d) })
	archive := &cgfx.File{Objects: []cgfx.Object{{Name: "A", DVLB: dvlb(t)}, {Name: "B", DVLB: dvlb(t)}}}
	for _, c := range []struct {
		name, target string
		model        convert.Model
		options      convert.Options
		want         string
		is           error
	}{
		{"an entry point that is not the first word", "dvoj",
			edited(vertexDVLB(), func(_ *shbin.File, d *shbin.DVLE) { d.Entry = 1 }), convert.Options{},
			"dvle[0].entry: an object starts at its first word, not at word 1", nil},
		{"the same of a ZPSH", "dvoj",
			vertexZPSH(func(_ *zpsh.File, e *zpsh.Entry) { e.Instruction = 1 }), convert.Options{},
			"entries[0].instruction: an object starts at its first word, not at word 1", nil},
		{"32 full vertices", "zpsh",
			geometryDVLB(shbin.Geometry{Mode: shbin.Variable, Variable: 32}), convert.Options{},
			"dvle[0].geometry.variable_count: 32 full vertices do not fit, a ZPSH has at most 31", nil},
		{"17 vertices", "zpsh", geometryDVLB(shbin.Geometry{Mode: shbin.Fixed, Fixed: 17}), convert.Options{},
			"dvle[0].geometry.fixed_count: 17 vertices do not fit, a ZPSH has 1 to 16", nil},
		{"no full vertices", "shbin",
			vertexZPSH(func(_ *zpsh.File, e *zpsh.Entry) { e.Info = zpsh.VariableInfo(0) }), convert.Options{},
			"entries[0].info: DVLE015 in the target: no vertices in variable mode (expected >= 1, found 0)", nil},
		{"a vertex shader that starts too late", "shbin", vertexZPSH(func(z *zpsh.File, e *zpsh.Entry) {
			z.Code, e.Instruction = append(make([]uint32, 600), end), 512
		}), convert.Options{}, "entries[0].instruction: DVLE010 in the target: ", nil},
		{"a target that is not linked", "shbin",
			vertexDVOJ(func(o *dvoj.File) { o.Code[0] = 0x90003C00 }), convert.Options{},
			"code[0]: CODE003 in the target: target is past the code (expected < 2, found 15)", nil},
		{"the same to an archive", "csdr",
			vertexDVOJ(func(o *dvoj.File) { o.Code[0] = 0x90003C00 }), convert.Options{},
			"code[0]: CODE003 in the target: target is past the code (expected < 2, found 15)", nil},
		{"a descriptor that is not there", "shbin",
			vertexDVOJ(func(o *dvoj.File) { o.Code[0] |= 5 }), convert.Options{},
			"code[0]: CODE002 in the target: descriptor does not exist (expected < 1, found 5)", nil},
		{"the same to ZPSH", "zpsh", vertexDVOJ(func(o *dvoj.File) { o.Code[0] |= 5 }),
			convert.Options{}, "code[0]: ", nil},
		{"a name with a control character", "csdr",
			&cgfx.File{Objects: []cgfx.Object{{Name: "A", DVLB: dvlb(t)}, {Name: "a\x01", DVLB: dvlb(t)}}},
			convert.Options{},
			`shaders[1].name: "a\x01" is not UTF-8 of characters that XML has, as a .csdr is`, nil},
		{"names that are too long", "zpsh", edited(vertexDVLB(), func(_ *shbin.File, d *shbin.DVLE) {
			d.Symbols = append(bytes.Repeat([]byte("a"), 262140), 0)
		}), convert.Options{}, "bytes of strings", nil},
		{"names that are short as long as they share bytes", "shbin", vertexZPSH(func(z *zpsh.File, e *zpsh.Entry) {
			z.Strings = append(bytes.Repeat([]byte("a"), 20000-1), 0)
			for k := range uint32(1000) {
				entry := *e
				entry.Name = k + 1
				z.Entries = append(z.Entries, entry)
			}
		}), convert.Options{}, "ZPSH031", diag.ErrInvalid},
		{"a model that cannot be written", "zpsh",
			edited(vertexDVLB(), func(_ *shbin.File, d *shbin.DVLE) { d.Entry = 2 }), convert.Options{},
			"DVLE007", diag.ErrInvalid},
		{"a name that is not UTF-8", "csdr",
			&cgfx.File{Objects: []cgfx.Object{{Name: "\xFF", DVLB: dvlb(t)}}}, convert.Options{},
			`shaders[0].name: "\xff" is not UTF-8 of characters that XML has, as a .csdr is`, nil},
		{"an empty archive", "zpsh", new(cgfx.File), convert.Options{},
			"the archive is empty, and holds no PICA200 program", convert.ErrSource},
		{"no choice of shaders", "zpsh", archive, convert.Options{},
			`choose one of 2 shaders: "A", "B"`, convert.ErrChoice},
		{"a shader that is not there", "zpsh", archive, convert.Options{Shader: "C"},
			`no shader "C": choose one of 2 shaders: "A", "B"`, convert.ErrChoice},
		{"a shader of a file with one", "zpsh", two, convert.Options{Shader: "C"},
			`shader "C": choose one: the source holds one program, and it has no name`, convert.ErrChoice},
		{"no choice of entry points", "dvoj", two, convert.Options{},
			`choose one of 2 entry points: "main", "main"`, convert.ErrChoice},
		{"an entry point that is not there", "dvoj", two, convert.Options{Entry: "2"},
			`no entry point "2": choose one of 2 entry points: "main", "main"`, convert.ErrChoice},
		{"a shader that is not there for the same format", "cgfx", archive, convert.Options{Shader: "C"},
			`no shader "C": choose one of 2 shaders: "A", "B"`, convert.ErrChoice},
		{"a shader of a ZPSH", "zpsh", vertexZPSH(func(*zpsh.File, *zpsh.Entry) {}), convert.Options{Shader: "C"},
			`shader "C": choose one: the source holds one program, and it has no name`, convert.ErrChoice},
		{"an entry point that no one needs", "zpsh", two, convert.Options{Entry: "nope"},
			`no entry point "nope": choose one of 2 entry points: "main", "main"`, convert.ErrChoice},
		{"the same for the same format", "shbin", two, convert.Options{Entry: "nope"},
			`no entry point "nope": choose one of 2 entry points: "main", "main"`, convert.ErrChoice},
		{"the same of an archive", "csdr", archive, convert.Options{Entry: "nope"},
			`no entry point "nope": choose one of 1 entry point: "main"`, convert.ErrChoice},
		{"no program", "zpsh", new(sharcfb.File), convert.Options{},
			"*sharcfb.File holds no PICA200 program", convert.ErrSource},
	} {
		target, _ := convert.ByName(c.target)
		result, _, err := target.Convert(c.model, c.options)
		var refused *convert.RefusedError
		switch {
		case err == nil || result != nil || !strings.Contains(err.Error(), c.want) ||
			c.is == nil && strings.Contains(err.Error(), ": 0x"):
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		case c.is == nil && !errors.As(err, &refused), c.is != nil && !errors.Is(err, c.is):
			t.Errorf("%s: got an error of type %T", c.name, err)
		}
	}
}

// TestChosenOfItsFormat: an archive converted to its own format has the chosen shader with all
// its content.
func TestChosenOfItsFormat(t *testing.T) {
	programs := []cgfx.Program{{Flag: 1, Geometry: -1, Opaque: cgfx.Opaque{1}}}
	archive := &cgfx.File{Objects: []cgfx.Object{{Name: "A", DVLB: dvlb(t)},
		{Name: "B", DVLB: dvlb(t), Programs: programs}}}
	to, _ := convert.ByName("bcsdr")
	result, report, err := to.Convert(archive, convert.Options{Shader: "B"})
	if err != nil {
		t.Fatal(err)
	}
	if want := (&cgfx.File{Objects: archive.Objects[1:]}); !result.(*cgfx.File).Equal(want) {
		t.Errorf("got %+v", result)
	}
	if len(report) != 1 || report[0].Path != "shaders[0]" || report[0].Kind != convert.Dropped {
		t.Errorf("report %v", report)
	}
}

// TestOwnFormat: a model that cannot be read stays as it is in its own format.
func TestOwnFormat(t *testing.T) {
	defer convert.StopReading()()
	for name, model := range map[string]convert.Model{
		"cgfx":  new(cgfx.File),
		"csdr":  &csdr.File{Version: "0.7.0"},
		"dvoj":  vertexDVOJ(func(*dvoj.File) {}),
		"shbin": vertexDVLB(),
		"zpsh":  vertexZPSH(func(*zpsh.File, *zpsh.Entry) {}),
	} {
		to, _ := convert.ByName(name)
		if got, report, err := to.Convert(model, convert.Options{}); got != model || report != nil || err != nil {
			t.Errorf("%s: got %v, %v, %v", name, got, report, err)
		}
		if _, _, err := to.Convert(model, convert.Options{Entry: "0"}); err == nil {
			t.Errorf("%s: the entry point is not read", name)
		}
	}
}

// TestSharedNamesStayShared: an empty name is the end of another, as before.
func TestSharedNamesStayShared(t *testing.T) {
	to, _ := convert.ByName("shbin")
	got, _, err := to.Convert(vertexDVOJ(func(o *dvoj.File) {
		o.Symbols = wire.Hex("x\x00main\x00")
		o.Labels = []shbin.Label{{Name: 2, Length: shbin.NoLength}}
		o.Uniforms = []shbin.Uniform{{Name: 6, First: 0x10, Last: 0x10}, {Name: 4, First: 0x11, Last: 0x11}}
	}), convert.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := &got.(*shbin.File).DVLEs[0]
	if string(d.Symbols) != "main\x00" || d.Labels[0].Name != 0 || d.Uniforms[0].Name != 4 || d.Uniforms[1].Name != 2 {
		t.Errorf("got %q, %+v, %+v", d.Symbols, d.Labels, d.Uniforms)
	}
}

// TestMapsThereAndBack: every output that a map can hold comes back.
func TestMapsThereAndBack(t *testing.T) {
	to, _ := convert.ByName("zpsh")
	from, _ := convert.ByName("shbin")
	widths := map[shbin.Semantic]int{shbin.Position: 4, shbin.NormalQuat: 4, shbin.Color: 4, shbin.TexCoord0: 2,
		shbin.TexCoord0W: 1, shbin.TexCoord1: 2, shbin.TexCoord2: 2, shbin.ViewVector: 3}
	for semantic, width := range widths {
		for mask := uint16(1); mask < 16; mask++ {
			want := shbin.Output{Semantic: semantic, Register: 6, Mask: mask}
			z, report, err := to.Convert(edited(vertexDVLB(), func(_ *shbin.File, d *shbin.DVLE) {
				d.OutputMask, d.Outputs = 1<<6, []shbin.Output{want}
			}), convert.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if wide := bits.OnesCount16(mask) > width; report.Lost() != wide {
				t.Errorf("%v %04b: report %v", semantic, mask, report)
			} else if wide {
				continue
			}
			back, _, err := from.Convert(z, convert.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := back.(*shbin.File).DVLEs[0].Outputs; !slices.Equal(got, []shbin.Output{want}) {
				t.Errorf("%v %04b: got %v", semantic, mask, got)
			}
		}
	}
}
