package shbin

import (
	"bytes"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

// program reads and checks the DVLP: the header, the extents of its tables, and
// the contents of the tables. CheckCode checks the code words later.
func (r *reader) program() {
	l := r.layout
	p := l.programOffset()
	field := func(name string) diag.Place {
		return programRecord.At(p, diag.Path{Prefix: "dvlp.", Field: name})
	}
	first, at := l.readProgram(r.View, &r.file.Program)
	if first < shortHeaderSize {
		r.Report("DVLP001", at, diag.Value{Format: "0x%x or more after the DVLP", N: shortHeaderSize}, diag.Hex(first))
		return
	}
	if l.ShortHeader {
		r.Report("DVLP014", shortProgramRecord.At(p, diag.Path{Prefix: "dvlp."}),
			diag.Dec(programHeaderSize), diag.Dec(shortHeaderSize))
	}

	version := r.file.Program.Version
	if version>>16 != 0 || !knownVersion(uint16(version)) {
		r.Report("DVLP003", field("version"), diag.Text(knownVersions), diag.Hex(uint64(version)))
	}
	codePlaced := r.placed("DVLP004", "DVLP005", codeTable, l.Code, field("code.offset"))
	switch n := uint64(l.Code.Count); {
	case n == 0:
		r.Report("DVLP006", field("code.count"), diag.AtLeast(1), diag.Dec(n))
	case n > pica.MaxCode:
		r.Report("DVLP007", field("code.count"), diag.AtMost(pica.MaxCode), diag.Dec(n))
	}
	descriptorsPlaced := r.placed("DVLP009", "DVLP010", descriptorTable, l.Descriptors, field("descriptors.offset"))
	r.descriptorCount(field("descriptors.count"))
	linesPlaced := r.placed("DVLP015", "DVLP015", lineTable, l.Lines, field("lines.offset"))
	if n := l.Lines.Count; linesPlaced && n > 0 && n != l.Code.Count {
		r.Report("DVLP016", field("lines.count"), diag.Dec(uint64(l.Code.Count)), diag.Dec(uint64(n)))
	}
	if r.placed("DVLP018", "DVLP018", fileNameTable, l.FileNames, field("file_names.offset")) {
		r.fileNames(linesPlaced)
	}
	if descriptorsPlaced {
		r.emptyProgramTables(field)
		r.descriptors()
	}
	if n := uint64(l.Code.Count); codePlaced && n > pica.MaxVertexCode && r.hasVertexShader() {
		r.Report("DVLP008", field("code.count"), diag.AtMost(pica.MaxVertexCode), diag.Dec(n))
	}
	if !r.Failed() {
		programTables[codeTable].Decode(&r.file.Program, r.programTable(codeTable))
	}
}

// placed reports whether table k of the DVLP is aligned and inside the file. It
// does not check empty tables, except the code. at is the place of the offset
// field; misaligned and outside are the ids of the two rules, which may be equal.
func (r *reader) placed(misaligned, outside string, k int, x Extent, at diag.Place) bool {
	if x.Count == 0 && k != codeTable {
		return true
	}
	aligned := k == fileNameTable || x.Offset%4 == 0
	if !aligned {
		r.Report(misaligned, at, diag.Text("multiple of 4"), diag.Hex(uint64(x.Offset)))
	}
	end := r.layout.programOffset() + uint64(x.Offset) + programTables[k].Bytes(x)
	inside := end <= r.Size()
	if !inside && (aligned || misaligned != outside) {
		r.Report(outside, at, diag.Value{Format: "end <= 0x%x", N: r.Size()}, diag.Value{Format: "end 0x%x", N: end})
	}
	return aligned && inside
}

// programTable returns the bytes of table k of the DVLP, which is inside the file.
func (r *reader) programTable(k int) []byte {
	x := *r.layout.extents()[k]
	if x.Count == 0 {
		return nil
	}
	return r.Bytes(r.layout.programOffset()+uint64(x.Offset), programTables[k].Bytes(x))
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

// fileNames reads and checks the file names. If withLines is true, it also reads
// the lines and checks that each refers to a file name; the line table is then
// inside the file.
func (r *reader) fileNames(withLines bool) {
	l := r.layout
	table := r.programTable(fileNameTable)
	r.file.Program.FileNames = table
	if withLines {
		off := l.programOffset() + uint64(l.Lines.Offset)
		limit := wire.NameLimit(table)
		r.file.Program.Lines = LineRecord.Decode(r.programTable(lineTable))
		for i, line := range r.file.Program.Lines {
			if uint64(line.Name) >= limit {
				at := LineRecord.At(off+8*uint64(i), diag.Path{Prefix: "dvlp.", Table: "lines", Index: i})
				r.Report("DVLP017", at, diag.Text(nameInside), diag.Hex(uint64(line.Name)))
			}
		}
	}
	if len(table) == 0 {
		return
	}
	at := diag.Place{
		Off: l.programOffset() + uint64(l.FileNames.Offset), Len: uint64(len(table)),
		Path: diag.Path{Prefix: "dvlp.", Field: "file_names"},
	}
	if last := table[len(table)-1]; last != 0 {
		at.Off, at.Len = at.Off+at.Len-1, 1
		r.Report("DVLP019", at, diag.Hex(0), diag.Hex(uint64(last)))
	} else if n := bytes.Count(table, []byte{0}); n != len(l.Entries) {
		r.Report("DVLP020", at, diag.Dec(uint64(len(l.Entries))), diag.Dec(uint64(n)))
	}
}

// emptyProgramTables checks the offsets of empty line and file-name tables. A
// short header does not have these offsets.
func (r *reader) emptyProgramTables(field func(string) diag.Place) {
	l := r.layout
	if l.ShortHeader {
		return
	}
	end := uint64(l.Descriptors.Offset) + programTables[descriptorTable].Bytes(l.Descriptors)
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

// descriptors reads the operand descriptors. It reports flags and bits that only
// some writers set, unless the walk is strict: none of these findings is an error.
func (r *reader) descriptors() {
	l := r.layout
	table := DescriptorRecord.Decode(r.programTable(descriptorTable))
	r.file.Program.Descriptors = table
	if r.Strict() {
		return
	}
	at := func(i int, field string) diag.Place {
		off := l.programOffset() + uint64(l.Descriptors.Offset) + 8*uint64(i)
		return DescriptorRecord.At(off, diag.Path{Prefix: "dvlp.", Table: "descriptors", Index: i, Field: field})
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

// hasVertexShader reports whether the type byte of a DVLE says vertex shader. It
// reads the byte from the file, because the DVLE headers are read later.
func (r *reader) hasVertexShader() bool {
	return slices.ContainsFunc(r.layout.Entries, func(e EntryLayout) bool {
		return Type(r.U8(uint64(e.Offset)+6)) == VertexShader
	})
}

// nameInside is the expected value in findings about the offset of a name.
const nameInside = "offset of a NUL-terminated name"

// knownVersions lists the known tool versions. The low byte is the major number:
// 0x0C02 is version 2.12, in official files (GBATEK); picasso writes 0x1002; other
// homebrew tools write 0.
const knownVersions = "0, 0x0c02 or 0x1002"

func knownVersion(v uint16) bool { return v == 0 || v == 0x0C02 || v == 0x1002 }
