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

// TestBnshReplaceKeepsTheRest: code that is replaced and put back leaves the model as it was. In
// between, every other stage has its old bytes. Bytes of the same length that no other stage shares
// are the only ones of the file that change.
func TestBnshReplaceKeepsTheRest(t *testing.T) {
	inPlace, anew := 0, 0
	holds(t, 400, arb.Models(bnshgen.Model), func(m arb.Model[*bnsh.File]) error {
		b, err := m.Value.AppendBinary(nil)
		if err != nil {
			return nil // the writer refuses some models
		}
		old, err := bnsh.Parse(b)
		if err != nil {
			return err
		}
		users := map[uint32]int{} // of a code
		for c := range old.Codes() {
			if len(c.Code.Control) > 0 {
				users[c.Offsets()[0]]++
			}
		}
		for c := range old.Codes() {
			if len(c.Code.Control) == 0 {
				continue
			}
			for _, code := range [][]byte{
				append([]byte{^c.Code.Code[0]}, c.Code.Code[1:]...), // as long
				append(bytes.Clone(c.Code.Code), make([]byte, 0x300)...),
				{1},
			} {
				placed, err := replaceAndBack(old, b, c, code, users[c.Offsets()[0]] > 1)
				if err != nil {
					return fmt.Errorf("variation %d, %v, %d bytes for %d: %w", c.Variation, c.Stage, len(code),
						len(c.Code.Code), err)
				}
				if placed {
					inPlace++
				} else {
					anew++
				}
			}
			break // of a file one stage: the models differ enough
		}
		return nil
	})
	if inPlace == 0 || anew == 0 {
		t.Errorf("%d replacements in place, %d laid out anew, want some of both", inPlace, anew)
	}
}

// replaceAndBack replaces code, judges the file, and puts the old code back. placed tells whether
// the file has the old layout.
func replaceAndBack(old *bnsh.File, b []byte, c bnsh.StageCode, code []byte, shared bool) (placed bool, err error) {
	changed, err := old.Replace(c.Variation, c.Stage, bnsh.Replacement{Code: code})
	if err != nil {
		return false, err
	}
	out, err := changed.AppendBinary(nil)
	if err != nil {
		return false, err
	}
	written, err := bnsh.Parse(out)
	if err != nil {
		return false, err
	}
	codes := func(f *bnsh.File) (list []bnsh.StageCode) {
		for c := range f.Codes() {
			list = append(list, c)
		}
		return list
	}
	before, after := codes(old), codes(written)
	if len(before) != len(after) {
		return false, fmt.Errorf("%d stages, want %d", len(after), len(before))
	}
	for i, now := range after {
		want := bytes.Clone(before[i].Code.Code)
		if now.Variation == c.Variation && now.Stage == c.Stage && now.Slot == c.Slot {
			want = code
		}
		if !bytes.Equal(now.Code.Code, want) {
			return false, fmt.Errorf("variation %d, %v has other code than it should", now.Variation, now.Stage)
		}
	}
	back, err := written.Replace(c.Variation, c.Stage, bnsh.Replacement{Code: c.Code.Code, Control: c.Code.Control})
	if err != nil {
		return false, err
	}
	if !back.Equal(old) {
		return false, fmt.Errorf("the model differs when the old code is back")
	}
	if len(code) != len(c.Code.Code) || shared {
		return false, nil
	}
	at := int(c.Layout.Code)
	want := bytes.Clone(b)
	copy(want[at:], code)
	if !bytes.Equal(out, want) {
		return false, fmt.Errorf("other bytes than the code's changed")
	}
	if changes := old.Changes(written); len(changes) > 0 {
		return false, fmt.Errorf("changes: %v", changes)
	}
	return true, nil
}
