package judge_test

import (
	"errors"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/fuzz/judge"
)

// toy is a model with the behaviour that a test wants.
type toy struct {
	text      string
	size      uint64
	refusal   error // of the writer
	canonical *toy
	regions   []diag.Region
}

func (f *toy) AppendBinary(b []byte) ([]byte, error) {
	if f.refusal != nil {
		return nil, f.refusal
	}
	return append(b, f.text...), nil
}

func (f *toy) Canonical() *toy {
	if f.canonical != nil {
		return f.canonical
	}
	return f
}

func (f *toy) Equal(g *toy) bool      { return f.text == g.text }
func (f *toy) Size() uint64           { return f.size }
func (f *toy) Regions() []diag.Region { return f.regions }

// reads returns the judge of a parser that reads a text as some model.
func reads(models ...*toy) *judge.Format[*toy] {
	return judge.Of(func(b []byte, _ ...int) (*toy, error) {
		for _, m := range models {
			if m.text == string(b) {
				return m, nil
			}
		}
		return nil, diag.ErrMalformed
	}, func([]byte, ...int) []diag.Finding { return nil })
}

// wantText demands an error with a text, or no error if the text is empty.
func wantText(t *testing.T, name string, err error, want string) {
	t.Helper()
	got := ""
	if err != nil {
		got = err.Error()
	}
	if got != want {
		t.Errorf("%s: got %q, want %q", name, got, want)
	}
}

var errFull = errors.New("disk full")

// A finding lies in the file or at its end.
func TestPlacesOfFindings(t *testing.T) {
	for _, c := range []struct {
		off, length int
		inside      bool
	}{
		{0, 0, true}, {0, 4, true}, {4, 0, true}, {3, 1, true}, {1, 2, true},
		{-1, 0, false}, {-1, 2, false}, {0, -1, false}, {2, -1, false}, {5, 0, false}, {5, -1, false}, {4, 1, false},
		{0, 5, false}, {3, 2, false},
	} {
		r := judge.Reading{Findings: []diag.Finding{{Rule: "X1", Severity: diag.Error, Off: c.off, Len: c.length}}}
		d := r.Judge([]byte("text"))
		if (d == nil) != c.inside || d != nil && d.Key != "outside X1" {
			t.Errorf("%d bytes at %d of 4: got %v, inside: %t", c.length, c.off, d, c.inside)
		}
	}
}

// Accepted bytes are written back, one file after the other.
func TestBytesAreWrittenBack(t *testing.T) {
	x := reads(&toy{text: "first"}, &toy{text: "second"}, &toy{text: "third", refusal: errFull})
	wantText(t, "first", x.Bytes([]byte("first")), "")
	wantText(t, "second", x.Bytes([]byte("second")), "")
	wantText(t, "third", x.Bytes([]byte("third")), "an accepted file is not written back: disk full")
}

// A model is read back as it was written, unless the writer or its size forbids that.
func TestModelsThere(t *testing.T) {
	const most = 16 << 20
	x := reads(&toy{text: "known"})
	wantText(t, "known", x.Model(&toy{text: "known"}), "")
	wantText(t, "largest", x.Model(&toy{text: "known", size: most}), "")
	wantText(t, "unknown", x.Model(&toy{text: "unknown"}), "a written file is refused: "+diag.ErrMalformed.Error())
	for name, c := range map[string]struct {
		model *toy
		want  string
	}{
		"too large": {&toy{text: "known", size: most + 1}, "the writer refuses the model: 16777217 bytes are over the limit"},
		"refused":   {&toy{text: "known", refusal: errFull}, "the writer refuses the model: disk full"},
	} {
		err := x.Model(c.model)
		if wantText(t, name, err, c.want); !errors.Is(err, judge.ErrRefused) {
			t.Errorf("%s: %v is no refusal", name, err)
		}
	}
}

