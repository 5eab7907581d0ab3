package properties_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/leanovate/gopter"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/fuzz/gen/shbingen"
)

// TestCanonicalFormsAreWritten: the canonical form of an accepted file can be written and is stable,
// also that of a file near a limit.
func TestCanonicalFormsAreWritten(t *testing.T) {
	format, _ := registry.ByName("shbin")
	accepted, refused, runs := 0, 0, 0
	holds(t, 2000, nearLimits, func(b []byte) error {
		runs++
		r := format.RoundTrip(b)
		if !r.Accepted {
			if strings.Contains(r.Error, "DVLB016") {
				refused++
			}
			return nil
		}
		accepted++
		if !r.OK() {
			return fmt.Errorf("%s\nfile %x", r.Error, b)
		}
		return nil
	})
	if t.Logf("%d accepted, %d with too many names", accepted, refused); accepted < runs/8 || refused < runs/8 {
		t.Error("too few files of a kind")
	}
}

// nearLimits draws valid and odd files; of two thirds the names are near the limit, with a gap
// behind the last table.
func nearLimits(p *gopter.GenParameters) *gopter.GenResult {
	c := gen.From(p.Rng)
	b := shbingen.Format.Odd(c)
	if c.Chance(8) {
		b = files.Valid(shbingen.Format, c).Data
	}
	if f, err := shbin.Parse(b); err == nil && !c.Chance(5) {
		b = manyNames(f, c)
	}
	return gopter.NewGenResult(b, gopter.NoShrinker)
}

// manyNames returns a file whose labels have names of 8 times the size of the canonical form or of
// the file, or of a few bytes more or less.
func manyNames(f *shbin.File, c *gen.Choices) []byte {
	f = f.Canonical()
	f.DVLEs = slices.Clone(f.DVLEs)
	e := &f.DVLEs[c.Below(len(f.DVLEs))]
	const labels = 64
	start, first := len(e.Symbols), len(e.Labels)
	for i := range labels {
		e.Labels = append(slices.Clip(e.Labels), shbin.Label{ID: uint16(1000 + i), Flags: 1, Length: shbin.NoLength})
	}
	length := 8*int(f.Size())/(labels-8) + 1
	gap, more := c.Below(200), c.Below(9)-4
	e.Symbols = slices.Concat(e.Symbols, bytes.Repeat([]byte("n"), length), []byte{0})
	spare := labels*(length+1) - 8*(int(f.Size())+gap*c.Below(2)) + more
	for i := range labels {
		l := &e.Labels[first+i]
		cut := min(max(spare, 0), length)
		l.Name = uint32(start + cut)
		spare -= cut
	}
	b, err := f.AppendUnchecked(nil)
	if err != nil {
		panic(err)
	}
	return append(b, make([]byte, gap)...)
}
