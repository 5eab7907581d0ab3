package convert

import (
	"slices"

	"github.com/picaproof/picaproof/formats/zpsh"
)

// byContent are the targets by how much they hold, the least first.
var byContent = []string{"zpsh@3", "zpsh@4", "dvoj", "shbin", "cgfx", "csdr"}

// content returns the index in byContent of the target that a model is of, or -1.
func content(model Model) int {
	format := formatOf(model)
	return slices.IndexFunc(byContent, func(name string) bool {
		target, _ := ByName(name)
		if z, ok := model.(*zpsh.File); ok && min(z.Revision, zpsh.R4) != target.revision {
			return false
		}
		return format == target.format
	})
}

// Common says how two models can be compared: from, one of the two, converted to
// target, the format of the other one, which holds less. ok is false when they
// are of one format already, or when one holds no PICA200 program.
func Common(a, b Model) (from, other Model, target Target, ok bool) {
	i, j := content(a), content(b)
	if i < 0 || j < 0 || i == j {
		return nil, nil, Target{}, false
	}
	if i > j {
		a, b, i = b, a, j
	}
	target, _ = ByName(byContent[i])
	return b, a, target, true
}
