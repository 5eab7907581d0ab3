package shbin_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
)

// TestSamples compares findings, model, and both written forms of every sample
// with its manifest.
func TestSamples(t *testing.T) {
	for _, c := range collections {
		var infos map[string]sampleInfo
		readJSON(t, c+"/manifest.json", &infos)
		for name, info := range infos {
			t.Run(c+"/"+name, func(t *testing.T) {
				b := readData(t, c+"/"+name)
				findings := shbin.Check(b)
				if diff := cmp.Diff(info.Findings, count(findings)); diff != "" {
					t.Errorf("findings (-want +got):\n%s", diff)
				}
				f, err := shbin.Parse(b)
				if first := diag.FirstError(findings); first != nil {
					testRefused(t, f, err, *first)
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				testModel(t, f, info)
				testOwners(t, b, f)
				testForms(t, f, b, info.Canonical)
			})
		}
	}
}

func testRefused(t *testing.T, f *shbin.File, err error, first diag.Finding) {
	t.Helper()
	parseError, ok := errors.AsType[*diag.ParseError](err)
	if !ok || f != nil {
		t.Fatalf("got file %v, error %v; want nil and a ParseError", f, err)
	}
	if diff := cmp.Diff(first, parseError.Finding); diff != "" {
		t.Errorf("error (-first error finding +got):\n%s", diff)
	}
	if !errors.Is(err, diag.ErrMalformed) {
		t.Errorf("got %v, want ErrMalformed", parseError.Kind)
	}
}

// testModel compares a model with the manifest.
func testModel(t *testing.T, f *shbin.File, want sampleInfo) {
	t.Helper()
	got := sampleInfo{
		Size:      f.Layout.Size,
		Version:   f.Program.Version,
		Short:     f.Layout.ShortHeader,
		Code:      len(f.Program.Code),
		Opdesc:    len(f.Program.Descriptors),
		Line:      len(f.Program.Lines),
		FileNames: len(f.Program.FileNames),
	}
	got.DVLE = slices.Grow(got.DVLE, len(f.Entries))[:len(f.Entries)]
	for i, e := range f.Entries {
		d := &got.DVLE[i]
		d.Offset = f.Layout.Entries[i].Offset
		d.Version, d.Type, d.Merge = e.Version, e.Type.String(), e.Merge
		d.Main, d.Endmain = e.Entry, e.End
		d.InMask, d.OutMask = e.InputMask, e.OutputMask
		d.GS = [4]int{int(e.Geometry.Mode), int(e.Geometry.First), int(e.Geometry.Variable), int(e.Geometry.Fixed)}
		d.Constants, d.Labels, d.Outputs, d.Uniforms = len(e.Constants), len(e.Labels), len(e.Outputs), len(e.Uniforms)
		d.Symbols = len(e.Symbols)
		d.Names = strings.Split(strings.TrimSuffix(string(e.Symbols), "\x00"), "\x00")
		if d.Symbols == 0 {
			d.Names = []string{}
		}
	}
	want.Canonical, want.Findings = false, nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("model (-want +got):\n%s", diff)
	}
}

// testForms checks that a parsed file is written as it was, and what its
// canonical form is.
func testForms(t *testing.T, f *shbin.File, b []byte, canonical bool) {
	t.Helper()
	if got := mustAppend(t, f); !bytes.Equal(got, b) {
		t.Errorf("exact form differs\ngot  %x\nwant %x", got, b)
	}
	form := mustAppend(t, f.Canonical())
	if bytes.Equal(form, b) != canonical {
		t.Errorf("canonical is %v, want %v\ngot  %x\nfile %x", !canonical, canonical, form, b)
	}
	again := mustParse(t, form)
	if !again.Equal(f) {
		t.Error("the canonical form has another content")
	}
	if got := mustAppend(t, again.Canonical()); !bytes.Equal(got, form) {
		t.Error("the canonical form is not stable")
	}
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	var fromJSON shbin.File
	if err := json.Unmarshal(text, &fromJSON); err != nil {
		t.Fatal(err)
	}
	if got := mustAppend(t, &fromJSON); !bytes.Equal(got, b) {
		t.Errorf("the model read back from JSON is written differently\ngot  %x\nwant %x", got, b)
	}
}

