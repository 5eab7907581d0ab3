package cgfxgen

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/picaproof/picaproof/formats/cgfx"
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
	rule       string
	also       []string
	missBreaks []string
	milder     bool
	onlyValid  bool  // the near miss is the valid file
	shape      shape // that the image must have
	spoil      spoil
}

// spoil makes an image break a rule and returns the place of the finding.
type spoil func(c *gen.Choices, m *image) gen.Place

func faults(groups ...[]fault) (list []gen.Fault) {
	for _, f := range slices.Concat(groups...) {
		list = append(list, gen.Fault{Rule: f.rule, Also: f.also, Milder: f.milder, MissBreaks: f.missBreaks,
			Spoil: func(c *gen.Choices) ([]byte, gen.Place) {
				m := start(c, f.shape)
				c.Valid(m.unspoilt)
				if f.onlyValid {
					c.OnlyValid()
				}
				at := f.spoil(c, m)
				return m.Bytes, at
			}})
	}
	return list
}

// start draws a valid file for a fault.
func start(c *gen.Choices, shape shape) *image {
	f := draw(c, shape)
	var m *image
	if c.Chance(4) && !shape.wide && !shape.few {
		m = plain(f)
	} else if m = arranged(c, f, shape); shape.wide || shape.few { // a shape that is a fault
		m.usual = plain(f)
	}
	read, err := cgfx.Parse(m.Bytes)
	if err != nil {
		panic(err)
	}
	m.Draft = gen.NewDraft(m.Bytes, le, read.Regions())
	return m
}

// unspoilt returns the bytes of the file without a fault.
func (m *image) unspoilt() []byte {
	if m.usual != nil {
		return m.usual.Bytes
	}
	return slices.Clone(m.Bytes)
}

// place returns a field of an image. If several fields fit, it picks one.
type place func(c *gen.Choices, m *image) gen.Place

// at picks one of the fields that match.
func at(patterns ...string) place {
	return func(c *gen.Choices, m *image) gen.Place { return m.Pick(c, patterns...) }
}

// Fields of the pair of the shaders, and of its DICT.
var (
	shaderCount = at(fmt.Sprintf("data.kinds[%d].count", shaderKind))
	shaderDict  = at(fmt.Sprintf("data.kinds[%d].dict", shaderKind))
)

// inOther is a field of the pair of another kind.
func inOther(field string) place {
	return func(c *gen.Choices, m *image) gen.Place {
		return m.Field(fmt.Sprintf("data.kinds[%d].%s", (shaderKind+1+c.Below(m.pairs-1))%m.pairs, field))
	}
}

// set writes a wrong number to a field, which the reader reports.
func set(field place, wrong gen.Value) spoil { return setOr(field, wrong, nil) }

// setOr is set for a field that has another right value than its own.
func setOr(field place, wrong, right gen.Value) spoil {
	return func(c *gen.Choices, m *image) gen.Place { return m.Break(c, field(c, m), wrong, right) }
}

// atEnd breaks a rule about the end of the file. In a near miss a part stands there.
func atEnd(part int, wrong spoil) spoil {
	return func(c *gen.Choices, m *image) gen.Place {
		if c.Near() {
			g := m.movables(c.Below(len(m.shaders)))[part]
			m.move(g.at, m.grow(make([]byte, g.size)), g.size, g.field, g.pointers...)
			return gen.Place{}
		}
		return wrong(c, m)
	}
}

// mislead makes a pointer lead to a wrong place.
func (m *image) mislead(c *gen.Choices, r gen.Place, target int) gen.Place {
	return m.Break(c, r, gen.OneOf(pointer(r, uint64(target))), nil)
}

// null draws one of the two pointers to nothing: 0, and one to the start of the
// file.
func null(c *gen.Choices, _ *gen.Draft, r gen.Place) uint64 {
	return uint64(uint32(-r.Off)) * c.Bits(1)
}

func notNull(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
	return gen.OtherThan(0, uint64(uint32(-r.Off)))(c, d, r)
}

// pointer is a pointer in a field to a target.
func pointer(r gen.Place, target uint64) uint64 { return uint64(uint32(target) - uint32(r.Off)) }

// outside draws a pointer to a place with less than n bytes of the file behind it. Most are multiples of 4, so that no
// rule about alignment breaks.
func outside(n int) gen.Value {
	return func(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
		target := uint32(max(len(d.Bytes)-n+1, 1))
		if c.Chance(8) {
			target = uint32(c.Within(uint64(target), math.MaxUint32))
		}
		if aligned := (target + 3) &^ 3; aligned > 0 && c.Chance(12) {
			target = aligned
		}
		return pointer(r, uint64(target))
	}
}

// misaligned draws a pointer to no multiple of 4.
func misaligned(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
	return pointer(r, c.Within(0, uint64(len(d.Bytes)))&^3+1+uint64(c.Below(3)))
}

// inside draws a pointer to a multiple of 4.
func inside(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
	target := 4 * c.Within(1, uint64(len(d.Bytes)-1)/4)
	if target == uint64(r.Off) {
		target = uint64(d.Off("data.magic"))
	}
	return pointer(r, target)
}

// unnamed draws a pointer to no name: to nothing, behind the file, or to bytes
// that no NUL follows.
var unnamed = gen.Either(null, outside(1), func(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
	tail := make([]byte, 1+c.Below(20))
	for i := range tail {
		tail[i] = byte(1 + c.Below(255))
	}
	return pointer(r, uint64(grow(d, tail)+c.Below(len(tail))))
})
