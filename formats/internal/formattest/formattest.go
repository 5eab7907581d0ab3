// Package formattest serves this module: it holds the tests that all container formats share. Parse
// and Check agree; an accepted file is written back byte for byte; every byte has an owner; a file
// with one fault gives the findings of that fault; hostile input costs no more memory than the
// limit.
package formattest

import (
	"bytes"
	"encoding/json"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
)

// File is what the *File of a format package offers.
type File[F any] interface {
	AppendBinary(b []byte) ([]byte, error)
	Regions() []diag.Region
	Canonical() F
	Equal(F) bool
}

// Format is a format under test.
type Format[F File[F]] struct {
	Name    string
	Rules   []diag.Rule // those of embedded files included
	Parse   func(b []byte) (F, error)
	Check   func(b []byte) []diag.Finding
	Outline func(b []byte) diag.Outline
	// Elsewhere reports whether a finding lies in bytes of its own, decoded
	// ones say, so that its offset says nothing about the file. Nil means that
	// none does.
	Elsewhere func(f diag.Finding) bool
	// NotCanonical reports whether an accepted file may have no canonical form,
	// because that has no place for its content. Nil means that every file has one.
	NotCanonical func(f F) bool
	// Layout is the rule that Check reports exactly when an accepted file differs
	// from its canonical form; empty if the format has none.
	Layout string
	// Mutate changes a file at random; nil means the mutation of all formats.
	Mutate func(r *rand.Rand, b []byte) []byte
	// GoesOn says that Check goes on behind an error, so that a mutation of a
	// sample may be followed by findings that its list does not name.
	GoesOn bool
}

// outlineShare is one in how many files that Agree outlines, accepted or not: an
// outline costs more than all other checks of a large file together.
const outlineShare = 4

// Agree checks what holds for any bytes, and reports whether they are accepted.
func (x Format[F]) Agree(t testing.TB, b []byte) bool {
	t.Helper()
	findings := x.Check(b)
	x.findings(t, b, findings)
	f, err := x.Parse(b)
	if crc32.ChecksumIEEE(b)%outlineShare == 0 {
		Partition(t, x.Outline(b).Regions, b)
	}
	if first := diag.FirstError(findings); first != nil {
		x.refused(t, f, err, *first)
		return false
	}
	if err != nil {
		t.Errorf("Parse: %v, but Check has no error", err)
		return false
	}
	if got, err := f.AppendBinary(nil); err != nil || !bytes.Equal(got, b) {
		t.Errorf("the exact form differs: %v\ngot  %x\nwant %x", err, got, b)
	}
	regions := f.Regions()
	Partition(t, regions, b)
	x.places(t, findings, regions)
	x.canonical(t, f, b, findings)
	return true
}

// refused checks the error of a parse against the first error finding.
func (x Format[F]) refused(t testing.TB, f F, err error, first diag.Finding) {
	t.Helper()
	first.More = 0
	parse, ok := errors.AsType[*diag.ParseError](err)
	switch {
	case !ok || !reflect.ValueOf(f).IsNil():
		t.Errorf("got file %v, error %v; want the error %v", f, err, first)
	case !reflect.DeepEqual(parse.Finding, first):
		t.Errorf("got error %+v, want %+v", parse.Finding, first)
	case parse.Format != x.Name || parse.Kind == nil:
		t.Errorf("incomplete error %+v", parse)
	}
}

// canonical checks that the canonical form of the file b is accepted and stays as it is.
func (x Format[F]) canonical(t testing.TB, f F, b []byte, findings []diag.Finding) {
	t.Helper()
	form, err := f.Canonical().AppendBinary(nil)
	if err != nil {
		if !errors.Is(err, diag.ErrInvalid) || x.NotCanonical == nil || !x.NotCanonical(f) {
			t.Errorf("canonical form: %v", err)
		}
		return
	}
	same := bytes.Equal(form, b)
	if x.Layout != "" && same == slices.ContainsFunc(findings,
		func(f diag.Finding) bool { return f.Rule == x.Layout }) {
		t.Errorf("canonical is %v, but the findings are %v", same, findings)
	}
	if same { // it was parsed and written already
		if !f.Equal(f.Canonical()) {
			t.Errorf("the model of the canonical file is another:\ngot  %+v\nwant %+v", f, f.Canonical())
		}
		return
	}
	g, err := x.Parse(form)
	if err != nil {
		t.Errorf("canonical form: %v", err)
		return
	}
	if !g.Equal(f.Canonical()) {
		t.Errorf("the canonical form reads differently:\ngot  %+v\nwant %+v", g, f.Canonical())
	}
	if again, err := g.Canonical().AppendBinary(nil); err != nil || !bytes.Equal(again, form) {
		t.Errorf("the canonical form is not stable: %v\ngot  %x\nwant %x", err, again, form)
	}
}

