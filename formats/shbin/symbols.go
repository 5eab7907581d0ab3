package shbin

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// Symbols checks the symbol table against the names that refer to it: DVLE070
// to DVLE074.
func (c *TableCheck) Symbols(t *Tables) {
	symbols := t.Symbols
	if len(symbols) == 0 || c.Strict() {
		return
	}
	at := func(off, n int) diag.Place {
		return diag.Place{
			Off: c.Offsets[symbolTable] + uint64(off), Len: uint64(n),
			Path: diag.Path{Prefix: c.prefix(), Field: dvleTables[symbolTable].Name},
		}
	}
	if last := symbols[len(symbols)-1]; last != 0 {
		c.Report("DVLE070", at(len(symbols)-1, 1), diag.Hex(0), diag.Hex(uint64(last)))
	}
	if i := slices.IndexFunc(symbols, func(b byte) bool { return b >= utf8.RuneSelf }); i >= 0 {
		if bad := invalidUTF8(symbols); bad >= 0 {
			c.Report("DVLE072", at(bad, 1), diag.Text("UTF-8"), diag.Hex(uint64(symbols[bad])))
		} else {
			c.Report("DVLE071", at(i, 1), diag.Text("ASCII"), diag.Hex(uint64(symbols[i])))
		}
	}
	c.references(t, at)
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// references reports symbol bytes outside all referenced names (DVLE073) and bytes
// of two such names (DVLE074). A name extends from its offset to the next NUL, so
// two names have a common byte exactly when they end at the same NUL.
func (c *TableCheck) references(t *Tables, at func(off, n int) diag.Place) {
	c.mark(t)
	uncovered, aliased := [2]int{-1}, [2]int{-1} // start and end of the first range
	for start := 0; start < len(t.Symbols); {
		end := len(t.Symbols)
		if n := bytes.IndexByte(t.Symbols[start:], 0); n >= 0 {
			end = start + n + 1
		}
		first, count := end, 0
		for i, n := range c.marks[start:end] {
			if n > 0 {
				first = min(first, start+i)
				count += int(n)
			}
		}
		if first > start && uncovered[0] < 0 {
			uncovered = [2]int{start, first}
		}
		if count > 1 && aliased[0] < 0 {
			aliased = [2]int{start, end}
		}
		start = end
	}
	if uncovered[0] >= 0 {
		c.Report("DVLE073", at(uncovered[0], uncovered[1]-uncovered[0]), diag.Text("a name that refers to it"),
			diag.Quoted(t.Symbols[uncovered[0]:uncovered[1]]))
	}
	if aliased[0] >= 0 {
		c.aliased(t, aliased[0], aliased[1])
	}
}

// mark sets marks[off] to the number of references to offset off, at most two.
func (c *TableCheck) mark(t *Tables) {
	limit := wire.NameLimit(t.Symbols)
	c.marks = slices.Grow(c.marks[:0], len(t.Symbols))[:len(t.Symbols)]
	clear(c.marks)
	add := func(name uint32) {
		if uint64(name) < limit && c.marks[name] < 2 {
			c.marks[name]++
		}
	}
	for i := range t.Labels {
		add(t.Labels[i].Name)
	}
	for i := range t.Uniforms {
		add(t.Uniforms[i].Name)
	}
	for _, name := range c.References {
		add(name)
	}
}

// aliased reports the second reference to a name in Symbols[start:end].
func (c *TableCheck) aliased(t *Tables, start, end int) {
	var refs []diag.Place
	add := func(name uint32, at func() diag.Place) {
		if int64(name) >= int64(start) && int64(name) < int64(end) && len(refs) < 2 {
			refs = append(refs, at())
		}
	}
	for i := range t.Labels {
		add(t.Labels[i].Name, func() diag.Place { return c.at(labelTable, i, "") })
	}
	for i := range t.Uniforms {
		add(t.Uniforms[i].Name, func() diag.Place { return c.at(uniformTable, i, "") })
	}
	for i, name := range c.References {
		add(name, func() diag.Place { return c.ReferenceAt(i) })
	}
	c.Report("DVLE074", refs[len(refs)-1], diag.Text("bytes of its own"),
		diag.Quoted(t.Symbols[start:end-1]), refs[:len(refs)-1]...)
}
