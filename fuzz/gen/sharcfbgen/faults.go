package sharcfbgen

import (
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
		list[i].MissBreaks = missBreaks[list[i].Rule]
	}
	return gen.FieldFaults[sharcfb.Option]{
		Rules: fields, File: File, Outline: sharcfb.Outline, Big: func(b []byte) bool { return b[0] == 'S' },
	}.With(list)
}

// missBreaks lists by rule the rules that a near miss may break. Another mode disagrees with the modes of the other
// shaders. Moved code leaves residue behind. A default value belongs to its macro. A longer register array uses
// registers that were unused. Records share a name that another record then lacks.
var missBreaks = map[string][]string{"GX2020": {"GX2021"}, "GX2002": gx2gen.FullArrays,
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
	wrong   gen.Value
	right   gen.Value                              // of a near miss; nil: the present one
	at      func(k *kit, element string) gen.Place // the place of the finding; nil: the field
}

func (w wrongField) fault() gen.Fault {
	return breach{w.rule, func(k *kit) gen.Place { return w.spoil(k, w.element(k)) }, nil}.fault()
}

// spoil gives the field of an element a wrong value.
func (w wrongField) spoil(k *kit, element string) gen.Place {
	k.Write()
	at := k.Break(k.C, k.Field(element+"."+w.field), w.wrong, w.right)
	if w.at != nil {
		return w.at(k, element)
	}
	return at
}

// pairOf is the place of a number and the offset behind it.
func pairOf(field string) func(k *kit, element string) gen.Place {
	return func(k *kit, element string) gen.Place { return k.Pair(element + "." + field) }
}
