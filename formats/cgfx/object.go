package cgfx

import (
	"fmt"

	"bytes"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
)

// objectReader reads one object: a shader or a reference.
type objectReader struct {
	*reader
	index  int    // in the DICT
	at     uint64 // offset of the object
	head   objectHeader
	object Object
	binary *shbin.File // nil when the DVLB does not parse
}

// place returns the place of the object, or of one of its fields.
func (o *objectReader) place(field string) diag.Place {
	return objectRecord.At(o.at, diag.Path{Prefix: shaderPrefix(o.index), Field: field})
}

// read reads the object with its lists: SHDR001 to SHDR003, and through its callees all
// other SHDR rules.
func (o *objectReader) read() {
	if objectMagicRule.Check(o.Reporter, o.View, o.at, o.place).Any() {
		return
	}
	switch kind := o.U32(o.at); kind {
	case referenceType, oldReferenceType:
		o.Report("SHDR003", o.place("type"), typeValue(shaderType), typeValue(kind))
		o.span(o.at, referenceSize, referenceSpan, o.index, 0)
		if o.Strict() {
			o.layout.References = append(o.layout.References, o.name())
		}
		return
	case shaderType:
	default:
		o.Report("SHDR001", o.place("type"), typeValue(shaderType), typeValue(kind))
		return
	}
	o.span(o.at, objectSize, objectSpan, o.index, 0)
	o.heads[0].Object = &o.object
	objectRecord.Get(o.Bytes(o.at, objectSize), o.heads[:])
	o.head = o.heads[0]
	o.header()
	o.commands("commands_a", o.head.commandsA, 0)
	o.commands("commands_b", o.head.commandsB, 1)
	o.dvlb()
	o.programs()
	if o.Strict() {
		o.object.Name = o.name()
		o.file.Objects = append(o.file.Objects, o.object)
	}
}

// name returns the name in the DICT, not the one in the object.
func (o *objectReader) name() wire.Text { return wire.Text(o.keys[o.index].b) }

// header checks the fields outside the lists: SHDR004 to SHDR007.
func (o *objectReader) header() {
	objectRecord.Check(o.Reporter, o.View, o.at, o.place)
	key := o.keys[o.index]
	name := o.reader.name(o.at+nameOffset, o.head.name)
	o.names = append(o.names, name)
	switch {
	case !name.known:
		o.Report("SHDR005", o.place("name"), diag.Text(readableName), diag.Hex(uint64(o.head.name)))
	case o.Strict() || o.total.Over() || name.at == key.at:
	case !bytes.Equal(name.b, key.b):
		o.Report("SHDR006", o.place("name"), diag.Quoted(key.b), diag.Quoted(name.b))
	}
	if !wire.Zero(o.head.padding[:]) {
		o.Report("SHDR007", o.place("padding"), diag.Text("16 zero bytes"), diag.Text("others"))
	}
}

// nameOffset is the offset of the name field in an object.
var nameOffset = objectRecord.Offset("name")

// commands checks a list of commands: SHDR008 and SHDR009.
func (o *objectReader) commands(name string, x list, which int) {
	n := uint64(x.count)
	if n == 0 {
		return
	}
	o.Report("SHDR008", o.place(name+".count"), diag.Dec(0), diag.Dec(n))
	if target, ok := o.table("SHDR009", name+".pointer", x.pointer, 4*n); ok {
		o.span(target, 4*n, commandSpan, o.index, which)
	}
}

// table returns the target of the pointer in a field, and reports the rule unless the
// target is n bytes at a multiple of 4.
func (o *objectReader) table(rule, field string, value uint32, n uint64) (target uint64, ok bool) {
	target, ok = o.pointer(o.at+objectRecord.Offset(field), value)
	if !ok || target%4 != 0 || !o.Has(target, n) {
		o.Report(rule, o.place(field), diag.Value{Format: "pointer to %d bytes at a multiple of 4", N: n},
			diag.Hex(uint64(value)))
		return 0, false
	}
	return target, true
}

