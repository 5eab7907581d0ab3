package pica

// InstructionFormat names one of the ten layouts of an instruction word.
type InstructionFormat uint8

// The formats, named as in the public instruction set notes: 1 arithmetic, 1u
// unary, 1i inverted (the wide source is the second), 1c compare, 2 and 3 flow
// control on conditions and on uniforms, 4 SETEMIT, 5 MAD, 5i MADI.
const (
	Format0 InstructionFormat = iota
	Format1
	Format1u
	Format1i
	Format1c
	Format2
	Format3
	Format4
	Format5
	Format5i
	NumFormats
)

// Field is a bit range of an instruction word or operand descriptor. The zero
// Field is absent.
type Field struct{ Lo, Width uint8 }

// Get returns the field's value in word; 0 for an absent field.
func (f Field) Get(word uint32) uint32 {
	return word >> (f.Lo & 31) & (1<<(f.Width&31) - 1) // no field is a whole word
}

// Put returns word with the field replaced by the low bits of v.
func (f Field) Put(word, v uint32) uint32 {
	mask := uint32(1<<f.Width-1) << f.Lo
	return word&^mask | v<<f.Lo&mask
}

// Mask returns the bits of the word that the field occupies.
func (f Field) Mask() uint32 { return uint32(1<<f.Width-1) << f.Lo }

// Layout says where the fields of a format are. Source k of an instruction is
// read through Src[k]; a seven-bit field is wide: it reaches the float
// uniforms and may be indexed.
type Layout struct {
	Name         string
	DestInOpcode uint8 // opcode bits that belong to another field: the instruction has 1<<n aliases
	Desc         Field // operand descriptor number
	Src          [3]Field
	Index        Field // address register, IndexNone to IndexAL
	Indexed      int8  // the source that Index applies to; or -1
	Dest         Field
	CmpX, CmpY   Field // comparison operators
	Num          Field // length of a CALL body or an else part
	Dst          Field // target word
	CondOp       Field
	RefX, RefY   Field
	Bool, Int    Field // uniform that decides; Int is used by LOOP only
	Winding      Field // SETEMIT: inverted winding
	Primitive    Field // SETEMIT: the EMIT completes a primitive
	Vertex       Field // SETEMIT: vertex slot
}

// layouts is indexed by InstructionFormat.
var layouts = [NumFormats]Layout{
	Format0:  {Name: "0", Indexed: -1},
	Format1:  {Name: "1", Desc: Field{0, 7}, Src: [3]Field{{12, 7}, {7, 5}}, Index: Field{19, 2}, Dest: Field{21, 5}},
	Format1u: {Name: "1u", Desc: Field{0, 7}, Src: [3]Field{{12, 7}}, Index: Field{19, 2}, Dest: Field{21, 5}},
	Format1i: {Name: "1i", Desc: Field{0, 7}, Src: [3]Field{{14, 5}, {7, 7}}, Index: Field{19, 2},
		Indexed: 1, Dest: Field{21, 5}},
	Format1c: {Name: "1c", DestInOpcode: 1, Desc: Field{0, 7}, Src: [3]Field{{12, 7}, {7, 5}}, Index: Field{19, 2},
		CmpY: Field{21, 3}, CmpX: Field{24, 3}},
	Format2: {Name: "2", Indexed: -1, Num: Field{0, 8}, Dst: Field{10, 12}, CondOp: Field{22, 2},
		RefY: Field{24, 1}, RefX: Field{25, 1}},
	Format3: {Name: "3", Indexed: -1, Num: Field{0, 8}, Dst: Field{10, 12}, Bool: Field{22, 4}, Int: Field{22, 2}},
	Format4: {Name: "4", Indexed: -1, Winding: Field{22, 1}, Primitive: Field{23, 1}, Vertex: Field{24, 2}},
	Format5: {Name: "5", DestInOpcode: 3, Desc: Field{0, 5}, Src: [3]Field{{17, 5}, {10, 7}, {5, 5}},
		Index: Field{22, 2}, Indexed: 1, Dest: Field{24, 5}},
	Format5i: {Name: "5i", DestInOpcode: 3, Desc: Field{0, 5}, Src: [3]Field{{17, 5}, {12, 5}, {5, 7}},
		Index: Field{22, 2}, Indexed: 2, Dest: Field{24, 5}},
}

// Layout returns the format's field positions.
func (f InstructionFormat) Layout() *Layout { return &layouts[f] }

// String returns the format's name, "1i" say.
func (f InstructionFormat) String() string { return layouts[f].Name }
