package files_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
)

// sample is a drawn file: the rule that it breaks, the place where that is reported, and
// what Check finds.
type sample struct {
	files.Case
	known    registry.Format
	findings []diag.Finding
	regions  []diag.Region
	lost     bool // a field was asked for that nobody can find in the broken file
}

// region returns the region of a path.
func (x *sample) region(path string) (r diag.Region) {
	for _, r := range x.regions {
		if r.Path == path {
			return r
		}
	}
	x.lost = true
	return diag.Region{}
}

// get returns the number at an offset.
func (x *sample) get(off, n int) (v int) {
	var wide [8]byte
	if big := x.known.Name == "gsh" || x.known.Name == "sharcfb" && x.Data[8] == 0xFE; big {
		copy(wide[8-n:], x.Data[off:off+n])
		return int(binary.BigEndian.Uint64(wide[:]))
	}
	copy(wide[:], x.Data[off:off+n])
	return int(binary.LittleEndian.Uint64(wide[:]))
}

// value returns the number in a field.
func (x *sample) value(path string) int {
	r := x.region(path)
	return x.get(r.Off, r.Len)
}

// reported returns the number in the reported field, the first of two.
func (x *sample) reported() int { return x.get(x.Off, min(x.Len, 4)) }

// record returns the first part of the path of the reported field: "dvle[1]".
func (x *sample) record() string { return x.Path[:strings.IndexByte(x.Path, '.')] }

// sibling returns the number in another field of the reported record.
func (x *sample) sibling(name string) int {
	return x.value(x.Path[:strings.LastIndexByte(x.Path, '.')+1] + name)
}

// overlap returns how many bytes of what is reported are those of what is before it.
func (x *sample) overlap() (n int) {
	for _, f := range x.findings {
		var start, end int
		if f.Rule != x.Rule {
			continue
		}
		if _, err := fmt.Sscanf(f.Expected+" "+f.Found, "0x%x 0x%x", &end, &start); err == nil { // of entries
			return end - start
		}
		for _, text := range []string{f.Expected, f.Found} {
			for _, form := range []string{"start >= 0x%x", "begins before 0x%x"} {
				if _, err := fmt.Sscanf(text, form, &end); err == nil {
					return min(end-f.Off, f.Len)
				}
			}
		}
	}
	return n
}

// behind reports whether the reported bytes follow a region whose path has a part.
func (x *sample) behind(part string) bool {
	return slices.ContainsFunc(x.regions, func(r diag.Region) bool {
		return r.Off+r.Len == x.Off && strings.Contains(r.Path, part)
	})
}

// entriesAt returns where the entries of a ZPSH file begin, by the counts in its header.
func (x *sample) entriesAt() int {
	counts := x.value("header.counts")
	words := x.value("header.header_words") + counts>>12&0xFFF + 1 + counts>>24&0xFF + x.value("header.string_words")
	if zpsh.Revision(x.value("header.header_words")) == zpsh.R4 {
		words += counts & 0xFFF
	}
	return 4 * words
}

// The shapes.
const (
	toTheEnd   = "a pointer to the end of the file or of what it has to be in"
	fourBytes  = "four bytes of padding behind a string"
	oneMore    = "a count of one more than there is room for"
	sharedByte = "an overlap of one byte, or of the least that alignment allows"
)

// edge is a shape and the files of a format in which it is.
type edge struct {
	shape, format string
	rule          string // which the file breaks; "" for a valid one
	is            func(x *sample) bool
	never         string // why there is no such file
}

// tableSizes are the sizes of records by what their tables are called.
var tableSizes = map[string]int{
	"constants": 0x14, "labels": 0x10, "code": 4, "descriptors": 8, "lines": 8, "relocations": 12, "outputs": 8,
	"uniforms": 8, "symbols": 1,
	"blocks": 0x0C, "loops": 8, "samplers": 0x0C, "attributes": 0x10, // of GX2, where uniforms have 0x14
}

// table returns the name of the table whose offset or count is reported.
func (x *sample) table() string {
	parts := strings.Split(x.Path, ".")
	return parts[len(parts)-2]
}

// tooManyByOne reports whether room has no place for so many records of a size, but for one
// less.
func tooManyByOne(room, count, size int) bool { return count*size > room && (count-1)*size <= room }

