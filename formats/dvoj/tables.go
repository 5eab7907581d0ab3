package dvoj

import (
	"bytes"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/pica"
)

// tables checks what the tables hold, in header order. Tables that a DVLE has
// too are checked like those.
func (r *reader) tables() {
	f := r.file
	named := r.fileNames()
	c := shbin.TableCheck{
		Reporter: r.Reporter, Words: uint64(len(f.Code)), Type: f.Type,
		InputMask: f.InputMask, OutputMask: f.OutputMask,
		InputMaskAt: headerPlace("input_mask"), OutputMaskAt: headerPlace("output_mask"),
		References: named.offsets, ReferenceAt: func(i int) diag.Place { return r.at(lines, int(named.lines[i]), "") },
	}
	for i, k := range [...]int{constants, labels, outputs, uniforms, symbols} {
		c.Offsets[i] = uint64(r.layout.Tables[k].Offset)
	}
	c.Constants(f.Constants)
	c.Labels(f.Labels, f.Symbols)
	r.codeLength()
	if n := uint64(len(f.Descriptors)); n > pica.MaxDescriptors {
		r.Report("DVOJ016", headerPlace("descriptors.count"), diag.AtMost(pica.MaxDescriptors), diag.Dec(n))
	}
	r.lines()
	r.relocations()
	c.Outputs(f.Outputs)
	c.Uniforms(f.Uniforms, f.Symbols)
	c.Symbols(&f.Tables)
}

// at is the place of entry i of a table, or of one of its fields.
func (r *reader) at(k, i int, field string) diag.Place {
	off := uint64(r.layout.Tables[k].Offset) + columns[k].size*uint64(i)
	return columns[k].fields.At(off, diag.Path{Table: columns[k].name, Index: i, Field: field})
}

// nameLimit returns the offset from which on no symbol ends in a NUL.
func (f *File) nameLimit() uint64 { return uint64(bytes.LastIndexByte(f.Symbols, 0) + 1) }

// fileNames are the offsets of the names that lines have, each once, with the
// first line that has it.
type fileNames struct{ offsets, lines []uint32 }

func (r *reader) fileNames() (names fileNames) {
	if r.Strict() {
		return names
	}
	limit := r.file.nameLimit()
	seen := make([]uint64, (limit+63)/64)
	for i, l := range r.file.Lines {
		if uint64(l.Name) >= limit {
			continue
		}
		if word, bit := &seen[l.Name/64], uint64(1)<<(l.Name%64); *word&bit == 0 {
			*word |= bit
			names.offsets = append(names.offsets, l.Name)
			names.lines = append(names.lines, uint32(i))
		}
	}
	return names
}

// lines checks the line table: DVOJ020 and DVOJ021.
func (r *reader) lines() {
	f := r.file
	if n, words := uint64(len(f.Lines)), uint64(len(f.Code)); n != 0 && n != words {
		r.Report("DVOJ020", headerPlace("lines.count"), diag.Value{Format: "0 or %d", N: words}, diag.Dec(n))
	}
	limit := f.nameLimit()
	for i, l := range f.Lines {
		if uint64(l.Name) >= limit {
			r.Report("DVOJ021", r.at(lines, i, ""), diag.Text("offset of a NUL-terminated name"), diag.Hex(uint64(l.Name)))
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
			r.Report("DVOJ030", r.at(relocations, i, "word"), diag.Below(uint64(len(f.Code))), diag.Dec(uint64(x.Word)))
			continue
		}
		if used[x.Word] {
			r.Report("DVOJ031", r.at(relocations, i, "word"), diag.Text("a word of its own"), diag.Dec(uint64(x.Word)))
		}
		used[x.Word] = true
		if op := pica.OpcodeOf(f.Code[x.Word]); nullary(op) {
			r.Report("DVOJ032", r.at(relocations, i, "word"), diag.Text("an instruction with an operand"), diag.Text(op.String()))
		}
	}
	for i, word := range f.Code {
		if op := pica.OpcodeOf(word); !used[i] && !nullary(op) {
			r.Report("DVOJ033", r.at(code, i, ""), diag.Text("a relocation"), diag.Text(op.String()))
			break
		}
	}
	if descending >= 0 {
		r.Report("DVOJ034", r.at(relocations, descending, "word"), diag.AtLeast(uint64(f.Relocations[descending-1].Word)), diag.Dec(uint64(f.Relocations[descending].Word)))
	}
}

// nullary reports whether an instruction has no operand that could be
// relocated.
func nullary(op pica.Opcode) bool {
	return op == pica.BREAK || op == pica.NOP || op == pica.END || op == pica.EMIT
}
