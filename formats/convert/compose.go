package convert

// compose joins the reports of the two halves of a conversion: into a DVLB, and out
// of it. A field that the first half invented and the second half lost is left out:
// the source lacks it. An invented field stays only if the target has it.
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
