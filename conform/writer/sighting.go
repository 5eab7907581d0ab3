package writer

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/pica"
)

// sighting is a finding about a source that was not generated.
type sighting struct {
	*finding
	text *source.Text
	note string // the kind of source
	// title names the cause if no other kind of sources shows the same cause.
	title string
	// alone keeps the cause apart from causes of other kinds of sources, even if they look
	// alike.
	alone bool
	// unrefused is set if assemblers are known to refuse the source, and the tool writes a wrong
	// file for it.
	unrefused bool
	// in returns the finding in another answer to the source; nil if only an equal answer shows
	// it.
	in func(a *Answer) *finding
}

// sightings returns the results of do for the numbers below n, in their order.
func (s *session) sightings(ctx context.Context, n int, do func(k uint64) ([]sighting, error)) []sighting {
	seen := make([][]sighting, n)
	s.each(ctx, uint64(n), func(k uint64) (err error) {
		seen[k], err = do(k)
		return err
	})
	return slices.Concat(seen...)
}

// withSightings adds the findings of one kind of sources to causes of other kinds that explain
// them, or as causes of their own, shown by the shortest source.
func (s *session) withSightings(causes []report.Deviation, list []sighting) []report.Deviation {
	slices.SortFunc(list, func(a, b sighting) int {
		return cmp.Or(cmp.Compare(size(a.text), size(b.text)), strings.Compare(a.text.Files[0], b.text.Files[0]),
			strings.Compare(a.note, b.note))
	})
	for _, x := range list {
		i := slices.IndexFunc(causes, func(d report.Deviation) bool {
			return d.Verdict == x.level && (d.Bucket == x.title || x.shows(&d))
		})
		if i < 0 {
			i = len(causes)
			d := s.entry(x.title, x.finding, x.text)
			d.Count, d.Note = 0, strings.Trim(x.note+"; "+x.finding.note, "; ")
			causes = append(causes, d)
		}
		causes[i].Count++
	}
	return causes
}

// shows reports whether a cause of its level explains the finding. A constant may be wrong because another one is in its
// place: constants of its class are missing.
func (x *sighting) shows(d *report.Deviation) bool {
	title, name := strings.TrimPrefix(d.Bucket, mistakePrefix), x.finding.title()
	switch {
	case x.words != nil:
		return d.Features != nil && strings.HasPrefix(d.Bucket, name+" (") && within(d.Features, x.words)
	case x.alone:
		return false
	case x.level == report.WrongConstants && (aboutNumbers[name] && aboutNumbers[title] ||
		strings.HasPrefix(title, missing+" of ") && slices.Contains(d.Opcodes, x.where[:1])):
		return true
	}
	return title == name || strings.HasPrefix(title, name+" ") || strings.HasPrefix(title, name+":") ||
		slices.ContainsFunc(d.Members, func(m report.Member) bool { return m.Key == x.key() })
}

// aboutNumbers are the names of causes that are wrong conversions of numbers.
var aboutNumbers = func() map[string]bool {
	m := map[string]bool{"number": true, rounding: true, zeros: true, numbers: true}
	for c := range pica.NumNumberClasses {
		m[c.String()] = true
	}
	return m
}()

func size(t *source.Text) (n int) {
	for _, f := range t.Files {
		n += len(f)
	}
	return n
}
