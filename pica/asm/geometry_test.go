package asm_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// TestGeometryParameters: the text of a geometry program has its parameters, or says that it has not.
func TestGeometryParameters(t *testing.T) {
	view := []pica.Symbol{{Name: "view", Class: 'c', First: 8, Last: 11}}
	low := []pica.Symbol{{Name: "view", Class: 'c', First: 0, Last: 3}}
	// The console's own register, which the assembler does not give away by itself.
	system := []pica.Symbol{{Name: "more", Class: 'b', First: 13, Last: 15}}
	for _, c := range []struct {
		parameters pica.GeometryParameters
		uniforms   []pica.Symbol
		directive  string
		lost       bool
	}{
		{pica.GeometryParameters{}, view, ".gsh", false},
		{pica.GeometryParameters{Mode: pica.GeometryVariable, Variable: 4}, view, ".gsh variable c8 4", false},
		{pica.GeometryParameters{Mode: pica.GeometryFixed, First: 2, Fixed: 3}, view, ".gsh fixed c8 c2 3", false},
		{pica.GeometryParameters{Mode: pica.GeometryFixed, Fixed: 3}, nil, ".gsh fixed c1 c0 3", false},
		{pica.GeometryParameters{Mode: pica.GeometryFixed, First: 5, Fixed: 3}, low, ".gsh fixed c6 c5 3", false},
		{pica.GeometryParameters{}, system, ".gsh", false},
		{pica.GeometryParameters{Mode: pica.GeometryVariable, Variable: 4}, system, ".gsh variable c0 4", false},
		{pica.GeometryParameters{Mode: pica.GeometryFixed, First: 2, Fixed: 3}, system, ".gsh fixed c3 c2 3", false},
		{pica.GeometryParameters{Mode: pica.GeometryFixed, First: 95, Fixed: 3}, nil, ".gsh", true},
		{pica.GeometryParameters{Mode: pica.GeometryVariable, First: 1, Variable: 4}, view, ".gsh variable c8 4", true},
		{pica.GeometryParameters{First: 5}, view, ".gsh", true},
		{pica.GeometryParameters{Mode: 3}, view, ".gsh", true},
	} {
		s := pica.Shader{Program: pica.Program{Code: []uint32{uint32(pica.END) << 26}}, Stage: pica.Geometry,
			Geometry: c.parameters, Uniforms: c.uniforms}
		for _, o := range []asm.Options{{}, {Structured: true}, {Pretty: true}} {
			var b strings.Builder
			if err := asm.Disassemble(&b, &s, o); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(b.String(), "\n"+c.directive+"\n") {
				t.Errorf("%+v: want %q in\n%s", c.parameters, c.directive, &b)
			}
			if lost := strings.Contains(b.String(), "does not carry"); lost != c.lost {
				t.Errorf("%+v: loss stated: %t, want %t", c.parameters, lost, c.lost)
			}
			a, err := asm.Assemble([]asm.Source{{Text: b.String()}}, asm.AssembleOptions{})
			if err != nil {
				t.Fatalf("%+v: %v in\n%s", c.parameters, err, &b)
			}
			if got := a.Entries[0].Geometry; (got != c.parameters) != c.lost {
				t.Errorf("%+v: assembled again: %+v", c.parameters, got)
			}
			if got := a.Entries[0].Symbols; !slices.Equal(got, c.uniforms) {
				t.Errorf("%+v: assembled again: %+v, want %+v", c.parameters, got, c.uniforms)
			}
		}
	}
}
