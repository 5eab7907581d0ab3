package cgfx_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/fuzz/gen/cgfxgen"
)

// edit changes bytes.
type edit func(b []byte) []byte

// combinations are edits of the file of pair that break several rules at once, or
// one rule several times. findings are all that Check must report, in order.
func combinations(t *testing.T) []struct {
	findings string
	at       int // offset of the first finding
	edit     edit
} {
	whole := mustAppend(t, pair(t))
	size := len(whole)
	object1 := int(binary.LittleEndian.Uint32(whole[node2+12:])) + node2 + 12
	names := size - len("DefaultShader\x00Particle\x00\x00")
	return []struct {
		findings string
		at       int
		edit     edit
	}{
		{"CGFX005/W CGFX010/E", 6, set16(6, 0x18)},
		{"CGFX013/E CGFX015/I", kinds + 4, set32(kinds, 1)},
		{"CGFX014/W CGFX017/I", shaders + 4, set32(shaders, 0)},
		{"DICT006/E DICT012/W", node1 + 4, set16(node1+4, 3)},
		{"DICT006/E DICT012/W DICT012/W", node0 + 4, set16(node0+4, 0xFFFF)},
		{"DICT010/E DICT012/W", node2 + 8, set32(node2+8, uint32(names-node2-8))},
		{"SHDR008/I SHDR009/E", object0 + 0x20, set32(object0+0x20, 1)},
		{"SHDR008/I SHDR009/E", object0 + 0x30, all(set32(object0+0x30, 1), set32(object0+0x34, 2))},
		{"SHDR008/I SHDR009/E", object0 + 0x30, all(set32(object0+0x30, 0xFFFFFFFF), set32(object0+0x34, 4))},
		{"SHDR011/W DVLB002/E SHDR012/E", object0 + 0x1C, set32(object0+0x1C, dvlb0+1-object0-0x1C)},
		{"DVLB002/E SHDR012/E", dvlb0, set8(dvlb0, 'd')},
		// The pointers too many lie in the first program.
		{strings.Repeat("SHDR014/E ", 64), array + 8, set32(object0+0x28, 66)},
		{"SHDR002/E SHDR002/E", object0 + 4, all(set8(object0+4, 's'), set8(object1+4, 's'))},
	}
}

// TestFaults breaks every rule.
func TestFaults(t *testing.T) { format.Faults(t, cgfxgen.Format) }

func TestTogether(t *testing.T) {
	for _, c := range combinations(t) {
		t.Run(strings.ReplaceAll(c.findings, "/", "."), func(t *testing.T) {
			b := c.edit(mustAppend(t, pair(t)))
			findings := own(cgfx.Check(b))
			if diff := cmp.Diff(strings.Fields(c.findings), formattest.IDs(findings)); diff != "" {
				t.Fatalf("findings (-want +got):\n%s%v", diff, findings)
			}
			if findings[0].Off != c.at {
				t.Errorf("got offset 0x%x, want 0x%x: %v", findings[0].Off, c.at, findings[0])
			}
			format.Agree(t, b)
		})
	}
}

// own leaves out the milder findings of the DVLBs.
func own(findings []diag.Finding) []diag.Finding {
	return slices.DeleteFunc(findings,
		func(f diag.Finding) bool { return strings.HasPrefix(f.Rule, "DVL") && f.Severity < diag.Error })
}

func all(edits ...edit) edit {
	return func(b []byte) []byte {
		for _, e := range edits {
			b = e(b)
		}
		return b
	}
}

func set8(at int, v byte) edit { return func(b []byte) []byte { b[at] = v; return b } }

func set16(at int, v uint16) edit {
	return func(b []byte) []byte { binary.LittleEndian.PutUint16(b[at:], v); return b }
}

func set32(at int, v uint32) edit {
	return func(b []byte) []byte { binary.LittleEndian.PutUint32(b[at:], v); return b }
}

// commands gives the first shader two commands at the end of the file.
func commands(b []byte) []byte {
	b = append(b, 1, 2, 3, 4, 5, 6, 7, 8)
	return all(set32(0xC, uint32(len(b))), set32(object0+0x20, 2),
		set32(object0+0x24, uint32(len(b)-8-object0-0x24)))(b)
}
