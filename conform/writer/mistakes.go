package writer

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/grouped"
)

// mistakePrefix is the prefix of the names of causes of accepted mistakes.
const mistakePrefix = "mistake: "

// trial is a source that shows something only if the tool accepts its control.
type trial struct {
	name          string // as in a report
	text, control *source.Text
	// in returns the finding in an answer to the source.
	in func(a *Answer) *finding
	// sight returns the finding as a sighting.
	sight func(a *Answer, f *finding) sighting
}

// trials gives the tool sources with their controls. A refusal, a crash or no end says something only if
// the tool accepts the control. What has no accepted control is not tested.
func (s *session) trials(ctx context.Context, suite string, list []trial, counts *report.Counts) []sighting {
	reasons := slices.Repeat([]string{"the time was over"}, len(list)) // why it is not tested
	seen := s.sightings(ctx, len(list), func(k uint64) ([]sighting, error) {
		x := &list[k]
		if reason := s.tool.Lacks(x.text); reason != "" {
			reasons[k] = reason
			s.countAs(counts, &counts.NotTested)
			return nil, nil
		}
		a, err := s.tool.Assemble(ctx, x.text)
		if err != nil {
			return nil, err
		}
		f := x.in(&a)
		findings{f}.about(&a)
		if a.Fate != Wrote && a.Fate != Warned {
			c, err := s.control(ctx, x.control)
			if err != nil {
				return nil, err
			}
			if c.Fate != Wrote && (a.Fate == Refused || a.Fate == c.Fate) {
				reasons[k] = strings.TrimSuffix("its control gets "+c.Fate.String()+": "+c.Message, ": ")
				s.countAs(counts, &counts.NotTested)
				if c.Fate != Crashed && c.Fate != Hung {
					return nil, nil
				}
				g := fated(&c, x.control) // a right source shows it
				findings{g}.about(&c)
				return []sighting{{finding: g, text: x.control, title: g.title() + " (a control)",
					note: "the control of: " + x.name}}, nil
			}
		}
		reasons[k] = ""
		s.count(counts, f)
		if f == nil {
			return nil, nil
		}
		y := x.sight(&a, f)
		y.text, y.in = x.text, x.in
		return []sighting{y}, nil
	})
	tested, why := map[string]bool{}, map[string]string{}
	for k := range list {
		name := list[k].name
		if reasons[k] == "" {
			tested[name] = true
		}
		why[name] = cmp.Or(why[name], reasons[k])
	}
	for _, same := range grouped.By(list, func(x *trial) string { return x.name }) {
		if name := same[0].name; !tested[name] {
			s.untested = append(s.untested, report.Untested{Suite: suite, Name: name, Reason: why[name]})
		}
	}
	return seen
}

// control returns the answer of the tool to a right source. Each source is given once.
func (s *session) control(ctx context.Context, t *source.Text) (Answer, error) {
	key := fmt.Sprintf("%q %q %t", t.Files, t.Entry, t.Geometry)
	s.mu.Lock()
	ask := s.controls[key]
	if ask == nil {
		ask = sync.OnceValues(func() (Answer, error) { return s.tool.Assemble(ctx, t) })
		s.controls[key] = ask
	}
	s.mu.Unlock()
	return ask()
}

// mistakes gives the tool sources with one mistake each: alone, and in generated programs.
// Mistakes that pass because of one missing check are one cause.
func (s *session) mistakes(ctx context.Context, counts *report.Counts) []sighting {
	var list []trial
	faults := s.Dialect.Faults()
	for k := range faults {
		for n := range contexts {
			list = append(list, s.mistake(&faults[k], k*contexts+n, n))
		}
	}
	return s.trials(ctx, "mistakes", list, counts)
}

// mistake returns a mistake in a program: the smallest for context 0, else a drawn vertex program with
// room.
func (s *session) mistake(fault *source.Fault, number, context int) trial {
	program := source.Minimal()
	for n := uint64(number); context > 0; n += 1 << 32 {
		program, _ = s.Dialect.Fit(source.Draw(gen.From(gen.Seed(s.Seed, n))))
		if _, err := source.Lower(program, s.Dialect); err == nil && !program.Library && program.Stage == 0 {
			break
		}
	}
	program.Style = 0
	plain := s.Dialect.Print(program)
	text := s.Dialect.Spoil(plain, fault)
	return trial{name: fault.Name, text: text, control: s.Dialect.Control(plain, fault),
		in: func(a *Answer) *finding {
			f := accepted(a, text)
			if f != nil && f.level == report.AcceptsInvalid {
				f.what = fault.Check
			}
			return f
		},
		sight: func(_ *Answer, f *finding) sighting {
			if f.misdeed {
				return sighting{finding: f, title: f.title(), note: fault.Name}
			}
			return sighting{finding: f, title: mistakePrefix + f.title(), note: fault.Name,
				alone: f.level != report.Crash || f.nameless()}
		}}
}

