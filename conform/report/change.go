package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/internal/safetext"
)

// Change is a change of a cause between two reports.
type Change struct {
	Bucket string `json:"bucket"`
	Change string `json:"change"`        // "new", "gone" or "changed"
	Old    Level  `json:"old,omitempty"` // "" for a new cause
	New    Level  `json:"new,omitempty"` // "" for a cause that is gone
	Text   string `json:"text"`
}

// Bad reports whether a cause that is new or changed counts against the judged program. What is gone speaks
// for it.
func (c *Change) Bad() bool { return c.New != "" && c.New.Bad() }

// Changes lists the causes that are new, gone or changed, in this order. A changed cause has
// another level, another smallest program, or another difference. From a run that left something out
// nothing is gone.
func Changes(before, after *Report) []Change {
	list := []Change{}
	find := func(r *Report, bucket string) *Deviation {
		i := slices.IndexFunc(r.Deviations, func(d Deviation) bool { return d.Bucket == bucket })
		if i < 0 {
			return nil
		}
		return &r.Deviations[i]
	}
	for i := range after.Deviations {
		if d := &after.Deviations[i]; find(before, d.Bucket) == nil {
			list = append(list, Change{d.Bucket, "new", "", d.Verdict, d.Summary()})
		}
	}
	for i := range before.Deviations {
		if after.Partial() {
			break
		}
		if d := &before.Deviations[i]; find(after, d.Bucket) == nil {
			list = append(list, Change{d.Bucket, "gone", d.Verdict, "", d.Summary()})
		}
	}
	for i := range after.Deviations {
		d := &after.Deviations[i]
		old := find(before, d.Bucket)
		if old == nil || old.Verdict == d.Verdict && old.Observed == d.Observed && string(old.Job) == string(d.Job) &&
			bytes.Equal(old.File, d.File) {
			continue
		}
		text := fmt.Sprintf("%s: observed %s, before %s", d.Where, d.Observed, old.Observed)
		if d.Observed == old.Observed && old.Verdict == d.Verdict {
			text = "another program shows it; " + d.Summary()
		}
		list = append(list, Change{d.Bucket, "changed", old.Verdict, d.Verdict, text})
	}
	return list
}

// WriteChanges writes changes as lines of text.
func WriteChanges(w io.Writer, list []Change) {
	for _, c := range safetext.OneLine(list) {
		level := string(c.New)
		switch {
		case c.New == "":
			level = string(c.Old)
		case c.Old != "" && c.Old != c.New:
			level = fmt.Sprintf("%s, before %s", c.New, c.Old)
		}
		fmt.Fprintf(w, "%s: %s (%s)\n  %s\n", c.Change, c.Bucket, level, c.Text)
	}
}

// ErrOtherRun means that reports of different runs cannot be merged.
var ErrOtherRun = errors.New("not shards of one run")

// Merge returns the report of a run from the reports of its shards. All shards ran the same core
// set, and each ran other jobs. No shard may be missing.
func Merge(shards []*Report) (*Report, error) {
	if len(shards) == 0 {
		return nil, fmt.Errorf("%w: no reports", ErrOtherRun)
	}
	shards = slices.Clone(shards) // a whole one first: what a cut one did not find it does not deny
	slices.SortStableFunc(shards, func(a, b *Report) int {
		switch {
		case a.Partial() == b.Partial():
			return 0
		case b.Partial():
			return -1
		}
		return 1
	})
	all := *shards[0]
	all.Shard, all.File = "", ""
	if slices.ContainsFunc(shards, func(r *Report) bool { return r.Learnt == nil }) {
		all.Learnt = nil
	}
	all.Suites, all.Cut, all.Pending = slices.Clone(all.Suites), nil, ""
	for k := range shards {
		shard := fmt.Sprintf("%d/%d", k+1, len(shards))
		if !slices.ContainsFunc(shards, func(r *Report) bool { return r.Shard == shard }) {
			return nil, fmt.Errorf("%w: of %d reports none is shard %s", ErrOtherRun, len(shards), shard)
		}
	}
	judged := map[string]bool{}
	all.Findings = []Deviation{}
	for _, r := range shards {
		if err := addShard(&all, r, r == shards[0]); err != nil {
			return nil, err
		}
		for _, name := range r.Coverpoints.Judged {
			judged[name] = true
		}
	}
	for i := range all.Suites {
		all.Suites[i].Counts = all.Suites[i].CoreSet.Plus(all.Suites[i].Rest)
	}
	all.Requests += all.Jobs() - shards[0].Jobs()
	all.Coverpoints = all.Coverpoints.With(judged)
	all.Regroup()
	return &all, nil
}

// addShard adds the findings and counts of a shard. The report is a copy of the first one, and so has its counts.
func addShard(all, r *Report, first bool) error {
	if r.Core != all.Core || r.Against != all.Against || r.Seed != all.Seed ||
		!(r.Partial() && r.Profile.Nearest == "") && // it ended before it knew the model
			(r.Profile.Nearest != all.Profile.Nearest || r.Profile.Model != all.Profile.Model) ||
		len(r.Suites) > 0 && len(r.Suites) != len(all.Suites) {
		return fmt.Errorf("%w: shard %q of %s", ErrOtherRun, r.Shard, r.Core)
	}
	all.Interrupted = all.Interrupted || r.Interrupted
	all.TimeOver = all.TimeOver || r.TimeOver
	for _, part := range r.Cut {
		all.Cut = append(all.Cut, "shard "+r.Shard+": "+part)
	}
	for i := range r.Suites {
		if r.Suites[i].Name != all.Suites[i].Name {
			return fmt.Errorf("%w: suite %s", ErrOtherRun, r.Suites[i].Name)
		}
		if !first {
			all.Suites[i].Rest = all.Suites[i].Rest.Plus(r.Suites[i].Rest)
		}
	}
	if !first {
		all.Late += r.Late
		for _, m := range r.Messages {
			m.CoreSet = Counts{} // it is the same in every shard
			all.Messages = WithMessage(slices.Clone(all.Messages), m)
		}
	}
	all.NotReduced = withMembers(all.NotReduced, r.NotReduced)
	for _, d := range r.Findings {
		all.Findings = withFinding(all.Findings, d)
	}
	return nil
}

// withFinding adds a finding of a shard. The lower number represents two findings with one key;
// findings of the core set are the same in every shard.
func withFinding(list []Deviation, d Deviation) []Deviation {
	key := func(e Deviation) string { return e.Members[0].Key }
	i, found := slices.BinarySearchFunc(list, key(d),
		func(e Deviation, k string) int { return strings.Compare(key(e), k) })
	if !found {
		return slices.Insert(list, i, d)
	}
	a, b := list[i], d
	if b.Members[0].Number < a.Members[0].Number {
		a, b = b, a
	}
	if a.Members[0].Number != b.Members[0].Number {
		a.Members = slices.Clone(a.Members)
		a.Members[0].Count += b.Members[0].Count
		a.Count += b.Members[0].Count
	}
	list[i] = a
	return list
}

// With moves the points that another run judged.
func (c Coverpoints) With(judged map[string]bool) Coverpoints {
	known := func(name string) bool { return judged[name] }
	all := slices.Concat(c.Judged, c.Masked, c.NotJudged)
	slices.Sort(all)
	return Coverpoints{
		Judged:    slices.DeleteFunc(slices.Clone(all), func(n string) bool { return !known(n) }),
		Masked:    slices.DeleteFunc(slices.Clone(c.Masked), known),
		NotJudged: slices.DeleteFunc(slices.Clone(c.NotJudged), known),
	}
}
