package shbingen

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"

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

// constantOf returns the index of a constant of a type.
func (d *draft) constantOf(e *shbin.DVLE, t shbin.ConstantType) int {
	if list := indices(e.Constants, func(k shbin.Constant) bool { return k.Type == t }); len(list) > 0 {
		return gen.Pick(d.c, list)
	}
	e.Constants = append(e.Constants, Constant(d.c, t))
	return len(e.Constants) - 1
}

// labelOf returns the index of a label.
func (d *draft) labelOf(e *shbin.DVLE) int {
	if len(e.Labels) == 0 {
		d.addLabel(e, d.addName(e, labelName(d.c)))
	}
	return d.c.Below(len(e.Labels))
}

// addLabel appends a label of a name and returns its index.
func (d *draft) addLabel(e *shbin.DVLE, name uint32) int {
	l := Label(d.c, len(e.Labels), uint32(len(d.m.DVLP.Code)))
	l.Name = name
	e.Labels = append(e.Labels, l)
	return len(e.Labels) - 1
}

// addName inserts a name between two others and returns its offset, for a label or uniform.
func (d *draft) addName(e *shbin.DVLE, name string) uint32 {
	at := uint32(0)
	if i := d.c.Below(bytes.Count(e.Symbols, []byte{0}) + 1); i > 0 {
		at = uint32(nthNUL(e.Symbols, i) + 1)
	}
	e.Symbols = slices.Insert(slices.Clone(e.Symbols), int(at), append([]byte(name), 0)...)
	for _, ref := range references(e) {
		if *ref >= at {
			*ref += uint32(len(name) + 1)
		}
	}
	return at
}

// nthNUL returns the offset of the n-th NUL, counted from 1.
func nthNUL(b []byte, n int) int {
	at := -1
	for range n {
		at += 1 + bytes.IndexByte(b[at+1:], 0)
	}
	return at
}

// references are the name offsets of labels and uniforms.
func references(e *shbin.DVLE) (list []*uint32) {
	for i := range e.Labels {
		list = append(list, &e.Labels[i].Name)
	}
	for i := range e.Uniforms {
		list = append(list, &e.Uniforms[i].Name)
	}
	return list
}

// outputOf returns the index of an output of a register that is mapped.
func (d *draft) outputOf(e *shbin.DVLE) int {
	if list := indices(e.Outputs, func(o shbin.Output) bool { return o.Register <= LastMapped }); len(list) > 0 {
		return gen.Pick(d.c, list)
	}
	e.Outputs = append(e.Outputs, Dummy(d.c, within[uint16](d.c, 0, LastMapped)))
	setMasks(e)
	return len(e.Outputs) - 1
}

// semanticOf returns the index of an output that is no dummy.
func (d *draft) semanticOf(e *shbin.DVLE) int {
	if list := indices(e.Outputs, func(o shbin.Output) bool { return o.Semantic != shbin.Dummy }); len(list) > 0 {
		return gen.Pick(d.c, list)
	}
	i := d.outputOf(e)
	e.Outputs[i].Semantic = gen.Pick(d.c, Semantics)
	return i
}

// mappedBut returns the index of an output of a mapped register other than output i.
func (d *draft) mappedBut(e *shbin.DVLE, i int) int {
	list := indices(e.Outputs, func(o shbin.Output) bool { return o.Register <= LastMapped })
	if list = slices.DeleteFunc(list, func(k int) bool { return k == i }); len(list) > 0 {
		return gen.Pick(d.c, list)
	}
	e.Outputs = append(e.Outputs, Dummy(d.c, (e.Outputs[i].Register+1)%(LastMapped+1)))
	setMasks(e)
	return len(e.Outputs) - 1
}

// uniformOf returns the index of a uniform or input.
func (d *draft) uniformOf(e *shbin.DVLE) int {
	if len(e.Uniforms) == 0 {
		d.addUniform(e, Uniform(d.c, shbin.FirstFloat))
	}
	return d.c.Below(len(e.Uniforms))
}

