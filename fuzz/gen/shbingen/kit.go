package shbingen

import (
	"fmt"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/pica"
)

// A fault may need an entry that the drawn file lacks. Each function below picks an entry of a kind, or adds one
// without breaking a rule.

// dvleOf returns the index of a DVLE of a type.
func (d *draft) dvleOf(t shbin.Type) int {
	if list := indices(d.m.DVLEs, func(e shbin.DVLE) bool { return e.Type == t }); len(list) > 0 {
		return gen.Pick(d.c, list)
	}
	return d.anotherDVLE(t)
}

// anotherDVLE is addDVLE, with a source file name if the file has them.
func (d *draft) anotherDVLE(t shbin.Type) int {
	if d.m.DVLP.FileNames != nil {
		d.addFileName()
	}
	return d.addDVLE(t)
}

func (d *draft) anyDVLE() int { return d.c.Below(len(d.m.DVLEs)) }

// neighbours returns the index of a DVLE that another one follows.
func (d *draft) neighbours() int {
	for len(d.m.DVLEs) < 2 {
		d.anotherDVLE(d.m.DVLEs[0].Type)
	}
	return d.c.Below(len(d.m.DVLEs) - 1)
}

// twoDVLEs returns the indices of two DVLEs in their order.
func (d *draft) twoDVLEs() (i, j int) {
	i = d.neighbours()
	return i, i + 1 + d.c.Below(len(d.m.DVLEs)-i-1)
}

func (d *draft) addFileName() {
	p := &d.m.DVLP
	p.FileNames = append(append(p.FileNames, fileName(d.c)...), 0)
}

// withDescriptors gives the file operand descriptors if it has none.
func (d *draft) withDescriptors() {
	if p := &d.m.DVLP; len(p.Descriptors) == 0 {
		p.Descriptors = descriptors(d.c, 1+d.c.Below(4))
	}
}

// withFileNames gives the file source file names if it has none.
func (d *draft) withFileNames() {
	if d.m.DVLP.FileNames == nil {
		for range d.m.DVLEs {
			d.addFileName()
		}
	}
}

// withLines gives the file a line table if it has none.
func (d *draft) withLines() {
	d.withFileNames()
	if d.m.DVLP.Lines == nil {
		d.m.DVLP.Lines = lines(d.c, &d.m.DVLP)
	}
}

// lengthen extends the code to n words.
func (d *draft) lengthen(n int) {
	p := &d.m.DVLP
	for len(p.Code) < n {
		p.Code = append(p.Code, uint32(pica.NOP)<<26)
	}
	if p.Lines != nil {
		p.Lines = lines(d.c, p)
	}
}

// object returns the tables of a DVLE.
func (d *draft) object(e *shbin.DVLE) *Object {
	return &Object{Choices: d.c, Tables: &e.Tables, Words: uint32(len(d.m.DVLP.Code)),
		Retype: func(t shbin.Type) { e.Type, e.Merge, e.Geometry = t, 0, shbin.Geometry{} }}
}

// above draws a value greater than last, the greatest right value of the field.
func above[T ~uint8 | ~uint16 | ~uint32](c *gen.Choices, last T) T {
	return wrong(c, last+1, ^T(0), last)
}

// wrong is Choices.Wrong for the fields of a model.
func wrong[T ~uint8 | ~uint16 | ~uint32 | ~int](c *gen.Choices, low, high, right T) T {
	return T(c.Wrong(uint64(low), uint64(high), uint64(right)))
}

// indices returns the indices of the elements for which wanted is true.
func indices[T any](list []T, wanted func(T) bool) (at []int) {
	for i, v := range list {
		if wanted(v) {
			at = append(at, i)
		}
	}
	return at
}

// place is the place of a finding: a part of the written file, or an exact place that is no region of it.
type place struct {
	Part
	exact *gen.Place
}

func at(format string, args ...any) place {
	return place{Part: Part{Path: fmt.Sprintf(format, args...)}}
}

// bytesOf is the place of n bytes of a table, from an offset in it on.
func bytesOf(table string, off, n int) place { return place{Part: Part{table, off, n}} }

// exactly is a place that no region has.
func exactly(path string, off uint32, n int) place {
	return place{exact: &gen.Place{Off: int(off), Len: n, Path: path}}
}

// in returns the place in the written file.
func (p place) in(out *gen.Draft) gen.Place {
	if p.exact != nil {
		return *p.exact
	}
	return p.In(out)
}
