package diag

// Embedded returns a reporter for a file that is part of the file of r. It looks up rules
// in the given set. It keeps no finding, so that its Findings and Err are empty: the
// reporter of the outermost file gets all of them.
//
// A finding gets its place in the outer file: off is added to its offset, and prefix, which
// ends with a dot, is put before its path. Its place in the embedded file becomes the last
// of Related. A file that the outer one stores encoded has off 0: offsets of its findings
// count decoded bytes, and Related is not extended.
func (r *Reporter) Embedded(rules RuleSet, off uint64, prefix string) *Reporter {
	outer := r
	if r.outer != nil {
		outer, off, prefix = r.outer, off+r.off, r.prefix+prefix
	}
	return &Reporter{rules: rules, strict: r.strict, embedding: embedding{outer: outer, off: off, prefix: prefix}}
}

// embedding is the place of a reporter's file in an outer file.
type embedding struct {
	outer  *Reporter // nil if the file is not embedded
	off    uint64
	prefix string
	failed bool // outer got an error of this file
}

// outward gives a finding its place in the outer file.
func (x *embedding) outward(f Finding) Finding {
	if x.outer == nil {
		return f
	}
	inner := Related{Off: f.Off, Len: f.Len, Path: f.Path}
	f.Off, f.Path = f.Off+int(x.off), x.prefix+f.Path
	for i := range f.Related {
		r := &f.Related[i]
		r.Off, r.Path = r.Off+int(x.off), x.prefix+r.Path
	}
	if x.off > 0 {
		f.Related = append(f.Related, inner)
	}
	return f
}
