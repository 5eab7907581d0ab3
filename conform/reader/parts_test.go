package reader

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
)

// TestTwiceSteep: two consecutive steep doublings count, one does not.
func TestTwiceSteep(t *testing.T) {
	sizes := [doublings]int{1000, 2000, 4000, 8000}
	for _, c := range []struct {
		cost [doublings]float64
		want bool
	}{
		{[doublings]float64{1, 2, 4, 8}, false},
		{[doublings]float64{1, 4, 16, 64}, true},
		{[doublings]float64{1, 2, 8, 32}, true},
		{[doublings]float64{1, 4, 8, 32}, false},
		{[doublings]float64{0.1, 4, 8, 8}, false}, // too little to measure
		{[doublings]float64{1, 2.7, 7.29, 20}, false},
	} {
		if got := twiceSteep(sizes, c.cost, 0.5); got != c.want {
			t.Errorf("%v: got %v, want %v", c.cost, got, c.want)
		}
	}
}

// TestClasses: the gravest rule of a file decides its class, in every format.
func TestClasses(t *testing.T) {
	for _, from := range files.Formats {
		format, _ := registry.ByName(from.Name)
		for i, fault := range from.Faults() {
			b, at := fault.File(gen.From(gen.NewBytes(nil)))
			want := fault.Expect(format.Rules, at)
			class, because := files.ClassOf(format, b)
			for _, r := range format.Rules {
				if r.ID != fault.Rule || len(fault.Also) > 0 {
					continue
				}
				if own := r.Readers(want.Severity); class != own ||
					(class == diag.MustRefuse) != (because == fault.Rule) {
					t.Errorf("%s, fault %d: %s is %v, the file %v because of %q", from.Name, i, fault.Rule, own, class,
						because)
				}
			}
		}
		if class, _ := files.ClassOf(format, from.File(gen.From(gen.Seed(1, 0)))); class != diag.MustAccept {
			t.Errorf("%s: a valid file is %v", from.Name, class)
		}
	}
}

// TestFunc: a function in this process is judged like a command.
func TestFunc(t *testing.T) {
	strict := func(b []byte) (Result, error) {
		f, err := shbin.Parse(b)
		if err != nil {
			return Result{}, err
		}
		again, err := f.AppendBinary(nil)
		return Result{again}, err
	}
	for name, c := range map[string]struct {
		read  Func
		level report.Level
		cause string
	}{
		"strict": {strict, "", ""},
		"panics": {func(b []byte) (Result, error) { _ = b[3]; return strict(b) }, report.Crash,
			"crash: panic in github.com/picaproof/picaproof/conform/reader.TestFunc.func2"},
		"accepts all": {func([]byte) (Result, error) { return Result{}, nil }, report.AcceptsInvalid,
			"accepts every file"},
		"refuses nearly all": {func(b []byte) (Result, error) {
			if len(b)%16 != 4 {
				return Result{}, errors.New("no file 17")
			}
			return strict(b)
		}, report.RefusesValid, "refuses: no file N"},
		"refuses nearly all, for many reasons": {func(b []byte) (Result, error) {
			if len(b)%32 != 4 {
				return Result{}, fmt.Errorf("no %c", 'a'+len(b)%3)
			}
			return strict(b)
		}, report.RefusesValid, "refuses valid files"},
		"writes another": {func(b []byte) (Result, error) {
			r, err := strict(b)
			if err == nil && len(b) > 0x10 {
				r.Rewritten[0] = 'X'
			}
			return r, err
		}, report.WrongRewrite, "rewrites DVLB002"},
		"hangs": {func(b []byte) (Result, error) {
			if len(b) == 0 {
				time.Sleep(time.Hour)
			}
			return strict(b)
		}, report.Hang, "hang: DVLB001"},
		"passes over the end word": {func(b []byte) (Result, error) {
			r, err := strict(b)
			if !slices.ContainsFunc(shbin.Check(b),
				func(f diag.Finding) bool { return f.Severity == diag.Error && f.Rule != "DVLE008" }) {
				return r, nil
			}
			return r, err
		}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := runUnderFakeClock(t, c.read, Options{Repeats: 1, Cases: 3, NoCost: true})
			found := c.level == "" && len(r.Deviations) == 0
			if (c.level == report.AcceptsInvalid || c.level == report.RefusesValid) && len(r.Deviations) != 1 {
				t.Errorf("%d causes", len(r.Deviations))
			}
			for _, d := range r.Deviations {
				found = found || d.Verdict == c.level && d.Bucket == c.cause
				t.Logf("%s: %s: %s", d.Verdict, d.Bucket, d.Observed)
			}
			if !found {
				t.Errorf("no %q, %q", c.level, c.cause)
			}
		})
	}
}

