package bnsh

import (
	"math/bits"

	"github.com/picaproof/picaproof/formats/diag"
)

// stringPool finds strings by the offset of their length field.
type stringPool struct {
	base  uint64
	size  uint64
	texts []Text
	marks []uint64 // a bit for every second byte: a string starts there
	ranks []uint32 // how many strings start before each word of marks
	end   uint64   // where the last string ends, its padding included
	used  []bool   // which strings are keys
}

// index returns which string has its length field at off.
func (p *stringPool) index(off uint64) (uint32, bool) {
	n := (off - p.base) / 2
	if off < p.base || off%2 != p.base%2 || n/64 >= uint64(len(p.marks)) {
		return 0, false
	}
	word, bit := p.marks[n/64], uint64(1)<<(n%64)
	if word&bit == 0 {
		return 0, false
	}
	return p.ranks[n/64] + uint32(bits.OnesCount64(word&(bit-1))), true
}

// number fills ranks.
func (p *stringPool) number() {
	p.ranks = make([]uint32, len(p.marks))
	n := 0
	for i, word := range p.marks {
		p.ranks[i] = uint32(n)
		n += bits.OnesCount64(word)
	}
}

// stringSize returns how many bytes a string of n bytes takes in the pool:
// length, bytes, NUL, and padding to a multiple of 2.
func stringSize(n int) uint64 { return align(uint64(n)+3, 2) }

// stringPlace is the place of string i or of a field of it.
func stringPlace(off, n uint64, i int, field string) diag.Place {
	return diag.Place{Off: off, Len: n, Path: diag.Path{Table: "strings", Index: i, Field: field}}
}

// strings reads the string block.
func (r *reader) strings() bool {
	s, t := uint64(r.layout.Strings), uint64(r.layout.Relocations)
	field := func(name string) diag.Place { return owner{part: stringPart}.place(s, name) }
	if got := uint64(r.U32(s + 8)); got != t-s {
		return r.refuse("BNSH060", field("size"), diag.Hex(t-s), diag.Hex(got))
	}
	if !r.reserved("BNSH060", owner{part: stringPart}, s) {
		return false
	}
	n := uint64(r.U32(s+0x10)) + 1
	base := s + stringsHeadSize
	if most := (t - base) / 4; n > most {
		return r.refuse("BNSH061", field("count"), diag.Value{Format: "< %d", N: most}, diag.Dec(n-1))
	}
	p := &r.pool
	p.base, p.size = base, t-s
	p.texts = make([]Text, n)
	p.marks = make([]uint64, (t-base)/128+1)
	whole := Text(r.Bytes(base, t-base))
	at := base
	for i := range p.texts {
		if at+2 > t {
			return r.refuse("BNSH061", field("count"), diag.Value{Format: "%d strings fit", N: uint64(i)}, diag.Dec(n))
		}
		size := uint64(r.U16(at))
		end := at + 2 + size
		switch {
		case end >= t:
			return r.refuse("BNSH060", stringPlace(at, 2, i, "length"), diag.Value{Format: "end before 0x%x", N: t}, diag.Value{Format: "end at 0x%x", N: end})
		case r.U8(end) != 0:
			return r.refuse("BNSH060", stringPlace(end, 1, i, "terminator"), diag.Dec(0), diag.Hex(uint64(r.U8(end))))
		case size%2 == 0 && r.U8(end+1) != 0:
			return r.refuse("BNSH060", stringPlace(end+1, 1, i, "padding"), diag.Dec(0), diag.Hex(uint64(r.U8(end+1))))
		}
		p.texts[i] = whole[at+2-base : end-base]
		p.marks[(at-base)/128] |= 1 << ((at - base) / 2 % 64)
		at += stringSize(int(size))
	}
	p.end = at
	rest := diag.Place{Off: at, Len: t - at, Path: diag.Path{Prefix: "strings.", Field: "padding"}}
	if rest.Len >= 8 {
		return r.refuse("BNSH061", rest, diag.Text("fewer than 8 bytes"), diag.Dec(rest.Len))
	}
	if firstNonZero(r.Bytes(at, rest.Len)) >= 0 {
		return r.refuse("BNSH061", rest, diag.Text("zero"), diag.Value{})
	}
	p.number()
	return r.names(base)
}

// names checks the first string and the file name.
func (r *reader) names(base uint64) bool {
	p := &r.pool
	if p.texts[0] != "" {
		return r.refuse("BNSH062", stringPlace(base, 2, 0, "length"), diag.Dec(0), diag.Dec(uint64(len(p.texts[0]))))
	}
	at := owner{part: headerPart}.place(0, "name")
	off := uint64(r.U32(0x10))
	i, ok := p.index(off - 2)
	if !ok || off < 2 {
		return r.refuse("BNSH063", at, diag.Text("the characters of a string of the pool"), diag.Hex(off))
	}
	r.layout.StringPool, r.layout.Name = p.texts, i
	r.file.Name = p.texts[i]
	if want := usualName(r.file.Name); i != want {
		r.Report("BNSH065", at, diag.Value{Format: "string %d", N: uint64(want)}, diag.Value{Format: "string %d", N: uint64(i)})
	}
	return true
}

// usualName returns the index of the file name in the string pool: behind the
// empty string, which serves as an empty name.
func usualName(name Text) uint32 {
	if name == "" {
		return 0
	}
	return 1
}
