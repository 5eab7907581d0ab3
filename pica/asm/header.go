package asm

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// writeHeader writes the directives in front of the instructions.
func (l *listing) writeHeader(w io.Writer) {
	s, labels := l.shader, l.labels
	kind := "vertex"
	if s.Stage == pica.Geometry {
		kind = "geometry"
	}
	name := ""
	if s.Name != "" {
		name = " " + quoted(s.Name)
	}
	fmt.Fprintf(w, "; %s program%s: words %d, operand descriptors %d, output mask 0x%04x\n",
		kind, name, len(s.Code), len(s.Descriptors), s.OutMask)
	if s.Stage == pica.Geometry {
		writeGeometry(w, s)
	} else if len(s.Code) > pica.MaxVertexCode {
		fmt.Fprintf(w, ".limit %d\n", pica.MaxCode)
	}
	entry := cmp.Or(l.entryProcedure(), labels[s.Entry], strconv.Itoa(s.Entry))
	fmt.Fprintf(w, ".entry %s\n", entry)
	writeSymbols(w, slices.Concat(s.Inputs, s.Uniforms), labels)
	taken := newOutputTable(Default)
	for _, o := range s.Outputs {
		writeOutput(w, o, s.Stage, &taken)
	}
	for _, u := range s.Floats {
		writeFloats(w, u, l.Pretty)
	}
	for _, k := range slices.Sorted(maps.Keys(s.Ints)) {
		v := s.Ints[k]
		fmt.Fprintf(w, "%s.seti i%d(%d, %d, %d, %d)\n", outside('i', k), k, v[0], v[1], v[2], v[3])
	}
	for _, k := range slices.Sorted(maps.Keys(s.Bools)) {
		fmt.Fprintf(w, "%s.setb b%d %t\n", outside('b', k), k, s.Bools[k])
	}
	for k, d := range s.Descriptors {
		if !l.form.descriptors {
			break
		}
		fmt.Fprintf(w, ".opdesc 0x%08x ; %3d: %s\n", d, k, describe(pica.Descriptor(d)))
	}
	for _, label := range s.Labels {
		if labels[label.Word] != label.Name && !l.taken[label.Name] {
			fmt.Fprintf(w, "; label %s at word %d\n", quoted(label.Name), label.Word)
		}
	}
	fmt.Fprintln(w)
}

// writeGeometry writes the .gsh directive. Parameters that it cannot carry become a comment.
func writeGeometry(w io.Writer, s *pica.Shader) {
	g, first := s.Geometry, firstUniform(s)
	var text string
	carried := pica.GeometryParameters{Mode: g.Mode}
	switch g.Mode {
	case pica.GeometryVariable:
		carried.Variable = g.Variable
		text = fmt.Sprintf(".gsh variable c%d %d", first, g.Variable)
	case pica.GeometryFixed:
		first = max(first, int(g.First)+1)
		carried.First, carried.Fixed = g.First, g.Fixed
		text = fmt.Sprintf(".gsh fixed c%d c%d %d", first, g.First, g.Fixed)
	}
	if text == "" || first >= pica.NumFloats {
		text, carried = ".gsh", pica.GeometryParameters{}
	}
	if carried != g {
		fmt.Fprintf(w, "; geometry parameters that the text does not carry: mode %d, first %d, variable %d, fixed %d\n",
			g.Mode, g.First, g.Variable, g.Fixed)
	}
	fmt.Fprintln(w, text)
}

// firstUniform returns the lowest float uniform that has a name; 0 if there is none.
func firstUniform(s *pica.Shader) int {
	first := pica.NumFloats
	for _, u := range s.Uniforms {
		if u.Class == 'c' {
			first = min(first, max(u.First, 0))
		}
	}
	if first == pica.NumFloats {
		return 0
	}
	return first
}

// symbolDirectives are the directives that name registers, by class.
var symbolDirectives = map[byte]string{'v': ".in", 'c': ".fvec", 'i': ".ivec", 'b': ".bool"}

