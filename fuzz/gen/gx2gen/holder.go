package gx2gen

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// Holder draws parts of the shaders in a file that is being drawn. A part that the file lacks is
// added.
type Holder struct {
	Drawer
	List string // the path of the shaders
	Len  func() int
	At   func(i int) *gx2.Shader
	Add  func(types []gx2.Type) // adds a shader of one of the types, or of any
	// Loops makes loop variables possible; nil if they always are.
	Loops func()
	// Mode returns the index of a shader of a mode, register or block.
	Mode func(mode gx2.Mode) int
}

// Others are the shaders of the file but one.
func (h *Holder) others(s *gx2.Shader) (list []*gx2.Shader) {
	for i := range h.Len() {
		if o := h.At(i); o != s {
			list = append(list, o)
		}
	}
	return list
}

// AddRecord adds a record to a table of a shader in the file, with a name that no other shader has. Mode
// register has no blocks: the record is a sampler then.
func (h *Holder) AddRecord(s *gx2.Shader, table int) {
	if table == BlockTable && s.Mode == gx2.ModeRegister {
		table = SamplerTable
	}
	blocks := len(s.Blocks)
	h.Drawer.AddRecord(s, table)
	for i := range s.Blocks[blocks:] {
		h.Unshare(s, &s.Blocks[blocks+i].Name)
	}
	if n := len(s.Uniforms); table == UniformTable && s.Uniforms[n-1].Block >= 0 { // which may have grown
		h.Unshare(s, &s.Blocks[s.Uniforms[n-1].Block].Name)
	}
	if list := Tables[table].Names; Tables[table].Named {
		names := list(s)
		h.Unshare(s, names[len(names)-1])
	}
}

// Unshare gives a record another name if another shader has a record with its name.
func (h *Holder) Unshare(s *gx2.Shader, name *wire.Text) {
	for _, o := range h.others(s) {
		if slices.ContainsFunc(Names(o), func(n *wire.Text) bool { return *n == *name }) {
			rename(s, name, h.others(s)...)
			s.Layout = nil
			return
		}
	}
}

// ShaderOf returns the index of a shader of one of the types, or of any.
func (h *Holder) ShaderOf(types ...gx2.Type) int {
	find := func() (list []int) {
		for i := range h.Len() {
			if len(types) == 0 || slices.Contains(types, h.At(i).Type) {
				list = append(list, i)
			}
		}
		return list
	}
	list := find()
	if len(list) == 0 {
		h.Add(types)
		list = find()
	}
	return gen.Pick(h.C, list)
}

// RecordOf returns a shader and the index of one of its records in a table.
func (h *Holder) RecordOf(table int) (shader, record int) {
	if table == LoopTable && h.Loops != nil {
		h.Loops()
	}
	switch table {
	case AttributeTable:
		shader = h.ShaderOf(gx2.Vertex)
	case BlockTable:
		shader = h.withBlocks()
	default:
		shader = h.ShaderOf()
	}
	s := h.At(shader)
	if Tables[table].Len(s) == 0 {
		h.AddRecord(s, table)
		s.Layout = nil
	}
	return shader, h.C.Below(Tables[table].Len(s))
}

// unshareBlocks gives all blocks of a shader names of their own, as they may grow.
func (h *Holder) unshareBlocks(s *gx2.Shader) {
	for i := range s.Blocks {
		h.Unshare(s, &s.Blocks[i].Name)
	}
}

