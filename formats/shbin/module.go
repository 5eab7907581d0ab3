package shbin

import (
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// picassoVersion is the tool version that picasso writes into a DVLE.
const picassoVersion = 0x1002

// FromModule returns the file of an assembled module, in picasso's layout. The
// symbols are the names of the uniforms in the order of the uniform table, with
// "." in place of "$". There are no labels, lines or file names. It fails when an
// output has an unknown semantic.
func FromModule(m *pica.Module) (*File, error) {
	f := &File{DVLP: DVLP{Code: m.Code}}
	for _, word := range m.Descriptors {
		f.DVLP.Descriptors = append(f.DVLP.Descriptors, Descriptor{Word: word})
	}
	for i := range m.Entries {
		e, err := fromEntryPoint(&m.Entries[i])
		if err != nil {
			return nil, err
		}
		f.DVLEs = append(f.DVLEs, e)
	}
	return f, nil
}

func fromEntryPoint(p *pica.EntryPoint) (DVLE, error) {
	e := DVLE{
		Version: picassoVersion, Type: Type(p.Stage), Entry: uint32(p.First), End: uint32(p.End),
		InputMask: p.InputMask, OutputMask: p.OutputMask,
		Geometry: Geometry{Mode(p.Geometry.Mode), p.Geometry.First, p.Geometry.Variable, p.Geometry.Fixed},
	}
	if p.Merge {
		e.Merge = 1
	}
	for _, c := range p.Constants {
		e.Constants = append(e.Constants, fromConstant(c))
	}
	for _, o := range p.Outputs {
		semantic := slices.Index(semanticNames, o.Semantic)
		if semantic < 0 {
			return e, fmt.Errorf("shbin: no output can be %q", o.Semantic)
		}
		e.Outputs = append(e.Outputs,
			Output{Semantic: Semantic(semantic), Register: uint16(o.Register), Mask: uint16(o.Mask)})
	}
	for _, s := range p.Symbols {
		class := slices.IndexFunc(classes[:], func(c registerClass) bool { return c.letter == s.Class })
		first := classes[class].first + Register(s.First)
		e.Uniforms = append(e.Uniforms, Uniform{uint32(len(e.Symbols)), first, first + Register(s.Last-s.First)})
		e.Symbols = append(append(e.Symbols, strings.ReplaceAll(s.Name, "$", ".")...), 0)
	}
	return e, nil
}

func fromConstant(c pica.Constant) Constant {
	register, v := uint8(c.Register), c.Value
	switch c.Class {
	case 'b':
		return BoolConstant(register, v[0] != 0)
	case 'i':
		return IntConstant(register, uint8(v[0]), uint8(v[1]), uint8(v[2]), uint8(v[3]))
	}
	return FloatConstant(register, v[0], v[1], v[2], v[3])
}
