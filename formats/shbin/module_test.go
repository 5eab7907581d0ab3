package shbin_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

// TestFromModule gives every field of a module a value of its own.
func TestFromModule(t *testing.T) {
	m := &pica.Module{
		Program: pica.Program{Code: []uint32{0x4C000000, 0x88000000}, Descriptors: []uint32{0x36F}},
		Entries: []pica.EntryPoint{{
			Name: "main", Stage: pica.Geometry, First: 1, End: 2, Merge: true,
			Geometry:  pica.GeometryParameters{Mode: pica.GeometryFixed, First: 3, Variable: 4, Fixed: 5},
			InputMask: 6, OutputMask: 7,
			Constants: []pica.Constant{
				{Class: 'b', Register: 8, Value: [4]uint32{1}}, {Class: 'i', Register: 1, Value: [4]uint32{2, 3, 4, 5}},
				{Class: 'c', Register: 9, Value: [4]uint32{6, 7, 8, 9}},
			},
			Outputs: []pica.Output{{Semantic: "color", Register: 1, Mask: 7}},
			Symbols: []pica.Symbol{
				{Name: "position", Class: 'v', First: 1, Last: 1}, {Name: "bones$x", Class: 'c', First: 20, Last: 31},
				{Name: "loops", Class: 'i', First: 1, Last: 2}, {Name: "lit", Class: 'b', First: 3, Last: 15},
			},
		}},
	}
	want := &shbin.File{
		DVLP: shbin.DVLP{Code: m.Code, Descriptors: []shbin.Descriptor{{Word: 0x36F}}},
		DVLEs: []shbin.DVLE{{
			Version: 0x1002, Type: shbin.GeometryShader, Merge: 1, Entry: 1, End: 2, InputMask: 6, OutputMask: 7,
			Geometry: shbin.Geometry{Mode: 2, First: 3, Variable: 4, Fixed: 5},
			Tables: shbin.Tables{
				Constants: []shbin.Constant{
					shbin.BoolConstant(8, true), shbin.IntConstant(1, 2, 3, 4, 5), shbin.FloatConstant(9, 6, 7, 8, 9),
				},
				Outputs: []shbin.Output{{Semantic: shbin.Color, Register: 1, Mask: 7}},
				Uniforms: []shbin.Uniform{
					{Name: 0, First: 1, Last: 1}, {Name: 9, First: 0x10 + 20, Last: 0x10 + 31},
					{Name: 17, First: 0x71, Last: 0x72}, {Name: 23, First: 0x7B, Last: 0x87},
				},
				Symbols: wire.Hex("position\x00bones.x\x00loops\x00lit\x00"),
			},
		}},
	}
	got, err := shbin.FromModule(m)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	m.Entries[0].Outputs[0].Semantic = "fog"
	if f, err := shbin.FromModule(m); err == nil {
		t.Errorf("an output that no file has: %+v", f)
	}
}
