package properties_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/fuzz/gen/bnshgen"
	"github.com/picaproof/picaproof/properties/arb"
)

// TestBnshRelocationsAreComplete: the relocation entries of a written file cover every pointer
// that is not null once, and no other word. Pointers are the fields of eight bytes, except
// one.
func TestBnshRelocationsAreComplete(t *testing.T) {
	holds(t, 1000, arb.Models(bnshgen.Model), func(m arb.Model[*bnsh.File]) error {
		b, err := m.Value.AppendBinary(nil)
		if err != nil {
			return nil // the writer refuses some models
		}
		back, err := bnsh.Parse(b)
		if err != nil {
			return err
		}
		covered := map[uint32]int{}
		for _, s := range back.Layout.Sections {
			for _, e := range s.Entries {
				for i := range uint32(e.Structs) {
					for n := range uint32(e.Pointers) {
						covered[e.Position+8*(i*(uint32(e.Pointers)+uint32(e.Padding))+n)]++
					}
				}
			}
		}
		for _, r := range back.Regions() {
			pointer := r.Kind == diag.FieldRegion && r.Len == 8 && r.Off >= 0x80 && r.Off < int(back.Layout.Strings) &&
				r.Off%8 == 0 && !bytes.Equal(b[r.Off:r.Off+8], make([]byte, 8)) &&
				r.Path != "container.low_level_compiler_version"
			if want := map[bool]int{true: 1}[pointer]; covered[uint32(r.Off)] != want {
				return fmt.Errorf("%s at %#x is covered %d times, want %d", r.Path, r.Off,
					covered[uint32(r.Off)], want)
			}
			delete(covered, uint32(r.Off))
		}
		if len(covered) > 0 {
			return fmt.Errorf("%d words that are no field are covered", len(covered))
		}
		return nil
	})
}
