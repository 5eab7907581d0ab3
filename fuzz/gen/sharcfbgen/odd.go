package sharcfbgen

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/fuzz/gen"
)

// oddity changes an archive so that one rule warns about it, and returns where.
type oddity struct {
	rule   string
	change func(d *drawing) where
	also   []string
}

// where is a place in an archive: some bytes behind a field, which is named as
// in the regions of the file.
type where struct {
	field string
	plus  int
}

func at(format string, args ...any) where { return where{field: fmt.Sprintf(format, args...)} }

// oddities has the rules of severity Warning and Info.
var oddities = slices.Concat(archiveOddities, symbolOddities, shaderOddities, recordOddities, layoutOddities)

// fault is the oddity as the only fault of an archive.
func (o oddity) fault() gen.Fault {
	return gen.Fault{Rule: o.rule, Also: o.also, File: func(c *gen.Choices) ([]byte, int) {
		k := kit{drawing: newDrawing(c)}
		at := o.change(k.drawing)
		off := k.off(at.field) + at.plus
		return k.Bytes, off
	}}
}