// withBlocks returns the index of a shader that may have uniform blocks.
func (h *Holder) withBlocks() int {
	var list []int
	for i := range h.Len() {
		if h.At(i).Mode != gx2.ModeRegister {
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		return h.Mode(gx2.ModeBlock)
	}
	return gen.Pick(h.C, list)
}

// Path returns the path of a shader, or of a part of it.
func (h *Holder) Path(shader int, part string) string {
	return fmt.Sprintf("%s[%d]%s", h.List, shader, part)
}

// Named are the tables whose records have names.
var Named = []int{BlockTable, UniformTable, SamplerTable, AttributeTable}

// TablePath returns the path of a table with records.
func (h *Holder) TablePath() string {
	t := gen.Pick(h.C, append([]int{LoopTable}, Named...))
	i, _ := h.RecordOf(t)
	return h.Path(i, "."+Tables[t].Name)
}

// EmptyTablePath returns the path of a table without records, one of some names or another.
func (h *Holder) EmptyTablePath(empty ...string) string {
	i := h.ShaderOf()
	s := h.At(i)
	for t := range Tables {
		if Tables[t].Len(s) == 0 && (t != AttributeTable || s.Type == gx2.Vertex) {
			empty = append(empty, Tables[t].Name)
		}
	}
	return h.Path(i, "."+gen.Pick(h.C, empty))
}

// NamedPath returns the path of a record that has a name.
func (h *Holder) NamedPath() string {
	t := gen.Pick(h.C, Named)
	i, j := h.RecordOf(t)
	return h.Path(i, record(t, j))
}

// record returns the path of a record in its shader.
func record(table, i int) string { return fmt.Sprintf(".%s[%d]", Tables[table].Name, i) }

// RecordPath returns the path, in its shader, of the record with a name; names are numbered over
// all tables.
func RecordPath(s *gx2.Shader, name int) string {
	for _, t := range Named {
		n := Tables[t].Len(s)
		if name < n {
			return record(t, name)
		}
		name -= n
	}
	panic("gx2gen: no such name")
}

// TwinNames gives two records of a table of a shader the same name and returns the path of the
// second.
func (h *Holder) TwinNames() (shader int, path string) {
	t := gen.Pick(h.C, Named)
	shader, _ = h.RecordOf(t)
	s := h.At(shader)
	if Tables[t].Len(s) < 2 {
		h.AddRecord(s, t)
	}
	names := Tables[t].Names(s)
	i, j := h.Pair(len(names))
	*names[j] = *names[i] + gen.Breach[wire.Text](h.C, "", "~")
	return shader, h.Path(shader, record(t, j)+".name")
}

// SameNames gives all uniforms of a shader, 40 of them, one name of n characters and sets their
// pointers to it; the other names are then unused. In a near miss it stops before the names
// take more than 8 times as many bytes as the data of the shader, whose size it is told.
func (h *Holder) SameNames(f *Fields, n func(s *gx2.Shader) int, size func(shader int) int) (shader int) {
	const uniforms = 40
	shader, _ = h.RecordOf(UniformTable)
	s := h.At(shader)
	for len(s.Uniforms) < uniforms {
		h.AddRecord(s, UniformTable)
	}
	s.Uniforms[0].Name = h.Letters(n(s))
	name := func(j int) string { return h.Path(shader, record(UniformTable, j)+".name") }
	f.Write()
	s = h.At(shader)
	total := 0
	for _, text := range Names(s) {
		total += len(*text) + 1
	}
	for j, uniform := range s.Uniforms {
		total += len(s.Uniforms[0].Name) - len(uniform.Name)
		if total > 8*size(shader) && h.C.Near() {
			break
		}
		f.Set(name(j), f.Get(name(0)))
	}
	return shader
}

// SamePlace gives a shader two tables at the same place; the records of one make sense in the
// other.
func (h *Holder) SamePlace(f *Fields) gen.Place {
	i, _ := h.RecordOf(BlockTable)
	s := h.At(i)
	if len(s.Samplers) == 0 {
		h.AddRecord(s, SamplerTable)
	}
	for len(s.Blocks) < len(s.Samplers) {
		h.AddRecord(s, BlockTable)
	}
	for len(s.Samplers) < len(s.Blocks) {
		h.AddRecord(s, SamplerTable)
	}
	blocks := h.Path(i, ".blocks.offset")
	f.Set(blocks, gen.Only(h.C, f.Get(h.Path(i, ".samplers.offset")), f.Get(blocks)))
	return f.Place(h.Path(i, ".samplers"))
}

// Fields are the fields of a file that a fault spoils. The first use of a field writes the file, so the fault must draw
// its needs before.
type Fields struct {
	*gen.Draft
	New func() *gen.Draft
}

// Write writes the file as it is drawn so far.
func (f *Fields) Write() {
	if f.Draft == nil {
		f.Draft = f.New()
	}
}

// Off returns the offset of a field.
func (f *Fields) Off(path string) int {
	f.Write()
	return f.Draft.Off(path)
}

// Get returns the number in a field.
func (f *Fields) Get(path string) uint32 {
	f.Write()
	return uint32(f.Draft.Get(path))
}

// Set writes a number to a field.
func (f *Fields) Set(path string, v uint32) {
	f.Write()
	f.Draft.Set(path, uint64(v))
}

// Place returns the place of a field.
func (f *Fields) Place(path string) gen.Place {
	f.Write()
	return f.Draft.Place(path)
}

// Pair returns the place of a field and of the field behind it, which belongs to it.
func (f *Fields) Pair(path string) gen.Place {
	at := f.Place(path)
	at.Len *= 2
	return at
}
