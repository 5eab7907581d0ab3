package registry_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/internal/golden"
)

// TestTable states how a file of each format is recognised and which options and variants the
// format has.
func TestTable(t *testing.T) {
	var got []string
	for f := range registry.All() {
		for _, magic := range f.Magics {
			if found, ok := registry.Detect("", []byte(magic+"\x00")); !ok || found.Name != f.Name {
				t.Errorf("%q is %q, want %q", magic, found.Name, f.Name)
			}
		}
		var options []string
		for _, l := range f.Leniencies {
			options = append(options, string(l.Option))
		}
		for _, v := range f.Variants {
			if option, ok := f.Variant(v.Name); !ok || option != v.Option {
				t.Errorf("%s@%s: %q, %t", f.Name, v.Name, option, ok)
			}
			options = append(options, "@"+v.Name, string(v.Option))
		}
		if option, ok := f.Variant("none"); ok || option != "" {
			t.Errorf("%s has a variant %q", f.Name, option)
		}
		names := strings.Join(slices.Concat(f.Extensions, options), " ")
		got = append(got, fmt.Sprintf("%s %q %s\n", f.Name, f.Magics, names))
	}
	golden.Text(t, "formats.txt", strings.Join(got, ""))
	if f, ok := registry.ByName("none"); ok || f.Name != "" {
		t.Errorf("a format %q", f.Name)
	}
}

// TestWriters: the rules that a writer's files break, and the writers of a rule.
func TestWriters(t *testing.T) {
	want := []registry.Writer{
		{"picasso-2.7", "picasso from 2.5 on", []string{"DVLE003"}},
		{"picasso-2.0", "picasso before 2.5", []string{"DVLE003", "DVLE011"}},
		{"nihstro", "nihstro", strings.Fields(
			"DVLB014 DVLE009 DVLE011 DVLE012 DVLE022 DVLE043 DVLE044 DVLE065 DVLE067 DVLP014")},
		{"aemstro", "aemstro", strings.Fields("DVLB014 DVLE011 DVLE044 DVLP012 DVLP013")},
	}
	if diff := cmp.Diff(want, registry.Writers); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, w := range want {
		if got, ok := registry.WriterNamed(w.Name); !ok || got.Title != w.Title {
			t.Errorf("%s: %q, %t", w.Name, got.Title, ok)
		}
	}
	if w, ok := registry.WriterNamed("none"); ok || w.Name != "" {
		t.Errorf("a writer %q", w.Name)
	}
	if got := registry.WritersOf("DVLE003"); !slices.Equal(got, []string{"picasso from 2.5 on", "picasso before 2.5"}) {
		t.Errorf("writers of DVLE003: %q", got)
	}
}

// A text is a document that is written as its bytes say, or fails with them.
type text string

var errText = errors.New("cannot be written")

func (d text) AppendBinary(b []byte) ([]byte, error) {
	if strings.HasPrefix(string(d), "!") {
		return b, errText
	}
	return append(b, d...), nil
}

func (d text) Regions() []diag.Region { return nil }
func (d text) Canonical() registry.Document {
	_, canonical, _ := strings.Cut(string(d), "=")
	return text(canonical)
}
func (d text) Model() any         { return d }
func (d text) HasCanonical() bool { return d != "own" }

// TestRoundTrip: a round trip stops at the first failure, and says what held until then. The
// format reads "a|b" as a document that is written as b; its canonical form follows a "=".
func TestRoundTrip(t *testing.T) {
	f := registry.Format{Parse: func(b []byte, _ ...registry.Option) (registry.Document, error) {
		read, written, ok := strings.Cut(string(b), "|")
		switch {
		case read == "refused":
			return nil, errors.New("refused")
		case ok:
			return text(written), nil
		}
		return text(b), nil
	}}
	yes, no := true, false
	for file, want := range map[string]registry.RoundTrip{
		"refused": {Canonical: &no, Stable: &no, Error: "refused"},
		"a|!":     {Accepted: true, Canonical: &no, Stable: &no, Error: errText.Error()},
		"a|a":     {Accepted: true, Canonical: &no, Stable: &no, Error: "wrote 1 bytes, read 3"},
		"abc|ax":  {Accepted: true, Canonical: &no, Stable: &no, Error: "0x0001: wrote 78, read 62"},
		"own":     {Accepted: true, Identical: true},
		"a=!": {Accepted: true, Identical: true, Canonical: &no, Stable: &no,
			Error: "canonical form: cannot be written"},
		"a=b": {Accepted: true, Identical: true, Canonical: &no, Stable: &no,
			Error: "canonical form is not stable: wrote 0 bytes, read 1"},
		"a=refused": {Accepted: true, Identical: true, Canonical: &no, Stable: &no,
			Error: "canonical form is not stable: refused"},
		"":   {Accepted: true, Identical: true, Canonical: &yes, Stable: &yes},
		"a=": {Accepted: true, Identical: true, Canonical: &no, Stable: &yes},
	} {
		got := f.RoundTrip([]byte(file))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", file, diff)
		}
		if ok := want.Identical && want.Error == ""; got.OK() != ok {
			t.Errorf("%q: OK is %t", file, got.OK())
		}
	}
	if (registry.RoundTrip{Accepted: true}).OK() {
		t.Error("OK without the same bytes")
	}
}

