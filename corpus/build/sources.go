package main

import (
	"encoding"
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

// sources makes the vectors of a catalogue of texts. A trigger breaks its rule
// and no other; a near miss breaks none.
func sources(c *expect.Catalogue) (vectors, error) {
	list := vectors{}
	var errs []error
	for k, r := range c.Rules {
		e := examples[c.Name][k]
		wrong := corpus.Vector{Name: c.Name + "/" + r.ID + "-trigger", Format: c.Name, Expect: corpus.Finding,
			Rule:    r.ID,
			Dialect: e.dialect, Source: r.Source, Comment: r.Title, Data: []byte(e.breaks + "\n")}
		if r.Severity == diag.Error {
			wrong.Expect = corpus.Malformed
		}
		right := wrong
		right.Name, right.Expect, right.NearMiss = c.Name+"/"+r.ID+"-near-miss", corpus.OK, true
		right.Comment, right.Data = "the source without the mistake", []byte(e.keeps+"\n")
		found := c.Check(wrong)
		at := slices.IndexFunc(found, func(f diag.Finding) bool { return f.Rule == r.ID })
		if at < 0 || slices.ContainsFunc(found, func(f diag.Finding) bool { return f.Rule != r.ID }) {
			errs = append(errs, fmt.Errorf("%s: want %s alone, reported: %v", wrong.Name, r.ID, found))
			continue
		}
		wrong.Offset, right.Offset = found[at].Off, found[at].Off
		if found := c.Check(right); len(found) > 0 {
			errs = append(errs, fmt.Errorf("%s: reported: %v", right.Name, found))
		}
		for _, v := range []corpus.Vector{wrong, right} {
			if err := list.add(v.Name, encoding.TextAppender(v)); err != nil {
				errs = append(errs, err)
			}
		}
	}
	return list, errors.Join(errs...)
}