// runUnderFakeClock judges a reader of SHBIN in this process. Time passes only while every call
// hangs: nobody waits for a limit, and a slow machine makes no hangs.
func runUnderFakeClock(t *testing.T, r Reader, o Options) (got *report.Report) {
	t.Helper()
	o.Formats, o.Seed = []string{"shbin"}, 1
	synctest.Test(t, func(t *testing.T) {
		var err error
		if got, err = Run(t.Context(), r, o); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Hour) // until the calls that hung return
	})
	return got
}

// TestReducedFiles: a reduced file breaks the rule that the original was made to break and no
// other; a failure on valid files is shown by a valid file; and names are short.
func TestReducedFiles(t *testing.T) {
	for name, c := range map[string]struct {
		bad   func(d *shbin.DVLE) bool
		rules []string
		size  int
	}{
		"an output without components": {func(d *shbin.DVLE) bool {
			return slices.ContainsFunc(d.Outputs, func(o shbin.Output) bool { return o.Mask == 0 })
		}, []string{"DVLE053"}, 128},
		"a uniform": {func(d *shbin.DVLE) bool { return len(d.Uniforms) > 0 }, nil, 132},
		"a label":   {func(d *shbin.DVLE) bool { return len(d.Labels) > 0 }, nil, 140},
	} {
		read := Func(func(b []byte) (Result, error) {
			f, err := shbin.Parse(b)
			if err == nil && slices.ContainsFunc(f.DVLEs, func(d shbin.DVLE) bool { return c.bad(&d) }) {
				panic("no")
			}
			return Result{}, err
		})
		r, err := Run(context.Background(), read,
			Options{Formats: []string{"shbin"}, Seed: 1, Repeats: 2, Cases: 20, NoCost: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Deviations) != 1 {
			t.Errorf("%s: %d causes", name, len(r.Deviations))
			continue
		}
		format, _ := registry.ByName("shbin")
		d := &r.Deviations[0]
		if rules := slices.Sorted(maps.Keys(rulesOf(complaints(format, d.File)))); !slices.Equal(rules, c.rules) ||
			len(d.File) > c.size {
			t.Errorf("%s: %d bytes that break %v, want at most %d, %v\n%s", name, len(d.File), rules, c.size, c.rules,
				d.Assembly)
		}
	}
}

// picky is a reader with a failure on one file. It takes a second for each.
type picky struct {
	Func
	data  []byte
	reply Reply
	asked int
}

func (r *picky) Read(_ context.Context, _ string, data []byte, _ time.Duration) (Reply, error) {
	r.asked++
	time.Sleep(time.Second)
	if bytes.Equal(data, r.data) {
		return r.reply, nil
	}
	return Reply{Outcome: Refused}, nil
}

// TestReductionBounds: the number of tries bounds a reduction, however long they take.
func TestReductionBounds(t *testing.T) {
	from, _ := files.ByName("shbin")
	for _, c := range []struct {
		most  bounds
		asked int
		level report.Level
		reply Reply
	}{
		{usualBounds, 300 + 1, report.Crash, Reply{Outcome: Crashed}}, // and once alone
		{slowBounds, 50 + 2, report.Hang, Reply{Outcome: Hung}},       // and twice
		{slowBounds, 50 + 1, report.Cost, Reply{CPU: time.Minute}},
		{bounds{7, 1 << 20, 300}, 1 + 6 + 1, report.Crash, Reply{Outcome: Crashed}}, // the empty file breaks another rule
		{bounds{300, 3000, 300}, 3 + 1, report.Crash, Reply{Outcome: Crashed}},
	} {
		synctest.Test(t, func(t *testing.T) {
			data := bytes.Repeat([]byte{0xAA}, 1000) // with a wrong magic, as the candidates have it
			read := &picky{data: data, reply: c.reply}
			x := &run{Options: Options{Limit: time.Minute}, reader: read, standards: newStandards(from)}
			shown := &shownCase{Case: Case{Format: "shbin", Kind: Damaged, Data: data}, Reply: c.reply}
			shown.wrong = x.judge(&shown.Case, &c.reply, &Reply{})
			reduce := x.reduced
			if c.most != usualBounds && c.most != slowBounds {
				reduce = func(ctx context.Context, f gen.Format, s *shownCase, base *Reply) ([]byte, bool) {
					return x.within(ctx, c.most, f, s, base, x.read)
				}
			}
			got, ok := reduce(t.Context(), from, shown, &Reply{})
			if !ok || !bytes.Equal(got, data) || shown.wrong.level != c.level || read.asked != c.asked {
				t.Errorf("%+v: %s: %d asked, want %d; %d bytes, %v", c.most, shown.wrong.level, read.asked, c.asked,
					len(got), ok)
			}
		})
	}
}

// TestOneWay: if a rule can be broken in several ways, the reduced file breaks it in the
// original way: here by elements that nest too deep, not by the version.
func TestOneWay(t *testing.T) {
	const declaration = `<?xml version="1.0" encoding="utf-8"?>` + "\r\n"
	text := func(declaration string) []byte {
		deep := strings.Repeat("<a>", 64) + strings.Repeat("</a>", 64)
		return []byte(declaration + "<NintendoWareIntermediateFile>" + deep + "</NintendoWareIntermediateFile>")
	}
	format, _ := registry.ByName("csdr")
	same := faithful(format, &Case{Data: text(declaration), Kind: Trigger, Rule: "CSDR004"})
	if !same(text(declaration)) || !same(text("")) {
		t.Error("a file that is as wrong as before is none")
	}
	if same(text(strings.Replace(declaration, "1.0", "", 1))) {
		t.Error("a file is taken that has no version, either")
	}
}

// TestFoldRepeats: a hang on a rule is part of a crash on the same rule, and so are fewer
// wrongly accepted files; other failures are not.
func TestFoldRepeats(t *testing.T) {
	group := func(n int, level report.Level, rule string) (list []*shownCase) {
		for range n {
			list = append(list, &shownCase{Case: Case{Because: rule},
				wrong: &wrong{level: level, name: string(level) + " " + rule}})
		}
		return list
	}
	groups := [][]*shownCase{group(3, report.Crash, "A"), group(5, report.Hang, "A"),
		group(2, report.AcceptsInvalid, "A"),
		group(3, report.AcceptsInvalid, "A"), group(1, report.Hang, "B"), group(1, report.Cost, ""),
		group(9, report.AcceptsInvalid, "B")}
	found := make([][]report.Deviation, len(groups))
	for i, g := range groups {
		found[i] = []report.Deviation{
			{Bucket: g[0].wrong.name, Verdict: g[0].wrong.level,
				Members: []report.Member{{Key: string(rune('a' + i)), Count: len(g)}}}}
	}
	foldRepeats(groups, found)
	var got []string
	for _, list := range found {
		for _, d := range list {
			got = append(got, fmt.Sprintf("%s: %s", d.Bucket, d.Note))
		}
	}
	want := []string{"crash A: also hang A; also accepts invalid A", "accepts invalid A: ",
		"hang B: also accepts invalid B", "cost : "}
	if !slices.Equal(got, want) || found[0][0].Count != 3+5+2 {
		t.Errorf("got %q, %d files, want %q", got, found[0][0].Count, want)
	}
}

// TestMergeSlow: hangs on files with the same special property are one cause, and so are hangs
// on many kinds of files; costs of another kind are other causes.
func TestMergeSlow(t *testing.T) {
	from, _ := files.ByName("shbin")
	trigger := func(rule string) []byte {
		i := slices.IndexFunc(from.Faults(), func(f gen.Fault) bool { return f.Rule == rule })
		b, _ := from.Faults()[i].File(gen.From(gen.NewBytes(nil)))
		return b
	}
	for _, c := range []struct{ names, want []string }{
		{[]string{"hang: DVLB007"}, []string{"hang: DVLB007: "}},
		{[]string{"hang: DVLE051", "hang: DVLE032"}, []string{"hang: DVLE051: ", "hang: DVLE032: "}},
		{[]string{"hang: DVLE061", "hang: DVLE062", "hang: DVLE032"},
			[]string{"hang: DVLE061: also hang: DVLE062", "hang: DVLE032: "}},
		{[]string{"hang: DVLE051", "hang: DVLE032", "time: DVLE051", "hang: DVLE009"},
			[]string{"hang: DVLE009: also hang: DVLE032, hang: DVLE051", "time: DVLE051: "}},
	} {
		var groups [][]*shownCase
		var found [][]report.Deviation
		for _, name := range c.names {
			w := &wrong{level: report.Cost, name: name}
			if kindOf(name) == "hang" {
				w.level = report.Hang
			}
			_, rule, _ := strings.Cut(name, ": ")
			groups = append(groups, []*shownCase{{wrong: w}})
			found = append(found,
				[]report.Deviation{{Bucket: name, Verdict: w.level, File: trigger(rule),
					Members: []report.Member{{Key: name, Count: 1}}}})
		}
		new(run).mergeSlow(from, groups, found)
		var got []string
		for _, d := range slices.Concat(found...) {
			got = append(got, d.Bucket+": "+d.Note)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.names, got, c.want)
		}
	}
}