var edges = []edge{
	{shape: toTheEnd, format: "shbin", rule: "DVLE021", is: func(x *sample) bool {
		dvle := x.value(strings.Replace(x.record(), "dvle", "dvlb.offsets", 1))
		return dvle+x.reported() == len(x.Data)
	}},
	{shape: toTheEnd, format: "dvoj", rule: "DVOJ011", is: func(x *sample) bool { return x.reported() == len(x.Data) }},
	{shape: toTheEnd, format: "zpsh", rule: "ZPSH012", is: func(x *sample) bool {
		return strings.HasPrefix(x.Path, "entry_offsets") && x.entriesAt()+x.reported() == len(x.Data)
	}},
	{shape: toTheEnd, format: "cgfx", rule: "CGFX016", is: func(x *sample) bool {
		return x.Path == "data.kinds[4].dict" && x.Off+x.reported() == len(x.Data)
	}},
	{shape: toTheEnd, format: "sharcfb", rule: "GX2040", is: func(x *sample) bool {
		return x.reported() == x.value(x.record()+".data_size")
	}},
	{shape: toTheEnd, format: "gsh", rule: "GX2040", is: func(x *sample) bool {
		return x.reported()&0xFFFFF == x.value(x.record()+".trailer.patch_offset")&0xFFFFF
	}},
	{shape: toTheEnd, format: "bnsh", rule: "BNSH050", is: func(x *sample) bool { return x.reported() == len(x.Data) }},
	{shape: toTheEnd, format: "csdr", never: "a text has no pointers"},

	{shape: fourBytes, format: "shbin", rule: "DVLB013", is: func(x *sample) bool {
		return x.Len == 4 && bytes.Equal(x.Data[x.Off:], make([]byte, 4)) && x.behind("symbols")
	}},
	{shape: fourBytes, format: "dvoj", rule: "DVOJ203", is: func(x *sample) bool {
		return x.Len == 4 && bytes.Equal(x.Data[x.Off:], make([]byte, 4)) && x.behind("symbols")
	}},
	{shape: fourBytes, format: "zpsh", rule: "ZPSH029", is: func(x *sample) bool {
		text := x.Data[x.Off:][:x.Len]
		end := len(bytes.TrimRight(text, "\x00")) + 1
		return len(text) == end+4 && end%4 == 0
	}},
	{shape: fourBytes, format: "cgfx", rule: "", is: func(x *sample) bool {
		for i, r := range x.regions[1:] {
			if before := x.regions[i]; strings.HasSuffix(before.Path, ".name") && r.Len == 4 && (r.Off+r.Len)%4 == 0 &&
				r.Off >= 0x9C && bytes.Equal(x.Data[r.Off:][:4], make([]byte, 4)) && r.Kind == diag.GapRegion {
				return true
			}
		}
		return false
	}},
	// room for a string that would be one too many
	{shape: fourBytes, format: "bnsh", rule: "BNSH061", is: func(x *sample) bool {
		return x.Path == "strings.count" && x.stringsEnd()+4 == bytes.LastIndex(x.Data, []byte("_RLT"))
	}},
	{shape: fourBytes, format: "gsh", rule: "GSH070", is: func(x *sample) bool {
		return slices.ContainsFunc(x.regions, func(r diag.Region) bool {
			x.Off = r.Off
			return r.Len == 4 && r.Kind != diag.FieldRegion && bytes.Equal(x.Data[r.Off:][:4], make([]byte, 4)) &&
				x.behind(".text")
		})
	}},
	{shape: fourBytes, format: "sharcfb",
		never: "strings stand back to back, and only the alignment of code to 0x100 pads names"},
	{shape: fourBytes, format: "csdr", never: "a text has no padding"},

	{shape: oneMore, format: "shbin", rule: "DVLE021", is: func(x *sample) bool {
		name, dvle := "count", x.value(strings.Replace(x.record(), "dvle", "dvlb.offsets", 1))
		if x.table() == "symbols" {
			name = "size"
		}
		return tooManyByOne(len(x.Data)-dvle-x.reported(), x.sibling(name), tableSizes[x.table()])
	}},
	{shape: oneMore, format: "dvoj", rule: "DVOJ011", is: func(x *sample) bool {
		return x.table() != "symbols" &&
			tooManyByOne(len(x.Data)-x.reported(), x.sibling("count"), tableSizes[x.table()])
	}},
	{shape: oneMore, format: "zpsh", rule: "ZPSH008", is: func(x *sample) bool {
		behind := x.entriesAt() - len(x.Data)
		return behind > 0 && behind <= 4
	}},
	{shape: oneMore, format: "cgfx", rule: "DICT004", is: func(x *sample) bool {
		return tooManyByOne(len(x.Data)-(x.Off+4), x.reported()+1, 0x10)
	}},
	{shape: oneMore, format: "sharcfb", rule: "SHARC011", is: func(x *sample) bool {
		return x.Path == "binaries.count" && tooManyByOne(x.sibling("size")-8, x.reported(), 0x10)
	}},
	{shape: oneMore, format: "gsh", rule: "GX2031", is: func(x *sample) bool {
		size := tableSizes[x.table()]
		if x.table() == "uniforms" {
			size = 0x14
		}
		data := x.value(x.record()+".trailer.patch_offset") & 0xFFFFF
		return x.Len == 8 && tooManyByOne(data-x.sibling("offset")&0xFFFFF, x.sibling("count"), size)
	}},
	{shape: oneMore, format: "bnsh", rule: "BNSH051", is: func(x *sample) bool {
		stage, kind, ok := strings.Cut(strings.Replace(strings.TrimSuffix(x.Path, ".first"), ".extension.", ".", 1),
			"reflection.")
		if !ok || !strings.HasSuffix(x.Path, ".first") {
			return false
		}
		of, name, _ := strings.Cut(kind, ".")
		stage += "reflection." + of + "."
		room := bytes.LastIndex(x.Data, []byte("_STR")) - x.value(stage+"slots.pointer")
		return tooManyByOne(room, x.reported()+x.value(stage+name+".count"), 4)
	}},
	{shape: oneMore, format: "csdr", never: "a text has no counts"},

	{shape: sharedByte, format: "shbin", rule: "DVLB009", is: func(x *sample) bool { return x.overlap() == 1 }},
	{shape: sharedByte, format: "dvoj", rule: "DVOJ200", is: func(x *sample) bool { return x.overlap() == 1 }},
	{shape: sharedByte, format: "zpsh", rule: "ZPSH011", is: func(x *sample) bool { return x.overlap() == 4 }},
	{shape: sharedByte, format: "cgfx", rule: "CGFX018", is: func(x *sample) bool { return x.overlap() == 1 }},
	{shape: sharedByte, format: "sharcfb", rule: "GX2032", is: func(x *sample) bool { return x.overlap() == 1 }},
	{shape: sharedByte, format: "gsh", rule: "GX2032", is: func(x *sample) bool { return x.overlap() == 1 }},
	{shape: sharedByte, format: "bnsh", rule: "BNSH013", is: func(x *sample) bool { return x.overlap() == 1 }},
	{shape: sharedByte, format: "csdr", never: "a text has no regions that could overlap"},
}

