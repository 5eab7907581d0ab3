package properties_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/leanovate/gopter"

	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/dvojgen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/fuzz/gen/shbingen"
	"github.com/picaproof/picaproof/fuzz/gen/zpshgen"
)

// TestCanonicalFormsAreWritten: the canonical form of an accepted file can be written and is stable,
// also that of a file near the limit of names.
func TestCanonicalFormsAreWritten(t *testing.T) {
	for _, limited := range []struct {
		name, rule string
		generator  gen.Format
		// manyNames returns a file like b with names of 8 times the size of the canonical form or of
		// the file, or of a few bytes more or less; nil if b is refused.
		manyNames func(b []byte, c *gen.Choices) []byte
	}{
		{"shbin", "DVLB016", shbingen.Format, manySHBINNames},
		{"dvoj", "DVOJ205", dvojgen.Format, manyDVOJNames},
		{"zpsh", "ZPSH031", zpshgen.Format, manyZPSHNames},
	} {
		t.Run(limited.name, func(t *testing.T) {
			format, _ := registry.ByName(limited.name)
			draw := func(p *gopter.GenParameters) *gopter.GenResult {
				c := gen.From(p.Rng)
				b := limited.generator.Odd(c)
				if c.Chance(8) {
					b = files.Valid(limited.generator, c).Data
				}
				if !c.Chance(5) {
					if many := limited.manyNames(b, c); many != nil {
						b = many
					}
				}
				return gopter.NewGenResult(b, gopter.NoShrinker)
			}
			accepted, refused, runs := 0, 0, 0
			holds(t, 2000, draw, func(b []byte) error {
				runs++
				r := format.RoundTrip(b)
				if !r.Accepted {
					if strings.Contains(r.Error, limited.rule) {
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
		})
	}
}

func manySHBINNames(b []byte, c *gen.Choices) []byte {
	f, err := shbin.Parse(b)
	if err != nil {
		return nil
	}
	f = f.Canonical()
	f.DVLEs = slices.Clone(f.DVLEs)
	gap := manyLabels(&f.DVLEs[c.Below(len(f.DVLEs))].Tables, f.Size, c)
	return append(unchecked(f.AppendUnchecked(nil)), make([]byte, gap)...)
}

func manyDVOJNames(b []byte, c *gen.Choices) []byte {
	f, err := dvoj.Parse(b)
	if err != nil {
		return nil
	}
	f = f.Canonical()
	gap := manyLabels(&f.Tables, f.Size, c)
	return append(unchecked(f.AppendUnchecked(nil)), make([]byte, gap)...)
}

// manyLabels gives a file labels that share the end of one name, and returns the length of the gap behind the tables.
func manyLabels(e *shbin.Tables, size func() uint64, c *gen.Choices) (gap int) {
	const labels = 64
	start, first := len(e.Symbols), len(e.Labels)
	for i := range labels {
		e.Labels = append(slices.Clip(e.Labels), shbin.Label{ID: uint16(1000 + i), Flags: 1, Length: shbin.NoLength})
	}
	length := 8*int(size())/(labels-8) + 1
	gap, more := c.Below(200), c.Below(9)-4
	e.Symbols = slices.Concat(e.Symbols, bytes.Repeat([]byte("n"), length), []byte{0})
	spare := labels*(length+1) - 8*(int(size())+gap*c.Below(2)) + more
	for i := range labels {
		l := &e.Labels[first+i]
		cut := min(max(spare, 0), length)
		l.Name = uint32(start + cut)
		spare -= cut
	}
	return gap
}

// manyZPSHNames returns a file whose names do not fit into the strings each alone.
func manyZPSHNames(b []byte, c *gen.Choices) []byte {
	f, err := zpsh.Parse(b)
	if err != nil {
		return nil
	}
	f = f.Canonical()
	const entries, most = 300, 1 << 18
	f.Entries = slices.Repeat(f.Entries[:1], entries)
	length := 1000 + c.Below(200)
	f.Strings = append(bytes.Repeat([]byte("n"), length), 0)
	for len(f.Strings)%4 != 0 {
		f.Strings = append(f.Strings, 0)
	}
	total := 0
	for i := range f.Entries {
		f.Entries[i].Name = uint32(i)
		total += length - i + 1
	}
	canonical := len(unchecked(f.AppendUnchecked(nil)))
	gap := max(0, total/8-canonical) + c.Below(9) - 4
	if gap <= 0 || total <= most {
		return nil
	}
	return append(unchecked(f.AppendUnchecked(nil)), make([]byte, gap)...)
}

func unchecked(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}
