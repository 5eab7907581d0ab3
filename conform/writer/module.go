package writer

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/pica"
)

// entryOf returns the tables of a DVLE; s is its shader.
func entryOf(e *shbin.DVLE, s *pica.Shader) pica.EntryPoint {
	g := e.Geometry
	point := pica.EntryPoint{
		Name: s.Name, Stage: s.Stage, First: s.Entry, End: int(e.End), Merge: e.Merge != 0,
		Geometry: pica.GeometryParameters{Mode: pica.GeometryMode(g.Mode), First: g.First, Variable: g.Variable,
			Fixed: g.Fixed},
		InputMask: e.InputMask, OutputMask: e.OutputMask, Outputs: s.Outputs,
		Symbols: slices.Concat(s.Inputs, s.Uniforms),
	}
	for _, c := range e.Constants {
		k := pica.Constant{Class: 'c', Register: int(c.Register), Value: c.Payload.Words()}
		for j := range k.Value {
			k.Value[j] &= 1<<24 - 1
		}
		switch p := c.Payload; c.Type {
		case shbin.Bool:
			k.Class, k.Value = 'b', pica.Vec4{uint32(p[0] & 1)}
		case shbin.Int:
			k.Class, k.Value = 'i', pica.Vec4{uint32(p[0]), uint32(p[1]), uint32(p[2]), uint32(p[3])}
		}
		point.Constants = append(point.Constants, k)
	}
	return point
}

// Parts of the tables that refer to words.
const (
	entryWord  = "entry"
	endWord    = "end"
	labelWords = "labels"
)

// compareTables compares the tables of an entry point. Tables that refer to words are compared
// only if the code is right.
func compareTables(want, got *pica.EntryPoint, a, b *code, d *source.Dialect, right bool) (list findings) {
	whole := !d.Silent
	for _, t := range []struct {
		what, where        string
		expected, observed any // lists in any order
		judged             bool
	}{
		{"stage", "type", want.Stage, got.Stage, true},
		{entryWord, "entry point", a.at(want.First), b.at(got.First), right},
		{"uniforms", "uniform table", symbols(want), symbols(got), true},
		{"outputs", "output table", outputs(want), outputs(got), true},
		{endWord, "end of the entry point", a.at(want.End), b.at(got.End), right && whole},
		// an empty mask says nothing: DVLE011 and DVLE012 warn of it
		{"input mask", "input mask", registerNames("v", want.InputMask), registerNames("v", got.InputMask),
			whole && got.InputMask != 0},
		{"output mask", "output mask", registerNames("o", want.OutputMask), registerNames("o", got.OutputMask),
			whole && got.OutputMask != 0},
		{"merge", "merging of output maps", want.Merge, got.Merge, whole},
		{"geometry", "geometry parameters", want.Geometry, got.Geometry, whole},
	} {
		expected, observed := fmt.Sprint(t.expected), fmt.Sprint(t.observed)
		if lines, ok := t.expected.([]string); ok {
			other := t.observed.([]string)
			expected, observed = beyond(lines, other), beyond(other, lines)
		}
		if t.judged && expected != observed {
			list = append(list, &finding{level: report.WrongTables, what: t.what, where: t.where, expected: expected,
				observed: observed})
		}
	}
	return list
}

func symbols(e *pica.EntryPoint) (lines []string) {
	for _, x := range e.Symbols {
		lines = append(lines, fmt.Sprintf("%s %c%d-%c%d", x.Name, x.Class, x.First, x.Class, x.Last))
	}
	slices.Sort(lines)
	return lines
}

func outputs(e *pica.EntryPoint) (lines []string) {
	for _, o := range e.Outputs {
		lines = append(lines, fmt.Sprintf("o%d.%s %s", o.Register, maskLetters(o.Mask), o.Semantic))
	}
	slices.Sort(lines)
	return lines
}

// beyond returns the first line that a list has more often than another one.
func beyond(list, other []string) string {
	other = slices.Clone(other)
	for _, x := range list {
		i := slices.Index(other, x)
		if i < 0 {
			return x
		}
		other = slices.Delete(other, i, i+1)
	}
	return "nothing more"
}

// compareLabels compares the targets of the labels.
func compareLabels(model *source.Meaning, want *code, s *pica.Shader, got *code) *finding {
	for _, l := range model.Labels {
		i := slices.IndexFunc(s.Labels, func(x pica.Label) bool { return x.Name == l.Name })
		switch {
		case i < 0:
			return &finding{level: report.WrongTables, what: labelWords, where: "label table", expected: l.Name,
				observed: "nothing"}
		case got.at(s.Labels[i].Word) != want.at(l.Word):
			return &finding{level: report.WrongTables, what: labelWords, where: l.Name,
				expected: fmt.Sprintf("instruction %d", want.at(l.Word)),
				observed: fmt.Sprintf("instruction %d, word %d", got.at(s.Labels[i].Word), s.Labels[i].Word)}
		}
	}
	return nil
}
