package convert

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/pica"
)

// toZPSH returns a program as a ZPSH file.
func toZPSH(f *shbin.File, revision zpsh.Revision, r *Report) (*zpsh.File, error) {
	z := &zpsh.File{Revision: revision, Code: f.Program.Code, Entries: make([]zpsh.Entry, len(f.Entries))}
	programToZPSH(&f.Program, z, r)
	names := make([]string, len(f.Entries))
	for i := range f.Entries {
		e := entryToZPSH{dvle: &f.Entries[i], index: i, Report: r}
		if revision >= zpsh.R4 {
			e.entry.HeaderWords = entryWords
		}
		if err := e.convert(len(f.Program.Code)); err != nil {
			return nil, err
		}
		z.Entries[i], names[i] = e.entry, e.name
	}
	makeUnique(names, r)
	z.SetNames(names...)
	return z, nil
}

// programToZPSH converts what all entry points share.
func programToZPSH(p *shbin.DVLP, z *zpsh.File, r *Report) {
	if p.Version != 0 {
		r.dropped("dvlp.version", fmt.Sprintf("0x%x", p.Version), "ZPSH has no tool versions")
	}
	for i, d := range p.Descriptors {
		z.Descriptors = append(z.Descriptors, d.Word)
		if d.Flags != 0 {
			r.dropped(item("dvlp.descriptors", i, "flags"), fmt.Sprintf("0x%x", d.Flags), "ZPSH has one word for each descriptor")
		}
	}
	if len(p.Lines) > 0 {
		r.dropped("dvlp.lines", count(len(p.Lines), "line"), "ZPSH has no source lines")
	}
	if n := len(p.FileNames) - len(referenced(p.FileNames, lineReferences(slices.Clone(p.Lines)))); n > 0 {
		r.dropped("dvlp.file_names", count(n, "byte"), "ZPSH has no source files")
	}
}

// makeUnique invents the names that are missing and changes those that would
// not be found: readers of a ZPSH take the first entry of a name.
func makeUnique(names []string, r *Report) {
	taken := make(map[string]bool, len(names))
	repeated := make([]bool, len(names))
	for i, name := range names {
		repeated[i] = taken[name]
		taken[name] = name != ""
	}
	free := func(stem string, n int) (string, int) {
		name := stem
		for ; taken[name]; n++ {
			name = stem + strconv.Itoa(n+1)
		}
		taken[name] = true
		return name, n
	}
	next := make(map[string]int)
	for i, name := range names {
		switch {
		case name == "":
			names[i], next["main"] = free("main", max(next["main"], 1))
			r.invented(item("entries", i, "name"), quote(names[i]), "no label names the entry point, and a ZPSH finds entries by name")
		case repeated[i]:
			names[i], next[name] = free(name, max(next[name], 1))
			r.changed(item("dvle", i, "labels"), quote(name), quote(names[i]), "an earlier entry point has the name, and a ZPSH finds entries by name")
		}
	}
}

// entryToZPSH is an entry point on its way.
type entryToZPSH struct {
	*Report
	dvle  *shbin.DVLE
	index int
	entry zpsh.Entry
	name  string
}

func (e *entryToZPSH) path(field string) string { return item("dvle", e.index, field) }

func (e *entryToZPSH) at(table string, i int, field string) string {
	return item(e.path(table), i, field)
}

func (e *entryToZPSH) convert(codeLength int) error {
	d := e.dvle
	e.entry.Instruction = uint16(d.Entry)
	for _, field := range [...]struct {
		name     string
		n, plain uint64
		why      string
	}{
		{"version", uint64(d.Version), 0, "ZPSH has no tool versions"},
		{"merge", uint64(d.Merge), 0, "ZPSH does not say whether output maps are merged"},
		{"end", uint64(d.End), uint64(codeLength), "ZPSH does not say where a procedure ends"},
		{"input_mask", uint64(d.InputMask), 0, "ZPSH does not declare inputs"},
	} {
		if field.n != field.plain {
			e.dropped(e.path(field.name), fmt.Sprintf("0x%x", field.n), field.why)
		}
	}
	if err := e.info(); err != nil {
		return err
	}
	e.constants()
	e.outputs()
	e.labels()
	e.uniforms()
	return nil
}

