package reduce

import (
	"math/bits"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

// jobSize is the size of a job in the order of reduction; a simpler job compares lower. First
// comes whether it ends in END, without which a run continues through empty memory; then the
// numbers of all its parts, how plain they are, and finally all their values. Two different jobs
// of one profile have different sizes.
func jobSize(job *pica.Job) []uint64 {
	s := make([]uint64, 0, 64)
	add := func(v ...uint64) { s = append(s, v...) }
	add(flag(droppable(job) == len(job.Code)), uint64(len(job.Code)), uint64(len(job.Code)-nopCount(job.Code)),
		uint64(len(job.Vertices)), budgetOf(job))

	registers, components := 0, 0
	count := func(values []pica.Vec4) {
		registers += len(values)
		for _, v := range values {
			components += nonzero(v[:])
		}
	}
	for _, u := range job.Floats {
		count(u.Values)
	}
	for _, v := range job.Vertices {
		count(v)
	}
	ints := 0
	for _, v := range job.Ints {
		ints += nonzero(v[:])
	}
	add(flag(job.Initial != nil), flag(job.Keep), uint64(job.Stage), flag(job.OutMask != 0xFFFF))
	add(uint64(registers), uint64(len(job.Floats)), uint64(components), uint64(ints),
		uint64(bits.OnesCount16(job.Bools)))

	plain := 0
	for _, d := range job.Descriptors {
		plain += oddities(pica.Descriptor(d))
	}
	add(uint64(len(job.Descriptors)), uint64(plain), uint64(job.Entry))
	for at, w := range job.Code {
		add(wordRank(w, at))
	}
	for _, d := range job.Descriptors {
		add(uint64(d))
	}
	for _, v := range job.Vertices {
		add(uint64(len(v)))
		add(ranks(job.InputFormat, v)...)
	}
	for _, u := range job.Floats {
		add(uint64(u.Register), flag(u.Format != pica.Float32), uint64(len(u.Values)))
		add(ranks(u.Format, u.Values)...)
	}
	for _, v := range job.Ints {
		add(uint64(v[0])<<24 | uint64(v[1])<<16 | uint64(v[2])<<8 | uint64(v[3]))
	}
	add(uint64(job.Bools), uint64(job.OutMask), flag(job.InputFormat != pica.Float32))
	if job.Initial != nil {
		add(stateWords(job.Initial)...)
	}
	return s
}

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func nonzero[T uint8 | uint32](values []T) (n int) {
	for _, v := range values {
		if v != 0 {
			n++
		}
	}
	return n
}

func budgetOf(job *pica.Job) uint64 {
	if job.Budget == 0 {
		return pica.DefaultBudget
	}
	return uint64(job.Budget)
}

const nop = uint32(pica.NOP) << 26

func nopCount(code []uint32) (n int) {
	for _, w := range code {
		if w == nop {
			n++
		}
	}
	return n
}

// wordRank orders instructions: NOP and END are the simplest; then come instructions without
// indexing whose operands are inputs, then uniforms, then temporaries, because inputs and
// uniforms need no instruction before them. Forward targets come before others, because a
// person follows them more easily.
func wordRank(word uint32, at int) uint64 {
	if word == nop || word == uint32(pica.END)<<26 {
		return uint64(word)
	}
	i := decode.Decode(word)
	rank := uint64(1)
	if i.Index != pica.IndexNone {
		rank += 100
	}
	if targets(word) && int(i.Dst) <= at {
		rank += 100
	}
	for k := range pica.Opcodes[i.Op].Sources {
		switch {
		case i.Src[k] >= pica.SourceUniform:
			rank++
		case i.Src[k] >= pica.SourceTemporary:
			rank += 10
		}
	}
	return rank<<32 | uint64(word)
}

// targets reports whether an instruction reads a target.
func targets(word uint32) bool { return pica.Opcodes[pica.OpcodeOf(word)].Flow.HasTarget() }

// oddities counts the fields of a descriptor that differ from the identity.
func oddities(d pica.Descriptor) (n int) {
	if d>>31 != 0 {
		n++
	}
	if d.Mask() != 15 {
		n++
	}
	for k := range 3 {
		if d.Negate(k) {
			n++
		}
		if d.Selectors(k) != pica.IdentitySwizzle {
			n++
		}
	}
	return n
}

// ranks returns the ranks of the components of vectors, w first, so that x is the last to
// become zero.
func ranks(format pica.NumberFormat, values []pica.Vec4) []uint64 {
	r := make([]uint64, 0, 4*len(values))
	for _, v := range values {
		for c := 3; c >= 0; c-- {
			r = append(r, valueRank(format, v[c]))
		}
	}
	return r
}

// valueRank orders patterns: zero, then by the number of significant bits, the distance of the
// exponent from the exponent of 1, and the pattern.
func valueRank(format pica.NumberFormat, v uint32) uint64 {
	if v == 0 {
		return 0
	}
	significand, exponent := format.Significand(v), format.Exponent(v)
	significant := 1
	if significand != 0 {
		significant += format.SignificandBits() - bits.TrailingZeros32(significand)
	}
	distance := max(exponent-format.Bias(), format.Bias()-exponent)
	return uint64(significant)<<48 | uint64(distance)<<36 | uint64(v)
}

// stateWords lists the words of an initial state.
func stateWords(s *pica.State) (words []uint64) {
	for _, file := range [][16]pica.Vec4{s.R, s.O} {
		for _, v := range file {
			for _, c := range v {
				words = append(words, uint64(c))
			}
		}
	}
	return append(words, uint64(uint32(s.Address[0])), uint64(uint32(s.Address[1])), uint64(uint32(s.AL)),
		flag(s.CC[0]), flag(s.CC[1]))
}
