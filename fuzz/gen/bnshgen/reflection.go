package bnshgen

import (
	"strings"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// reflection draws the reflection of a set of stages or, oddly, of others.
func (d *drawer) reflection(h *bnsh.Header, stages uint8) *bnsh.PerStage[bnsh.StageReflection] {
	if d.oddly() {
		stages = uint8(d.Bits(bnsh.NumStages))
	}
	table := new(bnsh.PerStage[bnsh.StageReflection])
	for s := range table {
		if stages>>s&1 != 0 {
			table[s] = d.stageReflection(h, bnsh.Stage(s))
		}
	}
	return table
}

func (d *drawer) stageReflection(h *bnsh.Header, s bnsh.Stage) *bnsh.StageReflection {
	r := gen.Free[bnsh.StageReflection](d.Choices, fields, d.oddly())
	r.Extended = d.oddly() || h.Version.Minor >= 2 && d.sometimes(8)
	for i := range r.WorkGroup {
		r.WorkGroup[i] = max(r.WorkGroup[i], 1)
	}
	if s == bnsh.Compute == d.oddly() {
		r.WorkGroup = [3]uint32{}
	}
	for k := range kinds(&r) {
		r.Tables[k].Keys = d.keys(gen.Pick(d.Choices, []int{0, 0, 0, 0, 1, 1, 2, 3, 5, 5 + d.Below(30)}))
	}
	d.place(&r)
	return &r
}

// kinds returns how many tables a reflection has.
func kinds(r *bnsh.StageReflection) bnsh.Kind {
	if r.Extended {
		return bnsh.NumKinds
	}
	return bnsh.SeparateTextures
}

// Place gives the names of a reflection their slots, kind after kind.
func Place(c *gen.Choices, r *bnsh.StageReflection) { (&drawer{Choices: c}).place(r) }

// place is Place, oddly with slots anywhere. A kind without names has a first slot, too, which then may be any.
func (d *drawer) place(r *bnsh.StageReflection) {
	running, end := 0, 0
	for k := range kinds(r) {
		t := &r.Tables[k]
		t.First = int32(running)
		if k != bnsh.Inputs && d.oddly() {
			t.First = int32(d.Bits(3))
			if len(t.Keys) == 0 {
				t.First = int32(d.Bits(32))
			}
		}
		running += len(t.Keys)
		if len(t.Keys) > 0 {
			end = max(end, int(t.First)+len(t.Keys))
		}
	}
	r.Slots = make([]int32, end)
	for i := range r.Slots {
		r.Slots[i] = gen.Pick(d.Choices, []int32{int32(i), -1, int32(d.Bits(5)), int32(d.Bits(32))})
	}
}

// words are the parts of names: some with equal ends, and characters of one to four bytes in UTF-8.
var words = []string{"a", "Pos", "Tex", "zPos", "uMatrix", "[0]", "[1]", "_", ".", "é", "影", "😀", "\x01", "\x7F"}

// maxText is the longest that a text may be.
const maxText = 0xFFFF

// text draws a text that is not empty, often one drawn before.
func (d *drawer) text() (text bnsh.Text) {
	switch kind := d.Bits(4); {
	case len(d.texts) > 0 && kind >= 12:
		return gen.Pick(d.Choices, d.texts)
	case kind == 9 && d.oddly():
		text = bnsh.Text(d.fill(maxText - d.Below(2)))
	case d.oddly():
		text = bnsh.Text(d.fill(1 + d.Below(9)))
	case d.oddly():
		text = bnsh.Text("\x00" + gen.Pick(d.Choices, words))
	case kind == 11:
		text = bnsh.Text(rune(1 + d.Below(0xD7FF)))
	case kind == 10:
		text = bnsh.Text(strings.Repeat(gen.Pick(d.Choices, words[:5]), 1+d.Below(100)))
	default:
		for range 1 + d.Below(4) {
			text += bnsh.Text(gen.Pick(d.Choices, words))
		}
	}
	d.texts = append(d.texts, text)
	return text
}

// keys draws at most n names with different bits: no name consists of NULs, and no two names differ only in leading
// NULs. It may return the names of another stage.
func (d *drawer) keys(n int) (keys []bnsh.Text) {
	if len(d.tables) > 0 && d.sometimes(2) {
		return gen.Pick(d.Choices, d.tables)
	}
	seen := map[string]bool{"": true}
	for range n {
		key := d.text()
		if bits := strings.TrimLeft(string(key), "\x00"); !seen[bits] {
			seen[bits] = true
			keys = append(keys, key)
		}
	}
	if len(keys) > 0 {
		d.tables = append(d.tables, keys)
	}
	return keys
}
