package writer

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/picaproof/picaproof/formats/convert"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/fuzz/report"
)

// Converter is a program that reads a file and writes it again, in the same format or
// another. It is called by several goroutines at a time.
type Converter interface {
	Name() string
	Convert(ctx context.Context, data []byte) (Answer, error)
	// Reproduce returns a shell command that gives the converter a file, "" if there is none.
	Reproduce(data []byte) string
}

// ConvertFunc is a converter in this process; a panic counts as a crash.
type ConvertFunc func(data []byte) ([]byte, error)

// Name implements Converter.
func (ConvertFunc) Name() string { return "function" }

// Convert implements Converter.
func (f ConvertFunc) Convert(ctx context.Context, data []byte) (Answer, error) {
	return guarded(ctx, func() ([]byte, error) { return f(bytes.Clone(data)) })
}

// Reproduce implements Converter.
func (ConvertFunc) Reproduce([]byte) string { return "" }

// conversion is a run of a converter.
type conversion struct {
	Options
	tool   Converter
	format registry.Format
	target string // the format that the tool writes, "" if it is not known

	mu      sync.Mutex
	buckets map[string]*fileBucket
}

// fileBucket is what looks alike.
type fileBucket struct {
	finding *finding
	count   int
	data    []byte // the smallest file
}

// RunConverter gives a converter generated files of a format: valid ones, which it must
// take, and odd ones, which it may refuse. What it writes is held to the model of what
// went in, to the strict rules, and, where the format stays, to a second save, which must
// change nothing.
func RunConverter(ctx context.Context, tool Converter, from string, o Options) (*report.Report, error) {
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	o.Jobs, o.Tries = cmp.Or(o.Jobs, runtime.GOMAXPROCS(0)), cmp.Or(o.Tries, 400)
	generator, ok := files.ByName(from)
	if !ok {
		return nil, fmt.Errorf("no generator of files is called %q", from)
	}
	format, _ := registry.ByName(from)
	if o.MaxTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.MaxTime)
		defer cancel()
	}
	x := &conversion{Options: o, tool: tool, format: format, buckets: map[string]*fileBucket{}}
	s := &session{Options: o}
	var counts [2]report.Counts
	if err := x.probe(ctx, generator); err != nil && ctx.Err() == nil {
		return nil, err
	}
	s.each(ctx, o.Cases, func(n uint64) error {
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
		s.count(&counts[n%2], f)
		if f != nil {
			x.add(data, f)
		}
		return nil
	})
	if s.failed != nil && ctx.Err() == nil {
		return nil, s.failed
	}
	r := &report.Report{Command: "conform writer", Kind: "writer", Core: tool.Name(), Seed: o.Seed, Findings: []report.Deviation{},
		Deviations: []report.Deviation{}, Matrix: []report.Row{}, Classes: []string{}}
	r.Profile = report.Fingerprint{Names: []string{}, Knobs: []report.Knob{}}
	r.Coverpoints = report.Coverpoints{Judged: []string{}, Masked: []string{}, NotJudged: []string{}}
	for i, kind := range []string{"valid", "odd"} {
		r.Suites = append(r.Suites, report.Suite{Name: kind + " " + from, Counts: counts[i], CoreSet: counts[i]})
	}
	for _, key := range slices.Sorted(maps.Keys(x.buckets)) {
		r.Deviations = append(r.Deviations, x.deviation(ctx, key, x.buckets[key]))
	}
	r.Deviations = mergedFiles(r.Deviations)
	r.Requests, r.Interrupted = r.Jobs(), ctx.Err() != nil
	r.Sort()
	return r, nil
}

func (x *conversion) add(data []byte, f *finding) {
	x.mu.Lock()
	defer x.mu.Unlock()
	b := x.buckets[f.key()]
	if b == nil {
		b = &fileBucket{finding: f, data: data}
		x.buckets[f.key()] = b
	}
	b.count++
	if len(data) < len(b.data) {
		b.data, b.finding = data, f
	}
}

// judge judges what the tool makes of a file.
func (x *conversion) judge(ctx context.Context, data []byte, mayRefuse, once bool) (*finding, error) {
	a, err := x.tool.Convert(ctx, data)
	if err != nil {
		return nil, err
	}
	if f := fated(&a, nil, report.RefusesValid); f != nil {
		if a.Fate == Refused && (mayRefuse || x.excused(data)) {
			return nil, nil
		}
		return f, nil
	}
	if !once {
		again, err := x.tool.Convert(ctx, data)
		if err != nil {
			return nil, err
		}
		if again.Fate != a.Fate || !bytes.Equal(again.Data, a.Data) {
			return &finding{level: report.NotDeterministic, what: "two runs, two results", where: firstByte(a.Data, again.Data),
				expected: "the same bytes twice", observed: "others"}, nil
		}
	}
	if f := x.compare(data, a.Data); f != nil {
		return f, nil
	}
	if to, _ := registry.Detect("", a.Data); to.Name != x.format.Name {
		return nil, nil
	}
	second, err := x.tool.Convert(ctx, a.Data)
	if err != nil {
		return nil, err
	}
	if f := fated(&second, nil, report.RefusesValid); f != nil {
		f.what, f.where = "its own file", "its own file"
		return f, nil
	}
	if !bytes.Equal(second.Data, a.Data) {
		return &finding{level: report.WrongRewrite, what: "second save changes the file", where: firstByte(a.Data, second.Data),
			expected: "the same bytes", observed: "others"}, nil
	}
	return nil, nil
}