// inputOf returns the index of an input.
func (d *draft) inputOf(e *shbin.DVLE) int {
	if list := indices(e.Uniforms, func(u shbin.Uniform) bool { return u.First < shbin.FirstFloat }); len(list) > 0 {
		return gen.Pick(d.c, list)
	}
	return d.addUniform(e, Uniform(d.c, within[shbin.Register](d.c, shbin.FirstInput, shbin.FirstFloat-1)))
}

// twoUniforms returns the indices of two uniforms in their order.
func (d *draft) twoUniforms(e *shbin.DVLE) (i, j int) {
	for len(e.Uniforms) < 2 {
		d.addUniform(e, Uniform(d.c, gen.Pick(d.c, freeRegisters(e))))
	}
	i = d.c.Below(len(e.Uniforms) - 1)
	return i, i + 1 + d.c.Below(len(e.Uniforms)-i-1)
}

// freeRegisters returns the registers that no uniform has.
func freeRegisters(e *shbin.DVLE) []shbin.Register {
	return slices.DeleteFunc(slices.Clone(knownRegisters), func(r shbin.Register) bool {
		return slices.ContainsFunc(e.Uniforms, func(u shbin.Uniform) bool { return u.First <= r && r <= u.Last })
	})
}

// knownRegisters are the registers of all classes.
var knownRegisters = func() (list []shbin.Register) {
	for _, class := range RegisterClasses {
		for r := class.First; r <= class.Last; r++ {
			list = append(list, r)
		}
	}
	return list
}()

// addUniform inserts a uniform with a fresh name and returns its index. The uniforms stay sorted by first register.
func (d *draft) addUniform(e *shbin.DVLE, u shbin.Uniform) int {
	u.Name = d.addName(e, freshName(e))
	return d.insertUniform(e, u)
}

func (d *draft) insertUniform(e *shbin.DVLE, u shbin.Uniform) int {
	i, _ := slices.BinarySearchFunc(e.Uniforms, u.First, func(o shbin.Uniform, first shbin.Register) int {
		return cmp.Or(cmp.Compare(o.First, first), -1)
	})
	e.Uniforms = slices.Insert(slices.Clone(e.Uniforms), i, u)
	setMasks(e)
	return i
}

// freshName returns a name that no uniform has.
func freshName(e *shbin.DVLE) string {
	for n := 0; ; n++ {
		name := "added" + strconv.Itoa(n)
		if !slices.ContainsFunc(e.Uniforms, func(u shbin.Uniform) bool { return nameAt(e, u.Name) == name }) {
			return name
		}
	}
}

// nameAt returns the name at an offset of the symbols.
func nameAt(e *shbin.DVLE, off uint32) string {
	name, _ := e.Name(off)
	return name
}

// rename gives a uniform another name. The old name goes to a new label, so that each name keeps a reference.
func (d *draft) rename(e *shbin.DVLE, i int, name uint32) {
	d.addLabel(e, e.Uniforms[i].Name)
	e.Uniforms[i].Name = name
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

// place is the place of a finding: a field, record or table of the written file. If size is not 0, it is size bytes of
// a table, from the byte behind on. A place that is no region of the file is exact.
type place struct {
	path         string
	behind, size int
	exact        *gen.Place
}

func at(format string, args ...any) place { return place{path: fmt.Sprintf(format, args...)} }

// bytesOf is the place of n bytes of a table, from the byte behind on.
func bytesOf(table string, behind, n int) place { return place{path: table, behind: behind, size: n} }

// exactly is a place that no region has.
func exactly(path string, off uint32, n int) place {
	return place{exact: &gen.Place{Off: int(off), Len: n, Path: path}}
}

// in returns the place in the written file.
func (p place) in(out *gen.Draft) gen.Place {
	if p.exact != nil {
		return *p.exact
	}
	at := out.Place(p.path)
	if p.size > 0 {
		at.Off, at.Len = at.Off+p.behind, p.size
	}
	return at
}
