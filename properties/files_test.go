package properties_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/properties/arb"
)

// ofFiles checks a property of generated files of each format.
func ofFiles(t *testing.T, runs int, judgement func(format registry.Format, b []byte) error) {
	for _, from := range files.Formats {
		format, ok := registry.ByName(from.Name)
		if !ok {
			t.Fatalf("no format %s", from.Name)
		}
		t.Run(format.Name, func(t *testing.T) {
			holds(t, runs, arb.Files(from), func(f arb.File) error {
				if err := judgement(format, f.Data); err != nil {
					return fmt.Errorf("%w\nfile %x", err, f.Data)
				}
				return nil
			})
		})
	}
}

// TestFilesAreReadExactly: findings lie inside the file; the file is refused exactly if one is
// an error, and otherwise written back byte for byte.
func TestFilesAreReadExactly(t *testing.T) {
	ofFiles(t, 150, func(format registry.Format, b []byte) error {
		r := files.Read(format, b)
		if d := r.Judge(b); d != nil {
			return d
		}
		return nil
	})
}

// TestFindingsAreInOrder: Check gives the same findings again, keeps few of each rule, and
// sorting gives one order, whatever the order before.
func TestFindingsAreInOrder(t *testing.T) {
	ofFiles(t, 150, func(format registry.Format, b []byte) error {
		findings := format.Check(b)
		if again := format.Check(b); !reflect.DeepEqual(findings, again) {
			return fmt.Errorf("checked again:\n%v\nand before:\n%v", again, findings)
		}
		count := map[string]int{}
		for _, f := range findings {
			count[f.Rule]++
			if !registry.KnownRule(f.Rule) || count[f.Rule] > diag.MaxPerRule {
				return fmt.Errorf("finding %d of rule %s", count[f.Rule], f.Rule)
			}
		}
		sorted, reversed := slices.Clone(findings), slices.Clone(findings)
		slices.Reverse(reversed)
		diag.SortByOffset(sorted)
		diag.SortByOffset(reversed)
		if !reflect.DeepEqual(sorted, reversed) {
			return fmt.Errorf("two orders:\n%v\n%v", sorted, reversed)
		}
		return nil
	})
}

// TestFindingsAsJSON: findings written as JSON are read back.
func TestFindingsAsJSON(t *testing.T) {
	ofFiles(t, 100, func(format registry.Format, b []byte) error {
		findings := format.Check(b)
		text, err := json.Marshal(findings)
		if err != nil {
			return err
		}
		var back []diag.Finding
		if err := json.Unmarshal(text, &back); err != nil {
			return err
		}
		if !reflect.DeepEqual(back, findings) {
			return fmt.Errorf("got %+v, want %+v", back, findings)
		}
		return nil
	})
}

// TestCanonicalFilesStay: if an accepted file has a canonical form, that is accepted, and is
// its own canonical form.
func TestCanonicalFilesStay(t *testing.T) {
	ofFiles(t, 100, func(format registry.Format, b []byte) error {
		doc, err := format.Parse(b)
		if err != nil {
			return nil
		}
		if !registry.HasCanonical(doc) {
			return nil
		}
		once, err := doc.Canonical().AppendBinary(nil)
		if err != nil {
			return fmt.Errorf("no canonical form: %w", err)
		}
		back, err := format.Parse(once)
		if err != nil {
			return fmt.Errorf("the canonical form is refused: %w", err)
		}
		twice, err := back.Canonical().AppendBinary(nil)
		if err != nil || !bytes.Equal(once, twice) {
			return fmt.Errorf("the canonical form changed: %v\n%x\n%x", err, once, twice)
		}
		return nil
	})
}
