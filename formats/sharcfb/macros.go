package sharcfb

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// Limits of AGL: it numbers variations with 16 bits, and has room for so many
// macros and values.
const (
	MaxVariations = 0xFFFF
	maxMacros     = 1024
	maxValues     = 1024
)

// macros reads the list of possible values of the program that l is at:
// SHARC040 to SHARC045, SHARC047. variations is 0 when it cannot be told.
func (l *list) macros(off uint64) (macros []Macro, variations uint32, end uint64, ok bool) {
	m, macros, complete, ok := l.macroList(&macroList, off)
	if !ok || !complete {
		return macros, 0, m.end, ok
	}
	if variations = m.variations(macros); variations > 0 && !m.Strict() {
		m.uniqueMacros(macros)
	}
	return macros, variations, m.end, true
}

// macroList reads a list of macros. whole is false when one of them is broken.
func (l *list) macroList(kind *listKind, off uint64) (m list, macros []Macro, complete, ok bool) {
	if m, ok = l.openList(kind, &l.reader.program, off, l.to); !ok {
		return m, nil, false, false
	}
	l.macroOffsets = l.macroOffsets[:0]
	if m.count > 0 {
		macros = make([]Macro, m.count)
	}
	complete = true
	for m.next() {
		l.macro = owner{in: m.owner, table: kind.name, index: m.index}
		l.macroOffsets = append(l.macroOffsets, uint32(m.from))
		complete = m.macroRecord(&macros[m.index]) && complete
	}
	return m, macros, complete && m.complete(), true
}

// macroRecord reads one macro and reports whether its name and values are known.
func (m *list) macroRecord(macro *Macro) bool {
	header := read(m.View, macroRecord, m.from, &m.headers.macro)
	name, values, id := uint64(header.name), header.values, uint64(header.id)
	size := m.to - m.from
	if used := macroHeaderSize + name + id; used > size {
		m.Report("SHARC040", m.at(""), diag.Value{Format: "%d bytes or more", N: used},
			diag.Bytes(size))
		return false
	}
	from := m.from + macroHeaderSize
	macro.Name = m.string("SHARC047", "name", from, name)
	counted := values >= 1
	if !counted {
		m.Report("SHARC041", m.at("value_count"), diag.AtLeast(1),
			diag.Value{Show: wire.ShowSigned, N: uint64(uint32(values))})
	}
	named := uint64(len(macro.Name))+1 == name
	complete := counted && m.values(macro, from+name, m.to-id, int(values))
	macro.ID = m.string("SHARC045", "id", m.to-id, id)
	return complete && named
}

// values reads the n values that fill the bytes from off to end: SHARC040,
// SHARC042. They are counted before memory is asked for.
func (m *list) values(macro *Macro, off, end uint64, n int) bool {
	at, empty := off, false
	for k := range n {
		length := bytes.IndexByte(m.B[at:end], 0)
		if length < 0 {
			m.Report("SHARC040", m.at("value_count"), diag.AtMost(uint64(k)), diag.Dec(uint64(n)))
			return false
		}
		if length == 0 && !empty {
			empty = true
			m.Report("SHARC042", m.valuePlace(k, at, 1), diag.Text("a value"), diag.Text(`""`))
		}
		at += uint64(length) + 1
	}
	if at != end {
		m.Report("SHARC040", m.at("value_count"), diag.Text("values to the end of the record, "+
			diag.Count(end-at, "more byte").String()), diag.Dec(uint64(n)))
		return false
	}
	if empty {
		return false
	}
	macro.Values = make([]wire.Text, n)
	for k := range macro.Values {
		length := uint64(bytes.IndexByte(m.B[off:end], 0))
		macro.Values[k] = m.text(off, length)
		m.plain(m.Bytes(off, length), func() diag.Place { return m.valuePlace(k, off, length+1) })
		off += length + 1
	}
	return true
}

// valuePlace is the place of value k of the macro being read.
func (m *list) valuePlace(k int, off, n uint64) diag.Place {
	return diag.Place{Off: off, Len: n, Path: diag.Path{Prefix: m.macro.prefix(), Table: "values", Index: k}}
}

