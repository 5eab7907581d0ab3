package bnsh

import "github.com/picaproof/picaproof/formats/diag"

// extensionMinor is the first minor version that may have an extension.
const extensionMinor = 2

// reflections reads the reflection of every program.
func (r *reader) reflections() {
	for p := range r.file.programs(r.layout) {
		if x := r.U64(uint64(p.layout.Record) + programReflectionAt); x != 0 {
			r.reflection(p, x)
		}
		if r.stopped() {
			return
		}
	}
}

// reflection reads the reflection table at x.
func (r *reader) reflection(p programRef, x uint64) {
	o := p.owner.as(reflectionPart)
	from := reference{"BNSH050", someKey, p.owner, uint64(p.layout.Record), "reflection"}
	if !r.record(from, x, reflectionSize, 8) || !r.claim(reflectionSize) {
		return
	}
	r.rules(o, x)
	r.reserved("BNSH050", o, x)
	p.layout.Reflection = uint32(x)
	p.Reflection = new(PerStage[StageReflection])
	var stages [NumStages]uint64
	for s := range stages {
		stages[s] = r.U64(x + 8*uint64(s))
		code := r.U64(uint64(p.layout.Record) + programStagesAt + 8*uint64(s))
		if (stages[s] != 0) != (code != 0) {
			r.Report("BNSH058", o.place(x, Stage(s).String()+".pointer"),
				diag.Text("reflection of the stages that have code"), diag.Hex(stages[s]))
		}
	}
	for s, at := range stages {
		if at == 0 {
			continue
		}
		from := reference{"BNSH050", someKey, o, x, Stage(s).String()}
		if !r.record(from, at, stageReflectionSize, 8) || !r.claim(stageReflectionSize) {
			continue
		}
		layout := &StageReflectionLayout{Record: uint32(at)}
		model := new(StageReflection)
		p.layout.Reflections[s], p.Reflection[s] = layout, model
		o := p.owner.as(stageReflectionPart)
		o.stage = Stage(s)
		if r.stageReflection(model, layout, o); r.stopped() {
			return
		}
	}
}

// stageReflection reads the reflection of one stage.
func (r *reader) stageReflection(model *StageReflection, layout *StageReflectionLayout, o owner) {
	r.rules(o, uint64(layout.Record))
	r.current[0].stage = model
	stageReflectionRecord.Get(r.B[layout.Record:], r.current[:])
	whole := r.extension(model, layout, o)
	r.workGroup(model, layout, o)
	known := Kind(0) // the number of kinds in front of the first whose items are not counted
	for k := range model.kinds() {
		counted := r.dictionary(&model.Tables[k], &layout.Dictionaries[k], o, k, layout.holder(k))
		if counted && known == k {
			known++
		}
		if r.stopped() {
			return
		}
	}
	wrong := r.slots(model, layout, o, whole && known == model.kinds())
	r.firstSlots(model, layout, o, min(known+1, model.kinds()), wrong)
}

// workGroup reads the sizes of the work group.
func (r *reader) workGroup(model *StageReflection, layout *StageReflectionLayout, o owner) {
	x, positive := uint64(layout.Record), 0
	for _, size := range model.WorkGroup {
		if size > 0 {
			positive++
		}
	}
	switch {
	case o.stage == Compute && positive < len(model.WorkGroup):
		r.Report("BNSH052", workGroupPlace(o, x), diag.Text("three sizes above 0"),
			diag.Value{Format: "%d", N: uint64(positive)})
	case o.stage != Compute && positive > 0:
		r.Report("BNSH052", workGroupPlace(o, x), diag.Text("0, 0, 0"),
			diag.Value{Format: "%d above 0", N: uint64(positive)})
	}
}

func workGroupPlace(o owner, x uint64) diag.Place {
	return diag.Place{Off: x + workGroupAt, Len: 12, Path: diag.Path{Prefix: o.String() + ".", Field: "work_group"}}
}

