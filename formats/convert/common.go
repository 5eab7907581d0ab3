package convert

import (
	"slices"

	"github.com/picaproof/picaproof/formats/zpsh"
)

// byContent lists targets by content, the one with the fewest fields first.
var byContent = []string{"zpsh@3", "zpsh@4", "dvoj", "shbin", "cgfx", "csdr"}

// content returns the index of a model's target in byContent, or -1.
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

// TargetOf returns the target that a model is of, "zpsh@3" for a ZPSH of revision 3. ok is
// false when it holds no PICA200 program.
func TargetOf(model Model) (target Target, ok bool) {
	n := content(model)
	if n < 0 {
		return Target{}, false
	}
	return ByName(byContent[n])
}

// Common returns how to compare two models of different formats: convert from
// to target, the format of other. The format of other has fewer fields. ok is
// false when both models have one format, or when one holds no PICA200 program.
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
