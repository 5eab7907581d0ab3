package shbin

import "github.com/picaproof/picaproof/formats/diag"

// Embedded reads a DVLB that is part of another file, at off of it or decoded
// from it (see diag.Reporter.Embedded), and reports what it finds to the other
// file's reporter. ok is false when there was an error. The file shares memory
// with b.
func Embedded(b []byte, within *diag.Reporter, off uint64, prefix string, opts ...Option) (f *File, ok bool) {
	r := newReader(b, within.Embedded(ruleSet, off, prefix), opts)
	r.walk()
	return r.file, !r.Failed()
}