// stringsEnd returns where the strings of a BNSH file end if the reported count is too
// great by two: the empty string, which is there, is not counted.
func (x *sample) stringsEnd() int {
	at := x.Off + x.Len
	for range x.reported() - 1 {
		if at+2 > len(x.Data) {
			return -1
		}
		at += (2 + x.get(at, 2) + 1 + 1) &^ 1
	}
	return at
}

// TestEdgesAreDrawn: each shape at which a comparison is wrong by one is among the first
// files of every format that can have it.
func TestEdgesAreDrawn(t *testing.T) {
	const most = 3000
	for _, format := range files.Formats {
		for _, shape := range []string{toTheEnd, fourBytes, oneMore, sharedByte} {
			i := slices.IndexFunc(edges, func(e edge) bool { return e.shape == shape && e.format == format.Name })
			if i < 0 {
				t.Errorf("%s: nothing is said about %s", format.Name, shape)
				continue
			}
			if e := &edges[i]; e.never == "" {
				if n := e.first(format, most); n < 0 {
					t.Errorf("%s: none of %d files has %s", format.Name, most, shape)
				} else {
					t.Logf("%s: file %d has %s", format.Name, n, shape)
				}
			}
		}
	}
}

// first returns the number of the first file that has the shape, -1 if none of so many
// has it.
func (e *edge) first(from gen.Format, most int) int {
	known, _ := registry.ByName(from.Name)
	faults := slices.DeleteFunc(slices.Clone(from.Faults()), func(f gen.Fault) bool { return f.Rule != e.rule })
	for n := range most {
		c := gen.From(gen.Seed(seed, uint64(n)))
		x := sample{known: known}
		if e.rule == "" {
			x.Case = files.Valid(from, c)
		} else {
			x.Case = files.Faulty(from, faults[n%len(faults)], c)
		}
		outline := known.Outline(x.Data)
		x.findings, x.regions = outline.Findings, outline.Regions
		if e.is(&x) && !x.lost {
			return n
		}
	}
	return -1
}
