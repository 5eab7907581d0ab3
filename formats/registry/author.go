package registry

import (
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
)

// Author is a writer that the bytes of a file tell.
type Author struct {
	Title string
	rule  string // of the information that says no more than who wrote the file
}

// Explains reports whether a finding says no more than who wrote the file.
func (a Author) Explains(f *diag.Finding) bool { return f.Rule == a.rule && f.Severity == diag.Info }

// TellsAuthor reports whether a finding is a reason to ask for the author of its file.
func TellsAuthor(f diag.Finding) bool { return f.Rule == versionRule && f.Severity == diag.Info }

const versionRule = "DVLE003"

// picassoVersion is the version of a DVLE that picasso writes beside version 0 of the DVLP.
const picassoVersion = 0x1002

// AuthorOf returns the writer of a document; ok is false if its bytes do not tell.
func AuthorOf(doc Document) (a Author, ok bool) {
	f, ok := doc.Model().(*shbin.File)
	if !ok || f.DVLP.Version != 0 || len(f.DVLEs) == 0 ||
		slices.ContainsFunc(f.DVLEs, func(e shbin.DVLE) bool { return e.Version != picassoVersion }) {
		return Author{}, false
	}
	return Author{"picasso 2.5 or later", versionRule}, true
}

// Judge returns the findings of a file, and its writer if the bytes tell; else the Author is zero.
func (f Format) Judge(b []byte, opts ...Option) (findings []diag.Finding, author Author) {
	findings = f.Check(b, opts...)
	if slices.ContainsFunc(findings, TellsAuthor) {
		if doc, err := f.Parse(b, opts...); err == nil {
			author, _ = AuthorOf(doc)
		}
	}
	return findings, author
}
