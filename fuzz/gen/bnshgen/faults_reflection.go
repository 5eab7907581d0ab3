package bnshgen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/fuzz/gen"
)

const (
	reflectionTable = program + ".reflection"
	stageReflection = reflectionTable + ".*"
	extension       = stageReflection + ".extension"
)

// ofKinds are the fields of a name of all kinds.
func ofKinds(field string) (patterns []string) {
	for k := range bnsh.Kind(bnsh.NumKinds) {
		holder := stageReflection
		if k >= bnsh.SeparateTextures {
			holder = extension
		}
		patterns = append(patterns, holder+"."+k.String()+"."+field)
	}
	return patterns
}

// reflectionFaults break the rules of reflection, dictionaries aside.
var reflectionFaults = []fault{
	{"BNSH048", keyed, firstElsewhere, nil},
	{"BNSH048", extended, firstElsewhere, nil},
	{"BNSH050", reflected, lost(0x40, 8, reflectionTable+".pointer"), nil},
	{"BNSH050", reflected, lost(0x60, 8, ofStages(reflectionTable+".", "pointer")...), nil},
	{"BNSH050", extended, lost(0x30, 8, stageReflection+".extension.pointer"), nil},
	{"BNSH050", reflected, nonzeroField(reflectionTable + ".reserved"), nil},
	{"BNSH050", extended, nonzeroField(extension + ".reserved"), nil},
	{"BNSH051", keyed, firstOf(negative), nil},
	{"BNSH051", extended, firstOf(negative), nil},
	{"BNSH051", extended, firstOf(beyondSlots), nil},
	{"BNSH051", keyed, set(gen.OneOf(0), lastSlots), nil},
	{"BNSH051", keyed, lost(4, 4, stageReflection+".slots.pointer"), nil},
	{"BNSH051", keyed, slotsAtEnd, nil},
	{"BNSH051", reflected, set(gen.Other, lastSlots), nil},
	{"BNSH052", reflected, anotherWorkGroup, nil},
	{"BNSH058", needs(onlyValid, reflectedOtherwise), otherReflection, nil},
	{"BNSH059", earlyExtended, at("variations[last].binary.reflection.*.extension.pointer"), nil},
}

const lastSlots = "variations[last].binary.reflection.*.slots.pointer"

// firstElsewhere changes the first slot of a kind. A kind without names gets any slot, another kind one whose slots
// exist.
func firstElsewhere(f *file) gen.Place {
	var movable []dictionary
	for _, d := range f.dictionaries() {
		if d.kind != bnsh.Inputs && d.end() < len(d.reflection.Slots) || len(d.table.Keys) == 0 {
			movable = append(movable, d)
		}
	}
	d := gen.Pick(f.Choices, slices.DeleteFunc(movable, func(d dictionary) bool { return d.kind == bnsh.Inputs }))
	v := gen.Value(gen.Other)
	if n := len(d.table.Keys); n > 0 {
		v = gen.Between(0, uint64(len(d.reflection.Slots)-n))
	}
	return f.set(f.field(d.holder+".first"), v)
}

// firstOf sets the first slot of a kind with names.
func firstOf(v func(d dictionary) gen.Value) func(f *file) gen.Place {
	return func(f *file) gen.Place {
		d := gen.Pick(f.Choices, slices.DeleteFunc(f.filled(),
			func(d dictionary) bool { return d.kind == bnsh.Inputs }))
		return f.set(f.field(d.holder+".first"), v(d))
	}
}

// negative draws a number below 0.
func negative(dictionary) gen.Value { return gen.Above(1<<31 - 1) }

// beyondSlots draws a first slot for which the body has no room.
func beyondSlots(names dictionary) gen.Value {
	return func(c *gen.Choices, d *gen.Draft, _ gen.Place) uint64 {
		next := names.room(d) + 1
		return gen.Pick(c, []uint64{next, next + c.Bits(8), 1<<31 - 1})
	}
}

// room returns the highest first slot for which the body has room.
func (d *dictionary) room(file *gen.Draft) uint64 {
	_, high := body(file)
	return (high-uint64(d.stage.Slots))/4 - uint64(len(d.table.Keys))
}

// slotsAtEnd puts the slots of the last variation where some of them have no
// room. What is wrong then is either their place or the first slot of the last
// kind.
func slotsAtEnd(f *file) gen.Place {
	r, d := f.pick(lastSlots), f.lastFilled()
	room := 1 + f.Below(len(d.reflection.Slots)-1)
	_, high := body(f.Draft)
	f.set(r, gen.OneOf(high-4*uint64(room)))
	if len(d.table.Keys) <= room {
		return f.field(d.holder + ".first")
	}
	return r
}

// anotherWorkGroup gives compute none, or another stage one.
func anotherWorkGroup(f *file) gen.Place {
	r := f.pick(stageReflection + ".work_group.*")
	if strings.Contains(r.Path, "."+bnsh.Compute.String()+".") {
		f.Break(f.Choices, r, gen.OneOf(0), gen.OneOf(1))
	} else {
		f.set(r, gen.Other)
	}
	at := f.Sibling(r, "x")
	at.Len, at.Path = 12, strings.TrimSuffix(at.Path, ".x")
	return at
}

// reflectedOtherwise appends a variation with reflection of another set of
// stages than it has.
func reflectedOtherwise(d *drawer, m *bnsh.File) {
	reflected(d, m)
	p := last(m)
	s := d.Below(bnsh.NumStages)
	if p.Reflection[s] != nil {
		p.Reflection[s] = nil
		return
	}
	p.Reflection[s] = &bnsh.StageReflection{}
	if bnsh.Stage(s) == bnsh.Compute {
		p.Reflection[s].WorkGroup = [3]uint32{1, 1, 1}
	}
}

// otherReflection finds the stage in which reflection and code differ.
func otherReflection(f *file) gen.Place {
	p := last(f.File)
	for s := range p.Stages {
		if (p.Stages[s] == nil) != (p.Reflection[s] == nil) {
			return f.field(fmt.Sprintf("variations[last].binary.reflection.%v.pointer", bnsh.Stage(s)))
		}
	}
	panic("reflection and code have the same stages")
}

// earlyExtended appends the only variation with an extension, in a version before
// there were any.
func earlyExtended(d *drawer, m *bnsh.File) {
	for i := range m.Variations {
		if p := m.Variations[i].Binary; p.Reflection != nil {
			for _, r := range p.Reflection {
				if r != nil {
					r.Extended, r.Tables[bnsh.SeparateTextures], r.Tables[bnsh.SeparateSamplers] = false, bnsh.Table{},
						bnsh.Table{}
					d.place(r)
				}
			}
		}
	}
	extended(d, m)
	early := bnsh.Version{Minor: 1, Micro: gen.Pick(d.Choices, []uint8{12, 2, 11})}
	early = gen.Breach(d.Choices, early, m.Version)
	m.Version.Minor, m.Version.Micro = early.Minor, early.Micro
}
