package dvojgen

import (
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/shbingen"
)

// objectFaults break the rules about the tables that a DVLE has, too: DVOJ130 to DVOJ174.
func objectFaults() (list []gen.Fault) {
	for _, f := range shbingen.ObjectFaults {
		rule, also, missBreaks := f.Rules(objectRules)
		list = append(list, gen.MissBreaking(raw(rule, func(k kit) ([]byte, gen.Place) {
			part := k.spoil(f)
			d := k.draft()
			return d.Bytes, part.In(d)
		}, also...), missBreaks...))
	}
	return list
}

// objectRules begins the ids of the rules about these tables.
const objectRules = "DVOJ1"

// spoil spoils the tables and returns the place of the finding.
func (k kit) spoil(f shbingen.ObjectFault) shbingen.Part {
	if f.OneType {
		k.retype(f.Type)
	}
	part := f.Spoil(k.object())
	setMasks(k.File)
	return part
}

// nameFaults break DVOJ205.
var nameFaults = []gen.Fault{
	raw("DVOJ205", func(k kit) ([]byte, gen.Place) { // one name of many labels
		o := k.object()
		total, references := o.NameBytes(), o.OneName(len(gen.Unchecked(k.File)), "labels")
		d := k.draft()
		return d.Bytes, d.ExceedNames(k.Choices, total, len(d.Bytes), k.Symbols, references)
	}, "DVOJ174"), // they share its bytes
}