// A refusal of a drawn model is a fault, unless something is over the limit.
func TestDrawn(t *testing.T) {
	x := reads(&toy{text: "known"})
	limit := &diag.InvalidError{Format: "toy", Kind: diag.ErrLimit}
	for name, c := range map[string]struct {
		model   *toy
		want    string
		refused bool
	}{
		"known":     {&toy{text: "known"}, "", false},
		"unknown":   {&toy{text: "unknown"}, "a written file is refused: malformed", false},
		"too large": {&toy{size: 1 << 30}, "the writer refuses the model: 1073741824 bytes are over the limit", true},
		"limit":     {&toy{refusal: limit}, "the writer refuses the model: toy: invalid model", true},
		"invalid": {&toy{refusal: &diag.InvalidError{Format: "toy", Kind: diag.ErrMalformed}},
			"a fault of the writer or of the generator: the writer refuses the model: toy: invalid model", false},
		"refused": {&toy{refusal: errFull},
			"a fault of the writer or of the generator: the writer refuses the model: disk full", false},
	} {
		err := judge.Drawn(x.Model(c.model))
		if wantText(t, name, err, c.want); errors.Is(err, judge.ErrRefused) != c.refused {
			t.Errorf("%s: %v: a refusal %v, want %v", name, err, !c.refused, c.refused)
		}
	}
}

// A canonical form is written, has the same content, and does not change again.
func TestCanonicalForms(t *testing.T) {
	x := reads(&toy{text: "a"}, &toy{text: "b"}, &toy{text: "c", canonical: &toy{text: "d"}},
		&toy{text: "e", canonical: &toy{text: "e", refusal: errFull}}, &toy{canonical: &toy{refusal: errFull}})
	wantText(t, "the same", x.Canonical(&toy{text: "a"}), "")
	wantText(t, "refused", x.Canonical(&toy{text: "a", canonical: &toy{refusal: errFull}}),
		"the writer refuses the model: disk full")
	wantText(t, "another", x.Canonical(&toy{text: "a", canonical: &toy{text: "b"}}),
		"the canonical form has other content")
	wantText(t, "changes", x.Canonical(&toy{text: "c", canonical: &toy{text: "c"}}),
		"the canonical form changed: <nil>\ngot  64\nwant 63")
	wantText(t, "refused later", x.Canonical(&toy{text: "e", canonical: &toy{text: "e"}}),
		"the canonical form changed: disk full\ngot  \nwant 65")
	wantText(t, "nothing, refused later", x.Canonical(&toy{}), "the canonical form changed: disk full\ngot  \nwant ")
}

// Regions follow each other from the first byte to the last.
func TestOwnersOfRegions(t *testing.T) {
	for name, c := range map[string]struct {
		regions []diag.Region
		want    string
	}{
		"one byte each": {[]diag.Region{{Len: 1, Path: "p"}, {Off: 1, Len: 1, Path: "q"}, {Off: 2, Len: 1, Path: "r"}},
			""},
		"another length": {[]diag.Region{{Len: 1, Path: "p"}, {Off: 1, Len: 2, Path: "q"}}, ""},
		"too few":        {[]diag.Region{{Len: 1, Path: "p"}, {Off: 1, Len: 1, Path: "q"}}, "regions end at 2 of 3"},
		"too many":       {[]diag.Region{{Len: 4, Path: "p"}}, "regions end at 4 of 3"},
		"none":           {nil, "regions end at 0 of 3"},
		"a hole": {[]diag.Region{{Len: 1, Path: "p"}, {Off: 2, Len: 1, Path: "q"}},
			"region {Off:2 Len:1 Kind:field Path:q Value: Also:[]} does not start at 1"},
		"an empty one": {[]diag.Region{{Len: 3, Path: "p"}, {Off: 3, Path: "q"}},
			"region {Off:3 Len:0 Kind:field Path:q Value: Also:[]} does not start at 3"},
		"nobody's": {[]diag.Region{{Len: 3}},
			"region {Off:0 Len:3 Kind:field Path: Value: Also:[]} does not start at 0"},
	} {
		m := &toy{text: "abc", regions: c.regions}
		wantText(t, name, reads(m).Owners(m), c.want)
	}
	wantText(t, "refused", reads().Owners(&toy{refusal: errFull}), "the writer refuses the model: disk full")
}

// Valid counts models and names the first refused one.
func TestValid(t *testing.T) {
	later := errors.New("another error")
	models := []*toy{{}, {}, {refusal: errFull}, {}, {refusal: later}}
	n, err := judge.Valid(len(models), func(n uint64) *toy { return models[n] })
	if wantText(t, "mixed", err, "model 2: disk full"); n != 3 {
		t.Errorf("%d valid, want 3", n)
	}
	n, err = judge.Valid(2, func(n uint64) *toy { return models[n] })
	if wantText(t, "all", err, ""); n != 2 {
		t.Errorf("%d valid, want 2", n)
	}
}
