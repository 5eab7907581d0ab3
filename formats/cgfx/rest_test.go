package cgfx_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/diag"
)

// TestRest: Rest has what an edit puts beside the shaders, with its bytes, and
// nothing of a plain file.
func TestRest(t *testing.T) {
	none := func(b []byte) []byte { return b }
	for name, c := range map[string]struct {
		edit edit
		want []string
	}{
		"plain":           {none, nil},
		"revision":        {set32(8, 0x04000000), []string{"header.revision 00000004"}},
		"root's object":   {set32(node0+12, 8), []string{"dict.nodes[0].object 08000000"}},
		"object revision": {set32(object0+8, 0x05000000), []string{"shaders[0].revision 00000005"}},
		"metadata":        {set32(object0+0x10, 1), []string{"shaders[0].metadata.count 01000000"}},
		"bytes behind":    {func(b []byte) []byte { return append(b, 1, 2, 3) }, []string{"tail 010203"}},
	} {
		f := mustParse(t, c.edit(mustAppend(t, pair(t))))
		var got []string
		for path, part := range f.Rest() {
			got = append(got, fmt.Sprintf("%s %x", path, part))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestRestStops: Rest ends when its caller has what it looks for.
func TestRestStops(t *testing.T) {
	const reference = 0x80000001
	b := mustAppend(t, pair(t))
	for i := range 2 {
		at := int(binary.LittleEndian.Uint32(b[node0+16*(i+1)+12:])) + node0 + 16*(i+1) + 12
		b = set32(at, reference)(b)
	}
	for _, end := range []string{"shaders[0].type", "shaders[0].name"} {
		last := ""
		for path := range mustParse(t, b).Rest() {
			if last = path; path == end {
				break
			}
		}
		if last != end {
			t.Errorf("the last part is %s, want %s", last, end)
		}
	}
}

// TestRestOfRefused: Rest of a file whose DVLBs were replaced by others that cannot be read.
func TestRestOfRefused(t *testing.T) {
	f := mustParse(t, mustAppend(t, pair(t)))
	for i := range f.Objects {
		f.Objects[i].DVLB = make([]byte, len(f.Objects[i].DVLB))
		for path := range f.Rest() {
			t.Errorf("%d DVLBs replaced: got %s", i+1, path)
		}
	}
}

// TestUnknownBytes: bytes without an owner are padding when they are up to three
// zeros before a multiple of 4, content of another kind when the header promises
// one, and else a gap.
func TestUnknownBytes(t *testing.T) {
	whole := mustAppend(t, pair(t))
	for name, c := range map[string]struct {
		behind []byte
		blocks uint32
		path   string
		kind   diag.RegionKind
	}{
		"nothing":       {nil, 1, "padding", diag.PaddingRegion},
		"zeros":         {make([]byte, 4), 1, "gap", diag.GapRegion},
		"other bytes":   {bytes.Repeat([]byte{9}, 4), 1, "gap", diag.GapRegion},
		"another block": {bytes.Repeat([]byte{9}, 4), 2, "other", diag.OpaqueRegion},
	} {
		b := append(bytes.Clone(whole), c.behind...)
		b = set32(0x10, c.blocks)(set32(0x0C, uint32(len(b)))(b))
		regions := format.Outline(b).Regions
		if last := regions[len(regions)-1]; last.Path != c.path || last.Kind != c.kind {
			t.Errorf("%s: got %+v, want %s", name, last, c.path)
		}
	}
}
