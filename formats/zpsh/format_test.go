package zpsh_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/zpsh"
)

// format is the format as the common tests see it.
func format(opts ...zpsh.Option) formattest.Format[*zpsh.File] {
	return formattest.Format[*zpsh.File]{
		Name:    "zpsh",
		Rules:   zpsh.Rules,
		Parse:   func(b []byte) (*zpsh.File, error) { return zpsh.Parse(b, opts...) },
		Check:   func(b []byte) []diag.Finding { return zpsh.Check(b, opts...) },
		Outline: func(b []byte) diag.Outline { return zpsh.Outline(b, opts...) },
	}
}

// Words and a descriptor that any program may have.
const (
	mov     = 0x4C000000 // mov o0, v0 with descriptor 0
	nop     = 0x84000000
	end     = 0x88000000
	emit    = 0xA8000000
	setemit = 0xAD800000
	xyzw    = 0x0000036F // mask xyzw, source 1 xyzw

	position = 0x03020100
)

// minimalModel is a vertex shader that hands on a position. minimalBytes are
// its bytes in both revisions.
func minimalModel(r zpsh.Revision) *zpsh.File {
	f := &zpsh.File{
		Revision:    r,
		Code:        []uint32{mov, end},
		Descriptors: []uint32{xyzw},
		Entries:     []zpsh.Entry{{Outputs: []zpsh.Output{{Register: 0, Map: position}}}},
	}
	if r == zpsh.R4 {
		f.Entries[0].HeaderWords = 4
	}
	f.SetNames("main")
	return f
}

var minimalBytes = map[zpsh.Revision]string{
	zpsh.R3: `
	5a505348 01100001 0200 00 03
	0000004c 00000088 6f030000
	6d61696e 00000000
	00000000 0000 0000 0000 0000 000000000000000000000000 01000000
	00010203`,
	zpsh.R4: `
	5a505348 01100001 0200 00 04 88e61a5a
	00000000
	0000004c 00000088 6f030000
	6d61696e 00000000
	00000000 0000 0000 0000 0400 0000 0000 000000000000000000000000 01000000
	00010203`,
}

// fullModel has an entry of every type and constants at the edges of the
// register files.
func fullModel(r zpsh.Revision) *zpsh.File {
	all := func(register uint8, v uint32) zpsh.Float {
		return zpsh.Float{Register: register, Value: [4]uint32{v, v, v, v}}
	}
	const one, two, half = 0x3F0000, 0x400000, 0x3E0000
	f := &zpsh.File{
		Revision:    r,
		Code:        []uint32{mov, 0x4C201000, end, setemit, mov, emit, end, nop, end},
		Descriptors: []uint32{xyzw, 0x0006C36F},
		Entries: []zpsh.Entry{
			{
				Info: zpsh.VertexInfo(), Bools: 1<<0 | 1<<15,
				Ints: []zpsh.Int{{Register: 0, Value: [4]uint8{3, 0, 1, 0}},
					{Register: 3, Value: [4]uint8{255, 1, 2, 0}}},
				Floats: []zpsh.Float{
					{Register: 0, Value: [4]uint32{one, two, half, 0xBF0000}},
					{Register: 95, Value: [4]uint32{0, 0x000555, 0x3D5555, 0xFF0000}},
				},
				Outputs: []zpsh.Output{{Register: 0, Map: position}, {Register: 1, Map: 0x0B0A0908},
					{Register: 2, Map: 0x1F100D0C}},
			},
			{Instruction: 3, Info: zpsh.PointInfo(16), Outputs: []zpsh.Output{{Register: 0, Map: position}}},
			{
				Instruction: 3, Info: zpsh.VariableInfo(31),
				Floats:  []zpsh.Float{all(31, one), all(32, two), all(64, half)},
				Outputs: []zpsh.Output{{Register: 0, Map: position}, {Register: 6, Map: 0x1F1F1716}},
			},
			{Instruction: 7, Info: zpsh.FixedInfo(4, 95), Ints: []zpsh.Int{{Register: 1, Value: [4]uint8{1, 2, 3, 4}}}},
		},
	}
	for i := range f.Entries {
		if r == zpsh.R4 {
			f.Entries[i].HeaderWords = 4
		}
	}
	f.SetNames("vs", "gs_point", "gs_var", "gs_fix")
	return f
}

func mustParse(t testing.TB, b []byte, opts ...zpsh.Option) *zpsh.File {
	t.Helper()
	return format(opts...).MustParse(t, b)
}

var mustAppend = format().MustAppend

// edited returns the bytes of a model after an edit, whatever rules it breaks.
func edited(t testing.TB, f *zpsh.File, edit func(f *zpsh.File)) []byte {
	t.Helper()
	edit(f)
	b, err := f.AppendUnchecked(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