// TestOutcome: the kind of the first error's rule is the outcome.
func TestOutcome(t *testing.T) {
	f := registry.Format{Rules: []diag.Rule{{ID: "X1", Severity: diag.Error}, {ID: "X2", Kind: diag.ErrUnsupported},
		{ID: "X3", Kind: diag.ErrLimit}}}
	for rule, want := range map[string]registry.Outcome{"": registry.OK, "X1": registry.Malformed,
		"X2": registry.Unsupported, "X3": registry.OverLimit, "Y1": registry.Malformed} {
		findings := []diag.Finding{{Rule: "X2", Severity: diag.Warning}}
		if rule != "" {
			findings = append(findings, diag.Finding{Rule: rule, Severity: diag.Error}, diag.Finding{Rule: "X2",
				Severity: diag.Error})
		}
		if got := f.Outcome(findings); got != want {
			t.Errorf("%q: %s, want %s", rule, got, want)
		}
	}
}

// A holder is a document of a model.
type holder struct {
	text
	model any
}

func (h holder) Model() any { return h.model }

// TestVariations: the stages of every variation, of those without code too.
func TestVariations(t *testing.T) {
	index := func(n int) *int { return &n }
	archive := &sharcfb.File{
		Binaries: []sharcfb.Binary{{Shader: gx2.Shader{Code: wire.Hex{1}}}, {Shader: gx2.Shader{Code: wire.Hex{1, 2}}},
			{Shader: gx2.Shader{Code: wire.Hex{1, 2, 3}}}},
		Programs: []sharcfb.Program{
			{Name: "p", Kind: 3, Macros: []sharcfb.Macro{{Name: "M", Values: []wire.Text{"0", "1"}}}}},
	}
	of := func(k int, value wire.Text, shaders ...registry.StageCode) registry.Variation {
		return registry.Variation{Program: "p", Index: k, Settings: []sharcfb.Setting{{Macro: "M", Value: value}},
			Shaders: shaders}
	}
	archived := []registry.Variation{
		of(0, "0", registry.StageCode{Stage: "vertex", Binary: index(0), Bytes: 1},
			registry.StageCode{Stage: "pixel", Binary: index(1), Bytes: 2}),
		of(1, "1", registry.StageCode{Stage: "vertex", Binary: index(2), Bytes: 3},
			registry.StageCode{Stage: "pixel", Binary: index(3)}), // which the file lacks
	}
	program := func(stage bnsh.Stage, code string) *bnsh.Program {
		p := &bnsh.Program{}
		p.Stages[stage] = &bnsh.Code{Code: wire.Hex(code)}
		return p
	}
	none := func(k int) registry.Variation { return registry.Variation{Index: k, Shaders: []registry.StageCode{}} }
	vertex := registry.StageCode{Stage: "vertex", Binary: index(1), Bytes: 4}
	for name, c := range map[string]struct {
		model any
		want  []registry.Variation
	}{
		"sharcfb": {archive, archived},
		"bnsh": {&bnsh.File{Variations: []bnsh.Variation{{}, {Source: program(0, "ab"), Binary: program(1, "c")}, {}}},
			[]registry.Variation{none(0), {Index: 1, Shaders: []registry.StageCode{
				{Stage: bnsh.Stage(0).String(), Type: (&bnsh.Program{}).CodeType.String(), Bytes: 2},
				{Stage: bnsh.Stage(1).String(), Type: (&bnsh.Program{}).CodeType.String(), Bytes: 1}}}, none(2)}},
		"gsh": {&gsh.File{Shaders: []gsh.Shader{
			{Shader: gx2.Shader{Type: gx2.Geometry, Code: wire.Hex{1}, CopyCode: wire.Hex{1, 2}}},
			{Shader: gx2.Shader{Type: gx2.Vertex, Code: wire.Hex{1, 2, 3, 4}}},
			{Shader: gx2.Shader{Type: gx2.Vertex}}}},
			[]registry.Variation{{Shaders: []registry.StageCode{vertex,
				{Stage: "geometry", Binary: index(0), Bytes: 1}, {Stage: gsh.CopyStage, Binary: index(0), Bytes: 2}}},
				{Index: 1, Shaders: []registry.StageCode{{Stage: "vertex", Binary: index(2)}}}}},
	} {
		list, ok := registry.Variations(holder{model: c.model})
		if !ok {
			t.Fatalf("%s has no variations", name)
		}
		if diff := cmp.Diff(c.want, slices.Collect(list)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		for v := range list {
			if diff := cmp.Diff(c.want[0], v); diff != "" {
				t.Errorf("%s, the first (-want +got):\n%s", name, diff)
			}
			break
		}
	}
	if list, ok := registry.Variations(text("")); ok || list != nil {
		t.Error("a text has variations")
	}
	for k := range 3 {
		got := slices.Collect(registry.VariationOf(archive, 0, k))
		if want := archived[min(k, 2):min(k+1, 2)]; !cmp.Equal(want, got) && len(want)+len(got) > 0 {
			t.Errorf("variation %d: %v", k, got)
		}
	}
}
