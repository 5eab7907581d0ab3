package sharcfb_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/wire"
)

// TestEqual changes one thing each: content makes a difference, layout does not.
func TestEqual(t *testing.T) {
	base := mustParse(t, mustAppend(t, fullModel(sharcfb.Big)))
	for name, change := range map[string]func(f *sharcfb.File){
		"endian":         func(f *sharcfb.File) { f.Endian = sharcfb.Little },
		"name":           func(f *sharcfb.File) { f.Name = "other" },
		"binary":         func(f *sharcfb.File) { f.Binaries = f.Binaries[1:] },
		"type":           func(f *sharcfb.File) { f.Binaries[0].Type = gx2.Geometry },
		"register":       func(f *sharcfb.File) { f.Binaries[0].Registers[51] = 1 },
		"mode":           func(f *sharcfb.File) { f.Binaries[0].Mode = 0 },
		"block":          func(f *sharcfb.File) { f.Binaries[0].Blocks[0].Size++ },
		"uniform":        func(f *sharcfb.File) { f.Binaries[0].Uniforms[0].Block++ },
		"loop":           func(f *sharcfb.File) { f.Binaries[0].Loops[1][7] = 1 },
		"sampler":        func(f *sharcfb.File) { f.Binaries[0].Samplers[0].Name = "x" },
		"attribute":      func(f *sharcfb.File) { f.Binaries[0].Attributes[0].Count++ },
		"code":           func(f *sharcfb.File) { f.Binaries[0].Code = f.Binaries[0].Code[1:] },
		"copy code":      func(f *sharcfb.File) { f.Binaries[2].CopyCode = nil },
		"stride":         func(f *sharcfb.File) { f.Binaries[0].Stream.Strides[3]++ },
		"ring item size": func(f *sharcfb.File) { f.Binaries[0].Stream.RingItemSize++ },
		"program":        func(f *sharcfb.File) { f.Programs = f.Programs[:1] },
		"program name":   func(f *sharcfb.File) { f.Programs[1].Name = "" },
		"kind":           func(f *sharcfb.File) { f.Programs[1].Kind = 7 },
		"base index":     func(f *sharcfb.File) { f.Programs[1].BaseIndex++ },
		"macro":          func(f *sharcfb.File) { f.Programs[0].Macros[0].Values[1] = "" },
		"macro ID":       func(f *sharcfb.File) { f.Programs[0].Macros[0].ID = "w" },
		"defaults":       func(f *sharcfb.File) { f.Programs[0].Defaults = nil },
		"symbol offset":  func(f *sharcfb.File) { f.Programs[0].Uniforms[0].Offset++ },
		"symbol ID":      func(f *sharcfb.File) { f.Programs[0].Blocks[0].ID = "" },
		"symbol name":    func(f *sharcfb.File) { f.Programs[0].Samplers[0].Name = "" },
		"default value": func(f *sharcfb.File) {
			f.Programs[0].Uniforms[0].Default = wire.Hex{1, 2, 3, 4, 5, 6, 7, 9}
		},
		"enable bytes":    func(f *sharcfb.File) { f.Programs[0].Attributes[0].Enable = wire.Hex{0, 1, 1, 1} },
		"missing symbols": func(f *sharcfb.File) { f.Programs[0].Attributes = nil },
	} {
		f := mustParse(t, mustAppend(t, base))
		if !f.Equal(base) {
			t.Fatal("a file does not equal itself")
		}
		change(f)
		if f.Equal(base) || base.Equal(f) {
			t.Errorf("%s makes no difference", name)
		}
	}
	f := base.Canonical()
	f.Binaries[0].Slack = &sharcfb.Slack{Tail: []byte{1}}
	f.Programs[1].Macros = []sharcfb.Macro{}
	f.Binaries[1].Blocks = []gx2.UniformBlock{}
	if !f.Equal(base) {
		t.Error("layout, slack or an empty list makes a difference")
	}
}
