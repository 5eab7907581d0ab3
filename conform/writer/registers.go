package writer

import (
	"cmp"
	"maps"
	"slices"

	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/pica"
)

// registers maps float and integer uniforms of the model to uniforms of the output: a named
// constant may have any registers.
type registers struct {
	free  map[register]span // registers of named constants
	bound map[register]register
	open  bool // nothing is bound: each use of a named constant may have any register
}

type register struct {
	class byte
	n     int
}

// span is the first register and the size of a named constant.
type span struct{ first, size int }

// newRegisters returns the registers of a model. Registers of named constants are free.
func newRegisters(model *source.Meaning) *registers {
	m := &registers{free: map[register]span{}, bound: map[register]register{}}
	for _, v := range model.Values {
		if v.Size > 0 {
			m.free[register{v.Class, v.Register}] = span{v.First, v.Size}
		}
	}
	return m
}

// same reports whether a register of the output is the given register of the model.
func (m *registers) same(class byte, model, output int) bool {
	k := register{class, model}
	if _, free := m.free[k]; free && m.open {
		return true
	}
	if to, ok := m.bound[k]; ok {
		return to.n == output
	}
	return model == output
}

// bind chooses the registers of the named constants: if uses of a constant contradict each other,
// the one with the most uses, first of those that have the constant's value in the tables of the output.
func (m *registers) bind(model *source.Meaning, want, got *code, aligned []pair, tables []map[register]pica.Vec4) {
	// for the first register of each constant: the number of uses by register of the output
	uses := map[register]map[int]int{}
	use := func(class byte, n, output int) {
		s, ok := m.free[register{class, n}]
		if !ok {
			return
		}
		k := register{class, s.first}
		if uses[k] == nil {
			uses[k] = map[int]int{}
		}
		uses[k][output-(n-s.first)]++
	}
	for _, p := range aligned {
		if p.want < 0 || p.got < 0 {
			continue
		}
		a, b := &want.steps[p.want], &got.steps[p.got]
		if b = alike(a, b, m); b == nil {
			continue
		}
		if a.op == pica.LOOP {
			use('i', int(a.flow.Int), int(b.flow.Int))
		}
		for k := range a.sources {
			use('c', int(a.sources[k].register)-pica.SourceUniform, int(b.sources[k].register)-pica.SourceUniform)
		}
	}
	for k, places := range uses {
		var values []source.Value
		for _, v := range model.Values {
			if v.Size > 0 && v.Class == k.class && v.First == k.n {
				values = append(values, v)
			}
		}
		holds := func(at int) bool {
			return !slices.ContainsFunc(values, func(v source.Value) bool {
				if v.Entry >= len(tables) {
					return true
				}
				x, ok := tables[v.Entry][register{k.class, at + v.Register - v.First}]
				return !ok || !equalConstant(v, x)
			})
		}
		best, most := k.n, 0
		for at := range pica.NumFloats {
			weight := places[at]
			if weight > 0 && holds(at) {
				weight += len(want.steps) * 3 // more than all uses
			}
			if weight > most {
				best, most = at, weight
			}
		}
		for j := range m.free[k].size {
			m.bound[register{k.class, k.n + j}] = register{k.class, best + j}
		}
	}
}

// identity reports whether every constant has the same register as in the model.
func (m *registers) identity() bool {
	for from, to := range m.bound {
		if from != to {
			return false
		}
	}
	return true
}

// inOrder returns the registers of a table of constants, in the order of their classes and numbers.
func inOrder(table map[register]pica.Vec4) []register {
	return slices.SortedFunc(maps.Keys(table),
		func(a, b register) int { return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.n, b.n)) })
}

// constants returns the values of the constant registers of an entry point.
func constants(e *pica.EntryPoint) map[register]pica.Vec4 {
	got := map[register]pica.Vec4{}
	for _, c := range e.Constants {
		got[register{c.Class, c.Register}] = c.Value
	}
	return got
}
