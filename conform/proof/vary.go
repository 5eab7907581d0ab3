package proof

import (
	"math/rand/v2"

	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/pica"
)

// Vary returns a job that differs from another in a few fields, operands and values.
func Vary(r *rand.Rand, job *pica.Job) *pica.Job {
	j := reduce.Clone(job)
	if r.IntN(3) == 0 {
		fill(j, func() pica.Vec4 { return pica.Vec4{number(r), number(r), number(r), number(r)} })
	}
	for range 1 + r.IntN(4) {
		switch r.IntN(9) {
		case 0:
			varyWord(r, j)
		case 8:
			if i := r.IntN(max(1, len(j.Code))); len(j.Code) > 0 {
				j.Code[i] ^= operands(j.Code[i]) & (1 << r.IntN(32))
			}
		case 1:
			if len(j.Descriptors) > 0 {
				j.Descriptors[r.IntN(len(j.Descriptors))] ^= 1 << r.IntN(31)
			}
		case 2, 3, 4:
			varyInput(r, j)
		case 5, 6:
			varyUniform(r, j)
		case 7:
			j.Bools ^= 1 << r.IntN(15)
			if n := r.IntN(pica.NumInts); r.IntN(2) == 0 {
				j.Ints[n][r.IntN(3)] = [...]uint8{0, 1, 2, 3, 127, 128, 254, 255}[r.IntN(8)]
			}
		}
	}
	if adapter.AsksB15(j) {
		j.Bools |= 1 << 15
	}
	return j
}

// fill gives numbers to the inputs and to the float uniforms that the job does not upload: another register of an operand
// then shows.
func fill(j *pica.Job, vector func() pica.Vec4) {
	for i := range j.Vertices {
		for len(j.Vertices[i]) < pica.NumInputs {
			j.Vertices[i] = append(j.Vertices[i], vector())
		}
	}
	all := pica.Upload{Format: pica.Float32}
	for range pica.NumFloats {
		all.Values = append(all.Values, vector())
	}
	j.Floats = append([]pica.Upload{all}, j.Floats...) // the job's own replace these
}

// varyWord changes an operand field of an instruction.
func varyWord(r *rand.Rand, j *pica.Job) {
	if len(j.Code) == 0 {
		return
	}
	i := r.IntN(len(j.Code))
	op := pica.OpcodeOf(j.Code[i])
	if r.IntN(3) == 0 {
		var others []uint32
		for other := range pica.Opcode(pica.NumOpcodes) {
			if v, ok := recoded(j.Code[i], other); ok {
				others = append(others, v)
			}
		}
		if len(others) > 0 {
			j.Code[i] = others[r.IntN(len(others))]
		}
		return
	}
	l, info := op.Layout(), &pica.Opcodes[op.Base()]
	if info.Sources == 0 {
		return
	}
	if k := r.IntN(info.Sources + 1); k < info.Sources {
		f, n := l.Src[k], uint32(r.IntN(1<<l.Src[k].Width))
		if other := r.IntN(info.Sources); r.IntN(2) == 0 { // the register of another source
			n = l.Src[other].Get(j.Code[i])
		}
		j.Code[i] = f.Put(j.Code[i], n)
	} else if l.Dest.Width > 0 {
		j.Code[i] = l.Dest.Put(j.Code[i], uint32(r.IntN(1<<l.Dest.Width)))
	}
}

func number(r *rand.Rand) uint32 {
	switch r.IntN(8) {
	case 0, 1:
		return uint32(0x3F000000 + r.IntN(0x04000000) | r.IntN(2)<<31)
	case 2: // of any size, or subnormal in one of the formats
		sign, x := r.Uint32()&(1<<31), r.Uint32()>>9
		switch r.IntN(4) {
		case 0:
			return sign | x>>r.IntN(23)
		case 1:
			return sign | x | uint32(49+r.IntN(16))<<23
		}
		return sign | x | uint32(r.IntN(255))<<23
	default:
		return special[r.IntN(len(special))]
	}
}

// alike returns a float32 of the same kind as another one, or any number.
func alike(r *rand.Rand, x uint32) uint32 {
	sign, fraction := r.Uint32()&(1<<31), r.Uint32()>>9
	switch f := pica.Float32; {
	case r.IntN(2) == 0:
		return number(r)
	case x&^f.Sign() > f.Infinity():
		return x
	case x&f.Infinity() == 0 && x&^f.Sign() != 0:
		return sign | max(1, fraction>>r.IntN(23))
	case x&^f.Sign() == 0 || x&f.Infinity() == f.Infinity():
		return x ^ sign
	}
	return sign | x&pica.Float32.Infinity() | fraction
}

func varyInput(r *rand.Rand, j *pica.Job) {
	if len(j.Vertices) == 0 {
		return
	}
	v := &j.Vertices[r.IntN(len(j.Vertices))]
	n := r.IntN(len(*v) + 1)
	if n == len(*v) {
		if n == pica.NumInputs {
			return
		}
		*v = append(*v, pica.Vec4{})
	}
	for lane, x := range (*v)[n] {
		if r.IntN(2) == 0 {
			(*v)[n][lane] = alike(r, x)
		}
	}
}

func varyUniform(r *rand.Rand, j *pica.Job) {
	if len(j.Floats) == 0 {
		j.Floats = append(j.Floats, pica.Upload{Register: r.IntN(pica.NumFloats), Format: pica.Float32,
			Values: []pica.Vec4{{}}})
	}
	up := &j.Floats[r.IntN(len(j.Floats))]
	if len(up.Values) == 0 {
		return
	}
	v := &up.Values[r.IntN(len(up.Values))]
	for lane, x := range v {
		if r.IntN(2) == 0 {
			x = alike(r, x)
			if up.Format == pica.Float24 {
				x = [...]uint32{0, 0x800000, 0x3F0000, 0xBF0000, 0x7F0000, 0xFF0000, 0x7F8000, 1, 0x8000, 0x3E5555}[r.IntN(10)]
			}
			v[lane] = x
		}
	}
}
