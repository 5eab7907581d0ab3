package cli

import (
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gx2"
)

// namedRegister is a GX2 register in the JSON of dump.
type namedRegister struct {
	Path  string `json:"path"`  // "shaders[0].SQ_PGM_RESOURCES_VS"
	Value string `json:"value"` // "0x103: NUM_GPRS 3, STACK_SIZE 1"
}

// registerNames are the names of the registers of all GX2 shaders.
var registerNames = func() map[string]bool {
	names := map[string]bool{}
	for _, t := range []gx2.Type{gx2.Vertex, gx2.Pixel, gx2.Geometry} {
		for _, name := range t.RegisterNames() {
			names[name] = true
		}
	}
	return names
}()

// namedRegisters lists the GX2 registers among regions.
func namedRegisters(regions []diag.Region) (list []namedRegister) {
	for _, r := range regions {
		if registerNames[r.Path[strings.LastIndexByte(r.Path, '.')+1:]] {
			list = append(list, namedRegister{r.Path, r.Value})
		}
	}
	return list
}
