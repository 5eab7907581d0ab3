package cover_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/fuzz/cover"
)

func TestSet(t *testing.T) {
	var a, b cover.Set
	for _, p := range []cover.Point{1, 63, 64, cover.NumPoints - 1} {
		a.Add(p)
	}
	b.Add(64)
	b.Add(65)
	if gain := b.Union(&a); gain != 3 || b.Len() != 5 || b.Has(2) ||
		!slices.Equal(slices.Collect(b.All()), []cover.Point{1, 63, 64, 65, cover.NumPoints - 1}) {
		t.Errorf("gain %d, %d points: %v", gain, b.Len(), slices.Collect(b.All()))
	}
}

func TestMatrix(t *testing.T) {
	var m cover.Matrix
	var s cover.Set
	p := named(t, "rcp/src=-inf")
	s.Add(p)
	m.Add(&s)
	s.Add(named(t, "rcp/src=nan"))
	m.Add(&s)
	if m.Jobs != 2 || m.Count(p) != 2 {
		t.Errorf("%d jobs, %d reached %v", m.Jobs, m.Count(p), p)
	}

	r := m.Report()
	if r.Jobs != 2 || r.Reached != 2 || r.Total != len(cover.Points()) {
		t.Errorf("got %d jobs, %d of %d", r.Jobs, r.Reached, r.Total)
	}
	points := 0
	var unary cover.GroupReport
	for _, g := range r.Groups {
		points += len(g.Points)
		if g.Group == cover.Unary {
			unary = g
		}
	}
	missing := slices.Collect(unary.Missing)
	if points != r.Total || unary.Reached != 2 || len(missing) != len(unary.Points)-2 ||
		missing[0] != "ex2/src=-inf" {
		t.Errorf("got %d points; unary: %d of %d, missing %v", points, unary.Reached, len(unary.Points), missing)
	}

	var text strings.Builder
	if err := r.WriteText(&text, 2); err != nil {
		t.Fatal(err)
	}
	rest := fmt.Sprintf("and %d more", len(missing)-2)
	for _, line := range []string{
		fmt.Sprintf("unary           2 of %5d\n    ex2/src=-inf\n    ex2/src=-normal\n    %s\n", len(unary.Points),
			rest),
		"points, 2 jobs\n",
	} {
		if !strings.Contains(text.String(), line) {
			t.Errorf("no %q in\n%s", line, text.String())
		}
	}
	if n := strings.Count(text.String(), rest); n != 1 {
		t.Errorf("the points that are left out are counted %d times", n)
	}
	b, err := json.Marshal(r)
	if want := `{"group":"unary","reached":2,"points":[{"name":"ex2/src=-inf","jobs":0},`; err != nil ||
		!strings.Contains(string(b), want) {
		t.Errorf("%v: no %s in the JSON form", err, want)
	}
}
