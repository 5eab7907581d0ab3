package zpshgen

import (
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/wordgen"
	"github.com/picaproof/picaproof/pica"
)

// drawer draws the parts of a model. Without choices each is the smallest there
// is.
type drawer struct {
	*gen.Choices
	odd bool // values that only warn are drawn too
}

// oddly is true one time in four, if odd values are wanted.
func (d drawer) oddly() bool { return d.odd && !d.Chance(12) }

// below draws a number of n values.
func (d drawer) below(n int) int { return int(d.Within(0, uint64(n)-1)) }

func (d drawer) file() *zpsh.File {
	f := gen.Free[zpsh.File](d.Choices, fields, d.oddly())
	f.Revision = zpsh.R3 + zpsh.Revision(d.Bits(1))
	f.Descriptors = make([]uint32, d.Size(0, 6, 31, 32, 33, pica.MaxDescriptors))
	for i := range f.Descriptors {
		f.Descriptors[i] = uint32(d.Bits(32))
	}
	words := d.Size(1, 12, pica.MaxVertexCode, pica.MaxVertexCode+1, 300, pica.MaxCode)
	f.Code = wordgen.Code(d.Choices, words, len(f.Descriptors))
	f.Entries = make([]zpsh.Entry, d.Size(1, 5, 17, 40))
	for i := range f.Entries {
		f.Entries[i] = d.entry(f.Revision, words)
	}
	f.SetNames(d.names(len(f.Entries))...)
	if d.odd {
		d.oddities(&f)
	}
	return &f
}

// entry draws an entry without its name. A vertex entry is only for code that
// fits the vertex unit.
func (d drawer) entry(r zpsh.Revision, words int) zpsh.Entry {
	e := gen.Free[zpsh.Entry](d.Choices, fields, d.oddly())
	e.Instruction, e.Info = uint16(d.below(words)), d.info(zpsh.Type(d.Bits(2)))
	if words > pica.MaxVertexCode && e.Info.Type() == zpsh.Vertex && !d.odd {
		e.Info = d.info(zpsh.GeometryFixed)
	}
	if r == zpsh.R3 {
		e.R4Header = zpsh.R4Header{}
	}
	if !d.oddly() {
		e.OutputReserved = 0
	}
	for _, k := range d.registers(pica.NumInts) {
		v := gen.Free[zpsh.Int](d.Choices, fields, false)
		v.Register = k
		e.Ints = append(e.Ints, v)
	}
	for _, k := range d.registers(pica.NumFloats) {
		v := gen.Free[zpsh.Float](d.Choices, fields, false)
		v.Register = k
		for i := range v.Value {
			v.Value[i] &= 1<<24 - 1
		}
		e.Floats = append(e.Floats, v)
	}
	for _, k := range d.registers(pica.NumOutputs) {
		e.Outputs = append(e.Outputs, d.output(k))
	}
	return e
}

// info draws the parameters of a type.
func (d drawer) info(t zpsh.Type) zpsh.Info {
	switch t {
	case zpsh.GeometryPoint:
		return zpsh.PointInfo(1 + d.below(16))
	case zpsh.GeometryVariable:
		return zpsh.VariableInfo(d.below(32))
	case zpsh.GeometryFixed:
		return zpsh.FixedInfo(1+d.below(16), d.below(pica.NumFloats))
	}
	return zpsh.VertexInfo()
}

// registers draws some of n registers, ascending: none, a few, or all.
func (d drawer) registers(n int) (list []uint8) {
	step, most := n/3+1, 4
	switch kind := d.Bits(4); {
	case kind < 5:
		return nil
	case kind == 15:
		step, most = 1, n
	}
	for r := d.below(step); r < n && len(list) < most; r += 1 + d.below(step) {
		list = append(list, uint8(r))
	}
	return list
}

// lastMapped is the last output that has a map register.
const lastMapped = 6

// undefined are the semantics without a meaning, defined the semantics with one; unused is neither.
var undefined, defined = func() (no, yes []zpsh.Semantic) {
	for s := range zpsh.Unused {
		if s == 0x11 || s == 0x15 || s >= 0x18 {
			no = append(no, s)
		} else {
			yes = append(yes, s)
		}
	}
	return no, yes
}()

// output draws an output.
func (d drawer) output(register uint8) zpsh.Output {
	o := gen.Free[zpsh.Output](d.Choices, fields, false)
	o.Register = register
	if d.oddly() {
		return o
	}
	o.Map = 0
	for k := range 4 {
		s := zpsh.Unused
		if register <= lastMapped && !d.Rarely() {
			s = gen.Pick(d.Choices, defined)
		}
		o.Map |= zpsh.Map(s) << (8 * k)
	}
	return o
}