// compare holds a written file to the one that went in.
func (x *conversion) compare(in, out []byte) *finding {
	to, ok := registry.Detect("", out)
	if !ok {
		to = x.format
	}
	before := map[string]bool{}
	for _, f := range x.format.Check(in) {
		before[f.Rule] = true
	}
	var warning *finding
	for _, f := range to.Check(out) {
		w := &finding{level: report.InvalidFile, what: f.Rule, where: fmt.Sprintf("%s at %#x", f.Path, f.Off),
			expected: cmp.Or(f.Expected, "nothing to complain of"), observed: f.Msg}
		switch {
		case f.Severity == diag.Error:
			return w
		case f.Severity == diag.Warning && !before[f.Rule] && to.Name == x.format.Name && warning == nil:
			warning = w
		}
	}
	a, err := x.format.Parse(in)
	if err != nil {
		return nil // no file to begin with
	}
	b, err := to.Parse(out)
	if err != nil {
		return &finding{level: report.InvalidFile, what: "parse", where: "the file", expected: "a file", observed: err.Error()}
	}
	r, err := compareModels(a.Model().(convert.Model), b.Model().(convert.Model))
	if err != nil || r.Same() {
		return warning
	}
	d := r.Differences[0]
	return &finding{level: levelOfPath(d.Path), what: fieldOf(d.Path), where: d.Path, expected: cmp.Or(d.A, "nothing"), observed: cmp.Or(d.B, "nothing")}
}

// excused reports whether the format that the tool writes cannot hold a file.
func (x *conversion) excused(in []byte) bool {
	x.mu.Lock()
	to := x.target
	x.mu.Unlock()
	if to == "" || to == x.format.Name {
		return false
	}
	doc, err := x.format.Parse(in)
	if err != nil {
		return true
	}
	return !holds(to, doc.Model().(convert.Model))
}

// probe finds the format that the tool writes.
func (x *conversion) probe(ctx context.Context, generator gen.Format) error {
	for n := uint64(0); n < 20 && x.target == ""; n++ {
		a, err := x.tool.Convert(ctx, files.Valid(generator, gen.From(gen.Seed(x.Seed, n))).Data)
		if err != nil {
			return err
		}
		if to, ok := registry.Detect("", a.Data); ok && a.Fate == Wrote {
			x.target = to.Name
		}
	}
	return nil
}

var pathIndex = regexp.MustCompile(`\[[^\]]*\]`)

// fieldOf returns the path without the indices.
func fieldOf(path string) string { return pathIndex.ReplaceAllString(path, "") }

// levelOfPath says what kind of content a path leads to.
func levelOfPath(path string) report.Level {
	switch {
	case strings.Contains(path, "constant"):
		return report.WrongConstants
	case strings.Contains(path, "code"), strings.Contains(path, "word"), strings.Contains(path, "instruction"), strings.Contains(path, "descriptor"):
		return report.WrongMeaning
	}
	return report.WrongTables
}

// deviation reduces the file of a bucket and shows it.
func (x *conversion) deviation(ctx context.Context, key string, b *fileBucket) report.Deviation {
	x.Progress("reducing " + key)
	data, shown := b.data, b.finding
	once := shown.level != report.NotDeterministic
	result, err := reduce.File(ctx, data, func() reduce.Interesting {
		return func(candidate []byte) bool {
			if _, err := x.format.Parse(candidate); err != nil {
				return false
			}
			f, err := x.judge(ctx, candidate, false, once)
			return err == nil && f != nil && f.key() == key
		}
	}, reduce.Options{Workers: 1, MaxTries: x.Tries})
	if err == nil {
		data = result.Data
		if f, err := x.judge(ctx, data, false, once); err == nil && f != nil {
			shown = f
		}
	}
	return report.Deviation{Bucket: shown.title(), Verdict: shown.level, Count: b.count, Instructions: len(data), File: data, Where: shown.where,
		Class: string(shown.level), Expected: shown.expected, Observed: shown.observed, Stderr: shown.stderr,
		Reproduce: x.tool.Reproduce(data)}
}

// manyFields is the number of fields of one kind from which on one fault is blamed.
const manyFields = 3

// mergedFiles makes one cause of many wrong fields of one kind.
func mergedFiles(list []report.Deviation) (causes []report.Deviation) {
	for _, group := range report.Grouped(list, func(d *report.Deviation) string { return string(d.Verdict) }) {
		level := group[0].Verdict
		if level == report.InvalidFile || level == report.Crash || level == report.RefusesValid || len(group) < manyFields {
			causes = append(causes, group...)
			continue
		}
		small := slices.MinFunc(group, func(a, b report.Deviation) int { return cmp.Compare(a.Instructions, b.Instructions) })
		small.Note = fmt.Sprintf("also %d other fields", len(group)-1)
		small.Bucket, small.Count = fmt.Sprintf("%d fields", len(group)), 0
		for i := range group {
			small.Count += group[i].Count
		}
		causes = append(causes, small)
	}
	return causes
}
