package asm

import (
	"cmp"
	"math"
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// Dialect is a way to read assembly text.
type Dialect uint8

// The dialects.
const (
	// Default is the dialect of the package comment.
	Default Dialect = iota
	// Picasso accepts, refuses and encodes as picasso 2.7.1 does, mistakes included.
	Picasso
)

// AssembleOptions choose how Assemble reads and writes. The zero value is ready
// to use.
type AssembleOptions struct {
	Dialect Dialect
	// NoPadding leaves out the NOPs in front of the end of a scope. They keep flow
	// control from being its last word, which the console executes wrongly.
	NoPadding bool
}

// Assembly is the result of Assemble.
type Assembly struct {
	pica.Module
	// Places says which line each word comes from.
	Places []Place
	// Exports lists the exported uniforms of the space that vertex programs
	// share, in the order of their declarations.
	Exports []pica.Symbol
	// Prefix begins the names in the C header: "GSH" if the first source that makes an entry point,
	// .nodvle or not, is a geometry program, else "VSH". Uniforms of other sources have it, too.
	Prefix string
}

// Assemble turns sources into one program with an entry point for each source
// that declares one. An error is of type Errors and lists up to 100 places; the
// assembly is then nil.
func Assemble(sources []Source, o AssembleOptions) (*Assembly, error) {
	a := &assembler{AssembleOptions: o, procedures: map[string]span{}, vertexLimit: pica.MaxVertexCode,
		shared:  &space{bound: sharedSpace, size: sharedSpace, names: map[string]declaration{}},
		spoiled: map[string]bool{}}
	a.descriptors = newDescriptorTable(o.Dialect)
	for i := range sources {
		a.assemble(&sources[i])
	}
	return a.link()
}

// assembler is the state of one run over all sources.
type assembler struct {
	AssembleOptions
	code        []uint32
	places      []Place // of the words
	descriptors descriptorTable
	procedures  map[string]span
	calls       []reference // to procedures
	shared      *space
	declared    int // names in the shared space, repeated and hidden ones included
	exports     []pica.Symbol
	files       []*file
	errors      Errors

	vertexLimit int  // words of a program with a vertex entry point
	tooLong     bool // the error about the length is reported

	spoiled map[string]bool // names in directives that failed; uses of them are not reported

	scopes []scope
	closed bool // a for or an if has ended and no instruction followed
}

// lax reports whether the dialect accepts text that only picasso accepts.
func (a *assembler) lax() bool { return a.Dialect == Picasso }

// span is a range of words.
type span struct{ start, end int }

// reference is an instruction whose target is not yet known.
type reference struct {
	pc   int
	name text
	at   *place
}

// Place is a line of a source.
type Place struct {
	File string
	Line int // from 1
}

// place is a line of a source and its text.
type place struct {
	source *Source
	number int
	line   string
}

// report keeps an error of a line.
func (a *assembler) report(e *Error, at *place) {
	if len(a.errors) >= maxErrors || e == errSpoiled {
		return
	}
	e.File, e.Line, e.Text, e.at = at.source.Name, at.number, at.line, at
	a.errors = append(a.errors, e)
}

// sortErrors puts the errors in the order of the sources.
func (a *assembler) sortErrors() {
	order := map[*Source]int{}
	for k, f := range a.files {
		order[f.source] = k
	}
	slices.SortStableFunc(a.errors, func(x, y *Error) int {
		if x.at == nil || y.at == nil {
			return 0
		}
		return cmp.Or(order[x.at.source]-order[y.at.source], x.Line-y.Line, x.Column-y.Column)
	})
}

// assemble reads one source.
func (a *assembler) assemble(source *Source) {
	f := newFile(a, source)
	a.files = append(a.files, f)
	statements(source.Text, func(s *statement) bool {
		f.at = &place{source, s.line, s.whole}
		if err := f.statement(s); err != nil {
			a.report(err, f.at)
		}
		return len(a.errors) < maxErrors
	})
	f.finish()
}

// link resolves references between sources and finishes the program.
func (a *assembler) link() (*Assembly, error) {
	a.resolveCalls()
	sound := len(a.errors) == 0
	if sound {
		a.descriptors.finish(a)
	}
	out := &Assembly{Exports: a.exports, Prefix: a.prefix()}
	for _, f := range a.files {
		if !sound || !f.entryPoint || f.library {
			continue
		}
		e, err := f.link()
		if err != nil {
			a.report(err, f.entryAt)
			continue
		}
		out.Entries = append(out.Entries, *e)
	}
	if len(a.errors) == 0 && len(out.Entries) == 0 {
		a.errors = Errors{{Rule: "ASM027", Message: "the sources make no entry point"}}
	}
	if len(a.errors) > 0 {
		a.reportForeign()
		a.sortErrors()
		return nil, a.errors
	}
	out.Code, out.Descriptors, out.Places = a.code, a.descriptors.words(), a.places
	return out, nil
}

// prefix returns the prefix of the names in the C header.
func (a *assembler) prefix() string {
	for _, f := range a.files {
		if f.entryPoint {
			if f.stage == pica.Geometry {
				return "GSH"
			}
			break
		}
	}
	return "VSH"
}

// emit appends an instruction word.
func (f *file) emit(word uint32) *Error {
	f.closed = false
	return f.append(word)
}

// append appends a word that the current line makes. The default dialect reports
// once that the program is too long.
func (f *file) append(word uint32) *Error {
	f.code = append(f.code, word)
	f.places = append(f.places, Place{f.at.source.Name, f.at.number})
	limit := f.limit()
	if len(f.code) <= limit || f.tooLong && !f.lax() {
		return nil
	}
	f.tooLong = true
	return wrong(f.word, "ASM025", "the program has more than %d words", limit)
}

// limit returns the largest number of words of the program. Picasso accepts one word
// more in vertex programs and has no other limit.
func (f *file) limit() int {
	switch {
	case f.lax() && f.stage == pica.Geometry:
		return math.MaxInt
	case f.lax():
		return pica.MaxVertexCode + 1
	case f.stage == pica.Geometry:
		return pica.MaxCode
	}
	return f.vertexLimit
}
