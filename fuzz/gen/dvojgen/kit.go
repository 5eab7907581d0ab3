package dvojgen

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/shbingen"
	"github.com/picaproof/picaproof/fuzz/gen/wordgen"
	"github.com/picaproof/picaproof/pica"
)

// kit is a valid model without a layout, for a fault to spoil. Its code fits
// the vertex unit.
type kit struct {
	drawer
	*dvoj.File
}

func newKit(c *gen.Choices) kit {
	d := drawer{Choices: c}
	return kit{d, d.content(d.Size(1, 12, 60, pica.MaxVertexCode))}
}

// faultsOf makes faults of a kit.
var faultsOf = gen.Kit[kit]{New: newKit, Bytes: func(k kit) []byte { return gen.Unchecked(k.File) }, Draft: kit.draft}

var (
	model = faultsOf.Model // a fault of the model; its function returns the path of the finding
	raw   = faultsOf.Raw   // a fault of the written file
	field = faultsOf.Field // a fault of one field with a wrong value
)

// draft draws a layout if the model has none, and writes the model.
func (k kit) draft() *gen.Draft {
	if k.Layout == nil {
		k.arrange(k.File)
	}
	return gen.NewDraft(gen.Unchecked(k.File), binary.LittleEndian, k.Regions())
}

// arranged gives the model a layout that can be changed, and returns it.
func (k kit) arranged() *dvoj.Layout {
	k.Layout = k.layout(k.File)
	return k.Layout
}

// object returns its tables.
func (k kit) object() *shbingen.Object { return objectOf(k.Choices, k.File, k.retype) }

// retype makes it an object of a type.
func (k kit) retype(t shbin.Type) {
	k.Type, k.Merge = t, 0
	if t == shbin.GeometryShader {
		k.Outputs = slices.DeleteFunc(k.Outputs, func(o shbin.Output) bool { return o.Register > shbingen.LastMapped })
		setMasks(k.File)
	}
}

// recode draws new code of n words, and new lines, labels and relocations for it.
func (k kit) recode(n int) {
	k.Code = wordgen.Code(k.Choices, n, len(k.Descriptors))
	k.relocate(k.File)
	for i := range k.Labels {
		k.Labels[i].Word, k.Labels[i].Length = uint32(k.Within(0, uint64(n))), shbin.NoLength
	}
	if len(k.Lines) > 0 {
		k.renumber(n)
	}
}

// renumber draws other lines.
func (k kit) renumber(n int) {
	k.number(k.File, n)
	k.pack(k.File)
}

// withOperands gives n words at least operands, and relocations.
func (k kit) withOperands(n int) {
	if len(k.Code) < n {
		k.recode(n)
	}
	for len(k.Relocations) < n {
		i := slices.IndexFunc(k.Code, func(w uint32) bool { return !pica.OpcodeOf(w).HasOperands() })
		k.Code[i] = uint32(pica.SETEMIT)<<26 | uint32(k.Bits(26))
		k.relocate(k.File)
	}
}

// aLabel picks a label. It adds one if the file has none.
func (k kit) aLabel() (int, *shbin.Label) {
	i := k.object().Label()
	return i, &k.Labels[i]
}

// aLine picks a line. It adds a line table if the file has none.
func (k kit) aLine() (int, *shbin.Line) {
	if len(k.Lines) == 0 {
		k.number(k.File, len(k.Code))
	}
	i := k.below(len(k.Lines))
	return i, &k.Lines[i]
}

// in returns the path of a field of an entry of a table, or of all of the entry.
func in(t table, i int, field string) string {
	path := fmt.Sprintf("%s[%d]", shapes[t].name, i)
	if field != "" {
		path += "." + field
	}
	return path
}

// place returns the path of the offset of a table in the header.
func place(t table) string { return "header." + shapes[t].name + ".offset" }

// count returns the path of its count.
func count(t table) string {
	if t == symbols {
		return "header.symbols.size"
	}
	return "header." + shapes[t].name + ".count"
}

// aTable picks a table that is not empty.
func (k kit) aTable(l *dvoj.Layout) table {
	var list []table
	for t, x := range l.Tables {
		if x.Count > 0 {
			list = append(list, table(t))
		}
	}
	return gen.Pick(k.Choices, list)
}
