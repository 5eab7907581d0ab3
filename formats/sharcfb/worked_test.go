package sharcfb_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/sharcfb"
)

// undump reads rows of "offset: bytes".
func undump(t *testing.T, dump string) []byte {
	t.Helper()
	var b []byte
	for row := range strings.Lines(strings.TrimSpace(dump)) {
		row = strings.TrimSpace(row)
		if row == "*" {
			continue
		}
		offset, text, _ := strings.Cut(row, ":")
		at, err := strconv.ParseUint(offset, 16, 31)
		if err != nil {
			t.Fatal(err)
		}
		bytes, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		b = append(b, make([]byte, int(at)-len(b))...)
		b = append(b, bytes...)
	}
	return b
}

// TestWorkedExample writes the worked example from its model and reads it.
func TestWorkedExample(t *testing.T) {
	want := undump(t, workedBytes)
	model := workedModel()
	if got := mustAppend(t, model); !bytes.Equal(got, want) {
		t.Errorf("written\ngot  %x\nwant %x", got, want)
	}
	if findings := plain(sharcfb.Check(want)); len(findings) > 0 {
		t.Errorf("findings: %v", findings)
	}
	got := mustParse(t, want)
	if diff := cmp.Diff(model, got.Canonical()); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	v, err := got.Variation("p", map[string]string{"M": "1"})
	if diff := cmp.Diff(sharcfb.Variation{Index: 1, Settings: []sharcfb.Setting{{Macro: "M", Value: "1"}},
		Binaries: []int{2, 3}}, v); err != nil || diff != "" {
		t.Errorf("variation M=1: %v (-want +got):\n%s", err, diff)
	}
}

// TestBigEndianTwin writes the worked example in the other byte order: the same
// offsets, words reversed, strings and code alike.
func TestBigEndianTwin(t *testing.T) {
	twin, err := workedModel().Convert(sharcfb.Big)
	if err != nil {
		t.Fatal(err)
	}
	little, big := mustAppend(t, workedModel()), mustAppend(t, twin)
	if want, _ := hex.DecodeString("5348414200000008" + "0000068c00000000"); !bytes.Equal(big[:16], want) {
		t.Errorf("got header %x, want %x", big[:16], want)
	}
	if len(little) != len(big) {
		t.Fatalf("got %d bytes, want %d", len(big), len(little))
	}
	// The same value at the same place, whichever field it is.
	for _, at := range []int{0x04, 0x08, 0x14, 0x1B, 0x1F, 0x23, 0x2F, 0x103, 0x107, 0x137, 0x167, 0x608, 0x610, 0x626,
		0x661, 0x66D} {
		if l, b := binary.LittleEndian.Uint32(little[at:]), binary.BigEndian.Uint32(big[at:]); l != b {
			t.Errorf("at 0x%x: got 0x%x, want 0x%x", at, b, l)
		}
	}
	for _, at := range []int{0x18, 0x177, 0x200, 0x63A, 0x681} {
		if !bytes.Equal(little[at:at+5], big[at:at+5]) && at != 0x18 {
			t.Errorf("at 0x%x: got %x, want %x", at, big[at:at+5], little[at:at+5])
		}
	}
}
