package reader

import (
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/report"
)

// foldRepeats makes hangs and costs parts of a crash that files show which break the same
// rule, and so what is accepted against a rule if more files that break it crash: what
// reads too much of a file may be slow before it crashes, or find what it can live with. What
// is accepted against a rule is part of a hang by it.
func foldRepeats(groups [][]*shownCase, found [][]report.Deviation) {
	for i, mild := range groups {
		level, rule := mild[0].wrong.level, mild[0].Because
		if level != report.Hang && level != report.Cost && level != report.AcceptsInvalid || len(found[i]) != 1 || rule == "" {
			continue
		}
		for k, grave := range groups {
			crash, hang := grave[0].wrong.level == report.Crash, grave[0].wrong.level == report.Hang && level == report.AcceptsInvalid
			if !crash && !hang || len(found[k]) == 0 {
				continue
			}
			same := 0
			for _, c := range grave {
				if c.Because == rule {
					same++
				}
			}
			if same == 0 || crash && level == report.AcceptsInvalid && same <= len(mild) {
				continue
			}
			d, also := &found[k][0], found[i][0]
			all := d.Merge(also)
			d.Members, d.Count = all.Members, all.Count
			d.Note = strings.Trim(d.Note+"; also "+also.Bucket, "; ")
			found[i] = nil
			break
		}
	}
}

// slow reports whether a reader took too much.
func (w *wrong) slow() bool { return w.level == report.Hang || w.level == report.Cost }

// kindOf returns what was too much: "hang", "time", "memory".
func kindOf(name string) string {
	kind, _, _ := strings.Cut(name, ": ")
	return kind
}

// fewSlow is the number of kinds of files that take too much up to which each is a cause.
const fewSlow = 2

// mostSlow is the number of kinds of files that take too much up to which each is reduced.
const mostSlow = 6

// manySlow returns the kinds of costs that too many kinds of files show to reduce each of them.
func manySlow(wrong []*shownCase) map[string]bool {
	names := map[string]map[string]bool{}
	for _, c := range wrong {
		if w := c.wrong; w.slow() {
			k := kindOf(w.name)
			if names[k] == nil {
				names[k] = map[string]bool{}
			}
			names[k][w.name] = true
		}
	}
	many := map[string]bool{}
	for k, list := range names {
		many[k] = len(list) > mostSlow
	}
	return many
}

// mergeSlow makes one cause of the hangs, or costs of one kind, whose reduced files have one thing
// special, and of all if more kinds of files show them than it takes faults to do so: one loop
// that comes to no end sees many of the fields of a file.
func (x *run) mergeSlow(from gen.Format, groups [][]*shownCase, found [][]report.Deviation) {
	format, _ := registry.ByName(from.Name)
	for _, kind := range []string{"hang", "time", "memory"} {
		var list []int // groups
		for i := range groups {
			if w := groups[i][0].wrong; w.slow() && kindOf(w.name) == kind && len(found[i]) == 1 && found[i][0].Verdict == w.level {
				list = append(list, i)
			}
		}
		places := report.Grouped(list, func(i *int) string { return placeOf(format, found[*i][0].File) })
		if len(places) > fewSlow {
			places = [][]int{list}
		}
		for _, same := range places {
			first := &found[same[0]][0]
			names := []string{first.Bucket}
			for _, i := range same[1:] {
				names = append(names, found[i][0].Bucket)
				*first, found[i] = first.Merge(found[i][0]), nil
			}
			slices.Sort(names)
			if names = slices.Compact(names); len(names) > 1 {
				others := slices.DeleteFunc(names, func(name string) bool { return name == first.Bucket })
				first.Note = strings.Trim(first.Note+"; also "+strings.Join(others, ", "), "; ")
			}
		}
	}
}

// placeOf returns the place of the first finding of a file, without numbers; it is empty for
// a valid file.
func placeOf(format registry.Format, data []byte) string {
	if list := complaints(format, data); len(list) > 0 {
		return generic(list[0].Path)
	}
	return ""
}
