package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/internal/atomicfile"
	"github.com/picaproof/picaproof/internal/safetext"
)

// baselineFlags name the files of known causes that a command reads and writes.
type baselineFlags struct {
	read, write string
	// shipped returns a baseline inside the program; nil: there is none.
	shipped  func(name string) (baseline []byte, ok bool)
	partial  bool              // the run left something out: a cause that it did not find has not passed
	untested []report.Untested // nor has a cause whose check was not tested
}

func (b *baselineFlags) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&b.read, "baseline", "",
		"file of known causes: new, changed and missing causes fail, e.g. --baseline known.txt")
	cmd.Flags().StringVar(&b.write, "write-baseline", "",
		"write the causes to this file for --baseline, and exit with 0, e.g. --write-baseline known.txt")
}

// data returns the baseline to compare with.
func (b *baselineFlags) data(a *app) ([]byte, error) {
	if b.shipped != nil {
		if data, ok := b.shipped(b.read); ok {
			return data, nil
		}
	}
	return a.read(b.read)
}

// against shows a result and compares its causes with the baseline, if there is one: a bad
// result that the baseline expects is no failure. It also writes a new baseline on request. show
// gets the known causes; outcomes lists the outcomes that a baseline may name.
func against[L ~string](a *app, b *baselineFlags, causes []report.Cause, outcomes []L,
	show func(known report.Known) error) error {
	var known report.Baseline
	if b.read != "" {
		data, err := b.data(a)
		if err != nil {
			return err
		}
		if known, err = report.ReadBaseline(bytes.NewReader(data), outcomes); err != nil {
			return fmt.Errorf("%s: %w", shown(b.read), err)
		}
	}
	if b.write != "" {
		if err := atomicfile.Write(b.write,
			func(w io.Writer) error { return report.WriteBaseline(w, causes, known) }); err != nil {
			return err
		}
		if b.partial {
			a.say("the run left something out: causes may be missing in " + shown(b.write))
		}
	}
	if b.partial {
		known = known.Within(causes)
	}
	known = known.Tested(b.untested)
	err := show(known.Index())
	if err != nil && !errors.Is(err, errFindings) {
		return err
	}
	if b.read == "" {
		if b.write != "" {
			return nil
		}
		return err
	}
	unexpected := known.Against(causes)
	for _, what := range unexpected {
		a.say(safetext.Line(what))
	}
	if len(unexpected) > 0 && b.write == "" {
		return errFindings
	}
	return nil
}
