package cover_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/internal/golden"
)

// line has the points of subjects: operands of add, dp3.
type line struct {
	group            cover.Group
	subjects, points []string
}

// TestPoints freezes the names, by which corpora and reports of different days are compared. A line has the
// points of several subjects that stand together and have the same points. go generate ./fuzz/cover writes the
// file after an intended change.
func TestPoints(t *testing.T) {
	var lines []*line
	seen := map[string]bool{}
	for k, p := range cover.Points() {
		if p.Point != cover.Point(k+1) || p.Name == "" || p.Group == "" || seen[p.Name] || p.Point.Info() != p {
			t.Errorf("point %d: %+v", k+1, p)
		}
		seen[p.Name] = true
		subject, point, _ := strings.Cut(p.Name, "/")
		if n := len(lines); n == 0 || lines[n-1].group != p.Group || lines[n-1].subjects[0] != subject {
			lines = append(lines, &line{p.Group, []string{subject}, nil})
		}
		of := lines[len(lines)-1]
		of.points = append(of.points, point)
	}
	var names strings.Builder
	for n, of := range lines {
		if n+1 < len(lines) && of.group == lines[n+1].group && slices.Equal(of.points, lines[n+1].points) {
			lines[n+1].subjects = append(of.subjects, lines[n+1].subjects...)
			continue
		}
		fmt.Fprintf(&names, "%s %s\n\t%s\n", of.group, strings.Join(of.subjects, " "), strings.Join(of.points, " "))
	}
	if n := len(seen) + 1; n != cover.NumPoints {
		t.Errorf("%d points, generated for %d: run go generate ./fuzz/cover", n, cover.NumPoints)
	}
	golden.Text(t, "names.txt", names.String())
}
