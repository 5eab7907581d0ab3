// Package registry knows every container format: it finds the format of a file and gives all
// formats one interface.
//
// Stable: names and meanings stay; the changelog announces every exception.
//
// Call [Detect] or [ByName] for a [Format], and its functions Parse, Check and Outline for a
// file.
package registry

import (
	"bytes"
	"iter"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

// Document is a parsed file of any format.
type Document interface {
	// AppendBinary appends exactly the bytes from which the document was parsed.
	AppendBinary(b []byte) ([]byte, error)
	// Regions returns the owner of every byte.
	Regions() []diag.Region
	// Canonical returns the same content in the layout that we would write.
	Canonical() Document
	// Model returns the format's own *File, for JSON and for callers that know
	// the format.
	Model() any
}

// Shaders is implemented by documents that hold PICA200 programs.
type Shaders interface {
	Shaders() []pica.Shader
}

// Option names a leniency of a format, "emulator-dump" say.
type Option string

// Format is one row of the registry.
type Format struct {
	Name       string   // "shbin"
	Title      string   // "DVLB/DVLP/DVLE shader binary (.shbin)"
	Magics     []string // first bytes that identify the format
	Big        []string // the Magics of files with big endian integers
	Extensions []string // ".shbin"
	Rules      []diag.Rule
	Records    []wire.Documented // of a file, that at its start first; nil for a text
	Leniencies []Leniency
	Variants   []Variant
	Parse      func(b []byte, opts ...Option) (Document, error)
	Check      func(b []byte, opts ...Option) []diag.Finding
	// Outline returns the regions and findings of any bytes, refused or not.
	Outline func(b []byte, opts ...Option) diag.Outline
	// Links returns the integers of any bytes that depend on where other bytes are. Nil for a format
	// whose files are reduced as mere bytes.
	Links func(b []byte) []wire.Link
	// Length returns the size of the file at the start of b, which may go on behind it, from the
	// file's own sizes; 0 if there is none. work is about how many bytes it read. Nil for a format
	// that is not searched for in other files.
	Length func(b []byte) (size, work uint64)
}

// Leniency is a named, known deviation that a parse can be told to accept.
type Leniency struct {
	Option Option
	Text   string
}

// Variant is one of several incompatible forms of a format; an option makes a parse accept only
// that form: "zpsh@3".
type Variant struct {
	Name   string // "3"
	Option Option
}

// Variant returns the option that makes a parse accept only a variant.
func (f Format) Variant(name string) (Option, bool) {
	i := slices.IndexFunc(f.Variants, func(v Variant) bool { return v.Name == name })
	if i < 0 {
		return "", false
	}
	return f.Variants[i].Option, true
}

// All returns the formats in the order of their names.
func All() iter.Seq[Format] { return slices.Values(formats) }

// ByName returns the format called name.
func ByName(name string) (Format, bool) {
	i := slices.IndexFunc(formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, false
	}
	return formats[i], true
}

// Head is the largest number of bytes of a file that Detect needs.
const Head = 128

// Detect returns the format of a file: by its first bytes, else by its name's
// extension, so that a damaged magic is still reported by its rule.
func Detect(name string, b []byte) (Format, bool) {
	for _, f := range formats {
		for _, magic := range f.Magics {
			if bytes.HasPrefix(b, []byte(magic)) {
				return f, true
			}
		}
	}
	ext := strings.ToLower(path.Ext(name))
	i := slices.IndexFunc(formats, func(f Format) bool { return slices.Contains(f.Extensions, ext) })
	if i < 0 {
		return Format{}, false
	}
	return formats[i], true
}

// Rules returns the rules with the given id and their formats: mostly one, several if formats
// have the same records.
func Rules(id string) iter.Seq2[Format, diag.Rule] {
	return func(yield func(Format, diag.Rule) bool) {
		for _, f := range formats {
			for _, r := range f.Rules {
				if r.ID == id && !yield(f, r) {
					return
				}
			}
		}
	}
}

// KnownRule reports whether a format has a rule with the given id.
func KnownRule(id string) bool { return known()[id] }

var known = sync.OnceValue(func() map[string]bool {
	ids := map[string]bool{}
	for _, f := range formats {
		for _, r := range f.Rules {
			ids[r.ID] = true
		}
	}
	return ids
})
