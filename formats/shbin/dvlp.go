package shbin

import (
	"bytes"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

// nameInside is the expected value in findings about the offset of a name.
const nameInside = "offset of a NUL-terminated name"

// ToolVersions are the known tool versions. The low byte is the major number:
// 0x0C02 is version 2.12, in official files (GBATEK); picasso writes 0x1002; other
// homebrew tools write 0.
var ToolVersions = wire.OneOf(diag.Hex, 0, 0x0C02, 0x1002)

// dvlp reads and checks the DVLP: the header, the extents of its tables, and
// the contents of the tables. CheckCode checks the code words later.
func (r *reader) dvlp() {
	l := r.layout
	first, at := l.readDVLP(r.View, &r.file.DVLP)
	if first < shortDVLPHeaderSize {
		r.Report("DVLP001", at, diag.Value{Format: "0x%x or more after the DVLP", N: shortDVLPHeaderSize},
			diag.Hex(first))
		return
	}
	if l.ShortHeader {
		r.Report("DVLP014", shortDVLPRecord.At(l.dvlpOffset(), diag.Path{Prefix: "dvlp."}),
			diag.Dec(dvlpHeaderSize), diag.Dec(shortDVLPHeaderSize))
	}

	check := func(rules *wire.Ruled) wire.Broken {
		return rules.Check(r.Reporter, r.View, l.dvlpOffset(), l.dvlpPlace)
	}
	broken := check(&dvlpRules)
	codePlaced, descriptorsPlaced := !broken.Any("DVLP004", "DVLP005"), !broken.Any("DVLP009", "DVLP010")
	if n := uint64(l.Descriptors.Count); pica.MaxDescriptors < n && n <= maxDumpDescriptors &&
		slices.Contains(r.opts, EmulatorDump) {
		r.ReportAs(diag.Warning, "DVLP011", l.dvlpPlace("descriptors.count"), diag.AtMost(pica.MaxDescriptors),
			diag.Dec(n))
		r.file.Leniencies = []Option{EmulatorDump}
	} else {
		check(&descriptorCountRule)
	}
	linesPlaced := true
	if l.Lines.Count > 0 {
		if linesPlaced = !check(&linePlaceRule).Any(); linesPlaced {
			check(&lineCountRule)
		}
	}
	if l.FileNames.Count == 0 || !check(&fileNameRule).Any() {
		r.decode(fileNameTable)
		if linesPlaced {
			r.lines()
		}
		r.fileNames()
	}
	if descriptorsPlaced {
		r.emptyDVLPTables()
		r.descriptors()
	}
	if n := uint64(l.Code.Count); codePlaced && n > pica.MaxVertexCode && r.hasVertexShader() {
		r.Report("DVLP008", l.dvlpPlace("code.count"), diag.AtMost(pica.MaxVertexCode), diag.Dec(n))
	}
	if !r.Failed() {
		r.decode(codeTable)
	}
}

// tableOffset returns the offset of table k of the DVLP in the file.
func (r *reader) tableOffset(k int) uint64 {
	return r.layout.dvlpOffset() + uint64(r.layout.extents()[k].Offset)
}

// decode reads table k of the DVLP, which is inside the file, and checks its entries one by one.
func (r *reader) decode(k int) {
	if x := r.layout.extents()[k]; x.Count > 0 {
		table := r.Bytes(r.tableOffset(k), dvlpTables[k].Bytes(*x))
		dvlpTables[k].CheckTable(r.Reporter, wire.LE(table), func(i int, field string) diag.Place {
			return r.dvlpEntryPlace(k, i, field)
		})
		dvlpTables[k].Decode(&r.file.DVLP, table)
	}
}

// dvlpEntryPlace returns the place of entry i of table k of the DVLP, or of one of its fields.
func (r *reader) dvlpEntryPlace(k, i int, field string) diag.Place {
	t := dvlpTables[k]
	off := r.tableOffset(k) + t.Size*uint64(i)
	return t.Fields.At(off, diag.Path{Prefix: "dvlp.", Table: t.Name, Index: i, Field: field})
}

// lines reads the lines and checks that each refers to a file name: DVLP017.
func (r *reader) lines() {
	r.decode(lineTable)
	limit := wire.NameLimit(r.file.DVLP.FileNames)
	for i, line := range r.file.DVLP.Lines {
		if uint64(line.Name) >= limit {
			r.Report("DVLP017", r.dvlpEntryPlace(lineTable, i, ""), diag.Text(nameInside), diag.Hex(uint64(line.Name)))
		}
	}
}

// fileNames checks the file names: DVLP019 and DVLP020.
func (r *reader) fileNames() {
	table := r.file.DVLP.FileNames
	if len(table) == 0 {
		return
	}
	at := diag.Place{
		Off: r.tableOffset(fileNameTable), Len: uint64(len(table)),
		Path: diag.Path{Prefix: "dvlp.", Field: "file_names"},
	}
	if last := table[len(table)-1]; last != 0 {
		at.Off, at.Len = at.Off+at.Len-1, 1
		r.Report("DVLP019", at, diag.Hex(0), diag.Hex(uint64(last)))
	} else if n := bytes.Count(table, []byte{0}); n != len(r.layout.DVLEs) {
		r.Report("DVLP020", at, diag.Dec(uint64(len(r.layout.DVLEs))), diag.Dec(uint64(n)))
	}
}

// emptyDVLPTables checks the offsets of empty line and file-name tables, which may
// be the end of the descriptors: DVLP021. A short header does not have these offsets.
func (r *reader) emptyDVLPTables() {
	l := r.layout
	if l.ShortHeader {
		return
	}
	end := uint64(l.Descriptors.Offset) + dvlpTables[descriptorTable].Bytes(l.Descriptors)
	for _, t := range [...]struct {
		Extent
		field string
	}{{l.Lines, "lines.offset"}, {l.FileNames, "file_names.offset"}} {
		if off := uint64(t.Offset); t.Count == 0 && off != 0 && off != end {
			r.Report("DVLP021", l.dvlpPlace(t.field), diag.Value{Format: "0 or 0x%x", N: end}, diag.Hex(off))
			return
		}
	}
}

// descriptors reads the operand descriptors. It reports flags and bits that only
// some writers set (DVLP012, DVLP013), unless the walk is strict: none of these
// findings is an error.
func (r *reader) descriptors() {
	r.decode(descriptorTable)
	if r.Strict() {
		return
	}
	table := r.file.DVLP.Descriptors
	at := func(i int, field string) diag.Place { return r.dvlpEntryPlace(descriptorTable, i, field) }
	usual := func(d Descriptor) bool { return d.Flags == 0 || d.Flags == 3 || d.Flags == 7 || d.Flags == 15 }
	if i := slices.IndexFunc(table, func(d Descriptor) bool { return !usual(d) }); i >= 0 {
		r.Report("DVLP012", at(i, "flags"), diag.Text("0, 3, 7 or 15"), diag.Hex(uint64(table[i].Flags)))
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
	at := dvleRecord.Offset("type")
	return slices.ContainsFunc(r.layout.DVLEs, func(e DVLELayout) bool {
		return Type(r.U8(uint64(e.Offset)+at)) == VertexShader
	})
}
