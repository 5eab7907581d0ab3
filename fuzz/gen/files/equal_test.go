package files_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/internal/long"
)

// equal calls the method Equal of a model.
func equal(a, b registry.Document) bool {
	return reflect.ValueOf(a.Model()).MethodByName("Equal").Call([]reflect.Value{reflect.ValueOf(b.Model())})[0].Bool()
}

// canonical returns the canonical form of a document; ok is false when there is none.
func canonical(doc registry.Document) (b []byte, ok bool) {
	before := []byte("other bytes")
	b, err := doc.Canonical().AppendBinary(before)
	return bytes.TrimPrefix(b, before), err == nil
}

// forgets are the formats whose canonical form leaves out what Equal compares: reserved
// bits.
var forgets = map[string]bool{"zpsh": true}

// TestEqual: two models are equal exactly when their canonical forms are the same bytes.
// The others are files with one byte changed, and other files.
func TestEqual(t *testing.T) {
	for _, format := range files.Formats {
		t.Run(format.Name, func(t *testing.T) {
			known, _ := registry.ByName(format.Name)
			same, other := 0, 0
			for n := range long.Numbers(t, 60, long.Few(20, 8)) {
				c := gen.From(gen.Seed(seed, uint64(n)))
				b := format.File(c)
				doc, err := known.Parse(b)
				if err != nil {
					t.Fatalf("seed %d, file %d: %v", seed, n, err)
				}
				form, ok := canonical(doc)
				if !ok {
					continue
				}
				candidates := [][]byte{b, format.File(c)}
				const changed = 40
				for range changed {
					x := bytes.Clone(b)
					x[c.Below(len(x))] ^= byte(1 << c.Bits(3))
					candidates = append(candidates, x)
				}
				for _, x := range candidates {
					with, err := known.Parse(x)
					if err != nil {
						continue
					}
					theirs, ok := canonical(with)
					if !ok {
						continue
					}
					want := bytes.Equal(form, theirs)
					if want {
						same++
					} else {
						other++
					}
					if want && forgets[format.Name] {
						want = equal(doc, with)
					}
					if equal(doc, with) != want || equal(with, doc) != want {
						t.Fatalf("seed %d, file %d: Equal is %v, the canonical forms are the same: %v\n% x\n% x", seed,
							n, !want, want, b, x)
					}
				}
			}
			if same == 0 || other == 0 {
				t.Errorf("%d equal pairs, %d others", same, other)
			}
		})
	}
}

// TestCanonicalForms: the canonical form of a valid file holds the same, is its own
// canonical form, and has nothing of which Check says more than information.
func TestCanonicalForms(t *testing.T) {
	for _, format := range files.Formats {
		known, _ := registry.ByName(format.Name)
		for n := range long.Numbers(t, 100, long.Few(30, 10)) {
			doc, err := known.Parse(format.File(gen.From(gen.Seed(seed, uint64(n)))))
			if err != nil {
				t.Fatal(err)
			}
			form, ok := canonical(doc)
			if !ok {
				continue
			}
			back, err := known.Parse(form)
			if err != nil {
				t.Fatalf("%s, seed %d, file %d: the canonical form is refused: %v", format.Name, seed, n, err)
			}
			if again, _ := canonical(back); !bytes.Equal(again, form) || !equal(back, doc.Canonical()) ||
				!forgets[format.Name] && !equal(back, doc) {
				t.Errorf("%s, seed %d, file %d: the canonical form has another, or another content", format.Name, seed,
					n)
			}
			for _, f := range known.Check(form) {
				if f.Severity != diag.Info {
					t.Errorf("%s, seed %d, file %d: the canonical form of a valid file: %v", format.Name, seed, n, f)
				}
			}
		}
	}
}

// TestCanonicalFormsAreTheDrawnOnes: the canonical form of a file is what the generator
// makes of the content that it drew, and both hold the same.
func TestCanonicalFormsAreTheDrawnOnes(t *testing.T) {
	for _, format := range files.Formats {
		known, _ := registry.ByName(format.Name)
		runs, differ, twins := 0, 0, format.Twins
		if twins == nil { // each file is its own canonical form
			twins = func(c *gen.Choices) (file, form []byte) { b := format.Odd(c); return b, b }
		}
		for n := range long.Numbers(t, 300, long.Few(60, 20)) {
			runs++
			b, want := twins(gen.From(gen.Seed(seed, uint64(n))))
			doc, err := known.Parse(b)
			if err != nil {
				t.Fatalf("%s, seed %d, file %d: %v", format.Name, seed, n, err)
			}
			twin, err := known.Parse(want)
			if err != nil {
				t.Fatalf("%s, seed %d, canonical form %d: %v", format.Name, seed, n, err)
			}
			if got, ok := canonical(doc); !ok || !bytes.Equal(got, want) {
				t.Fatalf("%s, seed %d, file %d: the canonical form differs\ngot  % x\nwant % x", format.Name, seed, n,
					got, want)
			}
			if !equal(doc.Canonical(), twin) || !equal(twin, doc.Canonical()) || !forgets[format.Name] &&
				!equal(doc, twin) {
				t.Errorf("%s, seed %d, file %d: file and canonical form are not equal", format.Name, seed, n)
			}
			if !bytes.Equal(b, want) {
				differ++
			}
		}
		if format.Twins != nil && differ < runs/2 {
			t.Errorf("%s: %d of %d files have a layout of their own", format.Name, differ, runs)
		}
	}
}
