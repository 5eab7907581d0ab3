package bnsh

import (
	"encoding/json"
	"fmt"

	"github.com/picaproof/picaproof/formats/wire"
)

// File is a BNSH: one container of shader variations.
//
// The slices of bytes share one private copy of the input, and blobs that are
// shared in the file are one slice. Replace a slice instead of changing its
// elements.
type File struct {
	Header
	// PoolProperty is the property of the memory pool that holds the code; nil
	// exactly when no program has plain binary code.
	PoolProperty *uint32     `json:"pool_property,omitempty"`
	Variations   []Variation `json:"variations"`
	// Layout has the offsets in the parsed file. Nil means the canonical layout.
	Layout *Layout `json:"layout,omitempty"`
}

// Header holds the plain values of the file header and of the container.
type Header struct {
	Version Version `json:"version"`
	// log2 of the file's alignment: 12; placement takes 0x1000 whatever it says
	AlignmentShift          uint8  `json:"alignment_shift"`
	AddressSize             uint8  `json:"address_size"` // in bits; 0 in known files
	Name                    Text   `json:"name"`
	APIType                 uint16 `json:"api_type"` // 4: NVN
	APIVersion              uint16 `json:"api_version"`
	TargetCodeType          uint8  `json:"target_code_type"` // the runtime writes it
	CompilerVersion         uint32 `json:"compiler_version"`
	LowLevelCompilerVersion uint64 `json:"low_level_compiler_version"`
}

// Text is a string of the pool: any bytes, usually UTF-8, at most 65535.
type Text = wire.Text

// Version is the format version.
type Version struct {
	Major uint16
	Minor uint8
	Micro uint8
}

// String returns "2.1.12".
func (v Version) String() string { return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Micro) }

// MarshalText implements encoding.TextMarshaler.
func (v Version) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (v *Version) UnmarshalText(b []byte) error {
	var read Version
	if _, err := fmt.Sscanf(string(b), "%d.%d.%d", &read.Major, &read.Minor, &read.Micro); err != nil ||
		read.String() != string(b) {
		return fmt.Errorf("bnsh: version %q is not of the form 2.1.12", b)
	}
	*v = read
	return nil
}

// Variation is one shader, as up to three programs. Known files of the console
// have the binary program only.
type Variation struct {
	Source       *Program `json:"source,omitempty"`
	Intermediate *Program `json:"intermediate,omitempty"`
	Binary       *Program `json:"binary,omitempty"`
}

// Program returns the program of a slot, or nil.
func (v *Variation) Program(s Slot) *Program { return *v.slot(s) }

func (v *Variation) slot(s Slot) **Program {
	return [...]**Program{SourceSlot: &v.Source, IntermediateSlot: &v.Intermediate, BinarySlot: &v.Binary}[s]
}

// programs returns the number of programs.
func (v *Variation) programs() (n int) {
	for s := range Slot(NumSlots) {
		if v.Program(s) != nil {
			n++
		}
	}
	return n
}

// Program is the code of all stages of a variation in one form.
type Program struct {
	Flags        ProgramFlags   `json:"flags"`
	CodeType     CodeType       `json:"code_type"`
	SourceFormat SourceFormat   `json:"source_format"`
	BinaryFormat BinaryFormat   `json:"binary_format"`
	ObjectSize   uint32         `json:"object_size"` // bytes the runtime needs for its shader object
	Stages       PerStage[Code] `json:"stages"`
	// Reflection is nil when the program has no reflection table, which differs
	// from a table without stages.
	Reflection *PerStage[StageReflection] `json:"reflection,omitempty"`
}

// Variation returns a variation that has the program alone, in the slot of its code type.
func (p *Program) Variation() (v Variation) {
	*v.slot(slots[p.CodeType]) = p
	return v
}

// sameScalars is the part of Equal that a new scalar field joins.
func (p *Program) sameScalars(q *Program) bool {
	return p.Flags == q.Flags && p.CodeType == q.CodeType && p.SourceFormat == q.SourceFormat &&
		p.BinaryFormat == q.BinaryFormat && p.ObjectSize == q.ObjectSize
}

// form is a form of the record of a stage's code.
type form uint8

