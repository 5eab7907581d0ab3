package bnsh

import (
	"math"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// stringPool finds strings by the offset of their length field.
type stringPool struct {
	texts  []Text
	starts []uint32 // of the strings, ascending
	end    uint64   // where the last string ends, its padding included
	open   bool     // bytes follow that may be strings
}

// index returns which string has its length field at off.
func (p *stringPool) index(off uint64) (uint32, bool) {
	if off > math.MaxUint32 {
		return 0, false
	}
	i, found := slices.BinarySearch(p.starts, uint32(off))
	if !found {
		return 0, false
	}
	return uint32(i), true
}

// text returns a string of the pool, "" if the pool is not known.
func (p *stringPool) text(i uint32) Text {
	if int(i) >= len(p.texts) {
		return ""
	}
	return p.texts[i]
}

// stringSize returns how many bytes a string of n bytes takes in the pool:
// length, bytes, NUL, and padding to a multiple of 2.
func stringSize(n int) uint64 { return align(uint64(n)+3, 2) }

// stringPlace is the place of string i or of a field of it.
func stringPlace(off, n uint64, i int, field string) diag.Place {
	return diag.Place{Off: off, Len: n, Path: diag.Path{Table: "strings", Index: i, Field: field}}
}

// strings reads the string block. It ends at the relocation table or, when that
// is not known, where its own size says.
func (r *reader) strings() {
	s, size := uint64(r.layout.Strings), uint64(r.U32(uint64(r.layout.Strings)+stringsSizeAt))
	field := func(name string) diag.Place { return owner{part: stringPart}.place(s, name) }
	end := s + size
	if r.known&knowTable != 0 {
		if end = uint64(r.layout.Relocations); size != end-s {
			r.fail("BNSH060", field("size"), diag.Hex(end-s), diag.Hex(size))
		}
	}
	r.rules(owner{part: stringPart}, s)
	r.reserved("BNSH060", owner{part: stringPart}, s)
	base := s + stringsHeadSize
	if end < base || end > r.Size() {
		return
	}
	n := uint64(r.U32(s+stringsCountAt)) + 1
	if most := (end - base) / 4; n > most {
		r.fail("BNSH061", field("count"), diag.Value{Format: "< %d", N: most}, diag.Dec(n-1))
		return
	}
	if !r.readStrings(base, end, int(n)) {
		r.pool = stringPool{}
		return
	}
	r.known |= knowPool
	r.nameOfFile()
}

// readStrings reads the n strings from base on, and reports whether all are
// inside the block.
func (r *reader) readStrings(base, end uint64, n int) bool {
	p := &r.pool
	p.texts, p.starts = make([]Text, n), make([]uint32, n)
	whole := Text(r.Bytes(base, end-base))
	at := base
	for i := range p.texts {
		if at+2 > end {
			count := owner{part: stringPart}.place(uint64(r.layout.Strings), "count")
			return r.fail("BNSH061", count, diag.Value{Format: "%d strings fit", N: uint64(i)}, diag.Dec(uint64(n)))
		}
		size := uint64(r.U16(at))
		nul := at + 2 + size
		if nul >= end {
			return r.fail("BNSH060", stringPlace(at, 2, i, "length"), diag.Value{Format: "end before 0x%x", N: end},
				diag.Value{Format: "end at 0x%x", N: nul})
		}
		if r.U8(nul) != 0 {
			r.fail("BNSH060", stringPlace(nul, 1, i, "terminator"), diag.Dec(0), diag.Hex(uint64(r.U8(nul))))
		}
		if size%2 == 0 && nul+1 < end && r.U8(nul+1) != 0 {
			r.fail("BNSH060", stringPlace(nul+1, 1, i, "padding"), diag.Dec(0), diag.Hex(uint64(r.U8(nul+1))))
		}
		p.texts[i] = whole[at+2-base : nul-base]
		p.starts[i] = uint32(at)
		at += stringSize(int(size))
	}
	p.end = min(at, end)
	r.behindStrings(end)
	if p.texts[0] != "" {
		r.fail("BNSH062", stringPlace(base, 2, 0, "length"), diag.Dec(0), diag.Dec(uint64(len(p.texts[0]))))
	}
	return true
}

// behindStrings checks the bytes between the last string and the end of the block.
func (r *reader) behindStrings(end uint64) {
	p := &r.pool
	rest := diag.Place{Off: p.end, Len: end - p.end, Path: diag.Path{Prefix: "strings.", Field: "padding"}}
	p.open = rest.Len >= 8 || wire.FirstNonZero(r.Bytes(p.end, rest.Len)) >= 0
	switch {
	case rest.Len >= 8:
		r.fail("BNSH061", rest, diag.Text("fewer than 8 bytes"), diag.Dec(rest.Len))
	case p.open:
		r.fail("BNSH061", rest, diag.Text("zero"), diag.Text("other bytes"))
	}
}

// nameOfFile finds the file name. The header has the offset of its bytes, not of its length.
func (r *reader) nameOfFile() {
	p := &r.pool
	r.layout.StringPool, r.keys.used = p.texts, make([]bool, len(p.texts))
	at := owner{part: headerPart}.place(0, "name")
	off := uint64(r.U32(headerNameAt))
	i, ok := p.index(off - 2)
	if !ok || off < 2 {
		r.unknown |= fileName
		if !p.open || off-2 < p.end {
			r.fail("BNSH063", at, diag.Text("the characters of a string of the pool"), diag.Hex(off))
		}
		return
	}
	r.layout.Name, r.file.Name = i, p.texts[i]
	r.keys.names = uint64(len(r.file.Name)) + 1
	if want := usualName(r.file.Name); i != want {
		r.Report("BNSH065", at, diag.Value{Format: "string %d", N: uint64(want)},
			diag.Value{Format: "string %d", N: uint64(i)})
	}
}

// usualName returns the index of the file name in the string pool: behind the
// empty string, which serves as an empty name.
func usualName(name Text) uint32 {
	if name == "" {
		return 0
	}
	return 1
}