// TestSteep: shapes that grow by one part are one cause, and so are all shapes if any bytes are
// enough, or if there are many.
func TestSteep(t *testing.T) {
	from, _ := files.ByName("shbin")
	for _, c := range []struct{ families, want []string }{
		{[]string{"many of .A", "many of .B"}, []string{"time: shbin many of .A", "time: shbin many of .B"}},
		{[]string{"many of .A", "a long name in .A"}, []string{"time: shbin many of .A"}},
		{[]string{atEnd, "many of .A"}, []string{"time: shbin bytes at the end"}},
		{[]string{"many of .A", "many of .B", "many of .C"}, []string{"time: shbin many of .A"}},
	} {
		x := &run{reader: Func(nil), report: &report.Report{}}
		var list []Measurement
		for _, f := range c.families {
			list = append(list, Measurement{Family: f, Grows: "time"})
		}
		x.addSteep(from, list)
		var got []string
		n := 0
		for _, d := range x.report.Deviations {
			got, n = append(got, d.Bucket), n+d.Count
		}
		if !slices.Equal(got, c.want) || n != len(list) {
			t.Errorf("%q: got %q, %d shapes", c.families, got, n)
		}
	}
}

// TestMostlyCrash: a reader that crashes on nearly every file gets some files, and the rest is
// counted.
func TestMostlyCrash(t *testing.T) {
	for odd, left := range map[int]bool{7: false, 100: true} { // the reader survives one file in so many
		n := 0
		reader := Func(func(b []byte) (Result, error) {
			if n++; n%odd != 0 {
				panic("no")
			}
			return Result{}, nil
		})
		r, err := Run(context.Background(), reader,
			Options{Formats: []string{"zpsh"}, Seed: 1, Repeats: 2, Cases: 50, NoCost: true, Jobs: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.ContainsFunc(r.Tables,
			func(t report.Table) bool { return t.Title == "zpsh: left out" }); got != left {
			t.Errorf("one of %d: files are left out: %v, want %v; %d requests", odd, got, left, r.Requests)
		}
	}
}

// patientFunc is a function that is asked about many files at a time, so that hangs overlap.
type patientFunc struct{ Func }

func (patientFunc) Shared() bool { return true }

// TestManyHangs: a reader that hangs on many files gets some of them, and has one cause.
func TestManyHangs(t *testing.T) {
	read := patientFunc{func(b []byte) (Result, error) {
		f, err := shbin.Parse(b)
		if err == nil && len(f.DVLEs[0].Uniforms) > 0 {
			time.Sleep(time.Hour)
		}
		return Result{}, err
	}}
	r := runUnderFakeClock(t, read, Options{Repeats: 1, Cases: 20, Jobs: 64})
	hangs := 0
	for _, d := range r.Deviations {
		if d.Verdict == report.Hang {
			hangs++
			t.Logf("%s, %d files: %s", d.Bucket, d.Count, d.Note)
		}
	}
	left := slices.ContainsFunc(r.Tables, func(t report.Table) bool { return t.Title == "shbin: left out" })
	if hangs != 1 || !left {
		t.Errorf("%d causes, files are left out: %v", hangs, left)
	}
}

// TestNotShown: rules whose files a hanging reader never got are not tested.
func TestNotShown(t *testing.T) {
	hangs := patientFunc{func([]byte) (Result, error) {
		time.Sleep(time.Hour)
		return Result{}, nil
	}}
	want := 0
	for _, r := range shbin.Rules {
		if r.Readers(r.Severity) == diag.MustRefuse {
			want++
		}
	}
	r := runUnderFakeClock(t, hangs, Options{Repeats: 1, Cases: 200, Jobs: 64})
	for _, u := range r.NotTested {
		if u.Suite != "shbin" || u.Reason != "no file was shown to the reader" {
			t.Errorf("%+v", u)
		}
	}
	if len(r.NotTested) != want {
		t.Errorf("%d rules are not tested, want %d: %v", len(r.NotTested), want, r.NotTested)
	}
}

// TestPages: every format has files of whole pages, and such files with text at their end.
func TestPages(t *testing.T) {
	for _, from := range files.Formats {
		text := 0
		list := pages(from, 1)
		for _, b := range list {
			if len(b) == 0 || len(b)%pageSize != 0 {
				t.Errorf("%s: %d bytes", from.Name, len(b))
			}
			if b[len(b)-1] != 0 {
				text++
			}
		}
		if len(list) == 0 || text == 0 {
			t.Errorf("%s: %d files of whole pages, %d of them with text at the end", from.Name, len(list), text)
		}
	}
}

// kept is memory that stays allocated during a test.
var kept []byte

// TestSmall: every format has files with small numbers in their fields, and with lists of small
// sizes.
func TestSmall(t *testing.T) {
	for _, from := range files.Formats {
		format, _ := registry.ByName(from.Name)
		if n, m := len(sweeps(from, 1)[0].smalls(format)), len(sizes(from, 1)); m < 20 || n < 80 {
			t.Errorf("%s: %d files with small numbers, %d of small sizes", from.Name, n, m)
		}
	}
	from, _ := files.ByName("shbin")
	uniforms := map[int]bool{}
	for _, b := range sizes(from, 1) {
		if f, err := shbin.Parse(b); err == nil {
			uniforms[len(f.DVLEs[0].Uniforms)] = true
		}
	}
	for _, n := range []int{0, 1, 2, 64, 512} {
		if !uniforms[n] {
			t.Errorf("no file has %d uniforms", n)
		}
	}
}

// TestManyNamed: there are valid files with many named items.
func TestManyNamed(t *testing.T) {
	for format, paths := range map[string][]string{
		"cgfx": {".Objects"}, "csdr": {".Objects"}, "zpsh": {".Entries"},
		"gsh": {".Shaders[0].Shader.Uniforms", ".Shaders[0].Shader.Blocks", ".Shaders[0].Shader.Samplers",
			".Shaders[0].Shader.Attributes"},
		"sharcfb": {".Programs[0].Symbols.Uniforms", ".Programs[0].Symbols.Samplers",
			".Programs[0].Symbols.Attributes"},
	} {
		from, _ := files.ByName(format)
		of, _ := registry.ByName(format)
		for _, path := range paths {
			i := slices.IndexFunc(shapes(from, 1), func(s shape) bool { return s.name == "many of "+path })
			if i < 0 {
				t.Errorf("%s: nothing grows by %s", format, path)
				continue
			}
			const most = 256
			want := diag.MustAccept
			if format == "gsh" {
				want = diag.Either // repeated records share a location or an offset (GX2053, GX2055)
			}
			if class, rule := files.ClassOf(of, shapes(from, 1)[i].grow(most)); class != want {
				t.Errorf("%s: %d of %s: %s %s", format, most, path, class, rule)
			}
		}
	}
}

// TestHeavy: a reader that takes many times the memory of a file is reported.
func TestHeavy(t *testing.T) {
	heavyReader := Func(func(b []byte) (Result, error) {
		kept = make([]byte, 2*heavy*len(b))
		_, err := shbin.Parse(b)
		return Result{}, err
	})
	from, _ := files.ByName("shbin")
	m, err := measure(context.Background(), heavyReader, from.Name, families(from, 1)[0], Reply{}, 10*time.Second)
	if err != nil || !m.Heavy || m.Grows != "" {
		t.Errorf("%v, heavy: %v, grows: %q: %v", err, m.Heavy, m.Grows, m.String())
	}
}

// cheap costs less for every file than for the minimal one.
type cheap struct{ Func }

func (cheap) Measure(context.Context, string, []byte, time.Duration) (Reply, error) {
	return Reply{Outcome: Accepted, CPU: time.Millisecond, Memory: 1 << 20}, nil
}

// TestNothingBesides: a file that costs less than a minimal file is no failure.
func TestNothingBesides(t *testing.T) {
	from, _ := files.ByName("shbin")
	m, err := measure(context.Background(), cheap{}, from.Name, families(from, 1)[0],
		Reply{CPU: time.Second, Memory: 1 << 30}, time.Second)
	if text := m.String(); err != nil || strings.Contains(text, "-") {
		t.Errorf("%v: %s", err, text)
	}
}

// TestInterrupted: the report has the results from before the end of the context.
func TestInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	all := Func(func([]byte) (Result, error) { return Result{}, nil })
	r, err := Run(ctx, all, Options{Formats: []string{"shbin", "dvoj"}, Seed: 1, Repeats: 1, Cases: 1, NoCost: true,
		Progress: func(text string) {
			if strings.HasPrefix(text, "shbin: 30 of") {
				stop()
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	found := slices.ContainsFunc(r.Deviations, func(d report.Deviation) bool {
		return d.Bucket == "accepts every file" && strings.HasPrefix(d.Note, "interrupted")
	})
	if !r.Interrupted || !found || len(r.Tables) != 2 {
		t.Errorf("interrupted: %v, %d tables, causes: %v", r.Interrupted, len(r.Tables), r.Deviations)
	}
	keepsToSchema(t, r)
}

// keepsToSchema checks a report in JSON against its schema.
func keepsToSchema(t *testing.T, r *report.Report) {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(report.Schema))
	if err := errors.Join(err, c.AddResource("report.schema.json", schema)); err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err := errors.Join(err, c.MustCompile("report.schema.json").Validate(v)); err != nil {
		t.Error(err)
	}
}

// lateOnce is a right reader of ZPSH that hangs on a file at the first and second request, as on
// a busy machine.
type lateOnce struct {
	Func
	asked map[string]int
}

func (r *lateOnce) Read(ctx context.Context, format string, data []byte, limit time.Duration) (Reply, error) {
	if r.asked[string(data)]++; r.asked[string(data)] <= 2 {
		return Reply{Outcome: Hung}, nil
	}
	return r.Func.Read(ctx, format, data, limit)
}

// TestLateOnce: a reader that hung on so many files that the rest was omitted, and then on none
// of them, does not count as right.
func TestLateOnce(t *testing.T) {
	r := &lateOnce{func(data []byte) (Result, error) {
		_, err := zpsh.Parse(data)
		return Result{}, err
	}, map[string]int{}}
	run := func(r Reader) error {
		_, err := Run(t.Context(), r,
			Options{Formats: []string{"zpsh"}, Repeats: 1, Cases: 20, NoCost: true, Limit: time.Minute})
		return err
	}
	if err := run(r); !errors.Is(err, ErrLimit) {
		t.Errorf("every file is late once: got %v, want ErrLimit", err)
	}
	if err := run(r.Func); err != nil {
		t.Errorf("no file is late: %v", err)
	}
}
