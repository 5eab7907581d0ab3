package diff

import (
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
	"github.com/picaproof/picaproof/pica/decode"
)

// code is a program as a list of instructions.
type code pica.Program

// instruction is one word with the descriptors it selects from.
type instruction struct {
	word        uint32
	descriptors []uint32
}

func (c code) at(i int) instruction { return instruction{c.Code[i], c.Descriptors} }

// String returns "mov o0, v0".
func (i instruction) String() string { return asm.Format(i.word, i.descriptors) }

// same reports whether two instructions have the same effect.
func (i instruction) same(o instruction) bool {
	a, aMissing := i.descriptor()
	b, bMissing := o.descriptor()
	op := pica.OpcodeOf(i.word)
	switch {
	case aMissing != bMissing:
		return false
	case i.word == o.word && a == b:
		return true
	case op.Base() != pica.OpcodeOf(o.word).Base() || op.Reserved():
		return false // it is unknown which bits a reserved opcode reads
	}
	relevant := ^(decode.Ignored(i.word) | op.Layout().Desc.Mask())
	return (i.word^o.word)&relevant == 0 && (a^b)&i.uses() == 0
}

// present replaces the index of a missing descriptor when none is missing.
const present = -1

// descriptor returns the operand descriptor, 0 if the instruction selects none, and
// its index if the table lacks it; an object that is not linked may lack it.
func (i instruction) descriptor() (word uint32, missing int) {
	field := pica.OpcodeOf(i.word).Layout().Desc
	n := int(field.Get(i.word))
	switch {
	case field.Width == 0:
		return 0, present
	case n >= len(i.descriptors):
		return 0, n
	}
	return i.descriptors[n], present
}

const (
	allSlots   = 0xF
	slotsXAndY = 0xC
)

// uses returns the bits of the descriptor that the instruction uses: the destination
// mask if it writes a register, and for each source the negation bit and the
// selectors of the components that it reads.
func (i instruction) uses() uint32 {
	info := &pica.Opcodes[pica.OpcodeOf(i.word)]
	word, _ := i.descriptor()
	d := pica.Descriptor(word)
	var bits uint32
	switch {
	case info.Writes&pica.WritesDest != 0:
		bits = pica.DescriptorMask.Put(0, allSlots)
	case info.Writes&pica.WritesAddress != 0:
		bits = pica.DescriptorMask.Put(0, slotsXAndY)
	}
	for k := range info.Sources {
		slots := info.Reads[k]
		if slots == 0 {
			slots = d.Mask()
		}
		if slots == 0 {
			continue
		}
		bits |= pica.DescriptorNegate[k].Mask()
		for slot := range 4 {
			if slots<<slot&8 != 0 {
				bits |= pica.Field{Lo: pica.DescriptorSelectors[k].Lo + uint8(6-2*slot), Width: 2}.Mask()
			}
		}
	}
	return bits
}

func (c code) len() int { return len(c.Code) }

// compare reports the instructions that differ.
func (c code) compare(w *walker, path string, o code) {
	same := func(i, j int) bool { return c.at(i).same(o.at(j)) }
	first, lastA, lastB := trim(c.len(), o.len(), same)
	for k := first; k < max(lastA, lastB); k++ {
		switch {
		case k >= lastB:
			w.leaf(index(path, k), c.at(k).String(), "")
		case k >= lastA:
			w.leaf(index(path, k), "", o.at(k).String())
		case !same(k, k):
			w.leaf(index(path, k), c.at(k).String(), o.at(k).String())
		}
	}
}
