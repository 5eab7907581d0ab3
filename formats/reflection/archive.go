package reflection

import (
	"fmt"

	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/csdr"
	"github.com/picaproof/picaproof/formats/shbin"
)

func ofCGFX(f *cgfx.File) (t Table) {
	for i := range f.Objects {
		t.addDVLB(i, f.Objects[i].Binary)
	}
	return t
}

func ofCSDR(f *csdr.File) (t Table) {
	for i := range f.Objects {
		t.addDVLB(i, f.Objects[i].Binary)
	}
	return t
}

// addDVLB adds the shaders of an embedded DVLB. One that cannot be parsed has a row that says so.
func (t *Table) addDVLB(i int, parse func() (*shbin.File, error)) {
	path := fmt.Sprintf("shaders[%d].dvlb", i)
	f, err := parse()
	if err != nil {
		t.Shaders = append(t.Shaders, Shader{Path: path, Stage: "unknown", Unknown: []string{"all: " + err.Error()}})
		return
	}
	for _, s := range ofSHBIN(f).Shaders {
		s.Path = path + "." + s.Path
		t.Shaders = append(t.Shaders, s)
	}
}
