package gx2

import (
	"encoding/binary"
	"fmt"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// Source is the place of a shader in its container.
type Source struct {
	Type  Type // must be known
	Data  []byte
	Order binary.ByteOrder
	Off   uint64    // of Data in the file
	Path  diag.Path // of the shader: "binaries[3]"
	GFD   *GFD      // the data is a header block of a GFD file, in big-endian order
}

// Reader reads shaders. It keeps memory from one to the next.
type Reader struct {
	*diag.Reporter
	walk walk
}

// Read reads a shader into s and checks GX2001 to GX2048, and GX2049 after them; in a GFD file also [GFDRules]. GX2021
// is about several shaders and is not checked. It returns false, and s is incomplete, if a rule of severity error is
// broken. The shader refers to src.Data.
func (r *Reader) Read(s *Shader, src Source) bool {
	w := &r.walk
	*w = walk{
		Reporter: r.Reporter, src: src, View: wire.In(src.Order, src.Data),
		form: &structures[src.Type], shader: s, layout: new(Layout), scratch: w.scratch,
	}
	*s = Shader{Type: src.Type, Layout: w.layout}
	w.all()
	return !w.failed
}

// Broken reports whether tables or names of the shader that was read last are not
// known, or overlap.
func (r *Reader) Broken() bool { return r.walk.broken }

// TooManyNames reports whether the names of the shader that was read last are over
// the limit; from there on they have no text.
func (r *Reader) TooManyNames() bool { return r.walk.nameBytes.Over() }

// ReportNames reports that the names of a shader are over the limit: GX2049, which
// is evaluated behind all other rules and only if none of severity Error is broken.
func (r *Reader) ReportNames(src Source) {
	size := uint64(len(src.Data))
	at := diag.Place{Off: src.Off, Len: size, Path: src.Path}
	r.Report("GX2049", at, diag.Value{Format: "names of at most %d bytes", N: wire.NewNameTotal(size).Limit},
		diag.Text("more"))
}

// walk is one shader being read.
type walk struct {
	*diag.Reporter
	src Source
	wire.View
	form   *structure
	shader *Shader
	layout *Layout
	failed bool
	broken bool            // tables or names are not known, or parts overlap
	sized  [2]bool         // code and copy program are inside the data
	placed [numTables]bool // the table has records and they are inside the data
	prefix string          // of paths, once made

	nameBytes wire.NameTotal
	textOff   uint32 // in the data, of textCopy
	textCopy  string
	scratch
}

// scratch is memory that one shader after the other uses.
type scratch struct {
	names  []nameRef // in table order
	sorted []uint32  // their indices by start
	shared []uint32  // pairs of a name inside another and that name
	gaps   []Extent  // with bytes that are not zero
	owned  [numTables + 3]part

	fixed   [1]fixed    // the model of the structure
	decoded []wire.Text // the names of a table
}

// all evaluates the rules in their order.
func (w *walk) all() {
	if size := w.Size(); size < w.form.size {
		at := diag.Place{Off: w.src.Off, Len: size, Path: w.src.Path}
		w.fail("GX2001", at, diag.AtLeast(w.form.size), diag.Dec(size))
		return
	}
	w.layout.Size = uint32(w.Size())
	w.shader.Registers = make([]uint32, len(w.form.words))
	w.fixed[0] = fixed{w.shader, w.layout}
	w.form.In(w.Order()).Get(w.B, w.fixed[:])
	w.form.Check(w.Reporter, w.View, 0, w.field)
	w.registers()
	gfd := w.src.GFD
	if gfd == nil {
		w.programs()
	} else {
		w.blocks(gfd)
	}
	w.mode()
	if gfd != nil && gfd.WordsOnly {
		w.layout.Tables = [numTables]Extent{}
		w.trailer()
		return
	}
	w.tables()
	w.trailer()
	if gfd == nil {
		w.contiguous()
	}
	w.findNames()
	w.records()
	if gfd == nil || !w.broken {
		w.coverage()
	}
}

// fail reports a finding that refuses the shader.
func (w *walk) fail(id string, at diag.Place, expected, found diag.Value, related ...diag.Place) {
	w.failed = true
	w.Report(id, at, expected, found, related...)
}

// breaks is fail for a finding after which tables or names are not known.
func (w *walk) breaks(id string, at diag.Place, expected, found diag.Value, related ...diag.Place) {
	w.broken = true
	w.fail(id, at, expected, found, related...)
}

// field is the place of a field of the structure.
func (w *walk) field(name string) diag.Place {
	return w.form.At(w.src.Off, diag.Path{Prefix: w.paths(), Field: name})
}

// word is the place of word i of the structure.
func (w *walk) word(i int) diag.Place { return w.field(w.form.Struct[i].Name) }

// pair is the place of a size or count and the pointer behind it, of which
// either may be wrong.
func (w *walk) pair(count string) diag.Place {
	at := w.field(count)
	at.Len = 8
	return at
}

// record is the place of a record of a table, or of one of its fields.
func (w *walk) record(t table, i int, field string) diag.Place {
	at := w.src.Off + uint64(w.layout.Tables[t].Offset) + tables[t].size*uint64(i)
	return tables[t].fields.At(at, diag.Path{Prefix: w.paths(), Table: tables[t].name, Index: i, Field: field})
}

func (w *walk) paths() string {
	if w.prefix == "" {
		w.prefix = w.src.Path.String() + "."
	}
	return w.prefix
}

// registers checks the words before the program part: GX2002, GX2003.
func (w *walk) registers() {
	words := w.shader.Registers
	for _, a := range w.form.arrays {
		if n := words[a.count]; uint64(n) > uint64(a.len) {
			w.fail("GX2002", w.word(a.count), diag.AtMost(uint64(a.len)), diag.Dec(uint64(n)))
		}
	}
	if w.Strict() {
		return
	}
	for _, a := range w.form.arrays {
		for i := uint64(words[a.count]); i < uint64(a.len); i++ {
			at := a.count + 1 + int(i)
			if v := words[at]; v != a.fills[0] && v != a.fills[1] {
				w.Report("GX2003", w.word(at), diag.Hex(uint64(a.fills[0])), diag.Hex(uint64(v)))
			}
		}
	}
}

// codeAlign is the alignment of code in the file, in bytes.
const codeAlign = 0x100

// programs reads code and copy program: GX2010 to GX2014.
func (w *walk) programs() {
	code, copied := w.layout.Program, w.layout.CopyProgram
	w.sized[0] = w.extent("GX2010", "code_size", "program", code)
	if w.sized[0] && code.Count%8 != 0 {
		w.Report("GX2011", w.field("code_size"), diag.Text("a multiple of 8"), diag.Dec(uint64(code.Count)))
	}
	if w.form.copies {
		w.sized[1] = w.extent("GX2014", "copy_size", "copy_program", copied)
	}
	w.shader.Code = w.code("GX2013", "program", w.sized[0], code)
	w.shader.CopyCode = w.code("GX2014", "copy_program", w.sized[1], copied)
	if !w.sized[0] || w.form.copies && !w.sized[1] {
		return
	}
	end, field := code.End(1), "code_size"
	if copied.End(1) > end {
		end, field = copied.End(1), "copy_size"
	}
	if end != w.Size() {
		w.Report("GX2012", w.field(field), diag.Value{Format: "end at 0x%x", N: w.Size()},
			diag.Value{Format: "end at 0x%x", N: end})
	}
}

// extent reports whether code is inside the data.
func (w *walk) extent(id, size, pointer string, x Extent) bool {
	switch {
	case x.Count == 0:
		w.fail(id, w.field(size), diag.Text("> 0"), diag.Dec(0))
	case uint64(x.Offset) < w.form.size:
		w.fail(id, w.field(pointer), diag.Value{Format: ">= 0x%x", N: w.form.size}, diag.Hex(uint64(x.Offset)))
	case x.End(1) > w.Size():
		w.fail(id, w.pair(size), diag.Value{Format: "end <= 0x%x", N: w.Size()},
			diag.Value{Format: "end 0x%x", N: x.End(1)})
	default:
		return true
	}
	return false
}

// code returns the bytes of code that is inside the data, and reports the rule
// when they are not aligned in the file.
func (w *walk) code(id, pointer string, sized bool, x Extent) []byte {
	if !sized {
		return nil
	}
	if at := w.src.Off + uint64(x.Offset); at%codeAlign != 0 {
		w.fail(id, w.field(pointer), diag.Text("file offset a multiple of 0x100"),
			diag.Value{Format: "file offset 0x%x", N: at})
	}
	return w.Bytes(uint64(x.Offset), uint64(x.Count))
}

// mode checks the mode: GX2020.
func (w *walk) mode() {
	if w.shader.Mode > ModeCompute {
		w.fail("GX2020", w.field("mode"), diag.AtMost(uint64(ModeCompute)), diag.Dec(uint64(w.shader.Mode)))
	}
}

// tables checks count and pointer of the tables: GX2030, GSH060, GX2034 or GSH065,
// GX2031, GX2035.
func (w *walk) tables() {
	for t := range w.form.numTables {
		kind, x := &tables[t], &w.layout.Tables[t]
		pointer := x.Offset
		off, tagged := w.src.offset(pointer, tableTag)
		x.Offset = off
		switch {
		case x.Count == 0 && pointer == 0:
			continue
		case x.Count == 0 || pointer == 0:
			w.breaks("GX2030", w.pair(kind.count), pointerWanted(x.Count), diag.Hex(uint64(pointer)))
		case !tagged:
			w.breaks("GSH060", w.field(kind.pointer), tagWanted(tableTag), diag.Hex(uint64(pointer)))
			continue
		case t == initialTable && w.src.GFD == nil:
			w.breaks("GX2034", w.field(kind.count), diag.Dec(0), diag.Dec(uint64(x.Count)))
		default:
			w.placed[t] = w.inData(t, *x)
		}
		if x.Offset%4 != 0 && (t != loopTable || w.src.GFD != nil) {
			w.Report("GX2035", w.field(kind.pointer), diag.Text("a multiple of 4"), diag.Hex(uint64(x.Offset)))
		}
	}
}

// inData reports whether a table is inside the data: GSH065, GX2031.
func (w *walk) inData(t table, x Extent) bool {
	kind := &tables[t]
	if t == initialTable {
		w.Report("GSH065", w.field(kind.count), diag.Dec(0), diag.Dec(uint64(x.Count)))
	}
	switch end := x.End(kind.size); {
	case uint64(x.Offset) < w.form.size:
		w.breaks("GX2031", w.field(kind.pointer), diag.Value{Format: ">= 0x%x", N: w.form.size},
			diag.Hex(uint64(x.Offset)))
	case end > w.Size():
		w.breaks("GX2031", w.pair(kind.count), diag.Value{Format: "end <= 0x%x", N: w.Size()},
			diag.Value{Format: "end 0x%x", N: end})
	default:
		return true
	}
	return false
}

func pointerWanted(count uint32) diag.Value {
	if count == 0 {
		return diag.Text("0, as the count is 0")
	}
	return diag.Value{Format: "a pointer, as the count is %d", N: uint64(count)}
}

// trailer checks the fields after the tables: GX2022 to GX2024.
func (w *walk) trailer() {
	if w.form.streams {
		w.stream()
	}
	for off := w.form.buffers; off < w.form.size; off += 4 {
		if v := w.U32(off); v != 0 {
			w.fail("GX2024", w.word(int(off/4)), diag.Dec(0), diag.Hex(uint64(v)))
		}
	}
}

func (w *walk) stream() {
	out := &w.shader.Stream
	if out.Enabled > 1 {
		w.fail("GX2022", w.field("stream_out"), diag.Text("0 or 1"), diag.Dec(uint64(out.Enabled)))
	}
	for i, stride := range out.Strides {
		at := func() diag.Place { return w.field(fmt.Sprintf("stream_out_stride[%d]", i)) }
		switch {
		case stride%4 != 0:
			w.Report("GX2023", at(), diag.Text("a multiple of 4"), diag.Dec(uint64(stride)))
		case stride != 0 && out.Enabled == 0:
			w.Report("GX2023", at(), diag.Text("0, as stream-out is off"), diag.Dec(uint64(stride)))
		}
	}
}

// contiguous checks that the tables the console's loader swaps are where it
// swaps: GX2033, once a shader. They fill that range unless they overlap, which
// GX2032 tells.
func (w *walk) contiguous() {
	for t, x := range w.layout.Tables {
		if x != (Extent{}) && !w.placed[t] {
			return
		}
	}
	t, end := w.layout.stray(w.form.size)
	if t == numTables {
		return
	}
	severity := diag.Warning
	if !w.Big {
		severity = diag.Error
		w.failed = true
	}
	w.ReportAs(severity, "GX2033", w.field(tables[t].pointer),
		diag.Value{Format: "in the bytes to 0x%x", N: end}, diag.Hex(uint64(w.layout.Tables[t].Offset)))
}

// stray returns the first table that the console's loader swaps although a part of it lies outside the bytes that it
// swaps, and the end of these bytes: behind the structure, as many as the tables have. It returns numTables if no table
// strays.
func (l *Layout) stray(structureSize uint64) (t table, end uint64) {
	end = structureSize
	for t, x := range l.Tables {
		if tables[t].swapped {
			end += uint64(x.Count) * tables[t].size
		}
	}
	for t, x := range l.Tables {
		if tables[t].swapped && x.Count > 0 && x.End(tables[t].size) > end {
			return table(t), end
		}
	}
	return numTables, end
}
