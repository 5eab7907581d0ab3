package diag

// Embedded returns a reporter for a file that is part of the file of r, at offset off
// and with paths behind prefix, which ends with a dot. Its findings go to r and count as
// findings of r; the rules are those of the embedded file.
//
// Places are moved outward: offsets by off, paths behind prefix. Unless off is 0, the
// place inside the embedded file is kept as the last of Related. An embedded file that is
// encoded in the outer one has off 0: its findings have the offset in the decoded bytes.
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
	failed bool // an error was passed to outer
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
