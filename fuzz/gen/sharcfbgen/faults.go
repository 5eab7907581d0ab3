package sharcfbgen

import (
	"math"
	"sync"

	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/gx2gen"
)

// Faults has the oddities and the ways to break a rule of severity Error.
var Faults = sync.OnceValue(allFaults)

func allFaults() (list []gen.Fault) {
	for _, o := range oddities {
		list = append(list, o.fault())
	}
	for _, fields := range [][]wrongField{headerFields, listFields, binaryFields, programFields, shaderFields,
		tableFields} {
		for _, w := range fields {
			list = append(list, w.fault())
		}
	}
	for _, breaches := range [][]breach{headerBreaches, listBreaches, stringBreaches(), programBreaches,
		shaderBreaches} {
		for _, b := range breaches {
			list = append(list, b.fault())
		}
	}
	for _, b := range gx2gen.Breaches {
		f := breach{b.Rule, func(k *kit) gen.Place { return b.Spoil(&k.Holder, &k.Fields) }, nil}.fault()
		f.Milder = b.Milder
		list = append(list, f)
	}
	for _, b := range overlaps { // in any valid file parts touch
		list = append(list, breach{b.rule, func(k *kit) gen.Place {
			k.C.OnlyValid()
			return b.spoil(k)
		}, b.also}.fault())
	}
	for i := range list {
		list[i].Instead = instead[list[i].Rule]
	}
	return gen.FieldFaults[sharcfb.Option]{
		Rules: fields, File: File, Outline: sharcfb.Outline, Big: func(b []byte) bool { return b[0] == 'S' },
	}.With(list)
}

// instead lists by rule the other rules that a near miss may break. Another mode disagrees with the modes of the other
// shaders. Moved code leaves residue behind. A default value belongs to its macro. A longer register array uses
// registers that were unused. Records share a name that another record then lacks.
var instead = map[string][]string{"GX2020": {"GX2021"}, "GX2002": gx2gen.FullArrays,
	"GX2013": {"GX2047", "SHARC061"}, "GX2014": {"GX2047", "SHARC061"}, "SHARC042": {"SHARC046"},
	"GX2049": {"GX2046", "GX2047", "SHARC061"}}

// breach breaks a rule in an archive that keeps all, and returns where it is
// reported.
type breach struct {
	rule  string
	spoil func(k *kit) gen.Place
	also  []string
}

func (b breach) fault() gen.Fault {
	valid := func(k *kit) []byte { return gen.Unchecked(k.f) }
	return gen.Kit[*kit]{New: newKit, Bytes: valid}.Raw(b.rule, func(k *kit) ([]byte, gen.Place) {
		at := b.spoil(k)
		return k.Bytes, at
	}, b.also...)
}

// wrongField breaks a rule by the value of one field.
type wrongField struct {
	rule    string
	element func(k *kit) string // draws the element that has the field
	field   string
	value   func(k *kit, element string, old uint32) uint32
	at      func(k *kit, element string) gen.Place // the place of the finding; nil: the field
}

func (w wrongField) fault() gen.Fault {
	return breach{w.rule, func(k *kit) gen.Place {
		element := w.element(k)
		field := element + "." + w.field
		k.Set(field, w.value(k, element, k.Get(field)))
		if w.at != nil {
			return w.at(k, element)
		}
		return k.Place(field)
	}, nil}.fault()
}

// pairOf is the place of a number and the offset behind it.
func pairOf(field string) func(k *kit, element string) gen.Place {
	return func(k *kit, element string) gen.Place { return k.Pair(element + "." + field) }
}

// limit is the largest or smallest value that a field may have.
type limit func(k *kit, element string) int

// above draws a value above a limit.
func above(most limit) func(*kit, string, uint32) uint32 {
	return func(k *kit, element string, old uint32) uint32 {
		return gen.Only(k.C, k.Above(uint64(most(k, element))), old)
	}
}

// over draws a value above a limit as above does. In a near miss it is the limit, which
// no other rule may forbid.
func over(most limit) func(*kit, string, uint32) uint32 {
	return func(k *kit, element string, _ uint32) uint32 {
		n := uint64(most(k, element))
		return uint32(k.C.Wrong(n+1, math.MaxUint32, n))
	}
}

// below draws a value below a limit.
func below(least limit) func(*kit, string, uint32) uint32 {
	return func(k *kit, element string, old uint32) uint32 {
		return gen.Only(k.C, uint32(k.C.Within(0, uint64(least(k, element)-1))), old)
	}
}

// within draws a value from low to high.
func within(low, high uint64) func(*kit, string, uint32) uint32 {
	return func(k *kit, _ string, old uint32) uint32 { return gen.Only(k.C, uint32(k.C.Within(low, high)), old) }
}

// other draws any other value.
func other(k *kit, _ string, old uint32) uint32 {
	return old ^ uint32(k.C.Nonzero(math.MaxUint32))
}
