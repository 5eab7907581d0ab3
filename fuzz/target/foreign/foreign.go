// Package foreign serves this module: it makes native fuzz targets of foreign parsers, in one line
// each:
//
//	func FuzzMine(f *testing.F) { foreign.Reader(f, "shbin", mine.Check) }
//
// The seeds are the files of the corpus, including files that break a rule. Go's fuzzer
// has no dictionaries, so the words of the format are appended to valid files.
package foreign

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
)

// Reader fuzzes a function that returns an error for a file that it refuses. It must
// refuse files that no reader may accept, and accept files without errors and warnings.
func Reader(f *testing.F, format string, read func(b []byte) error) {
	known := seeds(f, format)
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := judge(known, b, read(b)); err != nil {
			t.Fatal(err)
		}
	})
}

// RoundTrip fuzzes a parser and a writer: the parser as Reader does, and in addition the
// written file must be accepted, and written again as the same bytes.
func RoundTrip[T any](f *testing.F, format string, parse func(b []byte) (T, error), write func(v T) ([]byte, error)) {
	known := seeds(f, format)
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := parse(b)
		if wrong := judge(known, b, err); wrong != nil {
			t.Fatal(wrong)
		}
		if err != nil {
			return
		}
		if err := again(v, parse, write); err != nil {
			t.Fatal(err)
		}
	})
}

// again writes a parsed file, parses that, and writes it again.
func again[T any](v T, parse func(b []byte) (T, error), write func(v T) ([]byte, error)) error {
	once, err := write(v)
	if err != nil {
		return fmt.Errorf("a parsed file is not written: %w", err)
	}
	if v, err = parse(once); err != nil {
		return fmt.Errorf("a written file is refused: %w", err)
	}
	twice, err := write(v)
	if err != nil || !bytes.Equal(once, twice) {
		return fmt.Errorf("a second save changes the file: %w\n% x\n% x", err, once, twice)
	}
	return nil
}

// judge returns an error if a verdict on a file is wrong.
func judge(format registry.Format, b []byte, refused error) error {
	switch class, because := files.ClassOf(format, b); {
	case class == diag.MustRefuse && refused == nil:
		return fmt.Errorf("accepts a file that breaks %s", because)
	case class == diag.MustAccept && refused != nil:
		return fmt.Errorf("refuses a valid file: %w", refused)
	}
	return nil
}

func seeds(f *testing.F, format string) registry.Format {
	f.Helper()
	known, ok := registry.ByName(format)
	from, generated := files.ByName(format)
	if !ok || !generated {
		f.Fatalf("no format %q", format)
	}
	corpus.Seeds(f, format)
	valid := from.File(gen.From(gen.NewBytes(nil)))
	for _, word := range words(known) {
		f.Add(append(slices.Clone(valid), word...))
	}
	return known
}

// words returns the fixed byte strings of a format, and numbers at the limits of fields.
func words(format registry.Format) (list []string) {
	list = append(list, format.Magics...)
	seen := map[string]bool{}
	for _, m := range list {
		seen[m] = true
	}
	from, _ := files.ByName(format.Name)
	for k := range uint64(8) {
		b := from.File(gen.From(gen.Seed(1, k)))
		for _, r := range format.Outline(b).Regions {
			if w := string(b[r.Off : r.Off+r.Len]); r.Len == 4 && printable(w) && !seen[w] {
				seen[w] = true
				list = append(list, w)
			}
		}
	}
	return append(list, "\xff\xff\xff\xff", "\xff\xff\xff\x7f", "\x7f\xff\xff\xff",
		"\x00\x00\x00\x80", "\x80\x00\x00\x00")
}

func printable(s string) bool {
	return !bytes.ContainsFunc([]byte(s), func(r rune) bool { return r <= ' ' || r > '~' })
}
