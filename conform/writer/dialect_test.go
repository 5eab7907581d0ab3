package writer_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/conform/writer"
	"github.com/picaproof/picaproof/internal/long"
)

// nihstroTool assembles like nihstro; change, which may be nil, plants a fault.
func nihstroTool(change func(p *planted)) writer.Func {
	var x planted
	if change != nil {
		change(&x)
	}
	return func(t *source.Text) ([]byte, error) {
		f, err := nihstroFile(t)
		if err != nil {
			return nil, err
		}
		if x.file != nil {
			x.file(f)
		}
		return f.AppendUnchecked(nil)
	}
}

// warner answers every source with a warning and a file.
type warner struct{ writer.Func }

// Assemble implements writer.Tool.
func (w warner) Assemble(ctx context.Context, t *source.Text) (writer.Answer, error) {
	a, err := w.Func.Assemble(ctx, t)
	a.Fate = writer.Warned
	return a, err
}

// TestWarnings: a file with a warning is no acceptance of a right source, and no refusal of a
// wrong one.
func TestWarnings(t *testing.T) {
	empty := source.Text{Files: []string{"main:\n\tnop\n\tend\n"}, Entry: "main"}
	tool := warner{func(*source.Text) ([]byte, error) { return nihstroTool(nil)(&empty) }}
	r, err := writer.Run(context.Background(), tool,
		writer.Options{Dialect: &source.Nihstro, Seed: 1, Cases: 20, Tries: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range r.Suites {
		if s.Equal > 0 {
			t.Errorf("%s: %d of %d as expected", s.Name, s.Equal, s.Run)
		}
	}
	for _, d := range r.Deviations {
		want := report.RefusesValid
		if strings.HasPrefix(d.Bucket, "mistake") {
			want = report.AcceptsInvalid
		}
		if d.Verdict != want && !strings.HasPrefix(d.Bucket, "known defect") {
			t.Errorf("%s: %s", d.Bucket, d.Verdict)
		}
	}
}

// TestDialects: printed sources have the right meaning for an assembler that follows the
// dialect's rules, silent mistakes included: every program is accepted and right, every mistake
// refused, and the known defects equal the shipped baseline.
func TestDialects(t *testing.T) {
	for seed := range long.Numbers(t, 10, 1) {
		testDialects(t, uint64(1+seed), uint64(long.Few(1000, 50)))
	}
}

func testDialects(t *testing.T, seed, cases uint64) {
	for _, x := range []struct {
		dialect *source.Dialect
		tool    writer.Tool
	}{{&source.Picasso, writer.Func((&planted{}).assemble)}, {&source.Nihstro, nihstroTool(nil)},
		{&source.Aemstro, writer.Func(aemstroFile)}} {
		r, err := writer.Run(context.Background(), x.tool, writer.Options{Dialect: x.dialect, Seed: seed, Cases: cases})
		if err != nil {
			t.Fatal(err)
		}
		baseline, _ := writer.Baseline(x.dialect.Name)
		known, err := report.ReadBaseline(bytes.NewReader(baseline), report.Levels)
		if err != nil {
			t.Fatal(err)
		}
		for _, what := range known.Against(r.Causes()) {
			t.Errorf("%s: %s", x.dialect.Name, what)
		}
		for _, d := range r.Deviations {
			if testing.Verbose() || !strings.HasPrefix(d.Bucket, "known defect") {
				t.Logf("%s [%d]: %s: %s: expected %s, observed %s\n%s", d.Bucket, d.Count, d.Note, d.Where, d.Expected,
					d.Observed, d.Assembly)
			}
		}
		for _, s := range r.Suites {
			t.Logf("%s: %s: %d of %d as expected", x.dialect.Name, s.Name, s.Equal, s.Run)
		}
		t.Log(r.Tables)
	}
}
