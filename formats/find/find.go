// Package find finds shader files inside other bytes: executables and archives that are neither
// compressed nor encrypted, sources with arrays of numbers or strings of escapes, hexdumps, and texts of hexadecimal
// digits or in Base64. Sources are in C, C++, Go, Java, Kotlin, Lua, Pascal, Python, Rust, an assembly language or any
// other that spells numbers and strings like one of these.
//
// Settling: names may change before version 1; the changelog lists every change.
//
// Call [In] with the bytes of any file.
package find

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
)

// File is a shader file inside other bytes.
type File struct {
	// Offset is where the file begins; in a text, where the array begins that holds it.
	Offset int    `json:"offset"`
	Length int    `json:"length"` // in bytes, also of a file in an array
	Format string `json:"format"`
	// Finding is why a strict parser refuses the file; nil for an accepted one. Its offset is relative
	// to the file.
	Accepted bool          `json:"accepted"`
	Finding  *diag.Finding `json:"finding,omitempty"`
	Array    *Array        `json:"array,omitempty"` // nil for plain bytes
	// Data is the file. It may share memory with the bytes that were searched.
	Data []byte `json:"-"`
}

// Array is an array of numbers or a string in a source text, a hexdump, or a text of hexadecimal digits or in Base64.
type Array struct {
	Name      string `json:"name,omitempty"` // the identifier in front of it, if there is one
	Line      int    `json:"line"`
	Width     int    `json:"width"`                // bytes of a number: 1, 2, 4 or 8
	BigEndian bool   `json:"big_endian,omitempty"` // the first byte is the highest of its number
	Encoding  string `json:"encoding,omitempty"`   // of a text: "hexdump", "hexadecimal" or "base64"
	Offset    int    `json:"offset"`               // of the file, in the bytes that the array stands for
}

// Result holds the files that a search found.
type Result struct {
	Files []File `json:"files"`
	// Magics counts the magics without a file: the sizes behind them lead out of the bytes, or a part is missing.
	Magics int `json:"magics_without_file"`
	// Stopped is the offset at which the search ended, because the bytes hold too many false files; 0 if it reached the
	// end.
	Stopped int `json:"stopped,omitempty"`

	work uint64
}

// Options returns the options with which files of a format are parsed.
type Options func(registry.Format) []registry.Option

// In finds the files in b: DVLB (SHBIN), BNSH, GFD with shaders (GSH), SHARCFB and ZPSH, in the order
// of their offsets. The length of a file comes from its own headers.
//
// Nothing is searched for inside an accepted file: a DVLE or DVLP of a DVLB is never a file of its
// own. A refused file may be a false one, so the search goes on behind its magic. Formats around
// these, as CGFX, are bytes like others. b is also read as a source text if it has no NUL.
//
// The work is at most a multiple of len(b), see Stopped.
func In(b []byte, options Options) *Result {
	r := &Result{Files: []File{}}
	s := search{Result: r, options: options, budget: workFactor*uint64(len(b)) + minWork}
	s.bytes(b, func(*File) {})
	if r.Stopped == 0 && bytes.IndexByte(b, 0) < 0 {
		(&source{search: &s, b: b, line: 1}).scan()
		text := encodedText{search: &s, b: b}
		text.hexdumps()
		text.hexadecimal()
		text.inBase64()
		slices.SortStableFunc(r.Files, func(f, g File) int { return cmp.Compare(f.Offset, g.Offset) })
	}
	return r
}

// The work of a search is at most workFactor*len(b)+minWork bytes read by functions of formats. All
// known files together with the bytes around them need less than 2*len(b).
const (
	workFactor = 16
	minWork    = 1 << 16
)

type search struct {
	*Result
	options Options
	budget  uint64
}

// first has for each byte the magics that begin with it, and their formats.
var first = func() (formats [256][]candidate) {
	for f := range registry.All() {
		for _, magic := range f.Magics {
			if f.Length != nil {
				formats[magic[0]] = append(formats[magic[0]], candidate{magic, f})
			}
		}
	}
	return formats
}()

type candidate struct {
	magic  string
	format registry.Format
}

// bytes finds the files in b. place completes each.
func (s *search) bytes(b []byte, place func(f *File)) {
	for at := 0; at < len(b); at++ {
		for _, c := range first[b[at]] {
			if len(b)-at < len(c.magic) || string(b[at:at+len(c.magic)]) != c.magic {
				continue
			}
			size, work := c.format.Length(b[at:])
			if !s.spend(work + size) {
				s.Stopped = at
				return
			}
			if size == 0 {
				s.Magics++
				continue
			}
			f := File{Offset: at, Length: int(size), Format: c.format.Name, Data: b[at : at+int(size) : at+int(size)]}
			s.judge(&f, c.format)
			place(&f)
			s.Files = append(s.Files, f)
			if f.Accepted {
				at += f.Length - 1
				break
			}
		}
	}
}

// spend takes work from the budget. It reports whether the budget suffices.
func (s *search) spend(work uint64) bool {
	if work > s.budget-s.work {
		return false
	}
	s.work += work
	return true
}

// judge parses a file.
func (s *search) judge(f *File, format registry.Format) {
	_, err := format.Parse(f.Data, s.options(format)...)
	f.Accepted = err == nil
	var refused *diag.ParseError
	if errors.As(err, &refused) {
		f.Finding = &refused.Finding
	}
}

// Names returns a file name for each file of a search: the offset in hexadecimal, so that names sort
// as offsets do, and the extension of the format. Names of files in one array differ by their offset
// in it.
func (r *Result) Names() []string {
	names := make([]string, len(r.Files))
	for i, f := range r.Files {
		names[i] = fmt.Sprintf("%08x", f.Offset)
		if f.Array != nil {
			names[i] += fmt.Sprintf("-%08x", f.Array.Offset)
		}
		format, _ := registry.ByName(f.Format)
		names[i] += format.Extensions[0]
	}
	return names
}
