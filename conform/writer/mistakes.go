package writer

import (
	"context"
	"strings"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// mistakePrefix is the prefix of the names of causes of accepted mistakes.
const mistakePrefix = "mistake: "

// mistakes gives the tool sources with one mistake each: alone, and in generated programs.
// Mistakes that pass because of one missing check are one cause.
func (s *session) mistakes(ctx context.Context, counts *report.Counts) []sighting {
	faults := s.Dialect.Faults
	return s.sightings(ctx, len(faults)*contexts, func(k uint64) ([]sighting, error) {
		fault, n := &faults[k/contexts], k%contexts
		program := source.Minimal()
		if n > 0 {
			for number := k; ; number += 1 << 32 { // a vertex program with room
				program, _ = s.Dialect.Fit(source.Draw(gen.From(gen.Seed(s.Seed, number))))
				if _, err := source.Lower(program, s.Dialect); err == nil && !program.Library && program.Stage == 0 {
					break
				}
			}
		}
		program.Style = 0
		plain := s.Dialect.Print(program)
		text := s.Dialect.Spoil(plain, fault)
		a, err := s.tool.Assemble(ctx, text)
		if err != nil {
			return nil, err
		}
		f := accepted(&a, text)
		findings{f}.about(&a)
		if f != nil && f.level != report.AcceptsInvalid {
			b, err := s.tool.Assemble(ctx, plain)
			if err != nil {
				return nil, err
			}
			if b.Fate == a.Fate { // because of the program, not of the mistake
				s.note("mistake in a program that the tool does not survive")
				return nil, nil
			}
		}
		s.count(counts, f)
		if f == nil {
			return nil, nil
		}
		if f.level == report.AcceptsInvalid {
			f.what = fault.Check
		}
		x := sighting{finding: f, text: text, title: mistakePrefix + f.title(), note: fault.Name, alone: !f.named(),
			in: func(a *Answer) *finding { return accepted(a, text) }}
		if f.misdeed {
			x.title, x.alone = f.title(), false
		}
		return []sighting{x}, nil
	})
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
	if n == 0 || n < counts.Run-counts.Crash-counts.Hang {
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

// named reports whether a crash has a name of its own, which a signal alone is not.
func (f *finding) named() bool {
	return f.level == report.Crash && !strings.HasPrefix(f.what, "SIG") && !strings.HasPrefix(f.what, "exit status")
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
	defects := s.Dialect.Defects
	j := s.judge(true)
	return s.sightings(ctx, len(defects), func(k uint64) ([]sighting, error) {
		d := &defects[k]
		text, in, err := j.defect(d)
		if err != nil {
			return nil, err
		}
		a, err := s.tool.Assemble(ctx, text)
		if err != nil {
			return nil, err
		}
		f := in(&a)
		findings{f}.about(&a)
		s.count(counts, f)
		if f == nil {
			return nil, nil
		}
		x := sighting{finding: f, text: text, title: defectPrefix + d.Name, note: d.About, alone: true, in: in}
		if f.misdeed {
			x.title, x.note, x.alone = f.title(), "the source of the known defect "+d.Name, false
		}
		another := a.Fate == Nothing || d.Valid && f.level != report.Level(d.Class()) && f.level != report.RefusesValid
		if f.level == report.Crash || f.level == report.Hang || another {
			x.title, x.note, x.alone = f.title()+" (the source of a known defect)",
				"the source of the known defect "+d.Name, false
			x.unrefused = another && d.Class() == string(report.RefusesValid) && f.level != report.Crash &&
				f.level != report.Hang
		}
		return []sighting{x}, nil
	})
}

// defect returns the source of a known defect, and a function that returns the finding in an
// answer.
func (j *judge) defect(d *source.Defect) (text *source.Text, in func(a *Answer) *finding, err error) {
	text, _ = j.dialect.Sources(d)
	var model *source.Meaning
	if d.Valid {
		if model, err = source.Lower(d.Program(), j.dialect); err != nil {
			return nil, nil, err
		}
	}
	return text, func(a *Answer) *finding {
		switch {
		case d.Allowed != nil && len(a.Data) > 0:
			return allowed(a.Data, d.Allowed)
		case !d.Valid:
			return accepted(a, text)
		}
		if f := fated(a, text); f != nil {
			return f
		}
		return compareFile(model, a.Data, j.dialect).of(report.Level(d.Class()))
	}, nil
}