const (
	binaryForm form = iota // control and code, which lies in the memory pool
	packedForm             // one run of bytes
	textForm               // an array of texts
)

func (p *Program) form() form {
	switch {
	case p.CodeType == SourceArrayCode:
		return textForm
	case p.CodeType == BinaryCode && p.BinaryFormat == Plain:
		return binaryForm
	}
	return packedForm
}

// PerStage has one optional item for each stage.
type PerStage[T any] [NumStages]*T

// MarshalJSON writes an object with the stages that are there.
func (p PerStage[T]) MarshalJSON() ([]byte, error) {
	m := make(map[Stage]*T, NumStages)
	for s, v := range p {
		if v != nil {
			m[Stage(s)] = v
		}
	}
	return json.Marshal(m)
}

// UnmarshalJSON reads the output of MarshalJSON.
func (p *PerStage[T]) UnmarshalJSON(b []byte) error {
	var m map[Stage]*T
	if err := json.Unmarshal(b, &m); err != nil {
		return err
	}
	*p = PerStage[T]{}
	for s, v := range m {
		p[s] = v
	}
	return nil
}

// Code is the code of one stage. Which fields it has depends on the program:
// plain binary code has Control, Code and the two scratch sizes, a source array
// has Texts, all other code has Code and UnpackedSize.
type Code struct {
	Control            wire.Hex   `json:"control,omitempty"`
	Code               wire.Hex   `json:"code,omitempty"`
	ScratchRecommended uint32     `json:"scratch_recommended,omitempty"`
	ScratchPerWarp     uint32     `json:"scratch_per_warp,omitempty"`
	UnpackedSize       uint32     `json:"unpacked_size,omitempty"`
	Texts              []wire.Hex `json:"texts,omitempty"`
}

func (c *Code) sameScalars(d *Code) bool {
	return c.ScratchRecommended == d.ScratchRecommended && c.ScratchPerWarp == d.ScratchPerWarp &&
		c.UnpackedSize == d.UnpackedSize
}

// StageReflection says which names the code of a stage has, and in which slots.
type StageReflection struct {
	Tables    Tables    `json:"tables"`
	WorkGroup [3]uint32 `json:"work_group"` // of compute code: x, y, z
	// Slots is the slot of every name, -1 for none: the item with index i of a
	// table is at Slots[First+i].
	Slots []int32 `json:"slots,omitempty"`
	// Extended says that the reflection has an extension, which holds the last two tables.
	Extended bool `json:"extended,omitempty"`
}

// Table is the names of one kind.
type Table struct {
	First int32  `json:"first"` // index of its first slot; 0 for inputs
	Keys  []Text `json:"keys,omitempty"`
}

// Tables has a table for each kind.
type Tables [NumKinds]Table

// kinds returns how many of the tables are recorded.
func (s *StageReflection) kinds() Kind {
	if s.Extended {
		return NumKinds
	}
	return SeparateTextures
}

// MarshalJSON writes an object with the tables that are not zero.
func (t Tables) MarshalJSON() ([]byte, error) {
	m := make(map[Kind]Table, NumKinds)
	for k, v := range t {
		if v.First != 0 || len(v.Keys) > 0 {
			m[Kind(k)] = v
		}
	}
	return json.Marshal(m)
}

// UnmarshalJSON reads the output of MarshalJSON.
func (t *Tables) UnmarshalJSON(b []byte) error {
	var m map[Kind]Table
	if err := json.Unmarshal(b, &m); err != nil {
		return err
	}
	*t = Tables{}
	for k, v := range m {
		t[k] = v
	}
	return nil
}

// Lookup returns the slot of a name, or -1 when the name is not in the table or
// has no slot.
func (s *StageReflection) Lookup(k Kind, key Text) int32 {
	table := &s.Tables[k]
	for i, have := range table.Keys {
		if n := int64(table.First) + int64(i); have == key && n >= 0 && n < int64(len(s.Slots)) {
			return s.Slots[n]
		}
	}
	return -1
}

// Canonical returns the same content without its layout. The two files share
// everything below.
func (f *File) Canonical() *File {
	c := *f
	c.Layout = nil
	return &c
}
