package gx2

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// span is the words of a uniform in its block, or in the registers.
type span struct {
	from, end uint64
	row       int
	block     int32
	element   bool // of an array that another row is
	inside    bool // it starts inside an earlier one
}

// registerWords is the size of the uniform registers of a stage: 256 of four words.
const registerWords = 1024

// tables checks the tables: GX2050 to GX2055.
func (m *Meaning) tables() {
	s := m.shader
	if n := len(s.Blocks); s.Mode == ModeRegister && n > 0 {
		m.Report("GX2051", m.field(tables[blockTable].count), diag.Text("no uniform blocks in mode register"),
			diag.Dec(uint64(n)))
	}
	m.uniforms()
	distinct(m, blockTable, s.Blocks, func(v *UniformBlock) uint32 { return v.Location })
	distinct(m, samplerTable, s.Samplers, func(v *SamplerVar) uint32 { return v.Location })
	distinct(m, attributeTable, s.Attributes, func(v *AttribVar) uint32 { return v.Location })
}

// uniforms checks the uniforms: GX2050, GX2052 to GX2054.
func (m *Meaning) uniforms() {
	if m.ascend() {
		return
	}
	m.measure()
	for i := range m.spans {
		m.uniform(i, &m.spans[i])
	}
}

// ascend reports whether the uniforms are free of findings in the usual case: no row is an element of an array, and the
// rows of a block follow each other.
func (m *Meaning) ascend() bool {
	s := m.shader.Shader
	m.ends = append(m.ends[:0], make([]uint64, len(s.Blocks)+1)...)
	for i := range s.Uniforms {
		u := &s.Uniforms[i]
		limit := uint64(registerWords)
		switch {
		case u.Block == NoBlock && s.Mode == ModeBlock, strings.HasSuffix(string(u.Name), "]"):
			return false
		case u.Block >= 0 && int64(u.Block) < int64(len(s.Blocks)):
			limit = uint64(s.Blocks[u.Block].Size / 4)
		case u.Block != NoBlock || s.Mode != ModeRegister:
			continue
		}
		n, end := u.Type.Words(uint64(u.Count)), &m.ends[u.Block+1]
		if n == 0 {
			continue
		}
		if from := uint64(u.Offset); from < *end || from+n > limit {
			return false
		}
		*end = uint64(u.Offset) + n
	}
	return true
}

// uniform checks row i, which takes the words x.
func (m *Meaning) uniform(i int, x *span) {
	s := m.shader.Shader
	u := &s.Uniforms[i]
	if s.Mode == ModeBlock && u.Block == NoBlock {
		m.Report("GX2050", m.record(uniformTable, i, "block"), diag.Text("the index of a block in mode block"),
			says(u, "-1 of %s"))
	}
	if x.end == x.from {
		return
	}
	inRegisters := s.Mode == ModeRegister && u.Block == NoBlock
	inBlock := u.Block >= 0 && int64(u.Block) < int64(len(s.Blocks))
	if inBlock {
		if size := s.Blocks[u.Block].Size; 4*x.end > uint64(size) {
			m.Report("GX2052", m.record(uniformTable, i, "offset"),
				diag.Value{Format: "an end at byte %d of the block or before", N: uint64(size)},
				says(u, "%s ends at byte %d", 4*x.end))
		}
	}
	if x.inside && (inBlock || inRegisters) {
		m.Report("GX2053", m.record(uniformTable, i, "offset"), diag.Text("words of its own"),
			says(u, "%s at byte %d, inside of another", 4*x.from))
	}
	if inRegisters && x.end > registerWords {
		m.Report("GX2054", m.record(uniformTable, i, "offset"),
			diag.Value{Format: "an end at word %d or before", N: registerWords},
			says(u, "%s ends at word %d", x.end))
	}
}

// says is a value about a uniform, whose name comes first, and a number.
func says(u *UniformVar, format string, n ...any) diag.Value {
	return shows(func() string {
		return fmt.Sprintf(format, append([]any{diag.Quote([]byte(u.Name))}, n...)...)
	})
}

// measure lists the spans of the uniforms, and marks the spans that start inside an earlier one.
func (m *Meaning) measure() {
	s := m.shader
	m.spans = m.spans[:0]
	var names *nameIndex
	for i := range s.Uniforms {
		u := &s.Uniforms[i]
		n, element := m.elements(u, &names)
		x := span{from: uint64(u.Offset), row: i, block: u.Block, element: element}
		x.end = x.from + u.Type.Words(n)
		m.spans = append(m.spans, x)
	}
	slices.SortFunc(m.spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.block, b.block), cmp.Compare(a.from, b.from), cmp.Compare(a.row, b.row))
	})
	end, block := uint64(0), int32(0)
	for i := range m.spans {
		x := &m.spans[i]
		if i == 0 || x.block != block {
			end, block = 0, x.block
		}
		if x.element || x.end == x.from {
			continue
		}
		x.inside = x.from < end
		end = max(end, x.end)
	}
	slices.SortFunc(m.spans, func(a, b span) int { return cmp.Compare(a.row, b.row) })
}

// elements returns the number of elements of a uniform. A row "base[2]" beside a row "base" has the elements from 2 on.
// names gets the uniforms by name when they are first needed.
func (m *Meaning) elements(u *UniformVar, names **nameIndex) (n uint64, element bool) {
	n = uint64(u.Count)
	if !strings.HasSuffix(string(u.Name), "]") {
		return n, false
	}
	open := strings.LastIndexByte(string(u.Name), '[')
	if open < 0 {
		return n, false
	}
	index, err := strconv.ParseUint(string(u.Name[open+1:len(u.Name)-1]), 10, 32)
	if err != nil {
		return n, false
	}
	if *names == nil {
		list := m.shader.Uniforms
		*names = &nameIndex{n: len(list), name: func(i int) wire.Text { return list[i].Name }}
	}
	if (*names).find(u.Name[:open]) < 0 {
		return n, false
	}
	return max(n, index+1) - index, true
}

// distinct reports records of a table at the location of an earlier one: GX2055.
func distinct[T any](m *Meaning, t table, list []T, location func(*T) uint32) {
	var seen set256
	for i := range list {
		if v := location(&list[i]); v >= 256 || !seen.add(v) {
			m.repeated(t, len(list), func(i int) uint32 { return location(&list[i]) })
			return
		}
	}
}

func (m *Meaning) repeated(t table, n int, location func(i int) uint32) {
	for i, first := range diag.Repeats(n, location) {
		m.Report("GX2055", m.record(t, i, "location"), diag.Text("a location of its own"),
			diag.Dec(uint64(location(i))), m.record(t, first, "location"))
	}
}

// nameIndex finds records by their names.
type nameIndex struct {
	n    int
	name func(i int) wire.Text
	rows map[wire.Text]int // of many records, once they are needed
}

// find returns the first record with a name, or -1.
func (x *nameIndex) find(name wire.Text) int {
	const few = 12 // up to this number comparing all is faster than a map
	if x.n > few && x.rows == nil {
		x.rows = make(map[wire.Text]int, x.n)
		for i := x.n - 1; i >= 0; i-- {
			x.rows[x.name(i)] = i
		}
	}
	if x.rows != nil {
		if i, ok := x.rows[name]; ok {
			return i
		}
		return -1
	}
	for i := range x.n {
		if x.name(i) == name {
			return i
		}
	}
	return -1
}
