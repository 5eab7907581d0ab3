package convert

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/csdr"
	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/zpsh"
)

// byContent are the targets by how much they hold, the least first.
var byContent = []string{"zpsh@3", "zpsh@4", "dvoj", "shbin", "cgfx", "csdr"}

// targetOf returns the target that a model is of.
func targetOf(model Model) string {
	switch f := model.(type) {
	case *zpsh.File:
		return fmt.Sprintf("zpsh@%d", min(f.Revision, zpsh.R4))
	case *dvoj.File:
		return "dvoj"
	case *shbin.File:
		return "shbin"
	case *cgfx.File:
		return "cgfx"
	case *csdr.File:
		return "csdr"
	}
	return ""
}

// Common says how two models can be compared: from, one of the two, converted to
// target, the format of the other one, which holds less. ok is false when they
// are of one format already, or when one holds no PICA200 program.
func Common(a, b Model) (from, other Model, target Target, ok bool) {
	i, j := slices.Index(byContent, targetOf(a)), slices.Index(byContent, targetOf(b))
	if i < 0 || j < 0 || i == j {
		return nil, nil, Target{}, false
	}
	if i > j {
		a, b, i, j = b, a, j, i
	}
	target, _ = ByName(byContent[i])
	return b, a, target, true
}
