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
)

// edit changes bytes.
type edit func(b []byte) []byte

// ruleCases break the file of pair in one place each. findings are all that
// Check must report, in order; near is an edit close by after which the first of
// them is not reported.
func ruleCases(t *testing.T) []struct {
	findings string
	at       int // offset of the first finding
	edit     edit
	near     edit
} {
	whole := mustAppend(t, pair(t))
	size := len(whole)
	object1 := int(binary.LittleEndian.Uint32(whole[node2+12:])) + node2 + 12
	names := size - len("DefaultShader\x00Particle\x00\x00")
	empty := func([]byte) []byte { return mustAppend(t, &cgfx.File{}) }
	return []struct {
		findings string
		at       int
		edit     edit
		near     edit
	}{
		{"CGFX001/E", 0x13, cut(0x13), nil},
		{"CGFX002/E", 0, set8(0, 'B'), nil},
		{"CGFX002/E", 0, func(b []byte) []byte { return append([]byte("BCH\x00"), b[4:]...) }, nil},
		{"CGFX003/E", 4, set16(4, 0xFFFE), nil},
		{"CGFX004/E", 6, set16(6, 0x10), nil},
		{"CGFX004/E", 6, set16(6, 0x16), nil},
		{"CGFX004/E", 6, set16(6, 0xFFFC), nil},
		{"CGFX005/W CGFX010/E", 6, set16(6, 0x18), nil},
		{"CGFX006/W", 8, set32(8, 0x05000001), nil},
		{"CGFX007/E", 0xC, set32(0xC, uint32(size+1)), set32(0xC, uint32(size))},
		{"CGFX008/W", 0xC, func(b []byte) []byte { return append(b, 0) }, nil},
		{"CGFX009/E", 0x10, set32(0x10, 0), set32(0x10, 2)},
		{"CGFX009/W", 0x10, set32(0x10, 3), set32(0x10, 2)},
		{"CGFX010/E", data, set8(data, 'd'), nil},
		{"CGFX011/E", data + 4, set32(data+4, 0x2F), nil},
		{"CGFX011/E", data + 4, set32(data+4, uint32(size-data+1)), set32(data+4, uint32(size-data))},
		{"CGFX012/W", data, set32(data+4, 8+15*8+7), set32(data+4, 8+16*8)},
		{"CGFX012/E", data, all(set32(shaders, 0x54434944)), nil},
		{"CGFX013/E", shaders + 4, set32(shaders+4, 0), nil},
		{"CGFX013/E", shaders + 4, set32(shaders+4, 1<<32-(shaders+4)), nil},
		{"CGFX014/W", kinds + 4, set32(kinds+4, 8), nil},
		{"CGFX015/I", kinds, all(set32(kinds, 1), set32(kinds+4, dict-kinds-4)), nil},
		{"CGFX013/E CGFX015/I", kinds + 4, set32(kinds, 1), nil},
		{"CGFX016/E", shaders + 4, set32(shaders+4, uint32(size-shaders-4)), nil},
		{"CGFX016/E", shaders + 4, set32(shaders+4, dict-shaders-4+2), nil},
		{"CGFX017/I", shaders, empty, nil},
		{"CGFX014/W CGFX017/I", shaders + 4, set32(shaders, 0), nil},
		{"CGFX018/E", program0, set32(array+4, program0-array-4), nil},
		{"CGFX018/E", object1, set32(object0+0x18, uint32(object1-dvlb0+1)), set32(object0+0x18, uint32(object1-dvlb0))},

		{"DICT001/E", shaders + 4, set32(shaders+4, uint32(size-24-shaders-4)), set32(shaders+4, uint32(size-28-shaders-4))},
		{"DICT002/E", dict, set8(dict, 'd'), nil},
		{"DICT003/E", dict + 8, set32(dict+8, 1), nil},
		{"DICT004/E", dict + 8, all(set32(dict+8, 0x10000000), set32(shaders, 0x10000000)), nil},
		{"DICT005/E", dict + 4, set32(dict+4, 0x40), set32(dict+4, 0x3C)},
		{"DICT006/E DICT012/W", node1 + 4, set16(node1+4, 3), nil},
		{"DICT006/E DICT012/W DICT012/W", node0 + 4, set16(node0+4, 0xFFFF), nil},
		{"DICT007/E", node0, set32(node0, 0x7FFFFFFF), nil},
		{"DICT008/W", node0 + 8, set32(node0+8, 1), nil},
		{"DICT008/W", node0 + 12, set32(node0+12, 1), nil},
		{"DICT009/E", node1 + 8, set32(node1+8, 0), nil},
		{"DICT009/E", node1 + 8, set32(node1+8, uint32(size-node1-8)), nil},
		{"DICT010/E DICT012/W", node2 + 8, set32(node2+8, uint32(names-node2-8)), set32(node2+8, uint32(names+1-node2-8))},
		{"DICT011/E", node1 + 12, set32(node1+12, 0), nil},
		{"DICT011/E", node1 + 12, set32(node1+12, object0+2-node1-12), nil},
		{"DICT011/E", node1 + 12, set32(node1+12, uint32(size-0x44-node1-12)), nil},
		{"DICT012/W", node1, all(set16(node0+4, 2), set32(node2, 1), set16(node2+4, 2), set16(node2+6, 2)), nil},
		{"DICT013/I", node1, set32(node1, 0x65), nil},

		{"SHDR001/E", object0, set32(object0, 0x80000003), nil},
		{"SHDR002/E", object0 + 4, set8(object0+4, 's'), nil},
		{"SHDR003/I", object0, set32(object0, 0x80000001), nil},
		{"SHDR003/I", object0, set32(object0, 0x00000101), nil},
		{"SHDR004/W", object0 + 8, set32(object0+8, 0x05000000), nil},
		{"SHDR005/E", object0 + 0xC, set32(object0+0xC, 0), nil},
		{"SHDR006/W", object0 + 0xC, set32(object0+0xC, uint32(names+1-object0-0xC)), set32(object0+0xC, uint32(names-object0-0xC))},
		{"SHDR007/W", object0 + 0x38, set8(object0+0x47, 1), nil},
		{"SHDR008/I", object0 + 0x20, commands, nil},
		{"SHDR008/I SHDR009/E", object0 + 0x20, set32(object0+0x20, 1), nil},
		{"SHDR008/I SHDR009/E", object0 + 0x30, all(set32(object0+0x30, 1), set32(object0+0x34, 2)), nil},
		{"SHDR008/I SHDR009/E", object0 + 0x30, all(set32(object0+0x30, 0xFFFFFFFF), set32(object0+0x34, 4)), nil},
		{"SHDR010/E", object0 + 0x18, set32(object0+0x18, 0), nil},
		{"SHDR010/E", object0 + 0x1C, set32(object0+0x1C, 0), nil},
		{"SHDR010/E", object0 + 0x1C, set32(object0+0x18, uint32(size-dvlb0+1)), nil},
		{"SHDR011/W DVLB002/E SHDR012/E", object0 + 0x1C, set32(object0+0x1C, dvlb0+1-object0-0x1C), nil},
		{"DVLB002/E SHDR012/E", dvlb0, set8(dvlb0, 'd'), nil},
		{"SHDR013/E", object0 + 0x2C, set32(object0+0x2C, 0), nil},
		{"SHDR013/E", object0 + 0x2C, set32(object0+0x28, 0x40000001), nil},
		{"SHDR014/E", array + 4, set32(array+4, 0), nil},
		{"SHDR014/E", array + 4, set32(array+4, uint32(size-0x84-array-4)), set32(array+4, uint32(program1-array-4))},
		{"SHDR015/E", program1 + 4, set32(program1+4, 3), nil},
		{"SHDR015/E", program1 + 8, set32(program1+8, 0xFFFFFFFE), nil},
		{"SHDR016/W", program1 + 4, set32(program1+4, 2), set32(program1+4, 1)},
		{"SHDR016/W", program1 + 8, set32(program1+8, 1), set32(program1+8, 2)},
		{"SHDR017/W", program0, set32(program0+4, 0xFFFFFFFF), nil},
		{"SHDR002/E SHDR002/E", object0 + 4, all(set8(object0+4, 's'), set8(object1+4, 's')), nil},
	}
}

