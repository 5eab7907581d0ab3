package reflection_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/reflection"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/internal/golden"
)

//go:generate go test -run ^TestTables$ -update .

// tableSamples are files that have every kind of row between them.
var tableSamples = []string{
	"picasso/p04_uniforms.shbin", "picasso/p05_constants.shbin", "picasso/p08_gsh_variable.shbin",
	"picasso/p09_gsh_fixed.shbin", "picasso/p12_merge.shbin", "nihstro/n01_minimal.shbin", "dvoj/d02_geometry.gobj",
	"csdr/b02_two_shaders.bcsdr", "csdr/c02_multi_dvle.csdr", "zpsh/z02_four_entries_r4.zpsh",
	"gsh/g03_geometry_copy.gsh", "gsh/g04_two_shaders_padding.gsh", "wild/d463-ff.gsh",
	"sharcfb/s03_macros_six_variations_le.sharcfb", "sharcfb/s04_geometry_be.sharcfb",
	"bnsh/b01_vertex_reflection.bnsh", "bnsh/b03_compute_control.bnsh", "bnsh/b11_extension.bnsh", "wild/three.bnsh",
}

// TestTables compares the tables of samples with lines that were read beside their dumps.
func TestTables(t *testing.T) {
	var text strings.Builder
	for _, name := range tableSamples {
		b := samples.Read(t, name)
		format, _ := registry.Detect(name, b)
		doc, err := format.Parse(b)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		table, _ := reflection.Of(doc.Model())
		fmt.Fprintf(&text, "%s\n", name)
		for _, s := range table.Shaders {
			writeJSON(t, &text, s)
		}
		for _, l := range table.Links {
			writeJSON(t, &text, l)
		}
		for _, u := range table.Unread {
			writeJSON(t, &text, u)
		}
	}
	golden.Text(t, "tables.txt", text.String())
}

func writeJSON(t *testing.T, to *strings.Builder, v any) {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(to, "  %s\n", b)
}

// TestFirstExport checks that an input reads the first of two outputs with its semantic, and that a
// parameter without a semantic feeds nothing.
func TestFirstExport(t *testing.T) {
	f, err := gsh.Parse(samples.Read(t, "wild/d463-ff.gsh"))
	if err != nil {
		t.Fatal(err)
	}
	ids := slices.Index(gx2.Vertex.RegisterNames(), "SPI_VS_OUT_ID_0")
	f.Shaders[0].Registers[ids] = 0xFF03_0303
	table, _ := reflection.Of(f)
	from := map[string]string{}
	for _, l := range table.Links {
		from[l.Semantic] = l.From
	}
	if from["3"] != "shaders[0].PARAM0" || from["0"] != "" || from["6"] != "shaders[0].PARAM5" {
		t.Errorf("got %v", from)
	}
	if got := table.Shaders[0].Outputs[3].Semantic; got != "none" {
		t.Errorf("semantic 0xFF: got %q", got)
	}
}

// TestRefusedDVLB checks that a DVLB that cannot be parsed has a row in the table of its container.
func TestRefusedDVLB(t *testing.T) {
	f, err := cgfx.Parse(samples.Read(t, "csdr/b02_two_shaders.bcsdr"))
	if err != nil {
		t.Fatal(err)
	}
	f.Objects[0].DVLB = []byte("no DVLB")
	table, _ := reflection.Of(f)
	s := table.Shaders[0]
	if s.Path != "shaders[0].dvlb" || s.Stage != "unknown" || len(s.Unknown) != 1 ||
		!strings.HasPrefix(s.Unknown[0], "all: shbin: 0x") {
		t.Errorf("got %+v", s)
	}
	if got := table.Shaders[1].Path; got != "shaders[1].dvlb.dvle[0]" {
		t.Errorf("got %s", got)
	}
}

// TestMissingBinaries checks that a variation whose binaries are not in the archive has no links.
func TestMissingBinaries(t *testing.T) {
	f, err := sharcfb.Parse(samples.Read(t, "sharcfb/s03_macros_six_variations_le.sharcfb"))
	if err != nil {
		t.Fatal(err)
	}
	f.Binaries = f.Binaries[:4]
	table, _ := reflection.Of(f)
	if len(table.Shaders) != 4 || len(table.Links) != 2 {
		t.Errorf("%d shaders and %d links, want 4 and 2", len(table.Shaders), len(table.Links))
	}
	twice := f.Programs[0]
	f.Programs = append(f.Programs, twice)
	if table, _ = reflection.Of(f); len(table.Links) != 2 {
		t.Errorf("%d links of the same pairs, want 2", len(table.Links))
	}
}

// TestOfOthers checks values that are no model, and files without shaders.
func TestOfOthers(t *testing.T) {
	if table, ok := reflection.Of("a text"); ok || table.Shaders != nil {
		t.Errorf("got %v, %v", table, ok)
	}
	if table, ok := reflection.Of(&gsh.File{}); !ok || table.Shaders == nil || len(table.Shaders) != 0 {
		t.Errorf("got %v, %v", table, ok)
	}
}

// TestConstants checks boolean constants, of which only the last bit counts.
func TestConstants(t *testing.T) {
	f := shbin.File{DVLEs: []shbin.DVLE{{}}}
	f.DVLEs[0].Constants = []shbin.Constant{shbin.BoolConstant(3, true), shbin.BoolConstant(4, false)}
	f.DVLEs[0].Constants[1].Payload[0] = 2
	table, _ := reflection.Of(&f)
	want := []reflection.Constant{{Register: "b3", Value: "true"}, {Register: "b4", Value: "false"}}
	if got := table.Shaders[0].Constants; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
