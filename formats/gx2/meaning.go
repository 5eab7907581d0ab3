package gx2

import (
	"fmt"

	"github.com/picaproof/picaproof/formats/diag"
)

// Placed is a shader with its place in the file.
type Placed struct {
	*Shader
	Off  uint64
	Path diag.Path // "binaries[3]"
}

// Meaning checks the registers, tables and stages of shaders without errors, each alone and against each other. Its
// rules never refuse a file. It keeps memory from one shader to the next.
type Meaning struct {
	*diag.Reporter
	shader Placed
	prefix string // of paths, once made
	spans  []span
	ends   []uint64 // of the uniforms in the registers and in each block
	met    []bool   // the names of the vertex shader that the pixel shader has
}

// Check evaluates GX2050 to GX2063 and GX2065 to GX2068. It returns false when registers have bits
// outside of their fields (GX2067): then nothing else about registers is evaluated, nor should GX2064
// be.
func (m *Meaning) Check(s Placed) (registers bool) {
	m.at(s)
	registers = m.fields()
	m.tables()
	if !registers {
		return false
	}
	switch s.Type {
	case Vertex:
		m.attributes()
		m.outputs()
		m.clear()
	case Pixel:
		m.inputs()
		m.targets()
	case Geometry:
		m.outputs()
	}
	return true
}

// at makes s the shader of the next findings.
func (m *Meaning) at(s Placed) { m.shader, m.prefix = s, "" }

// field is the place of a field of the structure.
func (m *Meaning) field(name string) diag.Place {
	return structures[m.shader.Type].At(m.shader.Off, diag.Path{Prefix: m.paths(), Field: name})
}

// word is the place of a register.
func (m *Meaning) word(i int) diag.Place { return m.field(structures[m.shader.Type].words[i].Name) }

// record is the place of a field of a record.
func (m *Meaning) record(t table, i int, field string) diag.Place {
	at := m.shader.Off + uint64(m.shader.Layout.Tables[t].Offset) + tables[t].size*uint64(i)
	return tables[t].fields.At(at, diag.Path{Prefix: m.paths(), Table: tables[t].name, Index: i, Field: field})
}

func (m *Meaning) paths() string {
	if m.prefix == "" {
		m.prefix = m.shader.Path.String() + "."
	}
	return m.prefix
}

// shows is a value that a function prints, once it is kept.
func shows(text func() string) diag.Value {
	return diag.Value{Show: func(uint64) string { return text() }}
}

func showf(format string, args ...any) diag.Value {
	return shows(func() string { return fmt.Sprintf(format, args...) })
}

// set256 is a set of bytes.
type set256 [4]uint64

func (s *set256) has(v uint32) bool { return v < 256 && s[v/64]>>(v%64)&1 != 0 }

// add adds a byte, and reports whether it is new.
func (s *set256) add(v uint32) bool {
	had := s.has(v)
	s[v/64] |= 1 << (v % 64)
	return !had
}
