package convert

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/pica"
)

// toZPSH returns a program as a ZPSH file.
func toZPSH(f *shbin.File, revision zpsh.Revision, r *Report) (*zpsh.File, error) {
	z := &zpsh.File{Revision: revision, Code: f.DVLP.Code, Entries: make([]zpsh.Entry, len(f.DVLEs))}
	programToZPSH(&f.DVLP, z, r)
	names := make([]string, len(f.DVLEs))
	for i := range f.DVLEs {
		e := entryToZPSH{dvle: &f.DVLEs[i], index: i, Report: r}
		if revision >= zpsh.R4 {
			e.entry.HeaderWords = entryWords
		}
		if err := e.convert(len(f.DVLP.Code)); err != nil {
			return nil, err
		}
		z.Entries[i], names[i] = e.entry, e.name
	}
	makeUnique(names, r)
	z.SetNames(names...)
	gapsOf(f, r)
	return z, nil
}

// programToZPSH converts the fields that all entry points share.
func programToZPSH(p *shbin.DVLP, z *zpsh.File, r *Report) {
	r.droppedFields("dvlp", *p, shbin.DVLP{}, notInZPSH)
	for i, d := range p.Descriptors {
		z.Descriptors = append(z.Descriptors, d.Word)
		if kept := (shbin.Descriptor{Word: d.Word}); d != kept {
			r.droppedFields(item("dvlp.descriptors", i, ""), d, kept,
				reasons{"": "ZPSH has one word for each descriptor"})
		}
	}
	if len(p.Lines) > 0 {
		r.dropped("dvlp.lines", count(len(p.Lines), "line"), "ZPSH has no source lines")
	}
	if n := len(p.FileNames) - len(referenced(p.FileNames, lineReferences(slices.Clone(p.Lines)))); n > 0 {
		r.dropped("dvlp.file_names", count(n, "byte"), "ZPSH has no source files")
	}
}

// notInZPSH has the reasons why a field of a DVLB is lost.
var notInZPSH = reasons{
	"version":    "ZPSH has no tool versions",
	"merge":      "ZPSH does not say whether output maps are merged",
	"end":        "ZPSH does not say where a procedure ends",
	"input_mask": "ZPSH does not declare inputs",
	"":           "ZPSH has no place for it",
}

// entryToZPSH converts an entry point into a ZPSH entry.
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
	e.droppedFields(e.path(""), *d, shbin.DVLE{Type: d.Type, Entry: d.Entry, End: uint32(codeLength),
		OutputMask: d.OutputMask, Geometry: d.Geometry}, notInZPSH)
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
			e.invented(item("entries", e.index, "info"), count(n, "input"),
				"ZPSH wants the number of inputs; a DVLE has none, these are its declared inputs, at least 1")
		case shbin.Variable:
			if g.Variable > 31 {
				return refuse(e.path("geometry.variable_count"), "%d full vertices do not fit, a ZPSH has at most 31",
					g.Variable)
			}
			used.Variable = g.Variable
			e.entry.Info = zpsh.VariableInfo(int(g.Variable))
			e.changed(e.path("geometry.variable_count"), fmt.Sprint(g.Variable), fmt.Sprint(g.Variable),
				"the same number, but zitrus gives it to the GPU as it is, libctru less 1; which is right is unknown")
		case shbin.Fixed:
			if g.Fixed < 1 || g.Fixed > 16 {
				return refuse(e.path("geometry.fixed_count"), "%d vertices do not fit, a ZPSH has 1 to 16", g.Fixed)
			}
			used.First, used.Fixed = g.First, g.Fixed
			e.entry.Info = zpsh.FixedInfo(int(g.Fixed), int(g.First))
		}
	}
	if g != used {
		e.dropped(e.path("geometry"), fmt.Sprintf("%v, first %d, variable count %d, fixed count %d", g.Mode, g.First,
			g.Variable, g.Fixed), "ZPSH has only the parameters that its mode uses")
	}
	return nil
}

// inputs returns the number of declared input registers, at least 1.
func (e *entryToZPSH) inputs() int {
	n := 1
	for k := range pica.NumInputs {
		if e.dvle.InputMask>>k&1 != 0 {
			n = k + 1
		}
	}
	return n
}

// outputs converts the output table: one map for each register.
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
		same := func(p shbin.Output) bool { return p.Register == o.Register && p.Semantic == o.Semantic }
		if first := slices.IndexFunc(d.Outputs[:k], same); first >= 0 && o.Semantic != shbin.Dummy {
			const reason = "a map does not tell two outputs of one register and semantic apart"
			e.changed(e.at("outputs", first, "mask"), showMask(d.Outputs[first].Mask), "", reason)
			e.dropped(e.at("outputs", k, ""), showOutput(o), reason)
		}
		switch {
		case o.Semantic == shbin.Dummy && o.Mask != allMask:
			e.dropped(e.at("outputs", k, "mask"), showMask(o.Mask),
				"a map does not say which components the next stage reads")
		case o.Semantic != shbin.Dummy && taken == 0:
			e.dropped(e.at("outputs", k, ""), showOutput(o), "no component has the semantic")
		case o.Semantic != shbin.Dummy && taken != o.Mask:
			e.changed(e.at("outputs", k, "mask"), showMask(o.Mask), showMask(taken),
				fmt.Sprintf("%v has no more components", o.Semantic))
		}
		if kept := (shbin.Output{Semantic: o.Semantic, Register: o.Register, Mask: o.Mask}); o != kept {
			e.droppedFields(e.at("outputs", k, ""), o, kept, notInZPSH)
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
			e.invented(item(item("entries", e.index, "outputs"), k, ""), "a map of unused components",
				"the register is in the output mask and not in the output table")
		}
	}
	if mask |= d.OutputMask; mask != d.OutputMask {
		e.changed(e.path("output_mask"), fmt.Sprintf("0x%x", d.OutputMask), fmt.Sprintf("0x%x", mask),
			"a ZPSH outputs the registers of its maps, and these the output table has")
	}
}