// info converts the type and the geometry parameters.
func (e *entryToZPSH) info() error {
	g := e.dvle.Geometry
	used := shbin.Geometry{Mode: g.Mode}
	if e.dvle.Type == shbin.VertexShader {
		used, e.entry.Info = shbin.Geometry{}, zpsh.VertexInfo()
	} else {
		switch g.Mode {
		case shbin.Point:
			n := e.inputs()
			e.entry.Info = zpsh.PointInfo(n)
			e.invented(item("entries", e.index, "info"), count(n, "input"), "ZPSH wants the number of inputs; a DVLE has none, these are its declared inputs, at least 1")
		case shbin.Variable:
			if g.Variable > 31 {
				return refuse(e.path("geometry.variable_count"), "%d full vertices do not fit, a ZPSH has at most 31", g.Variable)
			}
			used.Variable = g.Variable
			e.entry.Info = zpsh.VariableInfo(int(g.Variable))
			e.changed(e.path("geometry.variable_count"), fmt.Sprint(g.Variable), fmt.Sprint(g.Variable), "the same number, but zitrus gives it to the GPU as it is, libctru less 1; which is right is unknown")
		case shbin.Fixed:
			if g.Fixed < 1 || g.Fixed > 16 {
				return refuse(e.path("geometry.fixed_count"), "%d vertices do not fit, a ZPSH has 1 to 16", g.Fixed)
			}
			used.First, used.Fixed = g.First, g.Fixed
			e.entry.Info = zpsh.FixedInfo(int(g.Fixed), int(g.First))
		}
	}
	if g != used {
		e.dropped(e.path("geometry"), fmt.Sprintf("%v, first %d, variable count %d, fixed count %d", g.Mode, g.First, g.Variable, g.Fixed), "ZPSH has only the parameters that its mode uses")
	}
	return nil
}

// inputs returns how many input registers are declared, at least 1.
func (e *entryToZPSH) inputs() int {
	n := 1
	for k := range pica.NumInputs {
		if e.dvle.InputMask>>k&1 != 0 {
			n = k + 1
		}
	}
	return n
}

// constants converts the constants: of several for a register the last.
func (e *entryToZPSH) constants() {
	table := e.dvle.Constants
	loaded := make(map[[2]uint8]int)
	for k, c := range table {
		id := [2]uint8{uint8(c.Type), c.Register}
		if first, again := loaded[id]; again {
			e.dropped(e.at("constants", first, ""), showConstant(table[first]), fmt.Sprintf("constants[%d] is loaded over it", k))
		}
		loaded[id] = k
	}
	ordered, previous := true, shbin.Constant{}
	for k, c := range table {
		if loaded[[2]uint8{uint8(c.Type), c.Register}] != k {
			continue
		}
		e.constant(k, c)
		ordered = ordered && compareConstants(previous, c) <= 0
		previous = c
	}
	slices.SortFunc(e.entry.Ints, func(a, b zpsh.Int) int { return cmp.Compare(a.Register, b.Register) })
	slices.SortFunc(e.entry.Floats, func(a, b zpsh.Float) int { return cmp.Compare(a.Register, b.Register) })
	if !ordered {
		e.changed(e.path("constants"), "", "", "ZPSH orders constants by register")
	}
}

// constant converts one constant and says which bytes of it mean nothing.
func (e *entryToZPSH) constant(k int, c shbin.Constant) {
	read := shbin.Constant{Type: c.Type, Register: c.Register}
	switch w := c.Payload.Words(); c.Type {
	case shbin.Bool:
		set := w[0]&1 != 0
		if set {
			e.entry.Bools |= 1 << c.Register
		} else {
			e.dropped(e.at("constants", k, ""), showConstant(c), "ZPSH does not tell false from no constant")
		}
		read = shbin.BoolConstant(c.Register, set)
	case shbin.Int:
		v := [4]uint8(c.Payload[:4])
		e.entry.Ints = append(e.entry.Ints, zpsh.Int{Register: c.Register, Value: v})
		read = shbin.IntConstant(c.Register, v[0], v[1], v[2], v[3])
	case shbin.Float:
		for i := range w {
			w[i] &= 1<<24 - 1
		}
		e.entry.Floats = append(e.entry.Floats, zpsh.Float{Register: c.Register, Value: w})
		read = shbin.FloatConstant(c.Register, w[0], w[1], w[2], w[3])
	}
	if c.Payload != read.Payload {
		e.changed(e.at("constants", k, "payload"), fmt.Sprintf("%x", c.Payload), fmt.Sprintf("%x", read.Payload), "ZPSH holds the bits that are loaded and no others")
	}
}

// compareConstants orders constants as a ZPSH does.
func compareConstants(a, b shbin.Constant) int {
	return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Register, b.Register))
}

func showConstant(c shbin.Constant) string {
	register := strconv.Itoa(int(c.Register))
	switch w := c.Payload.Words(); c.Type {
	case shbin.Bool:
		return fmt.Sprintf("b%s = %t", register, w[0]&1 != 0)
	case shbin.Int:
		return fmt.Sprintf("i%s = %v", register, c.Payload[:4])
	default:
		values := make([]string, len(w))
		for i := range w {
			values[i] = wire.Float24(w[i])
		}
		return "c" + register + " = " + strings.Join(values, ", ")
	}
}

