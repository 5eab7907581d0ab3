package writer

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/pica"
)

// explains maps a rule, or a wrong part, to the parts that the same fault makes wrong. The
// longest prefix of a rule decides.
var explains = map[string][]string{
	"DVLE004": {"stage"}, "DVLE005": {"merge"}, "DVLE006": {"merge", "stage"}, "DVLE007": {"entry", "end"},
	"DVLE008": {"end"}, "DVLE009": {"entry", "end"},
	"DVLE010": {"entry"}, "DVLE011": {"outputs", "output mask"}, "DVLE012": {"uniforms", "input mask"},
	"DVLE01": {"geometry", "stage"},
	"DVLE03": {"constants"}, "DVLE04": {"labels"}, "DVLE05": {"outputs", "output mask"},
	"DVLE06": {"uniforms", "input mask"}, "DVLE07": {"uniforms", "labels"},
	"CODE": {"code", "run"}, "DVLP01": {"code"},
	"uniforms": {"input mask"}, "outputs": {"output mask", "merge"}, "stage": {"geometry", "merge"},
	"entry": {"end", "labels"},
}

// explained returns the parts that a rule or a part explains. known is false for a rule after
// which nothing else of the file can be trusted.
func explained(what string) (parts []string, known bool) {
	best := ""
	for k := range explains {
		if strings.HasPrefix(what, k) && len(k) > len(best) {
			best = k
		}
	}
	return explains[best], best != ""
}

// part returns the part of a file that a finding is about.
func (f *finding) part() string {
	switch f.level {
	case report.WrongMeaning:
		if f.what == "run" {
			return "run"
		}
		return "code"
	case report.WrongConstants:
		return "constants"
	}
	return f.what
}

// compareFile compares a file with the model. The effects of one fault are one finding, as far
// as they can be recognised; other faults are findings of their own. It also returns the warnings about
// the file that change nothing; those that are usual for the dialect are left out.
func compareFile(model *source.Meaning, data []byte, d *source.Dialect) (list findings, harmless []diag.Finding) {
	broken, odd, harmless := sifted(shbin.Check(data), func(rule string) bool { return slices.Contains(d.Allows, rule) })
	if broken != nil {
		if f := shortened(model, data); f != nil { // addresses are beyond its end
			f.note = "the file breaks " + broken.what
			return findings{f}, nil
		}
		return append(findings{broken}, behind(model, data, d, broken.what)...), nil
	}
	file, err := shbin.Parse(data)
	if err != nil {
		return findings{unparsed(err)}, nil
	}
	list = compareModule(model, file, d)
	explains := func(rule string) bool {
		parts, known := explained(rule)
		return known && slices.ContainsFunc(list, func(f *finding) bool { return slices.Contains(parts, f.part()) })
	}
	if i := slices.IndexFunc(odd, func(f *finding) bool { return !explains(f.what) }); i >= 0 {
		list = append(list, odd[i])
	}
	return list, slices.DeleteFunc(harmless, func(f diag.Finding) bool { return explains(f.Rule) })
}

// sifted returns the first error, the warnings that count, and the other warnings about a file.
func sifted(list []diag.Finding, usual func(rule string) bool) (
	broken *finding, odd findings, harmless []diag.Finding) {
	for i := range list {
		switch f := &list[i]; {
		case f.Severity == diag.Error:
			return breaks(f), nil, nil
		case f.Severity == diag.Info || usual(f.Rule):
		case telling[f.Rule]:
			odd = append(odd, breaks(f))
		default:
			harmless = append(harmless, *f)
		}
	}
	return nil, odd, harmless
}

// breaks returns the finding about a file that breaks a rule.
func breaks(f *diag.Finding) *finding {
	return &finding{level: report.InvalidFile, what: f.Rule, where: fmt.Sprintf("%s at %#x", f.Path, f.Off),
		expected: cmp.Or(f.Expected, "nothing to complain of"), observed: f.Msg}
}

// unparsed returns the finding about a file that the strict parser refuses.
func unparsed(err error) *finding {
	return &finding{level: report.InvalidFile, what: "parse", where: "the file", expected: "a file",
		observed: err.Error()}
}

