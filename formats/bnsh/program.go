package bnsh

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// variations reads the variations with their programs and stage codes.
func (r *reader) variations() {
	r.layout.Programs = make([]ProgramLayout, 0, len(r.file.Variations)) // most have one
	for i := range r.file.Variations {
		if r.variation(i); r.stopped() {
			return
		}
	}
}

func (r *reader) variation(i int) {
	o, v := owner{part: variationPart, variation: int32(i)}, uint64(r.layout.variation(int32(i)))
	container := uint64(r.layout.Container)
	if got := r.U64(v + variationParentAt); got != container {
		r.misled("BNSH021", o.place(v, "parent.pointer"), container, got)
	}
	r.rules(o, v)
	r.reserved(o, v)
	var programs [NumSlots]uint64
	for slot := range programs {
		programs[slot] = r.U64(v + 8*uint64(slot))
	}
	if programs == [NumSlots]uint64{} {
		for slot := range Slot(NumSlots) {
			r.distrust(v + 8*uint64(slot))
		}
		r.lose(someRecord, "BNSH021", o.place(v, ""), diag.Text("a program"), diag.Text("none"))
	}
	for slot, p := range programs {
		if p != 0 && !r.stopped() {
			r.program(v, p, owner{part: programPart, variation: int32(i), slot: Slot(slot)})
		}
	}
}

// program reads the program at p of the variation at v.
func (r *reader) program(v, p uint64, o owner) {
	if !r.enter(&link{part: programPart, owner: o.as(variationPart), base: v, field: o.slot.String(), off: p}) {
		return
	}
	if got := r.U64(p + programParentAt); got != v {
		r.misled("BNSH022", o.place(p, "parent.pointer"), v, got)
	}
	program := new(Program)
	r.current[0].program.Program = program
	programRecord.Get(r.B[p:], r.current[:])
	*r.file.Variations[o.variation].slot(o.slot) = program
	r.layout.Programs = append(r.layout.Programs, ProgramLayout{Record: uint32(p)})
	layout := &r.layout.Programs[len(r.layout.Programs)-1]
	typed := r.codeKind(program, o, p)
	stages := r.stagePointers(o, p)
	r.object(program, layout, o, p)
	r.oddities(program, o, p)
	if typed && !r.done() {
		r.stages(program, layout, o, p, stages)
	}
}

// codeKind checks the fields of a program about its code, and reports whether
// the form of the code is known.
func (r *reader) codeKind(program *Program, o owner, p uint64) bool {
	at := func(field string) diag.Place { return o.place(p, field) }
	untyped := func(id, field string, expected, found diag.Value) bool {
		return r.lose(someForm|someCode, id, at(field), expected, found)
	}
	r.rules(o, p)
	typed := program.CodeType <= SourceArrayCode
	if !typed {
		r.unknown |= someForm | someCode | somePointer
	}
	r.reserved(o, p)
	if typed && slots[program.CodeType] != o.slot {
		typed = untyped("BNSH024", "code_type", diag.Text("a code type of the slot "+o.slot.String()),
			diag.Text(program.CodeType.String()))
	}
	if f := program.BinaryFormat; f > Zlib || f == Zlib && program.CodeType == SourceArrayCode {
		typed = untyped("BNSH025", "binary_format", diag.Text("0, or 1 of other code than a source array"),
			diag.Dec(uint64(f)))
	}
	return typed
}

// stagePointers reads the pointers to the codes of the stages.
func (r *reader) stagePointers(o owner, p uint64) (stages [NumStages]uint64) {
	count := 0
	for s := range stages {
		if stages[s] = r.U64(p + programStagesAt + 8*uint64(s)); stages[s] != 0 {
			count++
		}
	}
	switch {
	case count == 0:
		for s := range stages {
			r.distrust(p + programStagesAt + 8*uint64(s))
		}
		r.lose(someRecord, "BNSH026", o.place(p, ""), diag.Text("a stage"), diag.Text("none"))
	case count > 1 && stages[Compute] != 0:
		r.fail("BNSH026", o.place(p, "compute.pointer"), diag.Text("null, or no other stage"),
			diag.Hex(stages[Compute]))
	}
	return stages
}

// object reads the object memory of a program.
func (r *reader) object(program *Program, layout *ProgramLayout, o owner, p uint64) {
	x := r.link(objectPart, o, p)
	if x.off == 0 && program.ObjectSize == 0 {
		return
	}
	if b := r.blob(&x); b != nil && r.claim(uint64(len(b))) {
		layout.Object = uint32(x.off)
		r.zeros(o.as(objectPart), x.off, b)
	}
}