// JSON checks that the model of an accepted file survives encoding/json.
func (x Format[F]) JSON(t testing.TB, b []byte) {
	t.Helper()
	f, err := x.Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	back := reflect.New(reflect.TypeFor[F]().Elem()).Interface().(F)
	if err := json.Unmarshal(text, back); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if got, err := back.AppendBinary(nil); err != nil || !bytes.Equal(got, b) || !back.Equal(f) {
		t.Errorf("the model read back from JSON is written differently: %v\ngot  %x\nwant %x", err, got, b)
	}
}

// findings checks that findings are complete and inside the file.
func (x Format[F]) findings(t testing.TB, b []byte, findings []diag.Finding) {
	t.Helper()
	for _, f := range findings {
		if f.Off < 0 || f.Len < 0 || f.Off+f.Len > len(b) && !x.elsewhere(f) {
			t.Errorf("outside a file of 0x%x bytes: %v, length %d", len(b), f, f.Len)
		}
		i := slices.IndexFunc(x.Rules, func(r diag.Rule) bool { return r.ID == f.Rule })
		if i < 0 {
			t.Errorf("unknown rule: %v", f)
			continue
		}
		if r := x.Rules[i]; r.Retired || f.Severity != r.Severity && !slices.Contains(r.Also, f.Severity) {
			t.Errorf("%v is not a severity of the rule: %v", f.Severity, f)
		}
		if f.Path == "" || f.Msg == "" || f.Expected == "" || f.Found == "" {
			t.Errorf("incomplete: %+v", f)
		}
	}
}

func (x Format[F]) elsewhere(f diag.Finding) bool { return x.Elsewhere != nil && x.Elsewhere(f) }

// places checks that a finding with the path of a region is at that region.
func (x Format[F]) places(t testing.TB, findings []diag.Finding, regions []diag.Region) {
	t.Helper()
	for _, f := range findings {
		i := slices.IndexFunc(regions, func(r diag.Region) bool { return r.Path == f.Path })
		if i >= 0 && !x.elsewhere(f) && regions[i].Kind != diag.GapRegion &&
			(regions[i].Off != f.Off || regions[i].Len != f.Len) {
			t.Errorf("%v, length %d, is not at its region %+v", f, f.Len, regions[i])
		}
	}
}

// Partition checks that regions cover a file without gap or overlap, and that padding is zeros or white space.
func Partition(t testing.TB, regions []diag.Region, b []byte) {
	t.Helper()
	end := 0
	for _, r := range regions {
		if r.Off != end || r.Len <= 0 || r.Path == "" || r.Len > len(b)-end {
			t.Errorf("region %+v does not start at 0x%x, or ends behind 0x%x", r, end, len(b))
			return
		}
		end += r.Len
		encoded := strings.Contains(r.Path, "decoded.") // zeros are other bytes in Base64
		if r.Kind == diag.PaddingRegion && !encoded && len(bytes.Trim(b[r.Off:end], "\x00 \t\r\n")) > 0 {
			t.Errorf("padding %+v is % x", r, b[r.Off:end])
		}
	}
	if end != len(b) {
		t.Errorf("regions end at 0x%x of 0x%x", end, len(b))
	}
}

// RuleTable checks a rule table for completeness.
func RuleTable(t *testing.T, rules []diag.Rule) {
	t.Helper()
	seen := make(map[string]bool)
	for _, r := range rules {
		if seen[r.ID] {
			t.Errorf("%s stands twice", r.ID)
		}
		seen[r.ID] = true
		if r.Title == "" || r.Source == "" || r.Text == "" {
			t.Errorf("%s is not complete: %+v", r.ID, r)
		}
	}
}

// Without returns the findings that are of none of some rules: a sample may be made up in what these
// compare.
func Without(rules []diag.Rule, findings []diag.Finding) []diag.Finding {
	return slices.DeleteFunc(findings, func(f diag.Finding) bool {
		return slices.ContainsFunc(rules, func(r diag.Rule) bool { return r.ID == f.Rule })
	})
}

// IDs returns rule and severity of each finding in turn, "DVLE003/I" say.
func IDs(findings []diag.Finding) []string {
	var list []string
	for _, f := range findings {
		for range 1 + f.More {
			list = append(list, f.Rule+"/"+f.Severity.Letter())
		}
	}
	return list
}
