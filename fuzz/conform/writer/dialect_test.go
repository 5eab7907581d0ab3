package writer_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/fuzz/conform/source"
	"github.com/picaproof/picaproof/fuzz/conform/writer"
	"github.com/picaproof/picaproof/fuzz/report"
)

// nihstroTool assembles as nihstro does; change, which may be nil, plants a fault.
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

// TestDialects: what is printed means what it should to an assembler that follows the
// dialect's rules, silent mistakes included: every program is accepted and right, every
// mistake refused, and the known defects are those of the shipped baseline.
func TestDialects(t *testing.T) {
	cases := uint64(10000)
	if testing.Short() {
		cases = 500
	}
	for _, x := range []struct {
		dialect *source.Dialect
		tool    writer.Tool
	}{{&source.Picasso, writer.Func((&planted{}).assemble)}, {&source.Nihstro, nihstroTool(nil)}} {
		r, err := writer.Run(context.Background(), x.tool, writer.Options{Dialect: x.dialect, Seed: 1, Cases: cases})
		if err != nil {
			t.Fatal(err)
		}
		known, err := report.ReadBaseline(bytes.NewReader(writer.Baselines[x.dialect.Name]), report.Levels)
		if err != nil {
			t.Fatal(err)
		}
		for _, what := range known.Against(r.Causes()) {
			t.Errorf("%s: %s", x.dialect.Name, what)
		}
		for _, d := range r.Deviations {
			if testing.Verbose() || !strings.HasPrefix(d.Bucket, "known defect") {
				t.Logf("%s [%d]: %s: %s: expected %s, observed %s\n%s", d.Bucket, d.Count, d.Note, d.Where, d.Expected, d.Observed, d.Assembly)
			}
		}
		for _, s := range r.Suites {
			t.Logf("%s: %s: %d of %d as expected", x.dialect.Name, s.Name, s.Equal, s.Run)
		}
		t.Log(r.Tables)
	}
}
