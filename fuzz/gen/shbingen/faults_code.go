package shbingen

import (
	"github.com/picaproof/picaproof/fuzz/gen/wordgen"
	"github.com/picaproof/picaproof/pica"
)

// codeFaults break rules about single code words.
var codeFaults = func() (list []fault) {
	for _, f := range wordgen.Faults {
		list = append(list, fault{rule: f.Rule, spoil: func(d *draft) place {
			p := &d.m.DVLP
			if len(p.Descriptors) == pica.MaxDescriptors { // all can be reached
				p.Descriptors = descriptors(d.c, 2)
				p.Code = code(d.c, len(p.Code), 2)
			}
			i := d.c.Below(len(p.Code))
			p.Code[i] = f.Word(d.c, len(p.Code), len(p.Descriptors))
			return at("dvlp.code[%d]", i)
		}})
	}
	return list
}()
