package files_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/fuzz/judge"
)

// TestByName: every format of the registry has a generator, found by its name.
func TestByName(t *testing.T) {
	for known := range registry.All() {
		if f, ok := files.ByName(known.Name); !ok || f.Name != known.Name || f.File == nil {
			t.Errorf("%s: got %q, %t", known.Name, f.Name, ok)
		}
	}
	if f, ok := files.ByName("elf"); ok || f.Name != "" {
		t.Errorf("elf: got %q, %t", f.Name, ok)
	}
}

// TestClassOf: the worst finding decides what a reader has to do, and is named when it
// has to refuse.
func TestClassOf(t *testing.T) {
	refuse := diag.Finding{Rule: "REFUSE", Severity: diag.Error}
	either := diag.Finding{Rule: "EITHER", Severity: diag.Error}
	unknown := diag.Finding{Rule: "UNKNOWN", Severity: diag.Error}
	warn := diag.Finding{Rule: "REFUSE", Severity: diag.Warning}
	info := diag.Finding{Rule: "REFUSE", Severity: diag.Info}
	type list = []diag.Finding
	for _, c := range []struct {
		findings list
		class    diag.ReaderClass
		because  string
	}{
		{nil, diag.MustAccept, ""},
		{list{info, info}, diag.MustAccept, ""},
		{list{warn}, diag.Either, ""},
		{list{warn, info}, diag.Either, ""},
		{list{either}, diag.Either, ""},
		{list{unknown, warn}, diag.Either, ""},
		{list{refuse}, diag.MustRefuse, "REFUSE"},
		{list{info, warn, either, unknown, refuse, warn}, diag.MustRefuse, "REFUSE"},
	} {
		format := registry.Format{
			Rules: []diag.Rule{{ID: "EITHER", Reader: diag.Either}, {ID: "REFUSE", Reader: diag.MustRefuse}},
			Check: func([]byte, ...registry.Option) []diag.Finding { return c.findings },
		}
		if class, because := files.ClassOf(format, nil); class != c.class || because != c.because {
			t.Errorf("%v: got %v, %q; want %v, %q", c.findings, class, because, c.class, c.because)
		}
	}
}

// TestCasesAreJudged: a reading is held against what is expected of the file.
func TestCasesAreJudged(t *testing.T) {
	data := []byte("text")
	place := gen.Place{Off: 1, Len: 2, Path: "p"}
	at := diag.Finding{Rule: "X1", Severity: diag.Error, Off: 1, Len: 2, Path: "p"}
	outside := diag.Finding{Rule: "X2", Severity: diag.Error, Off: 5}
	valid, odd := files.Case{Data: data}, files.Case{Data: data, Odd: true}
	faulty := files.Case{Data: data, Expected: gen.Expected{Rule: "X1", Severity: diag.Error, Place: place}}
	accepted := judge.Reading{Accepted: true, Written: data}
	refused := judge.Reading{Findings: []diag.Finding{at}}
	for name, c := range map[string]struct {
		x    files.Case
		r    judge.Reading
		want *judge.Deviation
	}{
		"valid accepted": {valid, accepted, nil},
		"odd accepted":   {odd, accepted, nil},
		"faulty refused": {faulty, refused, nil},
		"faulty accepted": {faulty, accepted, &judge.Deviation{Key: "silent X1",
			Text: "not reported: X1, error, 0x1, length 2, p"}},
		"valid refused": {valid, refused, &judge.Deviation{Key: "reported X1",
			Text: "also reported: error, 0x0001: X1 p: , length 2; expected: , info, 0x0, length 0, "}},
		"odd refused": {odd, refused, &judge.Deviation{Key: "refused odd", Text: "refused: 0x0001: X1 p: "}},
		"outside": {valid, judge.Reading{Findings: []diag.Finding{outside}},
			&judge.Deviation{Key: "outside X2", Text: "finding outside the 4 bytes: 0x0005: X2 "}},
	} {
		if diff := cmp.Diff(c.want, c.x.Judge(&files.Reading{Reading: c.r})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestNearMissOfAFault: a near miss may break the rules that the fault names for it, and
// those that cannot stay silent.
func TestNearMissOfAFault(t *testing.T) {
	fault := gen.Fault{Rule: "X1", MissBreaks: []string{"X2"}, Also: []string{"X3", "X4"},
		Spoil: func(c *gen.Choices) ([]byte, gen.Place) {
			return []byte(gen.Breach(c, "wrong", "right")), gen.Place{}
		}}
	x := files.NearMiss(fault, gen.From(gen.Seed(seed, 0)))
	if string(x.Data) != "right" || x.Rule != "" || !slices.Equal(x.Also, []string{"X2", "X3", "X4"}) {
		t.Errorf("got %q, %+v", x.Data, x.Expected)
	}
}
