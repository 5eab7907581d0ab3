package reflection

import (
	"fmt"

	"github.com/picaproof/picaproof/formats/sharcfb"
)

// sharcfbPixel is the index of the pixel shader in the binaries of a variation.
const sharcfbPixel = 1

func ofSHARCFB(f *sharcfb.File) (t Table) {
	path := func(i int) string { return fmt.Sprintf("binaries[%d]", i) }
	for i := range f.Binaries {
		t.Shaders = append(t.Shaders, gx2Shader(path(i), &f.Binaries[i].Shader))
	}
	linked := map[[2]int]bool{}
	for i := range f.Programs {
		p := &f.Programs[i]
		last := p.Kind.Stages() - 1
		outputs := 0
		if last > sharcfbPixel {
			outputs = last
		}
		for v := range p.Variations() {
			pair := [2]int{p.Binary(v, outputs), p.Binary(v, sharcfbPixel)}
			if max(pair[0], pair[1]) >= len(f.Binaries) || linked[pair] {
				continue
			}
			linked[pair] = true
			t.link(path(pair[0]), &f.Binaries[pair[0]].Shader, path(pair[1]), &f.Binaries[pair[1]].Shader)
		}
	}
	return t
}
