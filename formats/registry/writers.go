package registry

import "slices"

// Writer is a known program that writes shader files, with the rules that its files are known
// to break while readers accept them.
type Writer struct {
	Name  string // "picasso-2.0"
	Title string
	Rules []string
}

// Writers lists the known writers.
var Writers = []Writer{
	{"picasso-2.7", "picasso from 2.5 on", []string{"DVLE003"}},
	{"picasso-2.0", "picasso before 2.5", []string{"DVLE003", "DVLE011"}},
	{"nihstro", "nihstro", []string{"DVLB014", "DVLE009", "DVLE011", "DVLE012", "DVLE022", "DVLE043", "DVLE044",
		"DVLE065", "DVLE067", "DVLP014"}},
	{"aemstro", "aemstro", []string{"DVLB014", "DVLE011", "DVLE044", "DVLP012", "DVLP013"}},
}

// WriterNamed returns the writer with a name.
func WriterNamed(name string) (Writer, bool) {
	i := slices.IndexFunc(Writers, func(w Writer) bool { return w.Name == name })
	if i < 0 {
		return Writer{}, false
	}
	return Writers[i], true
}

// WritersOf returns the titles of the writers that break a rule.
func WritersOf(rule string) (titles []string) {
	for _, w := range Writers {
		if slices.Contains(w.Rules, rule) {
			titles = append(titles, w.Title)
		}
	}
	return titles
}
