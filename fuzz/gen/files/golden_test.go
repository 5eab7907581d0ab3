package files_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/reflection"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/internal/golden"
)

// TestNothingChangesUnseen freezes what is drawn and what the formats make of it. A file of a format has the first
// fields of its smallest generated file, the numbers of fields in others, and for each fault the first findings. What
// is right is said elsewhere. go generate ./fuzz/gen/files writes the files after an intended change.
func TestNothingChangesUnseen(t *testing.T) {
	for _, format := range files.Formats {
		t.Run(format.Name, func(t *testing.T) {
			t.Parallel()
			known, _ := registry.ByName(format.Name)
			var text strings.Builder
			var spoilt [][]byte
			for k, fault := range ordinals(format.Faults()) {
				b := files.Faulty(format, fault, gen.From(gen.Seed(seed, k))).Data
				spoilt = append(spoilt, b)
				_, err := known.Parse(b)
				class, _ := files.ClassOf(known, b)
				findings := known.Outline(b).Findings
				for _, f := range findings[:min(len(findings), 3)] {
					fmt.Fprintf(&text, "%v %v %v of %d, accepted %v, %v\n", f.Severity, f, f.Related, len(findings), err == nil,
						class)
				}
			}
			golden.Text(t, format.Name+"-findings.txt", text.String())
			text.Reset()
			writeFields(t, &text, format, known, spoilt)
			golden.Text(t, format.Name+".txt", text.String())
		})
	}
}

// ordinals yields faults with their number among those of the same rule, so that a new fault leaves the seeds of
// others alone.
func ordinals(faults []gen.Fault) iter.Seq2[uint64, gen.Fault] {
	return func(yield func(uint64, gen.Fault) bool) {
		count := map[string]uint64{}
		for _, f := range faults {
			if !yield(count[f.Rule], f) {
				return
			}
			count[f.Rule]++
		}
	}
}

// The names of fields are the last two parts of their paths, without indices.
var (
	index   = regexp.MustCompile(`\[[^]]*\]`)
	lastTwo = regexp.MustCompile(`([^.]*\.)?[^.]*$`)
)

// writeFields writes the first fields of the smallest file of a format, and how many fields of each name and how many
// values of each field some valid, some odd and the spoilt files have. Of their links, shaders and the like it writes
// checksums.
func writeFields(t *testing.T, text *strings.Builder, format gen.Format, known registry.Format, spoilt [][]byte) {
	t.Helper()
	const each = 20
	var smallest []byte
	type field struct {
		count, bytes int
		values       map[string]bool
	}
	fields := map[string]*field{}
	count := func(b []byte) {
		for _, r := range known.Outline(b).Regions {
			name := fmt.Sprint(r.Kind, " ", lastTwo.FindString(index.ReplaceAllString(r.Path, "[]")))
			f := fields[name]
			if f == nil {
				f = &field{values: map[string]bool{}}
				fields[name] = f
			}
			f.count++
			f.bytes += r.Len
			f.values[r.Value] = true
		}
	}
	said := map[string]hash.Hash32{}
	say := func(of string, v any) {
		if said[of] == nil {
			said[of] = crc32.NewIEEE()
		}
		if err := json.NewEncoder(said[of]).Encode(v); err != nil {
			t.Fatalf("%s: %v", of, err)
		}
	}
	for _, b := range spoilt {
		count(b)
		if known.Links != nil {
			say("links", known.Links(b))
		}
	}
	canonical := 0
	for n := range uint64(2 * each) {
		draw := files.Valid
		if n >= each {
			draw = files.Odd
		}
		x := draw(format, gen.From(gen.Seed(seed, n%each)))
		if smallest == nil || len(x.Data) < len(smallest) {
			smallest = x.Data
		}
		count(x.Data)
		doc, err := known.Parse(x.Data)
		if err != nil {
			t.Fatalf("seed %d, file %d: %v", seed, n, err)
		}
		if x, ok := doc.(registry.Shaders); ok {
			say("shaders", x.Shaders())
		}
		if x, ok := doc.Model().(interface {
			Rest() iter.Seq2[string, []byte]
		}); ok {
			for path, b := range x.Rest() {
				say("rest", []any{path, b})
			}
		}
		if table, ok := reflection.Of(doc.Model()); ok {
			say("reflection", table)
		}
		b, err := doc.Canonical().AppendBinary(nil)
		if err != nil && !errors.Is(err, diag.ErrInvalid) { // an invalid one has no canonical form
			t.Fatalf("seed %d, file %d: %v", seed, n, err)
		}
		canonical += len(b)
	}
	const most = 120
	for n, r := range known.Outline(smallest).Regions {
		if n == most {
			text.WriteString("...\n")
			break
		}
		first := smallest[r.Off : r.Off+min(r.Len, 8)]
		fmt.Fprintf(text, "%04x %-*x %s %s %s\n", r.Off, 16, first, r.Kind, r.Path, r.Value)
	}
	fmt.Fprintf(text, "in %d files, %d bytes in canonical form, and %d spoilt ones\n", 2*each, canonical, len(spoilt))
	for _, name := range slices.Sorted(maps.Keys(said)) {
		fmt.Fprintf(text, "CRC-32 of their %s: %08x\n", name, said[name].Sum32())
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		f := fields[name]
		fmt.Fprintf(text, "%6d fields, %6d bytes, %4d values: %s\n", f.count, f.bytes, len(f.values), name)
	}
}

// TestASeedNamesTheSameFiles freezes the sizes and places of drawn faults, and the size of a near miss that has
// another: a finding is told by its seed.
func TestASeedNamesTheSameFiles(t *testing.T) {
	const draws = 3
	for _, format := range files.Formats {
		t.Run(format.Name, func(t *testing.T) {
			t.Parallel()
			var text strings.Builder
			for k, fault := range ordinals(format.Faults()) {
				fmt.Fprintf(&text, "%s:", fault.Rule)
				for n := range uint64(draws) {
					source := func() *gen.Choices { return gen.From(gen.Seed(seed, n<<32|k)) }
					b, at := fault.File(source())
					fmt.Fprintf(&text, " %d at %d", len(b), at.Off)
					if miss := len(fault.NearMiss(source())); miss != len(b) {
						fmt.Fprintf(&text, ", near miss %d", miss)
					}
					text.WriteByte(';')
				}
				text.WriteString("\n")
			}
			golden.Text(t, format.Name+"-drawn.txt", text.String())
		})
	}
}