// oddities evaluates the rules after the rule about the object: BNSH028,
// BNSH029, BNSH038, BNSH039.
func (r *reader) oddities(program *Program, o owner, p uint64) {
	at := func(field string) diag.Place { return o.place(p, field) }
	if o.slot != BinarySlot {
		r.Report("BNSH028", at(""), diag.Text("a binary program"), diag.Text(program.CodeType.String()))
	}
	if x := r.U64(p + programCompilerAt); x != 0 {
		r.stray(0, "BNSH029", at("compiler_reflection.pointer"), diag.Text("null"), diag.Hex(x))
	}
	if program.BinaryFormat == Zlib && program.CodeType != SourceArrayCode {
		r.Report("BNSH038", at("binary_format"), diag.Dec(0), diag.Dec(uint64(program.BinaryFormat)))
	}
	stage := func(s Stage) uint64 { return r.U64(p + programStagesAt + 8*uint64(s)) }
	if (stage(Hull) == 0) != (stage(Domain) == 0) {
		r.Report("BNSH039", at("hull.pointer"), diag.Text("hull and domain, or neither"), diag.Text("one"),
			at("domain.pointer"))
	}
}

// stages reads the stage codes of a program.
func (r *reader) stages(program *Program, layout *ProgramLayout, o owner, p uint64, stages [NumStages]uint64) {
	form := program.form()
	part := [...]part{binaryForm: binaryCodePart, packedForm: packedCodePart, textForm: textCodePart}[form]
	r.binary = r.binary || form == binaryForm && stages != [NumStages]uint64{}
	for s, off := range stages {
		if off == 0 || !r.enter(&link{part: part, owner: o, base: p, field: Stage(s).String(), off: off}) {
			continue
		}
		code, at := new(Code), &CodeLayout{Record: uint32(off)}
		program.Stages[s], layout.Stages[s] = code, at
		r.current[0].code, r.current[0].place = code, at
		stage := o.as(part)
		stage.stage = Stage(s)
		if r.code(code, at, stage); r.stopped() {
			return
		}
	}
}

// code reads the record of a stage's code and the blobs that it leads to. Binary code lies in the memory pool, which is
// read later.
func (r *reader) code(code *Code, layout *CodeLayout, o owner) {
	x := uint64(layout.Record)
	parts[o.part].record.Get(r.B[x:], r.current[:])
	r.rules(o, x)
	if o.part == binaryCodePart {
		if d := r.U64(x + binaryDecomposedAt); d != 0 {
			r.stray(0, "BNSH030", o.place(x, "decomposed_control.pointer"), diag.Text("null"), diag.Hex(d))
		}
	}
	r.reserved(o, x)
	switch o.part {
	case binaryCodePart:
		r.keep(controlPart, o, x)
	case packedCodePart:
		r.keep(packedPart, o, x)
	case textCodePart:
		r.texts(code, layout, o, x)
	}
}

// keep puts the blob of a record into the current model and its offset into the layout.
func (r *reader) keep(p part, o owner, base uint64) {
	x := r.link(p, o, base)
	if b := r.blob(&x); b != nil {
		*parts[p].bytes(&r.current[0]), *parts[p].at(&r.current[0]) = b, uint32(x.off)
	}
}

// texts reads the texts of a source array.
func (r *reader) texts(code *Code, layout *CodeLayout, o owner, x uint64) {
	n := uint64(r.U16(x + textCountAt))
	if n == 0 {
		r.lose(0, "BNSH036", o.place(x, "count"), diag.AtLeast(1), diag.Dec(n))
	}
	toSizes, toPointers := r.link(textSizesPart, o, x), r.link(textPointersPart, o, x)
	found := r.found(&toSizes)
	if found = r.found(&toPointers) && found; n == 0 || !found {
		return
	}
	sizes, pointers := toSizes.off, toPointers.off
	if most := min(r.room(sizes, 4), r.room(pointers, 8)); n > most {
		r.lose(0, "BNSH036", o.place(x, "count"), diag.AtMost(most), diag.Dec(n))
		return
	}
	if !r.claim(12 * n) {
		return
	}
	r.elements(&textSizeRecord.Ruled, o.as(textSizesPart), sizes, r.Bytes(sizes, 4*n))
	r.elements(&textPointerRecord.Ruled, o.as(textPointersPart), pointers, r.Bytes(pointers, 8*n))
	layout.Sizes, layout.Pointers = uint32(sizes), uint32(pointers)
	layout.Texts = make([]uint32, n)
	code.Texts = make([]wire.Hex, n)
	for i := range n {
		text := link{part: textPart, owner: o, base: pointers + 8*i, off: r.U64(pointers + 8*i), extent: sizes + 4*i}
		text.owner.index = int32(i)
		if code.Texts[i] = r.blob(&text); code.Texts[i] != nil {
			layout.Texts[i] = uint32(text.off)
		}
		if r.done() {
			return
		}
	}
}