// extension reads the offset of the extension, if the reflection has one, and reports whether that offset is known.
func (r *reader) extension(model *StageReflection, layout *StageReflectionLayout, o owner) bool {
	x := uint64(layout.Record)
	e := r.U64(x + extensionAt)
	if e == 0 {
		return true
	}
	from := reference{"BNSH050", someKey, o, x, "extension"}
	if !r.record(from, e, extensionSize, 8) || !r.claim(extensionSize) {
		return false
	}
	r.rules(o.as(extensionPart), e)
	r.reserved("BNSH050", o.as(extensionPart), e)
	extensionRecord.Get(r.B[e:], r.current[:])
	layout.Extension, model.Extended = uint32(e), true
	if minor := r.file.Version.Minor; minor < extensionMinor {
		r.Report("BNSH059", from.pointer(), diag.Text("null before version 2.2"), diag.Hex(e))
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

// holder returns the part whose record refers to the dictionary of a kind.
func holder(k Kind) part {
	if k >= SeparateTextures {
		return extensionPart
	}
	return stageReflectionPart
}

// slots checks the first slot of every kind and, when the items of all are
// counted, reads the slot array. It returns the kinds whose first slot cannot
// be right.
func (r *reader) slots(model *StageReflection, layout *StageReflectionLayout, o owner,
	counted bool) (wrong [NumKinds]bool) {
	var total int64
	last := Inputs // the kind whose slots end last
	for k := range model.kinds() {
		t := &model.Tables[k]
		if len(t.Keys) == 0 {
			continue
		}
		if t.First < 0 {
			wrong[k] = true
			counted = r.lose(0, "BNSH051", layout.firstPlace(o, k), diag.AtLeast(0), signed(t.First))
		}
		if end := int64(t.First) + int64(len(t.Keys)); end > total {
			total, last = end, k
		}
	}
	if counted && !r.slotArray(model, layout, o, uint64(total), last) {
		wrong[last] = true
	}
	return wrong
}

// firstSlots checks the first slots of the first n kinds but the wrong ones.
func (r *reader) firstSlots(model *StageReflection, layout *StageReflectionLayout, o owner, n Kind,
	wrong [NumKinds]bool) {
	running := 0
	for k := range n {
		t := &model.Tables[k]
		if int(t.First) != running && !wrong[k] {
			r.Report("BNSH048", layout.firstPlace(o, k), diag.Dec(uint64(running)), signed(t.First))
		}
		running += len(t.Keys)
	}
}

// firstPlace is the place of the first slot of a kind.
func (l *StageReflectionLayout) firstPlace(o owner, k Kind) diag.Place {
	return o.as(holder(k)).place(l.holder(k), k.String()+".first")
}

// slotArray reads the slot array, which has n slots. The last slots belong to
// the kind last; slotArray returns false when they do not fit.
func (r *reader) slotArray(model *StageReflection, layout *StageReflectionLayout, o owner, n uint64, last Kind) bool {
	from := reference{"BNSH051", 0, o, uint64(layout.Record), "slots"}
	s := r.U64(from.base + slotsAt)
	switch {
	case n == 0 && s != 0:
		r.stray(0, from.rule, from.pointer(), diag.Text("null"), diag.Hex(s))
		return true
	case n == 0 || !r.record(from, s, 4, 4):
		return true
	}
	if most := r.room(s, 4); n > most {
		r.distrust(from.pointer().Off)
		keys := uint64(len(model.Tables[last].Keys))
		if last == Inputs || keys > most {
			return r.lose(0, from.rule, from.pointer(), diag.Value{Format: "room for %d slots", N: n},
				diag.Value{Format: "room for %d", N: most})
		}
		return r.lose(0, from.rule, layout.firstPlace(o, last), diag.AtMost(most-keys), diag.Dec(n-keys))
	}
	if !r.claim(4 * n) {
		return true
	}
	layout.Slots = uint32(s)
	table := r.Bytes(s, 4*n)
	r.elements(&slotRecord.Ruled, o.as(slotsPart), s, table)
	model.Slots = slotRecord.Decode(table)
	return true
}
