package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/corpus/expect"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/pica/asm"
	"github.com/picaproof/picaproof/pica/lint"
)

// An example is the two sources of a rule of programs or of assembly sources.
type example struct{ breaks, keeps, dialect string }

// examples are the sources of each catalogue, in the order of its rules. The tables of the rules
// have them.
var examples = map[string][]example{}

func init() {
	for _, r := range lint.Rules {
		examples["lint"] = append(examples["lint"], example{breaks: r.Breaks, keeps: r.Keeps})
	}
	for _, r := range asm.Rules {
		e := example{breaks: r.Breaks, keeps: r.Keeps}
		if r.Dialect == asm.Picasso {
			e.dialect = "picasso"
		}
		examples["asm"] = append(examples["asm"], e)
	}
}

// sources makes the vectors of a catalogue of texts.
func sources(c *expect.Catalogue) (vectors, error) {
	list := vectors{}
	var errs []error
	for k, r := range c.Rules {
		e := examples[c.Name][k]
		wrong := corpus.Vector{Dialect: e.dialect, Data: []byte(e.breaks + "\n")}
		errs = append(errs, list.pair(c, r, wrong, []byte(e.keeps+"\n"), "the source without the mistake"))
	}
	return list, errors.Join(errs...)
}

// pair adds the trigger of a rule of a catalogue, and the near miss, which breaks no rule. A text breaks the rule and
// no other; a file breaks it at the offset that it has.
func (v vectors) pair(c *expect.Catalogue, r diag.Rule, wrong corpus.Vector, near []byte, comment string) error {
	wrong.Name, wrong.Format, wrong.Expect = c.Name+"/"+r.ID+"-trigger", c.Name, corpus.Finding
	wrong.Rule, wrong.Source, wrong.Comment = r.ID, r.Source, r.Title
	if c.Text && r.Severity == diag.Error {
		wrong.Expect = corpus.Malformed
	}
	found, shown := c.Check(wrong), false
	for _, f := range found {
		switch {
		case f.Rule == r.ID && c.Text && !shown:
			wrong.Offset, shown = f.Off, true
		case f.Rule == r.ID:
			shown = shown || f.Off == wrong.Offset
		case !slices.Contains(wrong.Also, f.Rule):
			wrong.Also = append(wrong.Also, f.Rule)
		}
	}
	if !shown || c.Text && len(wrong.Also) > 0 {
		return fmt.Errorf("%s: want %s, reported: %v", wrong.Name, r.ID, found)
	}
	right := wrong
	right.Name, right.Expect, right.NearMiss = c.Name+"/"+r.ID+"-near-miss", corpus.OK, true
	right.Also, right.Comment, right.Data = nil, comment, near
	if found := c.Check(right); len(found) > 0 {
		return fmt.Errorf("%s: reported: %v", right.Name, found)
	}
	return errors.Join(v.add(wrong.Name, wrong), v.add(right.Name, right))
}
