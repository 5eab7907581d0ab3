package asm

import (
	"math/bits"
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// descriptorTable numbers the operand descriptors of a program.
type descriptorTable interface {
	// use gives the last word of the program its descriptor number.
	use(f *file, i *arithmetic) *Error
	// give adds an entry that .opdesc spells out.
	give(f *file, word uint32) *Error
	// finish is called when the program is complete.
	finish(a *assembler)
	words() []uint32
}

func newDescriptorTable(d Dialect) descriptorTable {
	if d == Picasso {
		return new(sharingTable)
	}
	return new(equalTable)
}

// bits returns the descriptor that an instruction asks for, with zeros for the
// sources that it lacks.
func (i *arithmetic) bits() uint32 {
	d := uint32(0)
	if i.op.Base() != pica.CMP {
		d = uint32(i.mask)
	}
	for k := range i.sources {
		s := &i.sources[k]
		if s.negate {
			d |= pica.DescriptorNegate[k].Mask()
		}
		d = pica.DescriptorSelectors[k].Put(d, uint32(s.selectors))
	}
	return d
}

// sharingTable numbers descriptors as picasso does: two instructions share one if the
// bits that both need are equal.
type sharingTable struct {
	bits, used []uint32
	pinned     [pica.MaxMADDescs]bool // a MAD uses it
}

func (t *sharingTable) words() []uint32     { return t.bits }
func (t *sharingTable) finish(_ *assembler) {}

func (t *sharingTable) give(f *file, _ uint32) *Error {
	return wrong(f.word, "ASM001", "the picasso dialect has no .opdesc")
}

// needed returns the bits of the descriptor that picasso takes an instruction to
// need.
func (i *arithmetic) needed() uint32 {
	var need uint32
	if i.op.Base() != pica.CMP {
		need = pica.DescriptorMask.Mask()
	}
	for k := range i.sources {
		read := pica.Opcodes[i.op].Reads[k] // slots
		switch plain := pica.Opcodes[i.op].Plain; {
		case plain == pica.DST, plain == pica.LITP, plain == pica.CMP && k == 1:
			read = 15 // picasso does not know better
		case plain == pica.MOVA:
			read &= i.mask
		case read == 0:
			read = i.mask
		}
		var slots uint32
		for slot := range 4 {
			if read&(8>>slot) != 0 {
				slots |= 3 << (6 - 2*slot)
			}
		}
		need |= pica.DescriptorNegate[k].Mask() | slots<<pica.DescriptorSelectors[k].Lo
	}
	return need
}

func (t *sharingTable) use(f *file, i *arithmetic) *Error {
	want, need := i.bits(), i.needed()
	k := 0
	for k < len(t.bits) && (want^t.bits[k])&need&t.used[k] != 0 {
		k++
	}
	switch {
	case k < len(t.bits):
		t.bits[k] = t.bits[k]&^need | want&need
		t.used[k] |= need
	case k == pica.MaxDescriptors:
		return wrong(f.word, "ASM018", "the program needs more than %d operand descriptors", pica.MaxDescriptors)
	default:
		t.bits, t.used = append(t.bits, want), append(t.used, need)
	}
	if i.op.Layout().Desc.Width < 7 {
		low, err := t.pin(f, k)
		if err != nil {
			return err
		}
		k = low
	}
	last := len(f.code) - 1
	f.code[last] |= uint32(k)
	return nil
}

// pin gives descriptor k a number that a MAD can hold.
func (t *sharingTable) pin(f *file, k int) (int, *Error) {
	if k >= pica.MaxMADDescs {
		low := 0
		for low < pica.MaxMADDescs && t.pinned[low] {
			low++
		}
		if low == pica.MaxMADDescs {
			return 0, wrong(f.word, "ASM018",
				"the mad instructions need more than %d operand descriptors", pica.MaxMADDescs)
		}
		t.bits[k], t.bits[low] = t.bits[low], t.bits[k]
		t.used[k], t.used[low] = t.used[low], t.used[k]
		renumber(f.code[:len(f.code)-1], func(id uint32) uint32 {
			switch int(id) {
			case k:
				return uint32(low)
			case low:
				return uint32(k)
			}
			return id
		})
		k = low
	}
	t.pinned[k] = true
	return k, nil
}

// renumber changes the descriptor numbers of instructions other than MAD.
func renumber(code []uint32, number func(id uint32) uint32) {
	for pc, word := range code {
		if field := pica.OpcodeOf(word).Layout().Desc; field.Width == 7 || pica.OpcodeOf(word) < pica.BREAK {
			code[pc] = word&^0x7F | number(word&0x7F)
		}
	}
}

// equalTable numbers descriptors by first use and shares equal ones only. A
// source that an instruction does not have reads xyzw. Where numbering by first
// use would give a MAD a number above 31, those of MADs come first.
type equalTable struct {
	given []uint32 // by .opdesc
	// first finds the first given entry, by the bits that an instruction shows and
	// their values.
	first map[uint32]map[uint32]int
	added map[uint32]int // entries behind the given ones
	table []uint32
	uses  []descriptorUse
}

// descriptorUse is an instruction that waits for its descriptor number.
type descriptorUse struct {
	pc   int
	op   pica.Opcode
	bits uint32
	word text
	at   *place
}

func (t *equalTable) words() []uint32 { return t.table }

// maxGiven is the number of descriptors in a dump of an emulator, the largest table
// in a file.
const maxGiven = 4096

func (t *equalTable) give(f *file, word uint32) *Error {
	if len(t.given) == maxGiven {
		return wrong(f.word, "ASM018", "the program has more than %d operand descriptors", maxGiven)
	}
	t.given = append(t.given, word)
	return nil
}

func (t *equalTable) use(f *file, i *arithmetic) *Error {
	last := len(f.code) - 1
	if i.explicit >= 0 {
		f.code[last] |= uint32(i.explicit)
		return nil
	}
	d := i.bits()
	for k := len(i.sources); k < 3; k++ {
		d = pica.DescriptorSelectors[k].Put(d, pica.IdentitySwizzle)
	}
	t.uses = append(t.uses, descriptorUse{last, i.op, d, f.word, f.at})
	return nil
}

func (t *equalTable) finish(a *assembler) {
	t.table, t.added, t.first = slices.Clone(t.given), map[uint32]int{}, map[uint32]map[uint32]int{}
	if !t.number(func(*descriptorUse) bool { return true }) {
		t.table, t.added = slices.Clone(t.given), map[uint32]int{}
		isMAD := func(u *descriptorUse) bool { return u.op.Layout().Desc.Width < 7 }
		t.number(isMAD)
		t.number(func(u *descriptorUse) bool { return !isMAD(u) })
		for k := range t.uses {
			u := &t.uses[k]
			if limit := int(u.op.Layout().Desc.Mask()); t.find(u) > limit {
				a.report(wrong(u.word, "ASM018",
					"no operand descriptor is left: %v reaches the first %d", u.op, limit+1), u.at)
				return
			}
		}
	}
	for k := range t.uses {
		u := &t.uses[k]
		a.code[u.pc] |= uint32(t.find(u))
	}
}

// number gives the chosen instructions entries of the table. It reports whether
// each number fits its field.
func (t *equalTable) number(chosen func(*descriptorUse) bool) bool {
	fits := true
	for k := range t.uses {
		u := &t.uses[k]
		if !chosen(u) {
			continue
		}
		id := t.find(u)
		if id < 0 {
			id, t.table = len(t.table), append(t.table, u.bits)
			t.added[u.bits] = id
		}
		fits = fits && bits.Len(uint(id)) <= int(u.op.Layout().Desc.Width)
	}
	return fits
}

// find returns the first entry of the table that reads as the instruction says,
// or -1.
func (t *equalTable) find(u *descriptorUse) int {
	mask := shown[u.op]
	if t.first[mask] == nil {
		t.first[mask] = map[uint32]int{}
		for k, bits := range slices.Backward(t.given) {
			t.first[mask][bits&mask] = k
		}
	}
	if k, ok := t.first[mask][u.bits&mask]; ok {
		return k
	}
	if k, ok := t.added[u.bits]; ok {
		return k
	}
	return -1
}
