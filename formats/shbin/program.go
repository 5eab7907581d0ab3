package shbin

import (
	"bytes"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

// program reads the DVLP: its header, the places of its tables, and what the
// tables hold.
func (r *reader) program() {
	l := r.layout
	p := l.program()
	field := func(name string) diag.Place {
		return programFields.At(p, diag.Path{Prefix: "dvlp.", Field: name})
	}
	extent := func(off uint64) Extent { return Extent{r.U32(p + off), r.U32(p + off + 4)} }

	l.Code, l.Descriptors = extent(0x08), extent(0x10)
	switch first, at := r.firstOffset(); {
	case first < shortHeaderSize:
		r.Report("DVLP001", at, diag.Value{Format: "0x%x or more after the DVLP", N: shortHeaderSize}, diag.Hex(first))
		return
	case first < programHeaderSize:
		l.ShortHeader = true
		l.Lines.Offset = r.U32(p + 0x18)
		r.Report("DVLP014", shortProgramFields.At(p, diag.Path{Prefix: "dvlp."}), diag.Dec(programHeaderSize), diag.Dec(shortHeaderSize))
	default:
		l.Lines, l.FileNames = extent(0x18), extent(0x20)
	}

	version := r.U32(p + 0x04)
	r.file.Program.Version = version
	if version>>16 != 0 || !knownVersion(uint16(version)) {
		r.Report("DVLP003", field("version"), diag.Text(knownVersions), diag.Hex(uint64(version)))
	}
	code := r.placed("DVLP004", "DVLP005", codeSection, l.Code, field("code.offset"))
	switch n := uint64(l.Code.Count); {
	case n == 0:
		r.Report("DVLP006", field("code.count"), diag.AtLeast(1), diag.Dec(n))
	case n > pica.MaxCode:
		r.Report("DVLP007", field("code.count"), diag.AtMost(pica.MaxCode), diag.Dec(n))
	}
	descriptors := r.placed("DVLP009", "DVLP010", descriptorSection, l.Descriptors, field("descriptors.offset"))
	r.descriptorCount(field("descriptors.count"))
	lines := r.placed("DVLP015", "DVLP015", lineSection, l.Lines, field("lines.offset"))
	if n := l.Lines.Count; lines && n > 0 && n != l.Code.Count {
		r.Report("DVLP016", field("lines.count"), diag.Dec(uint64(l.Code.Count)), diag.Dec(uint64(n)))
	}
	if r.placed("DVLP018", "DVLP018", fileNameSection, l.FileNames, field("file_names.offset")) {
		r.fileNames(lines)
	}
	if descriptors {
		r.emptyProgramTables(field)
		r.descriptors()
	}
	if n := uint64(l.Code.Count); code && n > pica.MaxVertexCode && r.hasVertexShader() {
		r.Report("DVLP008", field("code.count"), diag.AtMost(pica.MaxVertexCode), diag.Dec(n))
	}
	if !r.Failed() {
		r.file.Program.Code = WordRecord.Decode(r.section(codeSection, l.Code))
	}
}

// firstOffset returns the smallest offset, from the DVLP, of what follows the
// DVLP header, and where that offset is stored.
func (r *reader) firstOffset() (uint64, diag.Place) {
	l := r.layout
	p := l.program()
	field := func(name string) diag.Place {
		return programFields.At(p, diag.Path{Prefix: "dvlp.", Field: name})
	}
	first, at := uint64(l.Code.Offset), field("code.offset")
	if off := uint64(l.Descriptors.Offset); l.Descriptors.Count > 0 && off < first {
		first, at = off, field("descriptors.offset")
	}
	for i, e := range l.Entries {
		if off := uint64(e.Offset) - p; off < first {
			first, at = off, offsetPlace(uint64(i))
		}
	}
	return first, at
}

// placed checks the place of a table of the DVLP by two rules, one about its
// alignment and one about its range, which may be the same.
func (r *reader) placed(misaligned, outside string, s section, x Extent, at diag.Place) bool {
	if x.Count == 0 && s != codeSection {
		return true
	}
	aligned := s == fileNameSection || x.Offset%4 == 0
	if !aligned {
		r.Report(misaligned, at, diag.Text("multiple of 4"), diag.Hex(uint64(x.Offset)))
	}
	end := r.layout.program() + uint64(x.Offset) + s.bytes(x)
	inside := end <= r.Size()
	if !inside && (aligned || misaligned != outside) {
		r.Report(outside, at, diag.Value{Format: "end <= 0x%x", N: r.Size()}, diag.Value{Format: "end 0x%x", N: end})
	}
	return aligned && inside
}

// section returns the bytes of a table of the DVLP, which is inside the file.
func (r *reader) section(s section, x Extent) []byte {
	if x.Count == 0 {
		return nil
	}
	return r.Bytes(r.layout.program()+uint64(x.Offset), s.bytes(x))
}

func (r *reader) descriptorCount(at diag.Place) {
	n := uint64(r.layout.Descriptors.Count)
	switch {
	case n <= pica.MaxDescriptors:
	case n <= maxDumpDescriptors && slices.Contains(r.opts, EmulatorDump):
		r.ReportAs(diag.Warning, "DVLP011", at, diag.AtMost(pica.MaxDescriptors), diag.Dec(n))
		r.file.Leniencies = []Option{EmulatorDump}
	default:
		r.Report("DVLP011", at, diag.AtMost(pica.MaxDescriptors), diag.Dec(n))
	}
}

// fileNames reads the file names and, when they are inside the file, the lines
// that refer to them.
func (r *reader) fileNames(withLines bool) {
	l := r.layout
	table := r.section(fileNameSection, l.FileNames)
	r.file.Program.FileNames = table
	if withLines {
		off := l.program() + uint64(l.Lines.Offset)
		limit := nameLimit(table)
		r.file.Program.Lines = LineRecord.Decode(r.section(lineSection, l.Lines))
		for i, line := range r.file.Program.Lines {
			if uint64(line.Name) >= limit {
				r.Report("DVLP017", LineFields.At(off+8*uint64(i), diag.Path{Prefix: "dvlp.", Table: "lines", Index: i}), diag.Text(nameInside), diag.Hex(uint64(line.Name)))
			}
		}
	}
	if len(table) == 0 {
		return
	}
	at := diag.Place{Off: l.program() + uint64(l.FileNames.Offset), Len: uint64(len(table)), Path: diag.Path{Prefix: "dvlp.", Field: "file_names"}}
	if last := table[len(table)-1]; last != 0 {
		at.Off, at.Len = at.Off+at.Len-1, 1
		r.Report("DVLP019", at, diag.Hex(0), diag.Hex(uint64(last)))
	} else if n := bytes.Count(table, []byte{0}); n != len(l.Entries) {
		r.Report("DVLP020", at, diag.Dec(uint64(len(l.Entries))), diag.Dec(uint64(n)))
	}
}

// emptyProgramTables looks at the offsets of empty line and file-name tables,
// which a short header does not have.
func (r *reader) emptyProgramTables(field func(string) diag.Place) {
	l := r.layout
	if l.ShortHeader {
		return
	}
	end := uint64(l.Descriptors.Offset) + descriptorSection.bytes(l.Descriptors)
	for _, t := range [...]struct {
		Extent
		field string
	}{{l.Lines, "lines.offset"}, {l.FileNames, "file_names.offset"}} {
		if off := uint64(t.Offset); t.Count == 0 && off != 0 && off != end {
			r.Report("DVLP021", field(t.field), diag.Value{Format: "0 or 0x%x", N: end}, diag.Hex(off))
			return
		}
	}
}

// descriptors reads the operand descriptors and looks at what only some writers
// set.
func (r *reader) descriptors() {
	l := r.layout
	table := DescriptorRecord.Decode(r.section(descriptorSection, l.Descriptors))
	r.file.Program.Descriptors = table
	if r.Strict() {
		return
	}
	at := func(i int, field string) diag.Place {
		off := l.program() + uint64(l.Descriptors.Offset) + 8*uint64(i)
		return DescriptorFields.At(off, diag.Path{Prefix: "dvlp.", Table: "descriptors", Index: i, Field: field})
	}
	const usual = "0, 3, 7 or 15"
	isUsual := func(d Descriptor) bool { return d.Flags < 16 && 1<<d.Flags&(1<<0|1<<3|1<<7|1<<15) != 0 }
	if i := slices.IndexFunc(table, func(d Descriptor) bool { return !isUsual(d) }); i >= 0 {
		r.Report("DVLP012", at(i, "flags"), diag.Text(usual), diag.Hex(uint64(table[i].Flags)))
	} else if i := slices.IndexFunc(table, func(d Descriptor) bool { return d.Flags != 0 }); i >= 0 {
		r.ReportAs(diag.Info, "DVLP012", at(i, "flags"), diag.Hex(0), diag.Hex(uint64(table[i].Flags)))
	}
	if i := slices.IndexFunc(table, func(d Descriptor) bool { return d.Word>>31 != 0 }); i >= 0 {
		r.Report("DVLP013", at(i, "word"), diag.Text("bit 31 clear"), diag.Hex(uint64(table[i].Word)))
	}
}

// hasVertexShader reports whether a DVLE has the type byte of a vertex shader,
// whatever else it has.
func (r *reader) hasVertexShader() bool {
	return slices.ContainsFunc(r.layout.Entries, func(e EntryLayout) bool {
		return Type(r.U8(uint64(e.Offset)+6)) == VertexShader
	})
}

// nameInside is what every rule about a name expects.
const nameInside = "offset of a NUL-terminated name"

// nameLimit returns the offset from which on no name of the table ends in a
// NUL.
func nameLimit(table wire.Hex) uint64 { return uint64(bytes.LastIndexByte(table, 0) + 1) }

// Tool versions: the low byte is the major number. 0x0C02 is the 2.12 of
// official files (GBATEK), 0x1002 what picasso writes; other homebrew has 0.
const knownVersions = "0, 0x0c02 or 0x1002"

func knownVersion(v uint16) bool { return v == 0 || v == 0x0C02 || v == 0x1002 }
