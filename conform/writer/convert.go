package writer

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/formats/convert"
	"github.com/picaproof/picaproof/formats/diff"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/internal/grouped"
)

// asText returns a file as the input of a tool.
func asText(data []byte) *Text { return &Text{Files: []string{string(data)}} }

// conversion is the run of a converter. It notes fields that the converter changes without an
// effect.
type conversion struct {
	*run[[]byte]
	format registry.Format
	target string // the format that the tool writes, "" if it is not known
}

// RunConverter gives a converter generated files of a format: valid ones, which it must accept,
// and odd ones, which it may refuse. Each written file is compared with the model of the input
// and checked against the strict rules. If the format stays the same, the tool gets its own
// file, and a second save must change nothing.
func RunConverter(ctx context.Context, tool Tool, from string, o Options) (*report.Report, error) {
	generator, ok := files.ByName(from)
	if !ok {
		return nil, fmt.Errorf("no generator for format %q", from)
	}
	format, _ := registry.ByName(from)
	common, ctx, cancel := newRun(ctx, tool, o, 1, func(data []byte) int { return len(data) })
	defer cancel()
	x := &conversion{run: common, format: format}
	var counts [2]report.Counts
	if err := x.probe(ctx, generator); err != nil && ctx.Err() == nil {
		return nil, err
	}
	x.each(ctx, o.Cases, func(n uint64) error {
		c := gen.From(gen.Seed(o.Seed, n))
		odd := n%2 == 1
		data := files.Valid(generator, c).Data
		if odd {
			data = files.Odd(generator, c).Data
		}
		if len(data) == 0 {
			return nil
		}
		f, err := x.judge(ctx, data, odd, false)
		if err != nil {
			return err
		}
		x.count(&counts[n%2], f)
		if f != nil {
			x.add(n, data, f)
		}
		return nil
	})
	if x.failed != nil && ctx.Err() == nil {
		return nil, x.failed
	}
	r := report.New("conform writer", "writer", tool.Name(), o.Seed)
	for i, kind := range []string{"valid", "odd"} {
		r.Suites = append(r.Suites, report.Suite{Name: kind + " " + from, Counts: counts[i], CoreSet: counts[i]})
	}
	x.warnings.addTo(r, "smallest file")
	x.addNotes(r, "Changed without an effect", "field", "files") // counted before files are reduced
	var causes []report.Deviation
	for _, b := range x.sorted() {
		causes = append(causes, x.deviation(ctx, b))
	}
	r.Deviations = append(r.Deviations, mergedFiles(causes)...)
	r.Requests = r.Jobs()
	r.Ended(ctx)
	r.Sort()
	return r, saysSomething(r)
}

// judge judges the answer of the tool to a file.
func (x *conversion) judge(ctx context.Context, data []byte, mayRefuse, once bool) (found *finding, err error) {
	a, err := x.tool.Assemble(ctx, asText(data))
	if err != nil {
		return nil, err
	}
	defer func() { findings{found}.about(&a) }()
	if f := fated(&a, nil); f != nil {
		if a.Fate == Refused && (mayRefuse || x.excused(data)) {
			return misdeed(&a).first(), nil
		}
		return f, nil
	}
	if !once {
		again, err := x.tool.Assemble(ctx, asText(data))
		if err != nil {
			return nil, err
		}
		if !again.equals(&a) {
			return changing(&a, &again), nil
		}
	}
	if f := x.compare(data, a.Data); f != nil {
		return f, nil
	}
	if f := misdeed(&a).first(); f != nil {
		return f, nil
	}
	if to, _ := registry.Detect("", a.Data); to.Name != x.format.Name {
		return nil, nil
	}
	second, err := x.tool.Assemble(ctx, asText(a.Data))
	if err != nil {
		return nil, err
	}
	if f := fated(&second, nil); f != nil {
		f.what, f.where = "its own file", "its own file"
		return f, nil
	}
	if !bytes.Equal(second.Data, a.Data) {
		return &finding{level: report.WrongRewrite, what: secondSave, where: firstByte(a.Data, second.Data),
			expected: "the same bytes", observed: "others"}, nil
	}
	return nil, nil
}

// secondSave names the cause of a tool that changes its own file.
const secondSave = "second save changes the file"

// compare compares a written file with the input.
func (x *conversion) compare(in, out []byte) *finding {
	to, ok := registry.Detect("", out)
	if !ok {
		to = x.format
	}
	before := map[string]bool{}
	for _, f := range x.format.Check(in) {
		before[f.Rule] = true
	}
	broken, odd, harmless := sifted(to.Check(out),
		func(rule string) bool { return before[rule] || to.Name != x.format.Name })
	if broken != nil {
		return broken
	}
	a, err := x.format.Parse(in)
	if err != nil {
		return nil // not a file of the format
	}
	b, err := to.Parse(out)
	if err != nil {
		return unparsed(err)
	}
	r, err := compareModels(a.Model().(convert.Model), b.Model().(convert.Model))
	if err != nil || r.Same() {
		if to.Name == x.format.Name && len(odd) == 0 {
			x.noteWithout(a, b)
			x.warnings.add(harmless, len(in), func() string { return fmt.Sprintf("%d bytes", len(in)) })
		}
		return odd.first()
	}
	d := r.Differences[0]
	return &finding{level: levelOfPath(d.Path), what: fieldOf(d.Path), where: d.Path, expected: cmp.Or(d.A, "nothing"),
		observed: cmp.Or(d.B, "nothing")}
}

