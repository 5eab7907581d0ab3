package shbin

import (
	"bytes"

	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

// Name returns the name at an offset of the symbols; ok is false when there is
// no NUL-terminated one. It takes time in proportion to the name; for many
// lookups index the symbols with wire.NewStrings.
func (t *Tables) Name(off uint32) (name string, ok bool) {
	return stringAt(t.Symbols, off)
}

// FileName is Tables.Name for the file names.
func (p *DVLP) FileName(off uint32) (name string, ok bool) {
	return stringAt(p.FileNames, off)
}

func stringAt(table []byte, off uint32) (string, bool) {
	if uint64(off) >= nameLimit(table) {
		return "", false
	}
	name, _, _ := bytes.Cut(table[off:], []byte{0})
	return string(name), true
}

// Shaders returns what each DVLE says about its entry point, in file order.
// Shaders of one file share their program.
func (f *File) Shaders() []pica.Shader {
	program := pica.Program{Code: f.Program.Code, Descriptors: make([]uint32, len(f.Program.Descriptors))}
	for i, d := range f.Program.Descriptors {
		program.Descriptors[i] = d.Word
	}
	shaders := make([]pica.Shader, len(f.Entries))
	for i := range f.Entries {
		shaders[i] = f.Entries[i].shader(program)
	}
	return shaders
}

func (e *DVLE) shader(program pica.Program) pica.Shader {
	s := pica.Shader{
		Program: program,
		Entry:   int(e.Entry),
		Stage:   pica.Stage(e.Type),
		OutMask: e.OutputMask,
		Ints:    make(map[int][4]uint8),
		Bools:   make(map[int]bool),
	}
	for _, c := range e.Constants {
		c.load(&s)
	}
	names := e.names()
	for _, l := range e.Labels {
		label := pica.Label{Name: names(l.Name), Word: int(l.Word), Length: int(l.Length)}
		if l.Length == NoLength {
			label.Length = -1
		}
		if l.Word == e.Entry {
			s.Name = label.Name // the last one: those before may end what is before
		}
		s.Labels = append(s.Labels, label)
	}
	for _, o := range e.Outputs {
		s.Outputs = append(s.Outputs, pica.Output{Semantic: o.Semantic.String(), Register: int(o.Register), Mask: uint8(o.Mask)})
	}
	for _, u := range e.Uniforms {
		class, first, _ := u.First.Class()
		symbol := pica.Symbol{Name: names(u.Name), Class: class, First: first, Last: first + int(u.Last) - int(u.First)}
		if class == 'v' {
			s.Inputs = append(s.Inputs, symbol)
		} else {
			s.Uniforms = append(s.Uniforms, symbol)
		}
	}
	return s
}

// load adds what the constant does before the shader runs.
func (c Constant) load(s *pica.Shader) {
	switch c.Type {
	case Bool:
		s.Bools[int(c.Register)] = c.Payload[0]&1 != 0
	case Int:
		s.Ints[int(c.Register)] = [4]uint8(c.Payload[:4])
	case Float:
		value := pica.Vec4(c.Payload.Words())
		for k := range value {
			value[k] &= 1<<24 - 1
		}
		s.Floats = append(s.Floats, pica.Upload{Register: int(c.Register), Form: pica.Raw24, Values: []pica.Vec4{value}})
	}
}

// names returns a lookup of the entry point's names. All of them are parts of
// one string, so that many references to a long name cost no memory.
func (e *DVLE) names() func(off uint32) string {
	index, all := wire.NewStrings(e.Symbols), string(e.Symbols)
	return func(off uint32) string {
		name, _ := index.Lookup(uint64(off))
		return all[min(int(off), len(all)):][:len(name)]
	}
}
