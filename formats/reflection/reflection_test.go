package reflection_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/csdr"
	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/reflection"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/zpsh"
)

// lines returns the table of a file as lines of JSON.
func lines(t *testing.T, format string, b []byte) []string {
	t.Helper()
	f, ok := registry.ByName(format)
	if !ok {
		t.Fatalf("no format %s", format)
	}
	doc, err := f.Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	table, ok := reflection.Of(doc.Model())
	if !ok {
		t.Fatalf("no table of a %T", doc.Model())
	}
	text, err := json.MarshalIndent(table, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(text), "\n")
}

// oneField changes one field of a sample; the line before becomes the line after, and no other changes.
var oneField = []struct {
	name, format, sample string
	change               func(model any)
	before, after        string
}{
	{"GX2 attribute", "gsh", "wild/d463-ff.gsh", func(m any) {
		m.(*gsh.File).Shaders[0].Attributes[1].Type++
	}, `"type": "float4",`, `"type": "bool2",`},
	{"GX2 export", "gsh", "wild/d234.gsh", func(m any) {
		i := slices.Index(gx2.Vertex.RegisterNames(), "SPI_VS_OUT_ID_0")
		m.(*gsh.File).Shaders[0].Registers[i] += 5 << 8
	}, `"semantic": "65"`, `"semantic": "70"`},
	{"GX2 stack", "gsh", "wild/d234.gsh", func(m any) { m.(*gsh.File).Shaders[0].Registers[0] += 3 << 8 },
		`"stack_size": 1`, `"stack_size": 4`},
	{"GX2 interpolation", "gsh", "wild/d463-ff.gsh", func(m any) {
		i := slices.Index(gx2.Pixel.RegisterNames(), "SPI_PS_INPUT_CNTL_2")
		m.(*gsh.File).Shaders[1].Registers[i] |= 1<<11 | 1<<12
	}, `"interpolation": "smooth"`, `"interpolation": "linear centroid"`},
	{"GX2 location", "sharcfb", "sharcfb/s03_macros_six_variations_le.sharcfb", func(m any) {
		m.(*sharcfb.File).Binaries[2].Attributes[0].Location = 9
	}, `"location": 0`, `"location": 9`},
	{"output map", "shbin", "picasso/p01_minimal.shbin", func(m any) {
		m.(*shbin.File).DVLEs[0].Outputs[0].Semantic = shbin.Color
	}, `"semantic": "position"`, `"semantic": "color"`},
	{"constant", "dvoj", "dvoj/d02_geometry.gobj", func(m any) {
		f := m.(*dvoj.File)
		f.Constants[slices.IndexFunc(f.Constants, func(c shbin.Constant) bool { return c.Type == shbin.Int })].Payload[0] = 5
	}, `"value": "3, 0, 1, 0"`, `"value": "5, 0, 1, 0"`},
	{"component", "zpsh", "zpsh/z01_minimal_r3.zpsh", func(m any) {
		m.(*zpsh.File).Entries[0].Outputs[0].Map ^= 1
	}, `"semantic": "position.x"`, `"semantic": "position.y"`},
	{"slot", "bnsh", "bnsh/b03_compute_control.bnsh", func(m any) {
		r := m.(*bnsh.File).Variations[0].Binary.Reflection[bnsh.Compute]
		r.Slots = slices.Clone(r.Slots)
		r.Slots[slices.Index(r.Slots, 7)] = 6
	}, `"location": 7`, `"location": 6`},
	{"DVLB in a CGFX", "cgfx", "csdr/b02_two_shaders.bcsdr", func(m any) {
		o := &m.(*cgfx.File).Objects[1]
		o.DVLB = recoloured(o.DVLB)
	}, `"semantic": "position"`, `"semantic": "color"`},
	{"DVLB in a text", "csdr", "csdr/c01_one_shader.csdr", func(m any) {
		o := &m.(*csdr.File).Objects[0]
		o.DVLB = recoloured(o.DVLB)
	}, `"semantic": "position"`, `"semantic": "color"`},
}

// recoloured is a DVLB whose first output is a colour.
func recoloured(dvlb []byte) []byte {
	f, err := shbin.Parse(dvlb)
	if err != nil {
		panic(err)
	}
	f.DVLEs[0].Outputs[0].Semantic = shbin.Color
	b, err := f.AppendBinary(nil)
	if err != nil {
		panic(err)
	}
	return b
}

func TestOneField(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range oneField {
		seen[c.format] = true
		t.Run(c.name, func(t *testing.T) {
			b := samples.Read(t, c.sample)
			f, _ := registry.ByName(c.format)
			doc, err := f.Parse(b)
			if err != nil {
				t.Fatal(err)
			}
			before := lines(t, c.format, b)
			c.change(doc.Model())
			changed, err := doc.AppendBinary(nil)
			if err != nil {
				t.Fatal(err)
			}
			after := lines(t, c.format, changed)
			if len(before) != len(after) {
				t.Fatalf("%d lines, before %d", len(after), len(before))
			}
			n := 0
			for i := range before {
				if before[i] == after[i] {
					continue
				}
				n++
				if b, a := strings.TrimSpace(before[i]), strings.TrimSpace(after[i]); b != c.before || a != c.after {
					t.Errorf("line %d: %s became %s, want %s and %s", i, b, a, c.before, c.after)
				}
			}
			if n != 1 {
				t.Errorf("%d lines changed, want 1", n)
			}
		})
	}
	for f := range registry.All() {
		if !seen[f.Name] {
			t.Errorf("no field of a %s is changed", f.Name)
		}
	}
}

// TestLinks: an input whose semantic no output has reads its default.
func TestLinks(t *testing.T) {
	f, err := gsh.Parse(samples.Read(t, "wild/d234.gsh"))
	if err != nil {
		t.Fatal(err)
	}
	table, _ := reflection.Of(f)
	want := reflection.Link{Input: "shaders[1].SPI_PS_INPUT_CNTL_0", Semantic: "0", Default: "0,0,0,0"}
	if len(table.Links) != 1 || table.Links[0] != want {
		t.Errorf("links %+v, want %+v", table.Links, want)
	}
	i := slices.Index(gx2.Pixel.RegisterNames(), "SPI_PS_INPUT_CNTL_0")
	f.Shaders[1].Registers[i] |= 66
	table, _ = reflection.Of(f)
	want.From, want.Semantic = "shaders[0].PARAM2", "66"
	if len(table.Links) != 1 || table.Links[0] != want {
		t.Errorf("links %+v, want %+v", table.Links, want)
	}
}
