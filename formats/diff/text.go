package diff

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/pica/asm"
)

// TextLoss assembles the text of one entry point of a file, and names the parts of the file that the new file lacks or
// has otherwise. The list is empty if the file has one entry point and the new file is its canonical form. The code of
// a file with several entry points is not compared: a text has the words that its entry point reaches. The error is the
// assembler's.
func TextLoss(f *shbin.File, entry int, text string) ([]string, error) {
	a, err := asm.Assemble([]asm.Source{{Text: text}}, asm.AssembleOptions{})
	if err != nil {
		return nil, err
	}
	g, err := shbin.FromModule(&a.Module)
	if err != nil {
		return nil, err
	}
	var loss []string
	d, e := &f.DVLEs[entry], &g.DVLEs[0]
	for _, row := range entryFields {
		if x, y := fmt.Sprint(row.of(d)), fmt.Sprint(row.of(e)); x != y {
			loss = append(loss, row.name)
		}
	}
	for _, row := range entryTables {
		x, y := row.of(d), row.of(e)
		switch {
		case slices.Equal(x, y):
		case slices.Equal(sorted(x), sorted(y)):
			loss = append(loss, "order of "+row.name)
		default:
			loss = append(loss, row.name)
		}
	}
	for _, row := range programFields {
		if (row.parts || len(f.DVLEs) == 1) && fmt.Sprint(row.of(&f.DVLP)) != fmt.Sprint(row.of(&g.DVLP)) {
			loss = append(loss, row.name)
		}
	}
	if len(loss) == 0 && len(f.DVLEs) == 1 && !f.Equal(g) {
		loss = append(loss, "the bytes of its symbols")
	}
	return loss, nil
}

var entryFields = []struct {
	name string
	of   func(d *shbin.DVLE) any
}{
	{"version", func(d *shbin.DVLE) any { return d.Version }},
	{"stage", func(d *shbin.DVLE) any { return d.Type }},
	{"merge flag", func(d *shbin.DVLE) any { return d.Merge }},
	{"end word", func(d *shbin.DVLE) any { return int(d.End) - int(d.Entry) }},
	{"input mask", func(d *shbin.DVLE) any { return d.InputMask }},
	{"output mask", func(d *shbin.DVLE) any { return d.OutputMask }},
	{"geometry parameters", func(d *shbin.DVLE) any { return d.Geometry }},
}

var entryTables = []struct {
	name string
	of   func(d *shbin.DVLE) []string
}{
	{"constants", func(d *shbin.DVLE) []string { return texts(d.Constants) }},
	{"labels", func(d *shbin.DVLE) (list []string) {
		for _, l := range d.Labels {
			name, _ := d.Name(l.Name)
			l.Name = 0
			list = append(list, fmt.Sprint(name, l))
		}
		return list
	}},
	{"outputs", func(d *shbin.DVLE) []string { return texts(d.Outputs) }},
	{"symbols", func(d *shbin.DVLE) (list []string) {
		for _, u := range d.Uniforms {
			name, _ := d.Name(u.Name)
			u.Name = 0
			list = append(list, fmt.Sprint(name, u))
		}
		return list
	}},
}

// programFields are compared for a file with several entry points, too, if parts is set.
var programFields = []struct {
	name  string
	parts bool
	of    func(p *shbin.DVLP) any
}{
	{"version of the program", true, func(p *shbin.DVLP) any { return p.Version }},
	{"code", false, func(p *shbin.DVLP) any { return p.Code }},
	{"operand descriptors", true, func(p *shbin.DVLP) any {
		words := make([]uint32, len(p.Descriptors))
		for i, d := range p.Descriptors {
			words[i] = d.Word
		}
		return words
	}},
	{"flags of operand descriptors", true, func(p *shbin.DVLP) any {
		flags := make([]uint32, len(p.Descriptors))
		for i, d := range p.Descriptors {
			flags[i] = d.Flags
		}
		return flags
	}},
	{"source lines", true, func(p *shbin.DVLP) any { return texts(p.Lines) }},
}

// texts returns the entries of a table as text.
func texts[E any](table []E) (list []string) {
	for _, e := range table {
		list = append(list, fmt.Sprintf("%+v", e))
	}
	return list
}

func sorted(list []string) []string {
	return slices.SortedFunc(slices.Values(list), cmp.Compare[string])
}
