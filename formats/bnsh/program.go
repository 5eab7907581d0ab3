package bnsh

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// Offsets of the pointers of a variation and of a program.
const (
	variationParent    = 0x18
	programStages      = 0x08
	programObject      = 0x68
	programParent      = 0x70
	programReflection  = 0x78
	compilerReflection = 0x80
)

// variations reads the variations with their programs and stage codes.
func (r *reader) variations() bool {
	base, n := uint64(r.layout.Variations), len(r.file.Variations)
	count := 0
	for i := range n {
		for slot := range uint64(NumSlots) {
			if r.U64(base+uint64(i)*variationSize+8*slot) != 0 {
				count++
			}
		}
	}
	r.layout.Programs = make([]ProgramLayout, 0, count)
	for i := range n {
		if !r.variation(base+uint64(i)*variationSize, i) {
			return false
		}
	}
	return true
}

func (r *reader) variation(v uint64, i int) bool {
	o := owner{part: variationPart, variation: int32(i)}
	container := uint64(r.layout.Container)
	if got := r.pointer(v + variationParent); got != container {
		return r.refuse("BNSH021", o.place(v, "parent.pointer"), diag.Hex(container), diag.Hex(got))
	}
	if !r.reserved("BNSH021", o, v) {
		return false
	}
	var programs [NumSlots]uint64
	for slot := range programs {
		programs[slot] = r.pointer(v + 8*uint64(slot))
	}
	if programs == [NumSlots]uint64{} {
		return r.refuse("BNSH021", o.place(v, ""), diag.Text("a program"), diag.Text("none"))
	}
	for slot, p := range programs {
		if p != 0 && !r.program(v, p, owner{part: programPart, variation: int32(i), slot: Slot(slot)}) {
			return false
		}
	}
	return true
}

// program reads the program at p of the variation at v.
func (r *reader) program(v, p uint64, o owner) bool {
	pointer := func() diag.Place { return o.as(variationPart).place(v, o.slot.String()+".pointer") }
	at := func(field string) diag.Place { return o.place(p, field) }
	if !r.record("BNSH022", pointer, p, programSize, 8) || !r.claim(o, p, programSize) {
		return false
	}
	if got := r.pointer(p + programParent); got != v {
		return r.refuse("BNSH022", at("parent.pointer"), diag.Hex(v), diag.Hex(got))
	}
	program := &Program{
		Flags:        ProgramFlags(r.U8(p)),
		CodeType:     CodeType(r.U8(p + 1)),
		SourceFormat: SourceFormat(r.U8(p + 2)),
		BinaryFormat: BinaryFormat(r.U32(p + 4)),
		ObjectSize:   r.U32(p + 0x60),
	}
	*r.file.Variations[o.variation].slot(o.slot) = program
	r.layout.Programs = append(r.layout.Programs, ProgramLayout{Record: uint32(p)})
	layout := &r.layout.Programs[len(r.layout.Programs)-1]
	return r.kind(program, o, p) && r.object(program, layout, o, p) && r.stages(program, layout, o, p)
}

// kind checks what a program says about its code.
func (r *reader) kind(program *Program, o owner, p uint64) bool {
	at := func(field string) diag.Place { return o.place(p, field) }
	switch {
	case program.Flags > knownFlags:
		return r.refuse("BNSH023", at("flags"), diag.AtMost(uint64(knownFlags)), diag.Dec(uint64(program.Flags)))
	case program.CodeType > SourceArrayCode:
		return r.refuse("BNSH023", at("code_type"), diag.AtMost(uint64(SourceArrayCode)), diag.Dec(uint64(program.CodeType)))
	case program.SourceFormat > HLSL:
		return r.refuse("BNSH023", at("source_format"), diag.AtMost(uint64(HLSL)), diag.Dec(uint64(program.SourceFormat)))
	case !r.reserved("BNSH023", o, p):
		return false
	case slots[program.CodeType] != o.slot:
		return r.refuse("BNSH024", at("code_type"), diag.Text("a code type of the slot "+o.slot.String()), diag.Text(program.CodeType.String()))
	}
	if o.slot != BinarySlot {
		r.Report("BNSH028", at(""), diag.Text("a binary program"), diag.Text(program.CodeType.String()))
	}
	if f := program.BinaryFormat; f > Zlib || f == Zlib && program.CodeType == SourceArrayCode {
		return r.refuse("BNSH025", at("binary_format"), diag.Text("0, or 1 of other code than a source array"), diag.Dec(uint64(f)))
	}
	var stages [NumStages]uint64
	count := 0
	for s := range stages {
		if stages[s] = r.pointer(p + programStages + 8*uint64(s)); stages[s] != 0 {
			count++
		}
	}
	switch {
	case count == 0:
		return r.refuse("BNSH026", at(""), diag.Text("a stage"), diag.Text("none"))
	case count > 1 && stages[Compute] != 0:
		return r.refuse("BNSH026", at("compute.pointer"), diag.Text("null, or no other stage"), diag.Hex(stages[Compute]))
	}
	return true
}

// object checks the object memory of a program and the rules that follow it.
func (r *reader) object(program *Program, layout *ProgramLayout, o owner, p uint64) bool {
	at := func(field string) diag.Place { return o.place(p, field) }
	object, size := r.pointer(p+programObject), uint64(program.ObjectSize)
	if object != 0 || size != 0 {
		memory := o.as(objectPart)
		if !r.blob("BNSH027", at, "object.pointer", "object_size", object, size) || !r.claim(memory, object, size) || !r.zeros("BNSH027", memory, object, size) {
			return false
		}
	}
	layout.Object = uint32(object)
	if x := r.pointer(p + compilerReflection); x != 0 {
		return r.refuse("BNSH029", at("compiler_reflection.pointer"), diag.Text("null"), diag.Hex(x))
	}
	r.pointer(p + programReflection)
	if program.BinaryFormat != Plain {
		r.Report("BNSH038", at("binary_format"), diag.Dec(0), diag.Dec(uint64(program.BinaryFormat)))
	}
	if hull, domain := r.U64(p+programStages+8*uint64(Hull)), r.U64(p+programStages+8*uint64(Domain)); (hull == 0) != (domain == 0) {
		r.Report("BNSH039", at("hull.pointer"), diag.Text("hull and domain, or neither"), diag.Text("one"), at("domain.pointer"))
	}
	return true
}

