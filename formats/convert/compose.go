package convert

// compose makes one report of the two of a conversion through a DVLB. What the
// first half invented is in no source, so that the second half loses nothing
// with it; and it is in the target only if that has such a field.
func compose(read, written Report, source, target *format, n int) Report {
	invented := make(map[string]bool)
	for _, l := range read {
		if l.Kind == Invented {
			invented[l.Path] = true
		}
	}
	var report Report
	dropped := make(map[string]bool)
	gone := make(map[string]bool)
	for _, l := range written {
		if l.Kind != Invented {
			if path, ok := enclosing(invented, l.Path); ok {
				gone[path] = true
				continue
			}
			l.Path, _ = source.path(n, l.Path)
			dropped[l.Path] = l.Kind == Dropped
		}
		report = append(report, l)
	}
	for _, l := range read {
		if l.Kind == Changed && dropped[l.Path] {
			continue
		}
		if l.Kind == Invented {
			path, ok := target.path(0, l.Path)
			if !ok || gone[l.Path] {
				continue
			}
			l.Path = path
		}
		report = append(report, l)
	}
	return report
}
