package listing

import (
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/formats/diff"
	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/pica/asm"
)

// FindLoss finds what the text of an entry point does not carry of the file.
func (l *Listing) FindLoss(doc registry.Document) {
	switch f := doc.Model().(type) {
	case *shbin.File:
		if l.CodeOf < 0 && l.Entry >= 0 {
			l.Lost = l.lostOfSHBIN(f)
		}
	case *dvoj.File:
		l.Lost = lostOfDVOJ(f)
	case *zpsh.File:
		if l.Entry >= 0 {
			l.Lost = l.lostOfZPSH(&f.Entries[l.Entry])
		}
	}
}

func (l *Listing) lostOfSHBIN(f *shbin.File) []string {
	loss, err := diff.TextLoss(f, l.Entry, l.text())
	if err != nil {
		return []string{noFile}
	}
	return loss
}

const noFile = "a file: the text does not assemble"

func (l *Listing) text() string {
	var text strings.Builder
	_ = asm.Disassemble(&text, l.Shader, asm.Options{}) // a strings.Builder does not fail
	return text.String()
}

// lostOfDVOJ names what a SHBIN has no place for. Nobody knows where an object has the parameters of a geometry
// program; the unknown word of its header is the candidate.
func lostOfDVOJ(f *dvoj.File) (lost []string) {
	if f.Type == shbin.GeometryShader {
		lost = append(lost, fmt.Sprintf("geometry parameters (unknown where; the word 0x0c is 0x%08x)", f.Unknown))
	}
	if f.Merge != 0 {
		lost = append(lost, "merge flag")
	}
	if len(f.Relocations) > 0 {
		lost = append(lost, fmt.Sprintf("relocations (%d)", len(f.Relocations)))
	}
	if len(f.Lines) > 0 {
		lost = append(lost, "source lines")
	}
	return lost
}

// lostOfZPSH names what the directive .gsh has no place for.
func (l *Listing) lostOfZPSH(e *zpsh.Entry) (lost []string) {
	a, err := asm.Assemble([]asm.Source{{Text: l.text()}}, asm.AssembleOptions{})
	switch {
	case err != nil:
		return []string{noFile}
	case a.Entries[0].Geometry != l.Shader.Geometry:
		lost = append(lost, "geometry parameters")
	}
	if e.Info.Type() == zpsh.GeometryPoint {
		lost = append(lost, fmt.Sprintf("inputs of a primitive (%d)", e.Info.Inputs()))
	}
	if bits := e.Info.Reserved(); bits != 0 {
		lost = append(lost, fmt.Sprintf("reserved bits 0x%04x of the info", uint16(bits)))
	}
	return lost
}
