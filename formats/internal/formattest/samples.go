package formattest

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/diag"
)

// JSON reads a file of [samples] into v.
func JSON(t testing.TB, name string, v any) {
	t.Helper()
	if err := json.Unmarshal(samples.Read(t, name), v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// Normal passes a value through JSON, so that lists of mixed types compare.
func Normal(t testing.TB, info any) (v any) {
	t.Helper()
	text, err := json.Marshal(info)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// Rows turns records into lists of fields; nil without records, because manifests leave
// empty tables out.
func Rows[T any](records []T, row func(T) []any) any {
	if len(records) == 0 {
		return nil
	}
	rows := []any{}
	for _, r := range records {
		rows = append(rows, row(r))
	}
	return rows
}

// Mutation is an entry of a mutations.json: a sample with one fault.
type Mutation struct {
	ID         string   `json:"id"`
	Base       string   `json:"base"`
	Patch      []Patch  `json:"patch"`
	MustReport []string `json:"must_report"`
	MayReport  []string `json:"may_report"`
	Reject     bool     `json:"reject"`
	Offset     *int     `json:"offset"` // of the first finding that must be; left out where elsewhere tells it
}

// Patch is one change of a file.
type Patch struct {
	At       *int   `json:"at"`
	Hex      string `json:"hex"`
	Truncate *int   `json:"truncate"`
	Append   string `json:"append"`
}

func (p Patch) apply(t testing.TB, b []byte) []byte {
	t.Helper()
	if p.Truncate != nil {
		return b[:*p.Truncate]
	}
	with, err := hex.DecodeString(p.Hex + p.Append)
	if err != nil {
		t.Fatal(err)
	}
	if p.At == nil {
		return append(b, with...)
	}
	copy(b[*p.At:], with)
	return b
}

// Mutations runs the one-fault files of a folder that prefix begins the ids of:
// what must be reported is, at the patched bytes or else at the offset that
// elsewhere gives; nothing else is but what may be and the findings of embedded
// files; and what must be refused is.
func (x Format[F]) Mutations(t *testing.T, folder string, mine func(m Mutation) bool, elsewhere map[string]int) {
	t.Helper()
	var mutations []Mutation
	JSON(t, folder+"/mutations.json", &mutations)
	for _, m := range mutations {
		if !mine(m) {
			continue
		}
		t.Run(m.ID, func(t *testing.T) {
			base := samples.Read(t, folder+"/"+m.Base)
			b := bytes.Clone(base)
			for _, p := range m.Patch {
				b = p.apply(t, b)
			}
			findings := x.Check(b)
			x.reported(t, m, count(x.Check(base)), findings)
			if _, err := x.Parse(b); (err != nil) != m.Reject {
				t.Errorf("refused: %v, want %v", err, m.Reject)
			}
			want, ok := elsewhere[m.ID]
			if m.Offset != nil {
				want, ok = *m.Offset, true
			}
			place(t, m, findings, want, ok, len(base), len(b))
			x.Agree(t, b)
		})
	}
}

// reported compares findings with what a mutation must and may report.
func (x Format[F]) reported(t *testing.T, m Mutation, base map[string]int, findings []diag.Finding) {
	t.Helper()
	allowed := slices.Concat(m.MustReport, m.MayReport, slices.Collect(maps.Keys(base)))
	counts := count(findings)
	for _, must := range m.MustReport {
		if counts[must] == 0 {
			t.Errorf("%s is missing: %v", must, findings)
		}
	}
	for _, f := range findings {
		if id := f.Rule + "/" + f.Severity.Letter(); !slices.Contains(allowed, id) && !x.embedded(f) {
			t.Errorf("%s is not expected: %v", id, findings)
		}
		if x.GoesOn && f.Severity == diag.Error {
			break
		}
	}
}

// embedded reports whether a finding is one of an embedded file: its path is
// that of the inner finding, which it keeps as related, with more in front.
func (x Format[F]) embedded(f diag.Finding) bool {
	return x.elsewhere(f) || len(f.Related) == 1 && f.Path != f.Related[0].Path &&
		strings.HasSuffix(f.Path, f.Related[0].Path)
}

// place checks where the first finding that must be is.
func place(t *testing.T, m Mutation, findings []diag.Finding, want int, known bool, before, after int) {
	t.Helper()
	i := slices.IndexFunc(findings, func(f diag.Finding) bool {
		return f.Rule+"/"+f.Severity.Letter() == m.MustReport[0]
	})
	if i < 0 {
		return
	}
	f := findings[i]
	if known {
		if f.Off != want {
			t.Errorf("got offset 0x%x, want 0x%x: %v", f.Off, want, f)
		}
		return
	}
	for _, p := range m.Patch {
		from, to := min(before, after), max(before, after)
		if p.At != nil {
			from, to = *p.At, *p.At+len(p.Hex)/2
		}
		if f.Off < to && from < f.Off+f.Len || f.Off == from {
			return
		}
	}
	t.Errorf("offset 0x%x, length %d is not what was patched: %v", f.Off, f.Len, f)
}

// count counts findings by rule and severity, "DVLE003/I" say.
func count(findings []diag.Finding) map[string]int {
	counts := make(map[string]int)
	for _, id := range IDs(findings) {
		counts[id]++
	}
	return counts
}