// variations returns the number of combinations of values, or 0 if it exceeds the limit: SHARC044.
func (m *list) variations(macros []Macro) uint32 {
	allowed := true
	if n := len(macros); n > maxMacros {
		allowed = false
		m.Report("SHARC044", m.field("count"), diag.AtMost(maxMacros), diag.Dec(uint64(n)))
	}
	product := uint64(1)
	for i := range macros {
		n := uint64(len(macros[i].Values))
		if n > maxValues {
			allowed = false
			at := m.macroPlace(i)
			at = macroRecord.At(at.Off, at.Path.In("value_count"))
			m.Report("SHARC044", at, diag.AtMost(maxValues), diag.Dec(n))
		}
		product = min(product*n, MaxVariations+1)
	}
	if product > MaxVariations {
		allowed = false
		at := diag.Place{Off: m.off, Len: m.end - m.off, Path: m.path("")}
		m.Report("SHARC044", at, diag.Value{Format: "at most %d combinations of values", N: MaxVariations},
			diag.Text("more"))
	}
	if !allowed {
		return 0
	}
	return uint32(product)
}

// macroPlace is the place of a record of the list read last.
func (m *list) macroPlace(i int) diag.Place {
	off := uint64(m.macroOffsets[i])
	return diag.Place{Off: off, Len: uint64(m.U32(off)),
		Path: diag.Path{Prefix: m.owner.prefix(), Table: m.kind.name, Index: i}}
}

// uniqueMacros checks that macros and their values can be told apart: SHARC043.
func (m *list) uniqueMacros(macros []Macro) {
	for i, first := range diag.Repeats(len(macros), func(i int) wire.Text { return macros[i].Name }) {
		m.Report("SHARC043", m.macroPlace(i), diag.Text("a name of its own"), diag.Quoted([]byte(macros[i].Name)),
			m.macroPlace(first))
	}
	for i := range macros {
		m.uniqueValues(i, macros[i].Values)
	}
}

// uniqueValues checks the values of a macro. There are so many in so few bytes
// that sorting serves better than a map.
func (m *list) uniqueValues(i int, values []wire.Text) {
	if len(values) < 2 {
		return
	}
	at := m.macroPlace(i)
	off := at.Off + macroHeaderSize + uint64(read(m.View, macroRecord, at.Off, &m.headers.macro).name)
	m.valueRefs = m.valueRefs[:0]
	for k, v := range values {
		m.valueRefs = append(m.valueRefs, valueRef{k, off})
		off += uint64(len(v)) + 1
	}
	slices.SortFunc(m.valueRefs, func(a, b valueRef) int {
		return cmp.Or(cmp.Compare(values[a.index], values[b.index]), a.index-b.index)
	})
	m.macro = owner{in: m.owner, table: m.kind.name, index: i}
	for j := 1; j < len(m.valueRefs); j++ {
		v, before := m.valueRefs[j], m.valueRefs[j-1]
		text := values[v.index]
		if text == values[before.index] {
			n := uint64(len(text)) + 1
			m.Report("SHARC043", m.valuePlace(v.index, v.off, n), diag.Text("a value of its own"),
				diag.Quoted(m.Bytes(v.off, n-1)), m.valuePlace(before.index, before.off, n))
		}
	}
}

// valueRef is a value and where it is.
type valueRef struct {
	index int
	off   uint64
}

// defaults reads the list of default values of the program that l is at:
// SHARC040 to SHARC042, SHARC045 to SHARC047. known says whether its macros are.
func (l *list) defaults(off uint64, macros []Macro, known bool) (defaults []Macro, end uint64, ok bool) {
	m, defaults, complete, ok := l.macroList(&defaultList, off)
	if !ok {
		return nil, 0, false
	}
	if complete && known && len(defaults) > 0 && !m.Strict() {
		m.matchDefaults(defaults, macros)
	}
	return defaults, m.end, true
}

// matchDefaults holds the default values against the possible ones: SHARC046.
func (m *list) matchDefaults(defaults, macros []Macro) {
	if len(defaults) != len(macros) {
		m.Report("SHARC046", m.field("count"), diag.Dec(uint64(len(macros))), diag.Dec(uint64(len(defaults))))
	}
	for i := range min(len(defaults), len(macros)) {
		d, possible := &defaults[i], &macros[i]
		switch {
		case d.Name != possible.Name:
			m.Report("SHARC046", m.macroPlace(i), diag.Quoted([]byte(possible.Name)), diag.Quoted([]byte(d.Name)))
		case len(d.Values) != 1:
			m.Report("SHARC046", m.macroPlace(i), diag.Text("one value"),
				diag.Count(uint64(len(d.Values)), "value"))
		case !slices.Contains(possible.Values, d.Values[0]):
			m.Report("SHARC046", m.macroPlace(i), diag.Text("one of the possible values"),
				diag.Quoted([]byte(d.Values[0])))
		}
	}
}
