package bnsh

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// variations reads the variations with their programs and stage codes.
func (r *reader) variations() {
	count := 0
	for i := range r.file.Variations {
		for _, p := range r.programPointers(i) {
			if p != 0 {
				count++
			}
		}
	}
	r.layout.Programs = make([]ProgramLayout, 0, count)
	for i := range r.file.Variations {
		if r.variation(i); r.stopped() {
			return
		}
	}
}

// programPointers returns the pointers to the programs of a variation.
func (r *reader) programPointers(i int) (programs [NumSlots]uint64) {
	v := uint64(r.layout.variation(int32(i)))
	for slot := range programs {
		programs[slot] = r.U64(v + 8*uint64(slot))
	}
	return programs
}

func (r *reader) variation(i int) {
	o, v := owner{part: variationPart, variation: int32(i)}, uint64(r.layout.variation(int32(i)))
	container := uint64(r.layout.Container)
	if got := r.U64(v + variationParentAt); got != container {
		r.misled("BNSH021", o.place(v, "parent.pointer"), container, got)
	}
	r.rules(o, v)
	r.reserved("BNSH021", o, v)
	programs := r.programPointers(i)
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
	from := reference{"BNSH022", someRecord, o.as(variationPart), v, o.slot.String()}
	if !r.record(from, p, programSize, 8) || !r.claim(programSize) {
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
	r.reserved("BNSH023", o, p)
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
	object, size := r.U64(p+programObjectAt), uint64(program.ObjectSize)
	if object == 0 && size == 0 {
		return
	}
	field := func(name string) func() diag.Place { return func() diag.Place { return o.place(p, name) } }
	if r.blob("BNSH027", someObject, field("object.pointer"), field("object_size"), object, size) && r.claim(size) {
		layout.Object = uint32(object)
		r.zeros("BNSH027", o.as(objectPart), object, size)
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
	read := [...]func(*reader, *Code, *CodeLayout, owner, uint64){
		binaryForm: (*reader).binaryCode,
		packedForm: (*reader).packedCode,
		textForm:   (*reader).textCode,
	}[program.form()]
	record := codeRecords[program.form()]
	r.binary = r.binary || program.form() == binaryForm && stages != [NumStages]uint64{}
	for s, x := range stages {
		if x == 0 {
			continue
		}
		from := reference{record.rule, someCode, o, p, Stage(s).String()}
		if !r.record(from, x, record.size, 8) || !r.claim(record.size) {
			continue
		}
		code, at := new(Code), &CodeLayout{Record: uint32(x)}
		program.Stages[s], layout.Stages[s] = code, at
		stage := o.as(record.part)
		stage.stage = Stage(s)
		if read(r, code, at, stage, x); r.stopped() {
			return
		}
	}
}

// codeRecords says how the code of each form is recorded.
var codeRecords = [...]struct {
	part part
	size uint64
	rule string
}{
	binaryForm: {binaryCodePart, uint64(binaryCodeRecord.Bytes), "BNSH030"},
	packedForm: {packedCodePart, uint64(packedCodeRecord.Bytes), "BNSH036"},
	textForm:   {textCodePart, uint64(textCodeRecord.Bytes), "BNSH036"},
}

// binaryCode reads a record of plain binary code and its control. The code lies
// in the memory pool.
func (r *reader) binaryCode(code *Code, layout *CodeLayout, o owner, x uint64) {
	field := func(name string) func() diag.Place { return func() diag.Place { return o.place(x, name) } }
	r.rules(o, x)
	if d := r.U64(x + binaryDecomposedAt); d != 0 {
		r.stray(0, "BNSH030", o.place(x, "decomposed_control.pointer"), diag.Text("null"), diag.Hex(d))
	}
	r.reserved("BNSH030", o, x)
	r.current[0].code = code
	binaryCodeRecord.Get(r.B[x:], r.current[:])
	control, size := r.U64(x+binaryControlAt), uint64(r.U32(x+binaryControlSizeAt))
	if r.blob("BNSH031", 0, field("control.pointer"), field("control_size"), control, size) {
		layout.Control = uint32(control)
		code.Control = r.Bytes(control, size)
	}
}

// packedCode reads a record of source, intermediate or packed code.
func (r *reader) packedCode(code *Code, layout *CodeLayout, o owner, x uint64) {
	field := func(name string) func() diag.Place { return func() diag.Place { return o.place(x, name) } }
	r.rules(o, x)
	r.reserved("BNSH036", o, x)
	r.current[0].code = code
	packedCodeRecord.Get(r.B[x:], r.current[:])
	size, bytes := uint64(r.U32(x+packedSizeAt)), r.U64(x+packedCodeAt)
	if r.blob("BNSH036", 0, field("code.pointer"), field("size"), bytes, size) {
		layout.Code = uint32(bytes)
		code.Code = r.Bytes(bytes, size)
	}
}

// textCode reads a record of a source array.
func (r *reader) textCode(code *Code, layout *CodeLayout, o owner, x uint64) {
	r.rules(o, x)
	r.reserved("BNSH036", o, x)
	n, sizes, pointers := uint64(r.U16(x+textCountAt)), r.U64(x+textSizesAt), r.U64(x+textPointersAt)
	if n == 0 {
		r.lose(0, "BNSH036", o.place(x, "count"), diag.AtLeast(1), diag.Dec(n))
	}
	found := r.record(reference{"BNSH036", 0, o, x, "text_sizes"}, sizes, 4, 4)
	found = r.record(reference{"BNSH036", 0, o, x, "text_pointers"}, pointers, 8, 8) && found
	if n == 0 || !found {
		return
	}
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
		text, size := r.U64(pointers+8*i), uint64(r.U32(sizes+4*i))
		pointerField := func() diag.Place { return o.as(textPointersPart).element(pointers+8*i, int(i), "") }
		sizeField := func() diag.Place { return o.as(textSizesPart).element(sizes+4*i, int(i), "") }
		if r.blob("BNSH036", 0, pointerField, sizeField, text, size) {
			layout.Texts[i] = uint32(text)
			code.Texts[i] = r.Bytes(text, size)
		}
		if r.done() {
			return
		}
	}
}
