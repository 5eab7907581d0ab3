package shbin_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
)

// TestTableCheckElsewhere uses the table rules as a format does that has the
// same tables and rules of its own: ids, paths and name references are its own.
func TestTableCheckElsewhere(t *testing.T) {
	var rules []diag.Rule
	for _, r := range shbin.Rules {
		r.ID = "DVOJ1" + r.ID[len("DVLE0"):]
		rules = append(rules, r)
	}
	check := func(symbols string, references ...uint32) []diag.Finding {
		r := diag.Collect(diag.NewRuleSet(rules).Alias("DVLE0", "DVOJ1"))
		c := shbin.TableCheck{Reporter: r, Words: 1, Offsets: [5]uint64{0, 0x58, 0, 0, 0x68}}
		c.References = references
		c.ReferenceAt = func(i int) diag.Place {
			return diag.Place{Off: 0x80 + 4*uint64(i), Len: 4, Path: diag.Path{Table: "lines", Index: i}}
		}
		c.All(&shbin.Tables{
			Labels:  []shbin.Label{{Flags: 1, Word: 2, Length: shbin.NoLength, Name: 0}},
			Symbols: wire.Hex(symbols),
		})
		return r.Findings()
	}
	want := diag.Finding{
		Rule: "DVOJ140", Severity: diag.Error, Off: 0x5C, Len: 4, Path: "labels[0].word",
		Msg: "label is past the code", Expected: "<= 1", Found: "2",
	}
	if diff := cmp.Diff([]diag.Finding{want}, check("main\x00file\x00", 5)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, c := range []struct {
		references []uint32
		off        int
		id         string
	}{
		{nil, 0x6D, "DVOJ173/I"},
		{[]uint32{5, 0}, 0x84, "DVOJ174/I"},
		{[]uint32{5, 7}, 0x84, "DVOJ174/I"},
		{[]uint32{5, 10}, 0, ""}, // outside: no reference
	} {
		got := slices.DeleteFunc(check("main\x00file\x00", c.references...),
			func(f diag.Finding) bool { return f.Rule == "DVOJ140" })
		if c.id == "" && len(got) == 0 {
			continue
		}
		if len(got) != 1 || formattest.IDs(got)[0] != c.id || got[0].Off != c.off {
			t.Errorf("references %v: got %v, want %s at 0x%x", c.references, got, c.id, c.off)
		}
	}
}

// TestNamesOfNumbers checks what numbers read like.
func TestNamesOfNumbers(t *testing.T) {
	for want, v := range map[string]interface{ String() string }{
		"vertex":          shbin.VertexShader,
		"Type(2)":         shbin.Type(2),
		"fixed":           shbin.Fixed,
		"Mode(3)":         shbin.Mode(3),
		"float":           shbin.Float,
		"ConstantType(3)": shbin.ConstantType(3),
		"texcoord0w":      shbin.TexCoord0W,
		"view":            shbin.ViewVector,
		"Semantic(7)":     shbin.Semantic(7),
		"v15":             shbin.Register(0x0F),
		"c0":              shbin.Register(0x10),
		"c95":             shbin.Register(0x6F),
		"i3":              shbin.Register(0x73),
		"0x74":            shbin.Register(0x74),
		"0x77":            shbin.Register(0x77),
		"b0":              shbin.Register(0x78),
		"b15":             shbin.Register(0x87),
		"0x88":            shbin.Register(0x88),
	} {
		if got := v.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestValuesOfRegions checks how fields read in regions.
func TestValuesOfRegions(t *testing.T) {
	f := workedModel()
	e := &f.DVLEs[0]
	for i, word := range []uint32{0x000001, 0x7F0000, 0xFF0000, 0x7F0001, 0x800000, 0x3F8000, 0x01000000} {
		e.Constants = append(e.Constants, shbin.FloatConstant(uint8(i), word, 0, 0, 0))
	}
	e.Constants = append(e.Constants, shbin.Constant{Type: 3})
	e.Labels[1].Length = 7
	e.Outputs = append(e.Outputs, shbin.Output{Register: 2, Mask: 0x6}, shbin.Output{Register: 1, Mask: 0x10})
	values := make(map[string]string)
	for _, r := range f.Regions() {
		values[r.Path] = r.Value
	}
	for path, want := range map[string]string{
		"dvle[0].constants[3].payload.x": "3.3087225e-24 (0x000001)",
		"dvle[0].constants[4].payload.x": "+Inf (0x7f0000)",
		"dvle[0].constants[5].payload.x": "-Inf (0xff0000)",
		"dvle[0].constants[6].payload.x": "NaN (0x7f0001)",
		"dvle[0].constants[7].payload.x": "-0 (0x800000)",
		"dvle[0].constants[8].payload.x": "1.5 (0x3f8000)",
		"dvle[0].constants[9].payload.x": "0x01000000",
		"dvle[0].constants[10].type":     "ConstantType(3)",
		"dvle[0].constants[10].payload":  "00000000000000000000000000000000",
		"dvle[0].labels[0].length":       "none",
		"dvle[0].labels[0].name":         `0x00000000 "main"`,
		"dvle[0].labels[1].length":       "7",
		"dvle[0].outputs[1].register":    "o2",
		"dvle[0].outputs[1].mask":        "yz",
		"dvle[0].outputs[2].mask":        "0x0010",
		"dvle[0].uniforms[1].name":       `0x00000013 "mtx"`,
		"dvle[0].uniforms[1].last":       "c3",
		"dvlp.code[2]":                   "0x88000000 end",
		"dvlb.offsets[0]":                "0x00000050",
		"dvlb.magic":                     `"DVLB"`,
	} {
		if got := values[path]; got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}
