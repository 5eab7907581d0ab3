package cover_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/pica"
)

// word is an instruction on v0, v1 and v2 with the destination r0.
func word(op pica.Opcode) uint32 {
	layout := op.Layout()
	w := layout.Dest.Put(uint32(op)<<26, pica.DestTemporary)
	for k := range pica.Opcodes[op].Sources {
		w = layout.Src[k].Put(w, uint32(k))
	}
	return w
}

// one returns the points of a program of one instruction on raw float24 inputs.
func one(t *testing.T, w uint32, d pica.Descriptor, inputs ...pica.Vec4) *cover.Set {
	t.Helper()
	return points(t, &pica.Job{
		Program:  pica.Program{Code: []uint32{w, end}, Descriptors: []uint32{uint32(d)}},
		Vertices: [][]pica.Vec4{inputs}, InputFormat: pica.Float24,
	})
}

// TestSwizzles: every selector byte has one column.
func TestSwizzles(t *testing.T) {
	columns := []string{"identity", "x", "y", "z", "w", "permutation", "other"}
	for selectors := range 256 {
		slots := map[int]bool{}
		for slot := range 4 {
			slots[selectors>>(2*slot)&3] = true
		}
		want := "other"
		switch {
		case selectors == pica.IdentitySwizzle:
			want = "identity"
		case len(slots) == 4:
			want = "permutation"
		case len(slots) == 1:
			want = "xyzw"[selectors&3:][:1]
		}
		got := one(t, word(pica.MOV), pica.MakeDescriptor(15, [3]bool{}, [3]uint8{uint8(selectors)}))
		for _, column := range columns {
			if seen := got.Has(named(t, "mov/1.swizzle="+column)); seen != (column == want) {
				t.Errorf("selectors %#x: %s is seen: %t, want %s", selectors, column, seen, want)
			}
		}
	}
}

// TestLanesOfOperands: an operand has points for the components that affect the written
// components.
func TestLanesOfOperands(t *testing.T) {
	const one24, nan = 0x3F0000, 0x7F8000
	identity := [3]uint8{pica.IdentitySwizzle, pica.IdentitySwizzle, pica.IdentitySwizzle}
	for _, c := range []struct {
		op    pica.Opcode
		reads [4]uint8 // components of the first operand, by written component
	}{
		{pica.ADD, [4]uint8{8, 4, 2, 1}}, {pica.MAX, [4]uint8{8, 4, 2, 1}}, {pica.FLR, [4]uint8{8, 4, 2, 1}},
		{pica.DST, [4]uint8{0, 4, 2, 0}}, {pica.MOVA, [4]uint8{8, 4, 0, 0}}, {pica.DP4, [4]uint8{15, 15, 15, 15}},
		{pica.DP3, [4]uint8{14, 14, 14, 14}}, {pica.RCP, [4]uint8{8, 8, 8, 8}}, {pica.LITP, [4]uint8{13, 13, 13, 13}},
	} {
		for lane, reads := range c.reads {
			for odd := range 4 {
				inputs := []pica.Vec4{{one24, one24, one24, one24}, {one24, one24, one24, one24}}
				inputs[0][odd] = nan
				got := one(t, word(c.op), pica.MakeDescriptor(8>>lane, [3]bool{}, identity), inputs...)
				seen := false
				for p := range got.All() {
					name := p.Info().Name
					seen = seen || strings.HasPrefix(name, c.op.String()+"/src") && (strings.Contains(name, "=nan"))
				}
				if want := reads>>(3-odd)&1 != 0; seen != want {
					t.Errorf("%v writes %s: component %s of the operand is seen: %t", c.op, "xyzw"[lane:][:1],
						"xyzw"[odd:][:1], seen)
				}
			}
		}
	}
}

// TestFormatsOfOperands: number classes follow the format of the registers.
func TestFormatsOfOperands(t *testing.T) {
	job := pica.Job{
		Program: pica.Program{Code: []uint32{word(pica.RCP), end},
			Descriptors: []uint32{uint32(pica.IdentityDescriptor)}},
		Vertices: [][]pica.Vec4{{{0xFF800000}}}, InputFormat: pica.Float32,
	}
	expect(t, points(t, &job), "rcp/src=-inf rcp/result=-0", "rcp/src=nan")
	job.Profile.Storage, job.Profile.Upload = pica.Float32, pica.UploadExact
	expect(t, points(t, &job), "rcp/src=-inf rcp/result=-0", "rcp/src=nan")
	job.Vertices[0][0][0] = 0xFF0000 // -inf as a float24
	expect(t, points(t, &job), "rcp/src=+normal", "rcp/src=-inf")
}

// TestTheLastInput: two input registers, one of them the last.
func TestTheLastInput(t *testing.T) {
	w := pica.ADD.Layout().Src[0].Put(word(pica.ADD), pica.NumInputs-1)
	for second := range uint32(pica.NumInputs) {
		got := one(t, pica.ADD.Layout().Src[1].Put(w, second), pica.IdentityDescriptor)
		if seen := got.Has(named(t, "hazard/two input registers")); seen != (second != pica.NumInputs-1) {
			t.Errorf("v%d and v%d: a hazard: %t", pica.NumInputs-1, second, seen)
		}
	}
}

// TestBreakBeforeTheLoop: a jump may leave a loop backwards, too.
func TestBreakBeforeTheLoop(t *testing.T) {
	expect(t, runs(t, jmp(2), brk, loop(0, 4), jmp(1), nop, end), "flow/4.1_break_of_a_loop_left_before", "")
}

// TestGroups: exactly the points of the geometry stage are in its group, by which
// reports count them.
func TestGroups(t *testing.T) {
	if info := cover.None.Info(); info.Name != "none" || info.Point != cover.None {
		t.Errorf("no point is %+v", info)
	}
	families := []string{"setemit/slot=", "emit/slot=", "bank ", "primitive/", "geometry/"}
	seen := map[string]int{}
	for _, p := range cover.Points() {
		i := slices.IndexFunc(families, func(prefix string) bool { return strings.HasPrefix(p.Name, prefix) })
		if (p.Group == cover.GeometryUnit) != (i >= 0) {
			t.Errorf("%s is of the group %s", p.Name, p.Group)
		}
		if i >= 0 {
			seen[families[i]]++
		}
	}
	want := map[string]int{"setemit/slot=": 16, "emit/slot=": 12, "bank ": 4, "primitive/": 3, "geometry/": 2}
	if !maps.Equal(seen, want) {
		t.Errorf("points %v, want %v", seen, want)
	}
}