// dvlb reads the DVLB: SHDR010 to SHDR012.
func (o *objectReader) dvlb() {
	size, value := uint64(o.head.dvlb.count), o.head.dvlb.pointer
	target, ok := o.pointer(o.at+objectRecord.Offset("dvlb.pointer"), value)
	switch {
	case size == 0:
		o.Report("SHDR010", o.place("dvlb.size"), diag.AtLeast(1), diag.Dec(0))
		return
	case !ok || !o.Has(target, size):
		o.Report("SHDR010", o.place("dvlb.pointer"), diag.Value{Format: "pointer to %d bytes", N: size},
			diag.Hex(uint64(value)))
		return
	}
	if target%4 != 0 {
		o.Report("SHDR011", o.place("dvlb.pointer"), diag.Text("multiple of 4"), diag.Hex(target))
	}
	o.object.DVLB = o.Bytes(target, size)
	if !o.span(target, size, dvlbSpan, o.index, 0) {
		return
	}
	if o.Strict() {
		o.layout.DVLBs = append(o.layout.DVLBs, Range{target, size})
	}
	binary, ok := shbin.Embedded(o.object.DVLB, o.Reporter, target, dvlbPrefix(o.index))
	if !ok {
		o.Report("SHDR012", o.place("dvlb.pointer"), diag.Text("a DVLB without errors"), diag.Text("one with errors"),
			diag.Place{Off: target, Len: size, Path: diag.Path{Prefix: dvlbPrefix(o.index)}})
		return
	}
	o.binary = binary
}

func dvlbPrefix(i int) string { return shaderPrefix(i) + "dvlb." }

// programs reads the list of pointers and the programs: SHDR013 to SHDR017.
func (o *objectReader) programs() {
	n := uint64(o.head.programs.count)
	if n == 0 {
		return
	}
	array, ok := o.table("SHDR013", "programs.pointer", o.head.programs.pointer, 4*n)
	if !ok || !o.span(array, 4*n, arraySpan, o.index, int(n)) {
		return
	}
	if o.Strict() {
		o.object.Programs = make([]Program, 0, min(n, o.Size()/programSize))
	}
	for i := range int(n) {
		off := array + 4*uint64(i)
		at := func(string) diag.Place {
			return pointerRecord.At(off,
				diag.Path{Prefix: shaderPrefix(o.index), Table: "programs.pointers", Index: i})
		}
		pointerRecord.Check(o.Reporter, o.View, off, at)
		target, ok := o.pointer(off, o.U32(off))
		if !ok || target%4 != 0 || !o.Has(target, programSize) {
			o.Report("SHDR014", at(""), diag.Text("pointer to 136 bytes at a multiple of 4"),
				diag.Hex(uint64(o.U32(off))))
			continue
		}
		if !o.span(target, programSize, programSpan, o.index, i) {
			return
		}
		o.program(i, target)
	}
}

// program reads program i: SHDR015 to SHDR017.
func (o *objectReader) program(i int, at uint64) {
	programRecord.Get(o.Bytes(at, programSize), o.current[:])
	p := &o.current[0]
	if o.Strict() {
		o.object.Programs = append(o.object.Programs, *p)
	}
	place := func(field string) diag.Place {
		return programRecord.At(at, diag.Path{Prefix: shaderPrefix(o.index), Table: "programs", Index: i,
			Field: field})
	}
	programRecord.Check(o.Reporter, o.View, at, place)
	if o.binary != nil {
		for _, x := range [...]struct {
			field string
			index int32
			unit  shbin.Type
		}{{"vertex", p.Vertex, shbin.VertexShader}, {"geometry", p.Geometry, shbin.GeometryShader}} {
			entries := o.binary.DVLEs
			switch found := (diag.Value{N: uint64(uint32(x.index)), Show: wire.ShowSigned}); {
			case x.index < -1 || int64(x.index) >= int64(len(entries)):
				expected := diag.Value{Format: "-1 to %d", N: uint64(len(entries)) - 1}
				if len(entries) == 0 {
					expected = diag.Text("-1, for there is no DVLE")
				}
				o.Report("SHDR015", place(x.field), expected, found)
			case x.index >= 0 && entries[x.index].Type != x.unit:
				o.Report("SHDR016", place(x.field), diag.Text("a "+x.unit.String()+" shader"), found)
			}
		}
	}
	if p.Vertex == -1 && p.Geometry == -1 {
		o.Report("SHDR017", place(""), diag.Text("a vertex or a geometry shader"), diag.Text("neither"))
	}
}

// typeNames names the types of objects in the list of shaders.
var typeNames = map[uint32]string{
	shaderType: "shader", referenceType: "reference", oldReferenceType: "reference of old files",
}

// typeValue shows a type in a finding.
func typeValue(kind uint32) diag.Value { return diag.Value{N: uint64(kind), Show: showType} }

// showType prints a type by its name, if it has one, and its number.
func showType(n uint64) string {
	if name := typeNames[uint32(n)]; name != "" {
		return fmt.Sprintf("%s 0x%x", name, n)
	}
	return wire.ShowHex(n)
}
