// Package convert_test asks of conversions: does a report explain every difference between a
// file and the file that comes back from another container?
package convert_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/convert"
	"github.com/picaproof/picaproof/formats/diff"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/zpsh"
)

// maxInput bounds the inputs, so that their minimisation takes little time.
const maxInput = 1 << 10

// FuzzConvert converts a SHBIN or a ZPSH to every target and back. A report must name every
// difference: as lost on the way there or as invented on the way back.
func FuzzConvert(f *testing.F) {
	corpus.Seeds(f, "shbin")
	corpus.Seeds(f, "zpsh")
	f.Add(outputsBesideTheMask(f))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > maxInput {
			return // go test minimises in quadratic time
		}
		var model convert.Model
		home := "shbin"
		if parsed, err := shbin.Parse(b); err == nil {
			model = parsed
		} else if parsed, err := zpsh.Parse(b, zpsh.HashMismatch); err == nil {
			model, home = parsed, map[zpsh.Revision]string{zpsh.R3: "zpsh@3"}[parsed.Revision]
			if home == "" {
				home = "zpsh@4"
			}
		} else {
			return
		}
		for _, target := range convert.Targets {
			thereAndBack(t, model, home, target)
		}
	})
}

// outputsBesideTheMask returns a DVLB to whose outputs a conversion adds one in front.
func outputsBesideTheMask(f *testing.F) []byte {
	b, err := (&shbin.File{
		DVLP: shbin.DVLP{Code: []uint32{0x88000000}},
		DVLEs: []shbin.DVLE{{End: 1, OutputMask: 1,
			Tables: shbin.Tables{Outputs: []shbin.Output{{Register: 1, Mask: 15}}}}},
	}).AppendBinary(nil)
	if err != nil {
		f.Fatal(err)
	}
	return b
}

func thereAndBack(t *testing.T, model convert.Model, home string, target convert.Target) {
	there, report, err := target.Convert(model, convert.Options{})
	if err != nil {
		var refused *convert.RefusedError
		if !errors.As(err, &refused) && !errors.Is(err, convert.ErrChoice) {
			t.Fatalf("to %s: %v", target.Name, err)
		}
		return
	}
	back, _ := convert.ByName(home)
	again, backReport, err := back.Convert(there, convert.Options{})
	if err != nil {
		t.Fatalf("back from %s: %v", target.Name, err)
	}
	result, err := diff.Models(model, again, convert.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range result.Differences {
		if !explained(d.Path, report, backReport) {
			t.Fatalf("%s: %s: %q became %q and no report names it", target.Name, d.Path, d.A, d.B)
		}
	}
}

// explained reports whether a report names the difference at a path, as lost on the way there
// or as invented on the way back. An object loses fields besides its tables on the way back.
// Behind a lost or invented element, each element is compared with its neighbour.
func explained(path string, there, back convert.Report) bool {
	if strings.HasSuffix(path, "].symbols") &&
		slices.ContainsFunc(back, func(l convert.Loss) bool { return l.Path == "symbols" }) {
		return true
	}
	names := func(report convert.Report, invented bool) bool {
		return slices.ContainsFunc(report, func(l convert.Loss) bool {
			return (l.Kind == convert.Invented) == invented && (within(path, l.Path) || within(l.Path, path))
		})
	}
	return names(there, false) || names(back, true) || slices.ContainsFunc(there, func(l convert.Loss) bool {
		return strings.HasSuffix(l.Path, "]") && strings.Contains(path, "[") && list(l.Path) == list(path)
	})
}

// within reports whether a path equals another or lies in it.
func within(path, in string) bool {
	rest, ok := strings.CutPrefix(path, in)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// list returns the name of the innermost list that a path goes through.
func list(path string) string {
	path = path[:strings.LastIndexByte(path, '[')+1]
	return path[strings.LastIndexByte(path, '.')+1:]
}