// shortened returns the finding about a file whose code lacks the end of the model's code; nil for any other file.
func shortened(model *source.Meaning, data []byte) *finding {
	file := shbin.Salvage(data)
	if len(file.DVLEs) == 0 {
		return nil
	}
	want, got := newCode(model.Program), newCode(file.Shaders()[0].Program)
	n := len(got.steps)
	if len(got.Code) == 0 || n >= len(want.steps) || len(got.Code) >= len(want.Code) {
		return nil
	}
	for i := range got.steps {
		if got.steps[i].op != want.steps[i].op {
			return nil
		}
	}
	return &finding{level: report.WrongMeaning, what: "missing end of the code",
		where:    fmt.Sprintf("word %d", len(got.Code)),
		expected: want.text(&want.steps[n]), observed: "nothing"}
}

// behind returns the faults of a file besides the broken rule.
func behind(model *source.Meaning, data []byte, d *source.Dialect, rule string) (list findings) {
	parts, known := explained(rule)
	if rule == "DVLB003" {
		data, known = mended(data), true
	}
	if !known {
		return nil
	}
	file := shbin.Salvage(data)
	if len(file.DVLP.Code) == 0 || len(file.DVLEs) == 0 {
		return nil
	}
	if rule == "DVLB003" {
		list, _ = compareWords(model, newCode(model.Program), newCode(file.Shaders()[0].Program), nil)
		return list
	}
	return slices.DeleteFunc(compareModule(model, file, d),
		func(f *finding) bool { return slices.Contains(parts, f.part()) || f.part() == "run" })
}

// mended returns a file with an empty DVLE if it has none.
func mended(data []byte) []byte {
	const header, size = 8, 64
	at := (len(data) + 4 + 3) &^ 3
	out := slices.Concat(data[:4], []byte{1, 0, 0, 0}, binary.LittleEndian.AppendUint32(nil, uint32(at)), data[header:])
	out = append(out, make([]byte, at-len(out)+size)...)
	copy(out[at:], "DVLE")
	return out
}

// compareModule compares the contents of a file with the model.
func compareModule(model *source.Meaning, file *shbin.File, d *source.Dialect) (list findings) {
	shaders := file.Shaders()
	if want, got := len(model.Entries), len(shaders); want != got {
		return findings{{level: report.WrongTables, what: "entry points", where: "entry points",
			expected: fmt.Sprint(want), observed: fmt.Sprint(got)}}
	}
	want, got := newCode(model.Program), newCode(shaders[0].Program)
	var entries []pica.EntryPoint
	var tables []map[register]pica.Vec4
	for i := range shaders {
		entries = append(entries, entryOf(&file.DVLEs[i], &shaders[i]))
		tables = append(tables, constants(&entries[i]))
	}
	words, m := compareWords(model, want, got, tables)
	if len(words) > 0 {
		words[0].note = executed(model, 0, &shaders[0], m)
		list = append(list, words...)
	}
	add := func(i int, more ...*finding) {
		for _, f := range more {
			if f == nil || slices.ContainsFunc(list, func(g *finding) bool {
				parts, _ := explained(g.what)
				return g.part() == f.part() || slices.Contains(parts, f.part())
			}) {
				continue
			}
			if i > 0 {
				f.where += fmt.Sprintf(" of entry point %d", i+1)
			}
			list = append(list, f)
		}
	}
	for i := range shaders {
		add(i, compareTables(&model.Entries[i], &entries[i], want, got, d, len(words) == 0)...)
	}
	for i := range shaders {
		add(i, sharedRegister(entries[i].Constants))
	}
	if len(words) > 0 {
		return list
	}
	add(0, compareLabels(model, want, &shaders[0], got))
	for i := range shaders {
		add(i, compareConstants(model, i, tables[i], m))
	}
	for i := range shaders {
		if len(list) > 0 {
			break
		}
		if note := executed(model, i, &shaders[i], m); note != "" {
			add(i, &finding{level: report.WrongMeaning, what: "run", where: "a run",
				expected: "the outputs of the model", observed: note})
		}
	}
	return list
}
