package mutants

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen/files"
)

// reading is what a format makes of a file, with its regions by class.
type reading struct {
	files.Reading
	fields map[string][]diag.Region
}

func read(format registry.Format, b []byte) reading {
	r := reading{files.Read(format, b), map[string][]diag.Region{}}
	if !r.Accepted() {
		return r
	}
	for _, at := range r.Document.Regions() {
		class := classOf(at.Path)
		r.fields[class] = append(r.fields[class], at)
	}
	return r
}

// FileMutant is a format with one fault: a filter on what it reports or on the
// bytes it writes.
type FileMutant struct {
	Name, Group string
	Rule        string // the sentence that is broken
	// spoil changes the reading of b. It reports false where the fault does not
	// show; it replaces what it changes and never writes into it.
	spoil func(r *reading, b []byte) bool
}

// FileMutants returns the mutants of a format: each of its rules forgotten and
// each reported at a wrong place; each field that a vector of the corpus has
// written wrong, and each that is not always zero left zero.
func FileMutants(format registry.Format) ([]FileMutant, error) {
	list := make([]FileMutant, 0, 4*len(format.Rules))
	add := func(name, group, rule string, spoil func(r *reading, b []byte) bool) {
		list = append(list, FileMutant{format.Name + ": " + name, format.Name + " " + group, rule, spoil})
	}
	for _, rule := range format.Rules {
		if rule.Retired {
			continue
		}
		add(rule.ID+" is not checked", "checks", rule.Title, forgotten(rule.ID))
		add(rule.ID+" is reported elsewhere", "places", rule.Title, misplaced(rule.ID))
	}
	fields, err := fieldsOf(format)
	if err != nil {
		return nil, err
	}
	for _, f := range fields {
		add(f.class+" is written wrong", "fields", "what is read is written back", wrong(f.class, func(b []byte) { b[len(b)-1] ^= 1 }))
		if f.varies {
			add(f.class+" is written as zero", "zeros", "what is read is written back", wrong(f.class, func(b []byte) { clear(b) }))
		}
	}
	return list, nil
}

// forgotten takes a rule out of the parser and the checker.
func forgotten(rule string) func(r *reading, b []byte) bool {
	return func(r *reading, b []byte) bool {
		kept := slices.DeleteFunc(slices.Clone(r.Findings), func(f diag.Finding) bool { return f.Rule == rule })
		if len(kept) == len(r.Findings) {
			return false
		}
		r.Findings = kept
		if diag.FirstError(kept) == nil && !r.Accepted() {
			r.Document, r.Written = accepted{}, b
		}
		return true
	}
}

// accepted stands for the model that a parser without the rule would return.
type accepted struct{ registry.Document }

// misplaced moves the findings of a rule by one byte.
func misplaced(rule string) func(r *reading, b []byte) bool {
	return func(r *reading, _ []byte) bool {
		moved := slices.Clone(r.Findings)
		found := false
		for i := range moved {
			if moved[i].Rule == rule {
				moved[i].Off++
				found = true
			}
		}
		r.Findings = moved
		return found
	}
}

// wrong changes all fields of a class in the bytes that are written.
func wrong(class string, change func(b []byte)) func(r *reading, b []byte) bool {
	return func(r *reading, _ []byte) bool {
		spoiled := slices.Clone(r.Written)
		for _, at := range r.fields[class] {
			change(spoiled[at.Off : at.Off+at.Len])
		}
		if bytes.Equal(spoiled, r.Written) {
			return false
		}
		r.Written = spoiled
		return true
	}
}

// field is a class of regions: the same field of all elements.
type field struct {
	class  string
	varies bool // it is not zero in every file
}

// classOf returns the path of a region without its indices.
func classOf(path string) string { return index.ReplaceAllLiteralString(path, "[]") }

var index = regexp.MustCompile(`\[\d+\]`)

// fieldsOf lists the classes of regions that the vectors of the corpus have, in
// the order in which they come up.
func fieldsOf(format registry.Format) ([]field, error) {
	vectors, err := corpus.Vectors(format.Name)
	if err != nil {
		return nil, err
	}
	var fields []field
	at := map[string]int{}
	for _, v := range vectors {
		doc, err := format.Parse(v.Data)
		if err != nil {
			continue
		}
		for _, r := range doc.Regions() {
			class := classOf(r.Path)
			i, known := at[class]
			if !known {
				i = len(fields)
				at[class] = i
				fields = append(fields, field{class: class})
			}
			if bytes.ContainsFunc(v.Data[r.Off:r.Off+r.Len], func(c rune) bool { return c != 0 }) {
				fields[i].varies = true
			}
		}
	}
	return fields, nil
}
