package ancestry

import (
	"iter"

	"github.com/picaproof/picaproof/pica"
)

// Sets of component slots, bit 3 = x.
const (
	slotX = 8
	slotY = 4
	slotZ = 2
	slotW = 1
)

// An operand is a register that an instruction reads.
type operand struct {
	number int   // as sources are numbered: v0-v15, r0-r15, c0-c95; the ones beyond c95 are not yielded
	parts  uint8 // the components that it reads, bit 3 = x
	index  int   // the register that displaced it: pica.IndexNone, ...
}

// offsets holds a0.x, a0.y and aL as they were before an instruction.
type offsets [3]int32

// operands yields what a step reads for the given slots of its sources. An index is yielded also where it led
// to the ones beyond c95; number is -1 then. A step that the profile skips and one that traps read nothing.
func operands(s *pica.Step, before offsets, slots [3]uint8) iter.Seq[operand] {
	return func(yield func(operand) bool) {
		if s.Skipped || s.Trap.Cause != pica.TrapNone {
			return
		}
		layout := pica.OpcodeOf(s.Word).Layout()
		for k, set := range slots {
			if set == 0 {
				continue
			}
			o := operand{number: int(layout.Src[k].Get(s.Word)), index: pica.IndexNone}
			if k == int(layout.Indexed) {
				o.number, o.index = displaced(o.number, int(layout.Index.Get(s.Word)), before)
			}
			for slot := range 4 {
				if set&(slotX>>slot) != 0 {
					o.parts |= slotX >> pica.Descriptor(s.Descriptor).Selector(k, slot)
				}
			}
			if !yield(o) {
				return
			}
		}
	}
}

// displaced applies relative addressing as the console does; only float uniforms have it.
func displaced(number, index int, before offsets) (to, by int) {
	if index == pica.IndexNone || number < pica.SourceUniform {
		return number, pica.IndexNone
	}
	offset := before[index-pica.IndexA0X]
	if offset < -128 || offset > 127 {
		offset = 0
	}
	n := (number - pica.SourceUniform + int(offset)) & 0x7F
	if n >= pica.NumFloats {
		return -1, index
	}
	return pica.SourceUniform + n, index
}

// slotsOf returns the slots of each source on which results of an instruction depend.
func slotsOf(word uint32, results live) (slots [3]uint8) {
	info := &pica.Opcodes[pica.OpcodeOf(word)]
	second := uint8(slotY) // of cc.y
	if info.Base == pica.LITP {
		second = slotW
	}
	var others uint8
	for _, f := range [...]struct {
		flag uint32
		slot uint8
	}{{liveA0X, slotX}, {liveA0Y, slotY}, {liveCCX, slotX}, {liveCCY, second}} {
		if results.rest&f.flag != 0 {
			others |= f.slot
		}
	}
	result := components(results.o | results.r)
	for k := range info.Sources {
		slots[k] = others | slotsOfResult(info, k, result)
	}
	return slots
}

// components returns the union of the parts of all registers in a set.
func components(set uint64) (parts uint8) {
	for ; set != 0; set >>= 4 {
		parts |= uint8(set & 0xF)
	}
	return parts
}

// slotsOfResult returns the slots of source k on which components of the destination depend.
func slotsOfResult(info *pica.OpcodeInfo, k int, result uint8) uint8 {
	switch {
	case info.Reads[k] == 0 || result == 0:
		return result
	case info.Scalar:
		return info.Reads[k]
	}
	return result & info.Reads[k]
}
