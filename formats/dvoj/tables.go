package dvoj

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

// tables checks the entries of the tables in header order. Tables that a DVLE also has
// are checked by the rules of a DVLE.
func (r *reader) tables() {
	f := r.file
	c := shbin.TableCheck{
		Reporter: r.Reporter, Words: uint64(len(f.Code)), Type: f.Type,
		InputMask: f.InputMask, OutputMask: f.OutputMask,
		MaskAt: headerPlace,
	}
	for i, k := range [...]int{constants, labels, outputs, uniforms, symbols} {
		c.Offsets[i] = uint64(r.layout.Tables[k].Offset)
	}
	r.sumNames(&c)
	c.Constants(f.Constants)
	c.Labels(f.Labels, f.Symbols)
	countRules.Check(r.Reporter, r.View, 0, headerPlace)
	r.lines()
	r.relocations()
	c.Outputs(f.Outputs)
	c.Uniforms(f.Uniforms, f.Symbols)
	c.Symbols(&f.Tables)
}

// at returns the place of entry i of a table, or of one of its fields.
func (r *reader) at(k, i int, field string) diag.Place {
	off := uint64(r.layout.Tables[k].Offset) + tables[k].Size*uint64(i)
	return tables[k].Fields.At(off, diag.Path{Table: tables[k].Name, Index: i, Field: field})
}

// sumNames adds up the lengths of the names: of lines, each offset once, of labels
// and of uniforms. The canonical form, which has no gaps, holds the same names: its size
// limits them, too. In a check sumNames also records the lines' references.
func (r *reader) sumNames(c *shbin.TableCheck) {
	f := r.file
	bound := uint64(len(f.Lines)+len(f.Labels)+len(f.Uniforms)) * uint64(wire.Longest(f.Symbols))
	r.names = wire.NewNameTotal(headerSize)
	if r.Strict() && r.names.Fits(bound) { // even into the header, which the canonical form has
		return
	}
	r.names = wire.NewNameTotal(r.Size())
	if canonical, err := f.canonicalLayout(); err == nil && !r.Failed() {
		r.names.Within(uint64(canonical.Size))
	}
	if r.Strict() && r.names.Fits(bound) {
		return
	}
	var named []int
	names := f.Symbols[:wire.NameLimit(f.Symbols)]
	for i := range shbin.FirstReferences(f.Lines, names) {
		r.names.Read(names, uint64(f.Lines[i].Name))
		c.References, named = append(c.References, f.Lines[i].Name), append(named, i)
	}
	c.ReferenceAt = func(i int) diag.Place { return r.at(lines, named[i], "") }
	f.AddNames(&r.names)
	c.LongNames = r.names.Over()
}

// lines checks the line table: DVOJ020 and DVOJ021.
func (r *reader) lines() {
	f := r.file
	if n, words := uint64(len(f.Lines)), uint64(len(f.Code)); n != 0 && n != words {
		r.Report("DVOJ020", headerPlace("lines.count"), diag.Value{Format: "0 or %d", N: words}, diag.Dec(n))
	}
	limit := wire.NameLimit(f.Symbols)
	for i, l := range f.Lines {
		if uint64(l.Name) >= limit {
			r.Report("DVOJ021", r.at(lines, i, ""), diag.Text("offset of a NUL-terminated name"),
				diag.Hex(uint64(l.Name)))
		}
	}
}

// relocations checks the relocation table: DVOJ030 to DVOJ034.
func (r *reader) relocations() {
	f := r.file
	used := make([]bool, len(f.Code))
	descending, previous := -1, uint32(0)
	for i, x := range f.Relocations {
		if x.Word < previous && descending < 0 {
			descending = i
		}
		previous = x.Word
		if uint64(x.Word) >= uint64(len(f.Code)) {
			r.Report("DVOJ030", r.at(relocations, i, "word"), diag.Below(uint64(len(f.Code))),
				diag.Dec(uint64(x.Word)))
			continue
		}
		if used[x.Word] {
			r.Report("DVOJ031", r.at(relocations, i, "word"), diag.Text("a word of its own"), diag.Dec(uint64(x.Word)))
		}
		used[x.Word] = true
		if op := pica.OpcodeOf(f.Code[x.Word]); !op.HasOperands() {
			r.Report("DVOJ032", r.at(relocations, i, "word"), diag.Text("an instruction with an operand"),
				diag.Text(op.String()))
		}
	}
	for i, word := range f.Code {
		if op := pica.OpcodeOf(word); !used[i] && op.HasOperands() {
			r.Report("DVOJ033", r.at(code, i, ""), diag.Text("a relocation"), diag.Text(op.String()))
			break
		}
	}
	if descending >= 0 {
		r.Report("DVOJ034", r.at(relocations, descending, "word"),
			diag.AtLeast(uint64(f.Relocations[descending-1].Word)), diag.Dec(uint64(f.Relocations[descending].Word)))
	}
}
