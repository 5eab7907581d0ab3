package shbin_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/pica"
)

func TestShaders(t *testing.T) {
	want := []pica.Shader{{
		Program: pica.Program{Code: []uint32{mov, nop, end}, Descriptors: []uint32{1<<31 | xyzw}},
		Name:    "main", Entry: 0, Stage: pica.Vertex, OutMask: 1,
		Floats: []pica.Upload{{Register: 4, Format: pica.Float24, Values: []pica.Vec4{{0x3F0000, 0, 0, 0xBE0000}}}},
		Ints:   map[int][4]uint8{1: {3, 0, 1, 0}},
		Bools:  map[int]bool{5: true},
		Inputs: []pica.Symbol{{Name: "inPos", Class: 'v', First: 0, Last: 0}},
		Uniforms: []pica.Symbol{
			{Name: "mtx", Class: 'c', First: 0, Last: 3},
		},
		Labels:  []pica.Label{{Name: "main", Word: 0, Length: -1}, {Name: "endmain", Word: 3, Length: -1}},
		Outputs: []pica.Output{{Semantic: "position", Register: 0, Mask: 0xF}},
	}}
	f := workedModel()
	if diff := cmp.Diff(want, f.Shaders()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	f.DVLEs[0].Constants[2].Payload[3] = 0x80 // loaders drop what a float24 has no room for
	if diff := cmp.Diff(want, f.Shaders()); diff != "" {
		t.Errorf("with a float of 32 bits, -want +got:\n%s", diff)
	}
	f.DVLEs[0].OutputMask, want[0].OutMask = 0, 0 // as from writers that leave it out: unknown
	if diff := cmp.Diff(want, f.Shaders()); diff != "" {
		t.Errorf("without an output mask, -want +got:\n%s", diff)
	}
}

func TestShadersOfSeveralDVLEs(t *testing.T) {
	f := mustParse(t, samples.Read(t, "aemstro/a01_two_dvle.shbin"))
	got := f.Shaders()
	for i, want := range []struct {
		name  string
		stage pica.Stage
		entry int
		mask  uint16
	}{{"vmain", pica.Vertex, 0, 0}, {"gmain", pica.Geometry, 4, 0}} {
		if s := got[i]; s.Name != want.name || s.Stage != want.stage || s.Entry != want.entry ||
			s.OutMask != want.mask {
			t.Errorf("DVLE %d: got %s, %v, entry %d, mask 0x%x; want %+v", i, s.Name, s.Stage, s.Entry, s.OutMask,
				want)
		}
	}
	if &got[0].Code[0] != &got[1].Code[0] || &got[0].Descriptors[0] != &got[1].Descriptors[0] {
		t.Error("the shaders have programs of their own")
	}
}

func TestNames(t *testing.T) {
	f := cleanModel()
	for _, c := range []struct {
		off  uint32
		name string
		ok   bool
	}{{0, "main", true}, {2, "in", true}, {4, "", true}, {22, "", true}, {23, "", false}, {0xFFFFFFFF, "", false}} {
		if name, ok := f.DVLEs[0].Name(c.off); name != c.name || ok != c.ok {
			t.Errorf("name at %d is %q, %v", c.off, name, ok)
		}
	}
	if name, ok := f.DVLP.FileName(6); name != "s.gsh" || !ok {
		t.Errorf("file name is %q, %v", name, ok)
	}
}
