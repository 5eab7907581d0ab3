package report

import (
	"cmp"
	"slices"
)

// ManyAlike is the number of unexplained causes with one level and one class of difference that are one cause.
const ManyAlike = 4

// several begins the name of many unexplained causes.
const several = "several opcodes: "

// Group merges findings of one name into causes. Many unexplained causes that differ only in their opcodes are one:
// what many opcodes share, a register say, is wrong.
func Group(list []Deviation) []Deviation {
	var causes []Deviation
	for _, d := range list {
		causes = With(causes, d)
	}
	slices.SortFunc(causes, func(a, b Deviation) int { return cmp.Compare(a.Bucket, b.Bucket) })
	for _, like := range slices.Clone(causes) {
		alike := func(d Deviation) bool {
			return d.Unexplained && like.Unexplained && d.end() == like.end() && d.Class == like.Class && len(d.Parts) == 0
		}
		var group []Deviation
		for _, d := range causes {
			if alike(d) {
				group = append(group, d)
			}
		}
		if len(group) < ManyAlike {
			continue
		}
		name := several + cmp.Or(string(like.end()), like.Class)
		causes = append(slices.DeleteFunc(causes, alike), joined(name, group))
	}
	return causes
}

// With returns causes with one more, merged with the cause of its name if there is one.
func With(list []Deviation, d Deviation) []Deviation {
	i := slices.IndexFunc(list, func(e Deviation) bool { return e.Bucket == d.Bucket })
	if i < 0 {
		return append(list, d)
	}
	list[i] = list[i].Merge(d)
	return list
}

// joined merges several causes into one, shown by the smallest program.
func joined(name string, parts []Deviation) Deviation {
	all := parts[0]
	for _, d := range parts[1:] {
		all = all.Merge(d)
	}
	all.Bucket, all.Parts = name, parts
	return all
}