// noteWithout notes a field that was changed without an effect.
func (x *conversion) noteWithout(before, after registry.Document) {
	list := diff.Fields(before.Canonical().Model().(convert.Model), after.Canonical().Model().(convert.Model))
	if len(list) > 0 {
		x.note(fieldOf(list[0].Path))
	}
}

// excused reports whether the format that the tool writes cannot represent a file.
func (x *conversion) excused(in []byte) bool {
	if x.target == "" || x.target == x.format.Name {
		return false
	}
	doc, err := x.format.Parse(in)
	if err != nil {
		return true
	}
	return !represents(x.target, doc.Model().(convert.Model))
}

var pathIndex = regexp.MustCompile(`\[[^\]]*\]`)

// fieldOf returns the path without indices.
func fieldOf(path string) string { return pathIndex.ReplaceAllString(path, "") }

// levelOfPath returns the level of differences at a path.
func levelOfPath(path string) report.Level {
	switch {
	case strings.Contains(path, "constant"):
		return report.WrongConstants
	case strings.Contains(path, "code"), strings.Contains(path, "word"), strings.Contains(path, "instruction"),
		strings.Contains(path, "descriptor"):
		return report.WrongMeaning
	}
	return report.WrongTables
}

// deviation reduces the file of a bucket and shows it.
func (x *conversion) deviation(ctx context.Context, b *bucket[[]byte]) report.Deviation {
	x.Progress("reducing " + b.Key)
	data, shown := b.cases[0].input, b.cases[0].finding
	once := shown.level != report.NotDeterministic
	if again, err := x.judge(ctx, data, false, true); once && err == nil &&
		(again == nil || again.key() != b.Key || !x.steady(ctx, asText(data), again.answer.equals)) {
		return x.shown(unsteady(shown), data, b.Count)
	}
	result, err := reduce.File(ctx, data, func() reduce.Interesting {
		return func(candidate []byte) bool {
			if _, err := x.format.Parse(candidate); err != nil {
				return false
			}
			f, err := x.judge(ctx, candidate, false, once)
			return err == nil && f != nil && f.key() == b.Key
		}
	}, reduce.Options{Workers: 1, MaxTries: x.Tries})
	if err == nil {
		data = result.Data
		if f, err := x.judge(ctx, data, false, once); err == nil && f != nil {
			shown = f
		}
	}
	return x.shown(shown, data, b.Count)
}

// shown returns a finding about files as a cause.
func (x *conversion) shown(f *finding, data []byte, count int) report.Deviation {
	d := x.entry(f.title(), f, asText(data))
	d.Count, d.Instructions, d.File, d.Assembly, d.Opcode = count, len(data), data, "", ""
	return d
}

// byName merges causes with one name, shown by the smallest file.
func byName(list []report.Deviation) (causes []report.Deviation) {
	for _, same := range grouped.By(list, func(d *report.Deviation) string { return d.Bucket }) {
		small := slices.MinFunc(same, func(a, b report.Deviation) int {
			return cmp.Compare(a.Instructions, b.Instructions)
		})
		small.Count = 0
		for i := range same {
			small.Count += same[i].Count
		}
		causes = append(causes, small)
	}
	return causes
}

// mergedFiles merges causes that one fault explains: a field and its contents; a part and the rules that it breaks; any
// cause and the changes of a second save.
func mergedFiles(list []report.Deviation) (causes []report.Deviation) {
	list = byName(list)
	last := func(d *report.Deviation) int { // the second save is blamed last
		if d.Bucket == secondSave {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(list, func(a, b report.Deviation) int {
		return cmp.Or(cmp.Compare(last(&a), last(&b)), cmp.Compare(b.Count, a.Count))
	})
	for _, d := range list {
		i := slices.IndexFunc(causes, func(c report.Deviation) bool { return oneFault(&c, &d) })
		if i < 0 {
			causes = append(causes, d)
			continue
		}
		c := &causes[i]
		c.Count += d.Count
		c.Note = strings.Trim(c.Note+"; also "+string(d.Verdict)+": "+d.Bucket, "; ")
	}
	return causes
}

// oneFault reports whether two causes, of which c is more frequent, show one fault.
func oneFault(c, d *report.Deviation) bool {
	switch {
	case d.Bucket == secondSave:
		return c.Verdict != report.Crash && c.Verdict != report.Hang
	case c.Verdict == d.Verdict:
		return c.Verdict != report.InvalidFile &&
			(strings.HasPrefix(c.Bucket, d.Bucket+".") || strings.HasPrefix(d.Bucket, c.Bucket+"."))
	case c.Verdict == report.InvalidFile:
		c, d = d, c
	case d.Verdict != report.InvalidFile:
		return false
	}
	parts, _ := explained(d.Bucket) // d is a rule, c a field
	return slices.ContainsFunc(parts,
		func(part string) bool { return strings.Contains(c.Bucket, strings.ReplaceAll(part, " ", "_")) })
}