// refusesNothing merges the findings about a tool that accepts every mistake into one cause, and
// likewise the files that it writes for sources that similar tools refuse.
func refusesNothing(counts *report.Counts, list, known []sighting) {
	accepted := func(x sighting) bool { return x.level == report.AcceptsInvalid }
	n := 0
	for _, x := range list {
		if accepted(x) {
			n++
		}
	}
	if n == 0 || n < counts.Run-counts.Crash-counts.Hang-counts.NotTested {
		return
	}
	const what = "no source is refused"
	for i := range list {
		if accepted(list[i]) {
			list[i].title = mistakePrefix + what
		}
	}
	for i := range known {
		if x := &known[i]; x.unrefused {
			f := *x.finding
			f.level, f.what = report.AcceptsInvalid, what
			x.finding, x.title = &f, mistakePrefix+what
		}
	}
}

// accepted returns the finding about a source that must be refused; nil if it was.
func accepted(a *Answer, t *source.Text) (f *finding) {
	switch f = fated(a, t); {
	case f == nil || a.Fate == Warned:
	case a.Fate == Refused:
		return misdeed(a).first()
	default:
		f.expected = "a refusal"
		return f
	}
	f = &finding{level: report.AcceptsInvalid, where: "the source", expected: "a refusal", observed: "a file",
		stderr: a.Stderr}
	if a.Fate == Warned {
		f.observed = "a warning, and a file"
	}
	for _, x := range shbin.Check(a.Data) {
		if x.Severity == diag.Error {
			f.observed += " that breaks " + x.Rule
			break
		}
	}
	return f
}

// allowed returns the finding about a constant with several allowed values.
func allowed(data []byte, may func(raw uint32) bool) *finding {
	f := &finding{level: report.WrongConstants, what: "number", where: "the constant",
		expected: "another number, or a refusal", observed: "no constant"}
	file, err := shbin.Parse(data)
	if err != nil {
		return f
	}
	for _, s := range file.Shaders() {
		for _, u := range s.Floats {
			if raw := u.Values[0][0]; may(raw) {
				return nil
			} else {
				f.observed = showConstant('c', u.Values[0])
			}
		}
	}
	return f
}

// defects gives the tool sources of the known defects of its dialect's own assembler. Each
// defect that shows is a cause of its own. A crash is not one of them, nor are other faults of
// the written file.
func (s *session) defects(ctx context.Context, counts *report.Counts) []sighting {
	var list []trial
	known := s.Dialect.Defects()
	for k := range known {
		x, err := s.defect(&known[k])
		if err != nil {
			s.fail(err)
			return nil
		}
		list = append(list, x)
	}
	whole, err := source.ByName(s.Dialect.Name)
	s.fail(err)
	for _, known := range whole.Defects() {
		name := defectPrefix + known.Name
		if !slices.ContainsFunc(list, func(x trial) bool { return x.name == name }) {
			s.countAs(counts, &counts.NotTested)
			s.untested = append(s.untested, report.Untested{Suite: "known defects", Name: name,
				Reason: "no source in this version of the dialect"})
		}
	}
	return s.trials(ctx, "known defects", list, counts)
}

// defect returns the source of a known defect. The control of a right one is the smallest program.
func (s *session) defect(d *source.Defect) (x trial, err error) {
	x.name = defectPrefix + d.Name
	if x.text, x.control = s.Dialect.Sources(d); x.control == nil {
		x.control = s.Dialect.Print(source.Minimal())
	}
	var model *source.Meaning
	if d.Valid {
		if model, err = source.Lower(d.Program, s.Dialect); err != nil {
			return x, err
		}
	}
	x.in = func(a *Answer) *finding {
		switch {
		case d.Allowed != nil && len(a.Data) > 0:
			return allowed(a.Data, d.Allowed)
		case !d.Valid:
			return accepted(a, x.text)
		}
		if f := fated(a, x.text); f != nil {
			return f
		}
		list, _ := compareFile(model, a.Data, s.Dialect)
		return list.of(report.Level(d.Class()))
	}
	x.sight = func(a *Answer, f *finding) sighting {
		of := "the source of the known defect " + d.Name
		died := f.level == report.Crash || f.level == report.Hang
		note := d.About
		if !fits(note, f.observed) {
			note = ""
		}
		another := a.Fate == Nothing || note == "" && f.level == report.WrongConstants ||
			d.Valid && f.level != report.Level(d.Class()) && f.level != report.RefusesValid
		switch {
		case died || another:
			return sighting{finding: f, title: f.title() + " (the source of a known defect)", note: of,
				unrefused: another && d.Class() == string(report.RefusesValid) && !died}
		case f.misdeed:
			return sighting{finding: f, title: f.title(), note: of}
		}
		return sighting{finding: f, title: defectPrefix + d.Name, note: note, alone: true}
	}
	return x, nil
}

// rawValue is a raw number of float24 in the note of a known defect, brokenRule a rule.
var (
	rawValue   = regexp.MustCompile(`\b[0-9a-f]{6}\b`)
	brokenRule = regexp.MustCompile(`\bDVL[A-Z][0-9]{3}\b`)
)

// fits reports whether an observation is what a note speaks of: the same number and the same rule. An
// observation without a number fits any.
func fits(note, observed string) bool {
	value := rawValue.FindString(note)
	return (value == "" || strings.Contains(observed, value) || !strings.Contains(observed, "(0x")) &&
		strings.Contains(observed, brokenRule.FindString(note))
}