// outputs converts the output table to a map for each register.
func (e *entryToZPSH) outputs() {
	d := e.dvle
	maps := make(map[uint16]zpsh.Map)
	var mask uint16
	for k, o := range d.Outputs {
		m, ok := maps[o.Register]
		if !ok {
			m = unusedMap
		}
		m, taken := mapped(m, o)
		maps[o.Register] = m
		mask |= 1 << o.Register
		switch {
		case o.Semantic == shbin.Dummy && o.Mask != allMask:
			e.dropped(e.at("outputs", k, "mask"), showMask(o.Mask), "a map does not say which components the next stage reads")
		case o.Semantic != shbin.Dummy && taken == 0:
			e.dropped(e.at("outputs", k, ""), showOutput(o), "no component has the semantic")
		case o.Semantic != shbin.Dummy && taken != o.Mask:
			e.changed(e.at("outputs", k, "mask"), showMask(o.Mask), showMask(taken), fmt.Sprintf("%v has no more components", o.Semantic))
		}
		if o.Unknown != 0 {
			e.dropped(e.at("outputs", k, "unknown"), fmt.Sprintf("0x%x", o.Unknown), "ZPSH has no place for it")
		}
	}
	if !slices.IsSortedFunc(d.Outputs, compareOutputs) {
		e.changed(e.path("outputs"), "", "", "ZPSH orders outputs by register")
	}
	for k := range pica.NumOutputs {
		if m, ok := maps[uint16(k)]; ok {
			e.entry.Outputs = append(e.entry.Outputs, zpsh.Output{Register: uint8(k), Map: m})
		} else if d.OutputMask>>k&1 != 0 {
			e.entry.Outputs = append(e.entry.Outputs, zpsh.Output{Register: uint8(k), Map: unusedMap})
			e.invented(item(item("entries", e.index, "outputs"), k, ""), "a map of unused components", "the register is in the output mask and not in the output table")
		}
	}
	if mask |= d.OutputMask; mask != d.OutputMask {
		e.changed(e.path("output_mask"), fmt.Sprintf("0x%x", d.OutputMask), fmt.Sprintf("0x%x", mask), "a ZPSH outputs the registers of its maps, and these the output table has")
	}
}

// defaultLabel is the label that an entry's name is converted to.
func defaultLabel(word uint32) shbin.Label {
	return shbin.Label{Flags: 1, Word: word, Length: shbin.NoLength}
}

// labels names the entry by its label: the last one at its word, since earlier
// ones may end what is before.
func (e *entryToZPSH) labels() {
	table, index := e.dvle.Labels, wire.NewStrings(e.dvle.Symbols)
	naming := -1
	for k, l := range table {
		if l.Word == e.dvle.Entry {
			naming = k
		}
	}
	for k, l := range table {
		b, _ := index.Lookup(uint64(l.Name))
		switch plain := defaultLabel(l.Word); {
		case k != naming:
			e.dropped(e.at("labels", k, ""), showLabel(b, l), "ZPSH names entries only")
			continue
		case k > 0 || l.ID != plain.ID || l.Flags != plain.Flags || l.Length != plain.Length:
			e.dropped(e.at("labels", k, ""), showLabel(b, l), "ZPSH keeps the name only")
		}
		if e.name = strings.ToValidUTF8(string(b), "\uFFFD"); e.name != string(b) {
			e.changed(e.at("labels", k, "name"), quote(b), quote(e.name), "names in a ZPSH are UTF-8")
		}
	}
}

func showLabel(name []byte, l shbin.Label) string {
	length := "no length"
	if l.Length != shbin.NoLength {
		length = fmt.Sprintf("length %d", l.Length)
	}
	return fmt.Sprintf("%s at word %d, id %d, flags %d, %s", quote(name), l.Word, l.ID, l.Flags, length)
}

// uniforms says what is lost with the names of registers.
func (e *entryToZPSH) uniforms() {
	index := wire.NewStrings(e.dvle.Symbols)
	for k, u := range e.dvle.Uniforms {
		name, _ := index.Lookup(uint64(u.Name))
		registers := u.First.String()
		if u.Last != u.First {
			registers += "-" + u.Last.String()
		}
		e.dropped(e.at("uniforms", k, ""), quote(name)+" "+registers, "ZPSH names entries only")
	}
	references := tableReferences(&shbin.Tables{Labels: slices.Clone(e.dvle.Labels), Uniforms: slices.Clone(e.dvle.Uniforms)})
	if n := len(e.dvle.Symbols) - len(referenced(e.dvle.Symbols, references)); n > 0 {
		e.dropped(e.path("symbols"), count(n, "byte"), "no name uses them")
	}
}

// tableReferences returns the references to names in tables.
func tableReferences(t *shbin.Tables) []*uint32 {
	var list []*uint32
	for i := range t.Labels {
		list = append(list, &t.Labels[i].Name)
	}
	for i := range t.Uniforms {
		list = append(list, &t.Uniforms[i].Name)
	}
	return list
}
