package cover

import "github.com/picaproof/picaproof/pica"

// swizzleColumns gives the column of swizzlePoints for each selector byte.
var swizzleColumns = func() (t [256]uint8) {
	const permutation, other = 5, 6
	for selectors := range t {
		var seen [4]int
		for slot := range 4 {
			seen[selectors>>(2*slot)&3]++
		}
		t[selectors] = other
		if seen == [4]int{1, 1, 1, 1} {
			t[selectors] = permutation
		}
		for c, n := range seen {
			if n == 4 {
				t[selectors] = uint8(1 + c) // x to w everywhere
			}
		}
	}
	t[pica.IdentitySwizzle] = 0
	return t
}()

// arithmetic records an instruction with operands.
func (r *Recorder) arithmetic(op pica.Opcode, s *pica.Step) {
	info, d := &pica.Opcodes[op], pica.Descriptor(s.Descriptor)
	layout := &info.Layout
	r.hit(maskPoints.at(int(op), int(d.Mask()), 0))
	inputs, alias := uint16(0), false
	dest := int(layout.Dest.Get(s.Word))
	for k := range info.Sources {
		n := int(layout.Src[k].Get(s.Word))
		file := min(n/pica.SourceTemporary, 2)
		if file == 0 {
			inputs |= 1 << n
		}
		alias = alias || file == 1 && n == dest
		r.hit(filePoints.at(int(op), k, file))
		r.hit(swizzlePoints.at(int(op), k, int(swizzleColumns[d.Selectors(k)])))
		r.hit(negationPoints.at(int(op), k, choose(d.Negate(k))))
	}
	if inputs&(inputs-1) != 0 {
		r.hit(hazardPoints.at(twoInputs, 0, 0))
	}
	if info.Writes&pica.WritesDest != 0 {
		column := destOutput
		switch {
		case alias:
			column = destSource
		case dest >= pica.DestTemporary:
			column = destTemporary
		}
		r.hit(destPoints.at(int(op), column, 0))
	}
	index := int(layout.Index.Get(s.Word))
	r.hit(indexPoints.at(int(op), index, 0))
	if index != pica.IndexNone {
		base := int(layout.Src[layout.Indexed].Get(s.Word)) - pica.SourceUniform
		r.hit(offsetPoints.at(index-1, offset(base, r.address[index-1]), 0))
	}
	r.values(op, info, s)
	if layout.CmpX.Width != 0 {
		r.compare(layout, s)
	}
}

// offset classifies a relative address by the register that it reads.
func offset(base int, address int32) int {
	n := base + int(address)
	switch {
	case base < 0:
		return offsetIgnored
	case address < -128 || address > 127:
		return offsetOutside
	case n&127 >= pica.NumFloats:
		return offsetOnes
	case n&127 != n:
		return offsetWraps
	}
	return offsetInside
}

// values records the classes of operands and result in every lane that affects the result.
func (r *Recorder) values(op pica.Opcode, info *pica.OpcodeInfo, s *pica.Step) {
	var used [3]uint8
	written := pica.Descriptor(s.Descriptor).Mask()
	for k := range info.Sources {
		switch reads := info.Reads[k]; {
		case info.Writes&pica.WritesCC != 0, info.Scalar && written != 0:
			used[k] = reads
		case reads == 0:
			used[k] = written
		default:
			used[k] = reads & written
		}
	}
	kind := kinds[op]
	for lane := range 4 {
		bit := uint8(8 >> lane)
		var class [3]int
		for k := range info.Sources {
			if used[k]&bit == 0 {
				continue
			}
			class[k] = int(r.format.Class(s.Sources[k][lane]))
			if kind == ofOther {
				r.hit(valuePoints.at(int(op), k, class[k]))
			}
		}
		if kind == ofUnary && used[0]&bit != 0 {
			r.hit(unaryPoints.at(int(op), class[0], 0))
		}
		if kind == ofBinary && used[0]&bit != 0 {
			r.hit(binaryPoints.at(int(op), class[0], class[1]))
		}
		if s.Written&bit == 0 {
			continue
		}
		r.hit(resultPoints.at(int(op), int(r.format.Class(s.Result[lane])), 0))
		if r.rounds && info.Rounds != pica.RoundsOther {
			r.rounding(op, s, lane)
		}
	}
}

// The grids that record the operands of an instruction.
const (
	ofOther = iota
	ofUnary
	ofBinary
)

var kinds = func() (t [pica.NumOpcodes]uint8) {
	for _, op := range unaryOps {
		t[op] = ofUnary
	}
	for _, op := range binaryOps {
		t[op] = ofBinary
	}
	return t
}()

// compare records how the operands of CMP relate.
func (r *Recorder) compare(layout *pica.Layout, s *pica.Step) {
	for lane, operator := range [2]pica.Field{layout.CmpX, layout.CmpY} {
		r.hit(comparePoints.at(lane, int(operator.Get(s.Word)),
			relation(r.format, s.Sources[0][lane], s.Sources[1][lane])))
	}
}

// The columns of comparePoints.
const (
	below = iota
	equal
	above
	unordered
)

// relation compares two numbers by value.
func relation(format pica.NumberFormat, a, b uint32) int {
	x, y := format.Ordinal(a), format.Ordinal(b)
	switch {
	case format.Class(a) == pica.ClassNaN || format.Class(b) == pica.ClassNaN:
		return unordered
	case x < y:
		return below
	case x > y:
		return above
	}
	return equal
}
