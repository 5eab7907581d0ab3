package diag

// Embedded returns a reporter for a file that is part of the one r is about: at
// off, and called prefix, which ends with a dot. What is reported to it goes to
// r, and counts as r's; the rules are those of the embedded file.
//
// Places are moved outward: offsets by off, paths behind prefix. Unless off is
// 0 the place inside the embedded file is kept as the last of Related. An
// embedded file whose bytes are not bytes of the outer one, because they are
// encoded there, has off 0: its findings have the offset in the decoded bytes.
func (r *Reporter) Embedded(rules RuleSet, off uint64, prefix string) *Reporter {
	outer := r
	if r.outer != nil {
		outer, off, prefix = r.outer, off+r.off, r.prefix+prefix
	}
	return &Reporter{rules: rules, strict: r.strict, embedding: embedding{outer: outer, off: off, prefix: prefix}}
}

// embedding is where the file of a reporter is in an outer one.
type embedding struct {
	outer  *Reporter // nil when the file stands for itself
	off    uint64
	prefix string
	failed bool // an error was passed on
}

// outward moves a finding to its place in the outer file.
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