// stages reads the stage codes of a program.
func (r *reader) stages(program *Program, layout *ProgramLayout, o owner, p uint64) bool {
	read := [...]func(*reader, *Code, *CodeLayout, owner, uint64) bool{
		binaryForm: (*reader).binaryCode,
		packedForm: (*reader).packedCode,
		textForm:   (*reader).textCode,
	}[program.form()]
	record := codeRecords[program.form()]
	for s := range Stage(NumStages) {
		x := r.U64(p + programStages + 8*uint64(s))
		if x == 0 {
			continue
		}
		pointer := func() diag.Place { return o.place(p, s.String()+".pointer") }
		if !r.record(record.rule, pointer, x, record.size, 8) {
			return false
		}
		code, at := new(Code), &CodeLayout{Record: uint32(x)}
		program.Stages[s], layout.Stages[s] = code, at
		stage := o.as(record.part)
		stage.stage = s
		if !r.claim(stage, x, record.size) || !read(r, code, at, stage, x) {
			return false
		}
	}
	return true
}

// codeRecords says how the code of each form is recorded.
var codeRecords = [...]struct {
	part part
	size uint64
	rule string
}{
	binaryForm: {binaryCodePart, binaryCodeSize, "BNSH030"},
	packedForm: {packedCodePart, packedCodeSize, "BNSH036"},
	textForm:   {textCodePart, textCodeSize, "BNSH036"},
}

// binaryCode reads a record of plain binary code but for the code itself, which
// lies in the memory pool.
func (r *reader) binaryCode(code *Code, layout *CodeLayout, o owner, x uint64) bool {
	at := func(field string) diag.Place { return o.place(x, field) }
	r.binary = true
	if address := r.U64(x); address != 0 {
		return r.refuse("BNSH030", at("data_address"), diag.Dec(0), diag.Hex(address))
	}
	if d := r.pointer(x + 0x20); d != 0 {
		return r.refuse("BNSH030", at("decomposed_control.pointer"), diag.Text("null"), diag.Hex(d))
	}
	if !r.reserved("BNSH030", o, x) {
		return false
	}
	control, size := r.pointer(x+0x08), uint64(r.U32(x+0x1C))
	if !r.blob("BNSH031", at, "control.pointer", "control_size", control, size) {
		return false
	}
	layout.Control = uint32(control)
	code.Control = r.Bytes(control, size)
	code.ScratchRecommended, code.ScratchPerWarp = r.U32(x+0x28), r.U32(x+0x2C)
	r.pointer(x + 0x10)
	return true
}

// packedCode reads a record of source, intermediate or packed code.
func (r *reader) packedCode(code *Code, layout *CodeLayout, o owner, x uint64) bool {
	at := func(field string) diag.Place { return o.place(x, field) }
	if !r.reserved("BNSH036", o, x) {
		return false
	}
	size, bytes := uint64(r.U32(x)), r.pointer(x+0x08)
	if !r.blob("BNSH036", at, "code.pointer", "size", bytes, size) {
		return false
	}
	layout.Code = uint32(bytes)
	code.Code, code.UnpackedSize = r.Bytes(bytes, size), r.U32(x+4)
	return true
}

// textCode reads a record of a source array.
func (r *reader) textCode(code *Code, layout *CodeLayout, o owner, x uint64) bool {
	if !r.reserved("BNSH036", o, x) {
		return false
	}
	at := func(field string) diag.Place { return o.place(x, field) }
	n := uint64(r.U16(x))
	if n == 0 {
		return r.refuse("BNSH036", at("count"), diag.AtLeast(1), diag.Dec(n))
	}
	sizes, pointers := r.pointer(x+0x08), r.pointer(x+0x10)
	if !r.record("BNSH036", func() diag.Place { return at("text_sizes.pointer") }, sizes, 4, 4) ||
		!r.record("BNSH036", func() diag.Place { return at("text_pointers.pointer") }, pointers, 8, 8) {
		return false
	}
	if most := min(r.room(sizes, 4), r.room(pointers, 8)); n > most {
		return r.refuse("BNSH036", at("count"), diag.AtMost(most), diag.Dec(n))
	}
	if !r.claim(o.as(textSizesPart), sizes, 4*n) || !r.claim(o.as(textPointersPart), pointers, 8*n) {
		return false
	}
	layout.Sizes, layout.Pointers = uint32(sizes), uint32(pointers)
	layout.Texts = make([]uint32, n)
	code.Texts = make([]wire.Hex, n)
	for i := range n {
		size, text := uint64(r.U32(sizes+4*i)), r.pointer(pointers+8*i)
		element := func(array string) diag.Place {
			if array == "sizes" {
				return o.as(textSizesPart).element(textSizeField, sizes+4*i, int(i), "")
			}
			return o.as(textPointersPart).element(textPointerField, pointers+8*i, int(i), "")
		}
		if !r.blob("BNSH036", element, "pointers", "sizes", text, size) {
			return false
		}
		layout.Texts[i] = uint32(text)
		code.Texts[i] = r.Bytes(text, size)
	}
	return true
}
