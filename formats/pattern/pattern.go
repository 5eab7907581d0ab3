// Package pattern serves this module: it writes the record tables of the formats as descriptions for other tools,
// patterns of ImHex (hexpat), types of Kaitai Struct (ksy) and dictionaries of fuzzers.
//
// The tables say what a record is made of, not where it lies. So a description declares every record and places the
// first one. With a file it also places each record that the outline of this file shows.
package pattern

import (
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/wire"
)

//go:generate go test -run ^TestForms$ -update .

// Names lists the formats that have records.
func Names() (names []string) {
	for f := range registry.All() {
		if len(f.Records) > 0 {
			names = append(names, f.Name)
		}
	}
	return names
}

// Description is a format as another tool declares it.
type Description struct {
	Name, Title string
	Extensions  []string
	Big         bool // byte order
	Types       []Type
	Placed      []Placement
}

// Type is a record.
type Type struct {
	Name, Text string
	Bytes      int
	Fields     []wire.Column
	structure  diag.Struct
}

// Placement is a record of a file, or several of one type behind each other.
type Placement struct {
	Type   *Type
	Name   string
	Offset int
	Count  int // 0 for a single record
}

// Of returns the description of a format with the first record placed.
func Of(format string) (d Description, ok bool) {
	known, ok := registry.ByName(format)
	if !ok || len(known.Records) == 0 {
		return d, false
	}
	d = Description{Name: format, Title: known.Title, Extensions: known.Extensions, Big: len(known.Big) > 0}
	used := map[string]bool{}
	for _, r := range known.Records {
		t := Type{Text: r.Heading(), Fields: slices.Clone(r.Columns()), structure: r.Fields(),
			Bytes: int(r.Fields().Size())}
		heading, _, _ := strings.Cut(r.Heading(), ";")
		heading, _, _ = strings.Cut(heading, ":")
		heading, _, _ = strings.Cut(heading, ",")
		t.Name = unused(used, identifier(heading))
		fields := map[string]bool{}
		for k := range t.Fields {
			f := &t.Fields[k]
			name := identifier(f.Name)
			if f.Name == "" {
				name = "value"
			}
			f.Name = unused(fields, name)
		}
		d.Types = append(d.Types, t)
	}
	d.Placed = []Placement{{Type: &d.Types[0], Name: "header"}}
	return d, true
}

// identifier returns a text in lower case with an underscore for what no identifier has.
func identifier(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	name := strings.Join(words, "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "n" + name
	}
	return name
}

// unused returns a name that no other has.
func unused(used map[string]bool, name string) string {
	unique := name
	for n := 2; used[unique]; n++ {
		unique = fmt.Sprintf("%s_%d", name, n)
	}
	used[unique] = true
	return unique
}

// Place places the records that the regions of a file show, instead of the first one. Entries of a table that follow
// each other are one placement.
func (d *Description) Place(regions []diag.Region) {
	d.Placed = nil
	used := map[string]bool{}
	table := "" // of the last placement; empty if it is no entry
	for len(regions) > 0 {
		t, path, n := d.match(regions)
		if t == nil {
			regions, table = regions[1:], ""
			continue
		}
		at := regions[0].Off
		regions = regions[n:]
		name, entry := path, false
		if open := strings.LastIndexByte(path, '['); open >= 0 && strings.HasSuffix(path, "]") {
			name, entry = path[:open], true
		}
		if entry && name == table {
			if p := &d.Placed[len(d.Placed)-1]; p.Type == t && p.Offset+max(p.Count, 1)*t.Bytes == at {
				p.Count = max(p.Count, 1) + 1
				continue
			}
		}
		if table = ""; entry {
			table = name
		}
		d.Placed = append(d.Placed, Placement{Type: t, Name: unused(used, identifier(name)), Offset: at})
	}
}

// match returns the type of the record at the beginning of the regions, its path, and the number of its regions. t is
// nil if there is none.
func (d *Description) match(regions []diag.Region) (t *Type, path string, n int) {
	for k := range d.Types {
		t = &d.Types[k]
		first := t.structure[0].Name
		if first == "" {
			name, _, ok := strings.Cut(regions[0].Path[strings.LastIndexByte(regions[0].Path, '.')+1:], "[")
			if ok && name == t.structure[0].Table && regions[0].Len == t.Bytes {
				return t, regions[0].Path, 1
			}
			continue
		}
		path, ok := strings.CutSuffix("."+regions[0].Path, "."+first)
		if !ok {
			continue
		}
		if n := t.covers(regions, strings.TrimPrefix(path, ".")); n > 0 {
			return t, strings.TrimPrefix(path, "."), n
		}
	}
	return nil, "", 0
}

// covers returns the number of regions that are the fields of a record of the type with a path, or parts of fields; 0
// if the regions are no such record.
func (t *Type) covers(regions []diag.Region, path string) (n int) {
	if path != "" {
		path += "."
	}
	for _, f := range t.structure {
		for left := f.Size; left > 0; n++ {
			if n == len(regions) || regions[n].Len > left {
				return 0
			}
			name, ok := strings.CutPrefix(regions[n].Path, path)
			if !ok || name != f.Name && !strings.HasPrefix(name, f.Name+".") {
				return 0
			}
			left -= regions[n].Len
		}
	}
	return n
}
