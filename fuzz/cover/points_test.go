package cover_test

import (
	"hash/fnv"
	"io"
	"testing"

	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/internal/golden"
)

// TestPoints freezes the names, by which corpora and reports of different days are
// compared. go generate ./fuzz/cover writes the hash after an intended change.
func TestPoints(t *testing.T) {
	h := fnv.New64a()
	seen := map[string]bool{}
	for k, p := range cover.Points() {
		if p.Point != cover.Point(k+1) || p.Name == "" || p.Group == "" || seen[p.Name] || p.Point.Info() != p {
			t.Errorf("point %d: %+v", k+1, p)
		}
		seen[p.Name] = true
		io.WriteString(h, p.Name+"\n")
	}
	if n := len(seen) + 1; n != cover.NumPoints {
		t.Errorf("%d points, generated for %d: run go generate ./fuzz/cover", n, cover.NumPoints)
	}
	golden.Hash(t, "names", h.Sum64())
}