// TestMutations runs the one-fault files: what must be reported is, where it
// must be, and nothing else than what may be.
func TestMutations(t *testing.T) {
	for _, c := range []string{"picasso", "nihstro", "dvlb-synthetic"} {
		var mutations []mutation
		readJSON(t, c+"/mutations.json", &mutations)
		for _, m := range mutations {
			t.Run(c+"/"+m.ID, func(t *testing.T) {
				base := readData(t, c+"/"+m.Base)
				allowed := slices.Concat(m.MustReport, m.MayReport, slices.Collect(maps.Keys(count(shbin.Check(base)))))
				b := bytes.Clone(base)
				for _, p := range m.Patch {
					b = p.apply(t, b)
				}
				findings := shbin.Check(b)
				counts := count(findings)
				for _, must := range m.MustReport {
					if counts[must] == 0 {
						t.Errorf("%s is missing: %v", must, findings)
					}
				}
				for got := range counts {
					if !slices.Contains(allowed, got) {
						t.Errorf("%s is not expected: %v", got, findings)
					}
				}
				if _, err := shbin.Parse(b); (err != nil) != m.Reject {
					t.Errorf("refused: %v, want %v", err, m.Reject)
				}
				testMutationPlace(t, c+"/"+m.ID, m, findings, len(base), len(b))
			})
		}
	}
}

// elsewhere lists the mutations whose finding is not at the patched bytes, with
// its offset: the field that points to a table of patched length, or the item
// that no longer is what the patched field says.
var elsewhere = map[string]int{
	"picasso/m14":         0x3C,  // code, on which the descriptors lie now
	"picasso/m16":         0x3C,  // word that uses a descriptor
	"picasso/m17":         0x2C,  // line offset
	"picasso/m25":         0x88,  // constant offset
	"picasso/m43":         0x12C, // uniform whose name has lost its NUL
	"picasso/m47":         0xD4,  // first output, taken for a uniform
	"picasso/m52":         0x10,  // offset of the DVLE that was cut
	"picasso/m59":         0x06,  // file size
	"picasso/x002":        0x28,  // gap
	"picasso/x010":        0x94,  // uniform whose name is empty now
	"picasso/x019":        0x44,  // first line entry
	"nihstro/x001":        0x78,  // gap where the outputs were
	"nihstro/x002":        0x94,  // label past the code
	"nihstro/x004":        0x80,  // first label
	"nihstro/x005":        0xAC,  // output with the same register
	"nihstro/x008":        0x90,  // label that refers to the tail of the other's name
	"dvlb-synthetic/x004": 0x48,  // file names
}

// testMutationPlace checks the offset of the first finding that must be.
func testMutationPlace(t *testing.T, name string, m mutation, findings []diag.Finding, before, after int) {
	t.Helper()
	i := slices.IndexFunc(findings, func(f diag.Finding) bool {
		return f.Rule+"/"+f.Severity.Letter() == m.MustReport[0]
	})
	if i < 0 {
		return
	}
	f := findings[i]
	if want, ok := elsewhere[name]; ok {
		if f.Off != want {
			t.Errorf("got offset 0x%x, want 0x%x: %v", f.Off, want, f)
		}
		return
	}
	for _, p := range m.Patch {
		from, to := before, after
		if p.At != nil {
			from, to = *p.At, *p.At+len(p.Hex)/2
		}
		if f.Off < to && from < f.Off+f.Len {
			return
		}
	}
	t.Errorf("offset 0x%x, length %d is not what was patched: %v", f.Off, f.Len, f)
}
