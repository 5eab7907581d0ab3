package bnsh

import (
	"math"

	"github.com/picaproof/picaproof/formats/diag"
)

// Offsets in a stage reflection and in its extension.
const (
	slotsAt           = 0x38
	workGroupAt       = 0x40
	extensionAt       = 0x58
	reflectionMinor   = 2 // first minor version that may have an extension
	maxDictionarySize = math.MaxUint16
)

// reflections reads the reflection of every program.
func (r *reader) reflections() bool {
	for p := range r.file.programs(r.layout) {
		if x := r.U64(uint64(p.layout.Record) + programReflection); x != 0 && !r.reflection(p, x) {
			return false
		}
	}
	return true
}

// reflection reads the reflection table at x.
func (r *reader) reflection(p programRef, x uint64) bool {
	o := p.owner.as(reflectionPart)
	pointer := func() diag.Place { return p.owner.place(uint64(p.layout.Record), "reflection.pointer") }
	if !r.record("BNSH050", pointer, x, reflectionSize, 8) || !r.claim(o, x, reflectionSize) || !r.reserved("BNSH050", o, x) {
		return false
	}
	p.layout.Reflection = uint32(x)
	p.Reflection = new(PerStage[StageReflection])
	var stages [NumStages]uint64
	for s := range stages {
		stages[s] = r.pointer(x + 8*uint64(s))
		if code := p.Stages[s]; (stages[s] != 0) != (code != nil) {
			r.Report("BNSH058", o.place(x, Stage(s).String()+".pointer"), diag.Text("reflection of the stages that have code"), diag.Hex(stages[s]))
		}
	}
	for s, at := range stages {
		if at == 0 {
			continue
		}
		o := p.owner.as(stageReflectionPart)
		o.stage = Stage(s)
		pointer := func() diag.Place { return o.as(reflectionPart).place(x, o.stage.String()+".pointer") }
		if !r.record("BNSH050", pointer, at, stageReflectionSize, 8) || !r.claim(o, at, stageReflectionSize) {
			return false
		}
		layout := &StageReflectionLayout{Record: uint32(at)}
		model := new(StageReflection)
		p.layout.Reflections[s], p.Reflection[s] = layout, model
		if !r.stageReflection(model, layout, o) {
			return false
		}
	}
	return true
}

// stageReflection reads the reflection of one stage.
func (r *reader) stageReflection(model *StageReflection, layout *StageReflectionLayout, o owner) bool {
	x := uint64(layout.Record)
	if !r.extension(model, layout, o) {
		return false
	}
	positive := 0
	for i := range model.WorkGroup {
		model.WorkGroup[i] = r.U32(x + workGroupAt + 4*uint64(i))
		if model.WorkGroup[i] > 0 {
			positive++
		}
	}
	switch {
	case o.stage == Compute && positive < len(model.WorkGroup):
		r.Report("BNSH052", workGroupPlace(o, x), diag.Text("three sizes above 0"), diag.Value{Format: "%d", N: uint64(positive)})
	case o.stage != Compute && positive > 0:
		r.Report("BNSH052", workGroupPlace(o, x), diag.Text("0, 0, 0"), diag.Value{Format: "%d above 0", N: uint64(positive)})
	}
	for k := range model.kinds() {
		if !r.dictionary(&model.Tables[k], &layout.Dictionaries[k], o, k, layout.holder(k)) {
			return false
		}
	}
	return r.slots(model, layout, o)
}

func workGroupPlace(o owner, x uint64) diag.Place {
	return diag.Place{Off: x + workGroupAt, Len: 12, Path: diag.Path{Prefix: o.String() + ".", Field: "work_group"}}
}

// extension reads where the extension is, if there is one.
func (r *reader) extension(model *StageReflection, layout *StageReflectionLayout, o owner) bool {
	x := uint64(layout.Record)
	e := r.pointer(x + extensionAt)
	if e == 0 {
		return true
	}
	pointer := func() diag.Place { return o.place(x, "extension.pointer") }
	part := o.as(extensionPart)
	if !r.record("BNSH050", pointer, e, extensionSize, 8) || !r.claim(part, e, extensionSize) || !r.reserved("BNSH050", part, e) {
		return false
	}
	layout.Extension, model.Extended = uint32(e), true
	if minor := r.file.Version.Minor; minor < reflectionMinor {
		r.Report("BNSH059", pointer(), diag.Text("null before version 2.2"), diag.Hex(e))
	}
	return true
}

// holder returns the offset of the record that refers to the dictionary of a
// kind.
func (l *StageReflectionLayout) holder(k Kind) uint64 {
	if k >= SeparateTextures {
		return uint64(l.Extension)
	}
	return uint64(l.Record)
}

// holding returns the owner of that record.
func (o owner) holding(k Kind) owner {
	if k >= SeparateTextures {
		return o.as(extensionPart)
	}
	return o.as(stageReflectionPart)
}

// slots reads the first slot of every kind and the slot array.
func (r *reader) slots(model *StageReflection, layout *StageReflectionLayout, o owner) bool {
	var total int64
	last := Inputs // the kind whose slots end last
	for k := range model.kinds() {
		t := &model.Tables[k]
		if k != Inputs {
			t.First = int32(r.U32(layout.holder(k) + firstAt[k]))
		}
		if len(t.Keys) == 0 {
			continue
		}
		if t.First < 0 {
			return r.refuse("BNSH051", layout.firstPlace(o, k), diag.AtLeast(0), diag.Value{N: uint64(uint32(t.First)), Show: showSigned})
		}
		if end := int64(t.First) + int64(len(t.Keys)); end > total {
			total, last = end, k
		}
	}
	if !r.slotArray(model, layout, o, uint64(total), last) {
		return false
	}
	running := 0
	for k := range model.kinds() {
		t := &model.Tables[k]
		if int(t.First) != running {
			r.Report("BNSH048", layout.firstPlace(o, k), diag.Dec(uint64(running)), diag.Value{N: uint64(uint32(t.First)), Show: showSigned})
		}
		running += len(t.Keys)
	}
	return true
}

// firstPlace is the place of the first slot of a kind.
func (l *StageReflectionLayout) firstPlace(o owner, k Kind) diag.Place {
	return o.holding(k).place(l.holder(k), k.String()+".first")
}

// slotArray reads the slot array, which has n slots. The last ones are those of a
// kind.
func (r *reader) slotArray(model *StageReflection, layout *StageReflectionLayout, o owner, n uint64, last Kind) bool {
	x := uint64(layout.Record)
	pointer := func() diag.Place { return o.place(x, "slots.pointer") }
	s := r.pointer(x + slotsAt)
	switch {
	case n == 0 && s != 0:
		return r.refuse("BNSH051", pointer(), diag.Text("null"), diag.Hex(s))
	case n == 0:
		return true
	}
	if !r.record("BNSH051", pointer, s, 4, 4) {
		return false
	}
	if most := r.room(s, 4); n > most {
		keys := uint64(len(model.Tables[last].Keys))
		if last == Inputs || keys > most {
			return r.refuse("BNSH051", pointer(), diag.Value{Format: "room for %d slots", N: n}, diag.Value{Format: "room for %d", N: most})
		}
		return r.refuse("BNSH051", layout.firstPlace(o, last), diag.AtMost(most-keys), diag.Dec(n-keys))
	}
	if !r.claim(o.as(slotsPart), s, 4*n) {
		return false
	}
	layout.Slots = uint32(s)
	model.Slots = make([]int32, n)
	for i := range model.Slots {
		model.Slots[i] = int32(r.U32(s + 4*uint64(i)))
	}
	return true
}
