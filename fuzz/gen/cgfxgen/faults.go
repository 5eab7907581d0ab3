package cgfxgen

import (
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// Faults break one rule each.
var Faults = sync.OnceValue(func() []gen.Fault {
	return gen.FieldFaults[cgfx.Option]{Rules: fields, File: File, Outline: cgfx.Outline}.With(append(faults(
		headerFaults, kindFaults, dictFaults, trieFaults, objectFaults, programFaults, dvlbFaults(), overlapFaults),
		nameLimit))
})

// fault spoils an image in one place.
type fault struct {
	rule    string
	also    []string
	instead []string
	milder  bool
	whole   bool  // the near miss is the valid file
	want    shape // that the image must have
	spoil   spoil
}

// spoil makes an image break a rule and returns the place of the finding.
type spoil func(c *gen.Choices, m *image) gen.Place

func faults(groups ...[]fault) (list []gen.Fault) {
	for _, f := range slices.Concat(groups...) {
		list = append(list, gen.Fault{Rule: f.rule, Also: f.also, Milder: f.milder, Instead: f.instead,
			Spoil: func(c *gen.Choices) ([]byte, gen.Place) {
				m := start(c, f.want)
				m.regions = mapOf(m.b)
				c.Valid(m.unspoilt)
				if f.whole {
					c.OnlyValid()
				}
				at := f.spoil(c, m)
				return m.b, at
			}})
	}
	return list
}

// start draws a valid file for a fault.
func start(c *gen.Choices, want shape) *image {
	f := draw(c, want)
	if c.Chance(4) && !want.wide && !want.few {
		return plain(f)
	}
	m := arranged(c, f, want)
	if want.wide || want.few { // a shape that is a fault
		m.usual = plain(f)
	}
	return m
}

// unspoilt returns the bytes of the file without a fault.
func (m *image) unspoilt() []byte {
	if m.usual != nil {
		return m.usual.b
	}
	return slices.Clone(m.b)
}

// mapOf returns the regions of a valid file.
func mapOf(b []byte) []diag.Region {
	f, err := cgfx.Parse(b)
	if err != nil {
		panic(err)
	}
	return f.Regions()
}

// field returns the place of the field that was at an offset before the image was
// spoilt.
func (m *image) field(off int) gen.Place {
	i := slices.IndexFunc(m.regions, func(r diag.Region) bool { return r.Off == off })
	return gen.Place{Off: off, Len: m.regions[i].Len, Path: m.regions[i].Path}
}

// record returns the place of n bytes from the field that was at an offset on,
// called as the record is that has the field.
func (m *image) record(off, n int) gen.Place {
	at := m.field(off)
	at.Len, at.Path = n, at.Path[:strings.LastIndexByte(at.Path, '.')]
	return at
}

// place returns the offset of a field of an image. If several fields fit, it picks one.
type place func(c *gen.Choices, m *image) int

func inHeader(field int) place { return func(_ *gen.Choices, _ *image) int { return field } }
func inData(field int) place   { return func(_ *gen.Choices, m *image) int { return m.data + field } }
func inDict(field int) place   { return func(_ *gen.Choices, m *image) int { return m.dict + field } }

// inPair is a field of the pair of the shaders, inOther of another one.
func inPair(field int) place {
	return func(_ *gen.Choices, m *image) int { return m.pairAt(shaderKind) + field }
}

func inOther(field int) place {
	return func(c *gen.Choices, m *image) int {
		return m.pairAt((shaderKind+1+c.Below(m.pairs-1))%m.pairs) + field
	}
}

func inRoot(field int) place {
	return func(_ *gen.Choices, m *image) int { return m.nodeAt(0) + field }
}

func inNode(field int) place {
	return func(c *gen.Choices, m *image) int { return m.nodeAt(1+c.Below(len(m.shaders))) + field }
}

func inObject(fields ...int) place {
	return func(c *gen.Choices, m *image) int { return gen.Pick(c, m.shaders).object + gen.Pick(c, fields) }
}

// value draws a wrong number for the field at an offset.
type value func(c *gen.Choices, m *image, at int) uint32

// set writes a wrong number to a field, which the reader reports.
func set(where place, wrong value) spoil {
	return func(c *gen.Choices, m *image) gen.Place {
		at := where(c, m)
		m.replace(c, at, wrong(c, m, at))
		return m.field(at)
	}
}

// setOr is set for a field that has another right value than its own.
func setOr(where place, wrong value, right func(m *image) int) spoil {
	return func(c *gen.Choices, m *image) gen.Place {
		at := where(c, m)
		m.store(at, gen.Breach(c, wrong(c, m, at), uint32(right(m))))
		return m.field(at)
	}
}

// atEnd breaks a rule about the end of the file. In a near miss a part stands there.
func atEnd(part int, wrong spoil) spoil {
	return func(c *gen.Choices, m *image) gen.Place {
		if c.Near() {
			g := m.guests(c.Below(len(m.shaders)))[part]
			m.move(g.at, m.grow(make([]byte, g.size)), g.size, g.field, g.pointers...)
			return gen.Place{}
		}
		return wrong(c, m)
	}
}

// replace writes wrong values in the place of the only right ones.
func (m *image) replace(c *gen.Choices, at int, wrong ...uint32) {
	for i, v := range wrong {
		m.store(at+4*i, gen.Only(c, v, m.word(at+4*i)))
	}
}

// mislead makes the pointer at a place lead to a wrong one.
func (m *image) mislead(c *gen.Choices, at, target int) { m.replace(c, at, uint32(target-at)) }

// between draws a number from low to high.
func between(low, high uint32) value {
	return func(c *gen.Choices, _ *image, _ int) uint32 { return uint32(c.Within(uint64(low), uint64(high))) }
}

// other draws a number other than the right ones.
func other(right ...uint32) value {
	return func(c *gen.Choices, _ *image, _ int) uint32 {
		v := gen.Pick(c, []uint32{right[0] + 1, right[0] - 1, right[0] ^ 1<<c.Bits(5), uint32(c.Bits(32))})
		for slices.Contains(right, v) {
			v++
		}
		return v
	}
}

// changed draws a number other than the value of the field.
func changed(c *gen.Choices, m *image, at int) uint32 { return other(m.word(at))(c, m, at) }

// changedCount is changed for a count that must not be 0.
func changedCount(c *gen.Choices, m *image, at int) uint32 { return other(m.word(at), 0)(c, m, at) }

func oneOf(values ...value) value {
	return func(c *gen.Choices, m *image, at int) uint32 { return gen.Pick(c, values)(c, m, at) }
}

// null draws one of the two pointers to nothing: 0, and one to the start of the
// file.
func null(c *gen.Choices, _ *image, at int) uint32 { return uint32(-at) * uint32(c.Bits(1)) }

func notNull(c *gen.Choices, m *image, at int) uint32 { return other(0, uint32(-at))(c, m, at) }

// outside draws a pointer to a place with less than n bytes of the file behind it. Most are multiples of 4, so that no
// rule about alignment breaks.
func outside(n int) value {
	return func(c *gen.Choices, m *image, at int) uint32 {
		target := uint32(max(len(m.b)-n+1, 1))
		if c.Chance(8) {
			target = uint32(c.Within(uint64(target), math.MaxUint32))
		}
		if aligned := (target + 3) &^ 3; aligned > 0 && c.Chance(12) {
			target = aligned
		}
		return target - uint32(at)
	}
}

// crooked draws a pointer to no multiple of 4.
func crooked(c *gen.Choices, m *image, at int) uint32 {
	return uint32(c.Within(0, uint64(len(m.b))))&^3 + 1 + uint32(c.Below(3)) - uint32(at)
}

// inside draws a pointer to a multiple of 4.
func inside(c *gen.Choices, m *image, at int) uint32 {
	target := 4 * int(c.Within(1, uint64(len(m.b)-1)/4))
	if target == at {
		target = m.data
	}
	return uint32(target - at)
}

// unnamed draws a pointer to no name: to nothing, behind the file, or to bytes
// that no NUL follows.
var unnamed = oneOf(null, outside(1), func(c *gen.Choices, m *image, at int) uint32 {
	tail := make([]byte, 1+c.Below(20))
	for i := range tail {
		tail[i] = byte(1 + c.Below(255))
	}
	return uint32(m.grow(tail) + c.Below(len(tail)) - at)
})