// declarable reports whether a directive can declare a symbol whose name is not
// yet taken, and returns the directive and the name of the source text.
func declarable(s pica.Symbol, taken map[string]bool) (directive, name string, ok bool) {
	directive, ok = symbolDirectives[s.Class]
	name = symbolName(s.Name)
	return directive, name, ok && isName(name) && !taken[name] &&
		s.First >= 0 && s.Last >= s.First && s.Last < registerCounts[s.Class]
}

// writeSymbols declares registers by name. A symbol that a directive cannot
// carry, or whose name is in use already, becomes a comment.
func writeSymbols(w io.Writer, symbols []pica.Symbol, labels map[int]string) {
	taken := make(map[string]bool, len(symbols)+len(labels))
	for _, name := range labels {
		taken[name] = true
	}
	for _, s := range symbols {
		directive, name, ok := declarable(s, taken)
		if !ok {
			fmt.Fprintf(w, "; symbol %s: registers %d to %d of %q\n", quoted(s.Name), s.First, s.Last, s.Class)
			continue
		}
		taken[name] = true
		size := ""
		if s.Last > s.First {
			size = fmt.Sprintf("[%d]", s.Last-s.First+1)
		}
		fmt.Fprintf(w, "%s %s%s %c%d\n", directive, name, size, s.Class, s.First)
	}
}

// writeOutput declares an output. An output that a directive cannot carry becomes a
// comment.
func writeOutput(w io.Writer, o pica.Output, stage pica.Stage, taken *outputTable) {
	_, known := properties[o.Semantic]
	if !known || o.Register < 0 || o.Mask > 15 || taken.add(o, stage, true) != "" {
		fmt.Fprintf(w, "; output %s: register %d, mask 0x%x\n", quoted(o.Semantic), o.Register, o.Mask)
		return
	}
	fmt.Fprintf(w, ".out - %s o%d%s\n", o.Semantic, o.Register, appendMask(nil, reverse4(o.Mask)))
}

// reverse4 turns a mask with x in bit 0 into one with x in bit 3.
func reverse4(mask uint8) (r uint8) {
	for k := range 4 {
		r |= mask >> k & 1 << (3 - k)
	}
	return r
}

// outside turns a directive for a register that does not exist into a comment.
func outside(class byte, register int) string {
	if register < 0 || register >= registerCounts[class] {
		return "; no such register: "
	}
	return ""
}

// writeFloats writes the constants of an upload.
func writeFloats(w io.Writer, u pica.Upload, decimals bool) {
	directive, value := ".setf32", u.Format.Decimal
	if u.Format == pica.Float24 {
		directive = ".setf24"
	}
	for k, v := range u.Values {
		register := u.Register + k
		if text, ok := decimal(u.Format, v); ok && decimals {
			fmt.Fprintf(w, "%s.setf c%d(%s)\n", outside('c', register), register, text)
			continue
		}
		fmt.Fprintf(w, "%s%s c%d(0x%x, 0x%x, 0x%x, 0x%x) ; %s, %s, %s, %s\n",
			outside('c', register), directive, register,
			v[0], v[1], v[2], v[3], value(v[0]), value(v[1]), value(v[2]), value(v[3]))
	}
}

// describe spells out an operand descriptor: mask, then the three operands.
func describe(d pica.Descriptor) string {
	b := appendMask(nil, d.Mask())
	for k := range 3 {
		b = append(b, ' ')
		if d.Negate(k) {
			b = append(b, '-')
		}
		for slot := range 4 {
			b = append(b, components[d.Selector(k, slot)])
		}
	}
	if d>>31 != 0 {
		b = append(b, " bit 31"...)
	}
	return string(b)
}

// decimal returns the components of a float24 vector as decimal numbers, if they
// assemble to the same patterns.
func decimal(f pica.NumberFormat, v pica.Vec4) (string, bool) {
	a := &assembler{}
	parts := make([]string, len(v))
	for k, x := range v {
		parts[k] = f.Decimal(x)
		if again, err := a.float(text{s: parts[k]}); err != nil || again != x || f != pica.Float24 {
			return "", false
		}
	}
	return strings.Join(parts, ", "), true
}