func TestRules(t *testing.T) {
	formattest.RuleTable(t, cgfx.Rules)
	hit := make(map[string]bool)
	for _, c := range ruleCases(t) {
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
			for _, id := range formattest.IDs(findings) {
				hit[id] = true
			}
			if c.near == nil {
				return
			}
			if near := formattest.IDs(cgfx.Check(c.near(mustAppend(t, pair(t))))); slices.Contains(near, strings.Fields(c.findings)[0]) {
				t.Errorf("the near miss reports %v", near)
			}
		})
	}
	for _, r := range cgfx.Rules {
		for _, severity := range append([]diag.Severity{r.Severity}, r.Also...) {
			if id := r.ID + "/" + severity.Letter(); !hit[id] {
				t.Errorf("no case for %s", id)
			}
		}
	}
}

// own leaves out the milder findings of the DVLBs.
func own(findings []diag.Finding) []diag.Finding {
	return slices.DeleteFunc(findings, func(f diag.Finding) bool { return strings.HasPrefix(f.Rule, "DVL") && f.Severity < diag.Error })
}

func all(edits ...edit) edit {
	return func(b []byte) []byte {
		for _, e := range edits {
			b = e(b)
		}
		return b
	}
}

func cut(n int) edit { return func(b []byte) []byte { return b[:n] } }

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
	return all(set32(0xC, uint32(len(b))), set32(object0+0x20, 2), set32(object0+0x24, uint32(len(b)-8-object0-0x24)))(b)
}
