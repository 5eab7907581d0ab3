package properties_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/picaproof/picaproof/formats/convert"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen/shbingen"
	"github.com/picaproof/picaproof/properties/arb"
)

// converted returns a model in the format of a target, and the report.
func converted(target string, model convert.Model) (convert.Model, convert.Report, error) {
	to, ok := convert.ByName(target)
	if !ok {
		return nil, nil, fmt.Errorf("no target %s", target)
	}
	return to.Convert(model, convert.Options{})
}

// TestConvertIsStable: a SHBIN converted to ZPSH, to SHBIN and to ZPSH again gives the same
// ZPSH, unless a report names a loss on the way back; after one more round trip it is the same
// in any case.
func TestConvertIsStable(t *testing.T) {
	tried, held, same := 0, 0, 0
	holds(t, 2000, arb.Models(shbingen.Model), func(m arb.Model[*shbin.File]) error {
		tried++
		file, _, err := converted("zpsh", m.Value)
		var refused *convert.RefusedError
		if errors.As(err, &refused) {
			return nil // more vertices than a ZPSH can express
		}
		var files [3][]byte
		var lost [3]bool
		for i := range files {
			if err != nil {
				return err
			}
			if files[i], err = file.AppendBinary(nil); err != nil {
				return err
			}
			back, report, err := converted("shbin", file)
			if err != nil {
				return err
			}
			lost[i] = report.Lost()
			if file, _, err = converted("zpsh", back); err != nil {
				return err
			}
		}
		held++
		if !lost[0] {
			same++
		}
		if !lost[0] && !bytes.Equal(files[0], files[1]) {
			return fmt.Errorf("the ZPSH changed and no report says so:\n%x\n%x", files[0], files[1])
		}
		if !bytes.Equal(files[1], files[2]) {
			return fmt.Errorf("the ZPSH changed the second time:\n%x\n%x", files[1], files[2])
		}
		return nil
	})
	if held < tried/4 || same < tried/20 {
		t.Errorf("only %d of %d models were converted, %d without a loss on the way back", held, tried, same)
	}
}

// TestArchivesKeepFiles: a SHBIN put into an archive and taken out again is the same model,
// and no report names a loss.
func TestArchivesKeepFiles(t *testing.T) {
	for _, archive := range []string{"cgfx", "csdr"} {
		t.Run(archive, func(t *testing.T) {
			format, ok := registry.ByName(archive)
			if !ok {
				t.Fatal("no such format")
			}
			holds(t, 500, arb.Models(shbingen.Model), func(m arb.Model[*shbin.File]) error {
				there, report, err := converted(archive, m.Value)
				if err != nil || report.Lost() {
					return fmt.Errorf("%v, lost: %v", err, report)
				}
				b, err := there.AppendBinary(nil)
				if err != nil {
					return err
				}
				read, err := format.Parse(b)
				if err != nil {
					return err
				}
				back, _, err := converted("shbin", read.Model().(convert.Model))
				if err != nil {
					return err
				}
				if !back.(*shbin.File).Equal(m.Value) {
					return fmt.Errorf("got %+v, want %+v", back, m.Value)
				}
				return nil
			})
		})
	}
}
