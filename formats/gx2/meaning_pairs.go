package gx2

import (
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// CheckPair evaluates the rules about shaders that are used together, none of which broke a rule of
// severity Error: GX2064, unless registers is false, and GX2069. outputs is the geometry shader, if there
// is one, else the vertex shader.
func (m *Meaning) CheckPair(vertex, pixel, outputs Placed, registers bool) {
	m.at(pixel)
	if registers {
		m.fed(outputs)
	}
	shared(m, vertex.Blocks, pixel.Blocks, func(v *UniformBlock) wire.Text { return v.Name },
		func(a, b *UniformBlock) bool { return a.Size == b.Size },
		func(i, k int) {
			m.differs(vertex, blockTable, i, k, "size", diag.Dec(uint64(vertex.Blocks[i].Size)),
				diag.Dec(uint64(pixel.Blocks[k].Size)))
		})
	shared(m, vertex.Uniforms, pixel.Uniforms, func(v *UniformVar) wire.Text { return v.Name },
		func(a, b *UniformVar) bool { return a.Type == b.Type && a.Count == b.Count },
		func(i, k int) {
			m.differs(vertex, uniformTable, i, k, "type", vertex.Uniforms[i].meaning(), pixel.Uniforms[k].meaning())
		})
}

// fed reports inputs that no output feeds: GX2064.
func (m *Meaning) fed(outputs Placed) {
	s := m.shader
	var ids set256
	list := outputRegisters[outputs.Type].ids.used(outputs.Shader)
	for _, word := range list {
		for ; word != ^uint32(0); word = word>>semanticBits | noSemantic<<(32-semanticBits) {
			ids.add(word & 0xFF)
		}
	}
	inputs := pixelInputs.used(s.Shader)
	inputs = inputs[:min(len(inputs), int(interpolated.in(s.Shader)))]
	position := -1
	if positionUsed.in(s.Shader) != 0 {
		position = int(positionAt.in(s.Shader))
	}
	for i, word := range inputs {
		if v := word & 0xFF; i != position && (v == noSemantic || !ids.has(v)) {
			m.Report("GX2064", m.word(pixelInputs.count+1+i), outputList(ids),
				showf("semantic %d, which reads %s", v, defaults[inputDefault.of(word)]))
		}
	}
}

// outputList names the outputs in a set.
func outputList(ids set256) diag.Value {
	return shows(func() string {
		var list []string
		for v := range uint32(noSemantic) {
			if ids.has(v) {
				list = append(list, strconv.Itoa(int(v)))
			}
		}
		if len(list) == 0 {
			return "an output, of which there are none"
		}
		return "one of the outputs " + strings.Join(list, ", ")
	})
}

// shared reports the records of two tables that have the same name, the first in each, and are not alike.
func shared[T any](m *Meaning, a, b []T, name func(*T) wire.Text, alike func(a, b *T) bool, report func(i, k int)) {
	if len(a) == 0 || len(b) == 0 {
		return
	}
	names := nameIndex{n: len(a), name: func(i int) wire.Text { return name(&a[i]) }}
	m.met = append(m.met[:0], make([]bool, len(a))...)
	for k := range b {
		text := name(&b[k])
		if k < len(a) && name(&a[k]) == text && alike(&a[k], &b[k]) { // often both stages have the same list
			m.met[k] = true
			continue
		}
		i := names.find(text)
		if i < 0 || m.met[i] {
			continue
		}
		if m.met[i] = true; !alike(&a[i], &b[k]) {
			report(i, k)
		}
	}
}

// differs reports that a name means two things: GX2069.
func (m *Meaning) differs(vertex Placed, t table, i, k int, field string, expected, found diag.Value) {
	at := m.record(t, k, field)
	pixel := m.shader
	m.at(vertex)
	other := m.record(t, i, field)
	m.at(pixel)
	m.Report("GX2069", at, expected, found, other)
}

// meaning is the type of a uniform and of how many elements.
func (v *UniformVar) meaning() diag.Value {
	t, n := v.Type, v.Count
	return showf("%s, count %d", t, n)
}
