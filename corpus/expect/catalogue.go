package expect

import (
	"errors"
	"strings"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/microcode"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/pica/asm"
	"github.com/picaproof/picaproof/pica/lint"
)

// Catalogue is the rules of one kind of file: of a format, of programs, or of assembly sources. Those of programs in
// files refuse no file.
type Catalogue struct {
	Name, Title string
	Rules       []diag.Rule
	// Check returns the findings of a vector. For a text they have the offset and the length of
	// their place in it.
	Check func(v corpus.Vector) []diag.Finding
	Text  bool // vectors are assembly sources
}

// Catalogues returns the formats in the order of their names, then programs in files, then
// PICA200 programs, then sources.
func Catalogues() (list []Catalogue) {
	for f := range registry.All() {
		list = append(list, Catalogue{Name: f.Name, Title: f.Title, Rules: f.Rules,
			Check: func(v corpus.Vector) []diag.Finding { return f.Check(v.Data) }})
	}
	list = append(list, Catalogue{Name: "latte", Title: "Programs of GX2 shaders; their errors refuse no file",
		Rules: microcode.Rules, Check: checkCode})
	lints := Catalogue{Name: "lint", Title: "PICA200 programs", Check: lintSource, Text: true}
	for _, r := range lint.Rules {
		severity := diag.Info
		if r.Hazard {
			severity = diag.Warning
		}
		var also []diag.Severity
		if r.Milder {
			also = []diag.Severity{diag.Info}
		}
		lints.Rules = append(lints.Rules, diag.Rule{
			ID: r.ID, Severity: severity, Also: also, Title: r.Title, Text: r.Text, Source: r.Source,
			Class: classNamed(r.Class)})
	}
	sources := Catalogue{Name: "asm", Title: "Assembly sources", Check: assembleSource, Text: true}
	for _, r := range asm.Rules {
		sources.Rules = append(sources.Rules, diag.Rule{
			ID: r.ID, Severity: diag.Error, Title: r.Title, Text: r.Text, Source: r.Source, Class: classNamed(r.Class)})
	}
	return append(list, lints, sources)
}

// checkCode returns the findings about the programs of a GSH.
func checkCode(v corpus.Vector) []diag.Finding {
	f, err := gsh.Parse(v.Data)
	if err != nil {
		return nil
	}
	return microcode.Check(f, f.Regions())
}

// classNamed returns the class of evidence with a name.
func classNamed(name string) diag.SourceClass {
	for c := diag.Hardware; c < diag.Guess; c++ {
		if c.String() == name {
			return c
		}
	}
	return diag.Guess
}

// assemble assembles the source of a vector.
func assemble(v corpus.Vector) (*asm.Assembly, error) {
	dialect := asm.Default
	if v.Dialect == "picasso" {
		dialect = asm.Picasso
	}
	return asm.Assemble([]asm.Source{{Name: v.Name, Text: string(v.Data)}}, asm.AssembleOptions{Dialect: dialect})
}

func assembleSource(v corpus.Vector) (list []diag.Finding) {
	_, err := assemble(v)
	var wrong asm.Errors
	errors.As(err, &wrong)
	for _, e := range wrong {
		f := diag.Finding{Rule: e.Rule, Severity: diag.Error, Msg: e.Message}
		if e.Line > 0 {
			f.Off, f.Len = lineOffset(v.Data, e.Line)+e.Column-1, e.Length
		}
		list = append(list, f)
	}
	return list
}

func lintSource(v corpus.Vector) (list []diag.Finding) {
	a, err := assemble(v)
	if err != nil {
		return nil
	}
	for _, found := range lint.Check(a.Shaders()) {
		f := diag.Finding{Rule: found.Rule, Severity: diag.Info, Msg: found.Message}
		if found.Hazard {
			f.Severity = diag.Warning
		}
		if found.PC >= 0 && found.PC < len(a.Places) {
			f.Off = lineOffset(v.Data, a.Places[found.PC].Line)
			line, _, _ := strings.Cut(string(v.Data[f.Off:]), "\n")
			f.Len = len(line)
		}
		list = append(list, f)
	}
	return list
}

// lineOffset returns the offset of a line, counted from 1.
func lineOffset(text []byte, line int) (offset int) {
	for l := range strings.Lines(string(text)) {
		if line--; line == 0 {
			break
		}
		offset += len(l)
	}
	return offset
}
