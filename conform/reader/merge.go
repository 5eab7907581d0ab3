package reader

import (
	"slices"
	"strings"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/grouped"
)

// foldRepeats adds hangs and costs to a crash on files that break the same rule, and likewise
// wrongly accepted files if more files that break the rule crash. A reader that reads too much
// of a file may be slow before it crashes, or may find harmless bytes. Wrongly accepted files
// are also added to a hang on the same rule.
func foldRepeats(groups [][]*shownCase, found [][]report.Deviation) {
	for i, mild := range groups {
		level, rule := mild[0].wrong.level, mild[0].Because
		if level != report.Hang && level != report.Cost && level != report.AcceptsInvalid || len(found[i]) != 1 ||
			rule == "" {
			continue
		}
		for k, grave := range groups {
			crash, hang := grave[0].wrong.level == report.Crash, grave[0].wrong.level == report.Hang &&
				level == report.AcceptsInvalid
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

// slow reports whether a reader hung or cost too much.
func (w *wrong) slow() bool { return w.level == report.Hang || w.level == report.Cost }

// kindOf returns the resource of a cost: "hang", "time", "memory".
func kindOf(name string) string {
	kind, _, _ := strings.Cut(name, ": ")
	return kind
}

// fewSlow is the largest number of kinds of slow files that are separate causes.
const fewSlow = 2

// mostSlow is the largest number of kinds of slow files that are all reduced.
const mostSlow = 6

// manySlow returns the kinds of costs that are too frequent for a reduction of each kind of
// file.
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

// mergeSlow merges hangs, or costs of one kind, whose reduced files are special in the same way.
// It merges all of them if many kinds of files show them: one endless loop depends on many
// fields of a file.
func (x *run) mergeSlow(from gen.Format, groups [][]*shownCase, found [][]report.Deviation) {
	format, _ := registry.ByName(from.Name)
	for _, kind := range []string{"hang", "time", "memory"} {
		var list []int // indexes of groups
		for i := range groups {
			if w := groups[i][0].wrong; w.slow() && kindOf(w.name) == kind && len(found[i]) == 1 &&
				found[i][0].Verdict == w.level {
				list = append(list, i)
			}
		}
		places := grouped.By(list, func(i *int) string { return placeOf(format, found[*i][0].File) })
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

// placeOf returns the path of the first finding of a file, without numbers; it is empty for a
// valid file.
func placeOf(format registry.Format, data []byte) string {
	if list := complaints(format, data); len(list) > 0 {
		return generic(list[0].Path)
	}
	return ""
}
