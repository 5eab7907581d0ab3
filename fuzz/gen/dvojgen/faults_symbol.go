package dvojgen

import (
	"fmt"
	"strings"

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
		const labels, labelSize = 64, 0x10
		length := gen.LongName(labels, len(gen.Unchecked(k.File))+labels*labelSize)
		name := addName(k.File, strings.Repeat("n", length))
		total, lines := 0, make(map[uint32]bool)
		for _, l := range k.Lines {
			if !lines[l.Name] {
				total += gen.NameBytes(k.Symbols, uint64(l.Name))
			}
			lines[l.Name] = true
		}
		for _, ref := range references(k.File)[:len(k.Labels)+len(k.Uniforms)] {
			total += gen.NameBytes(k.Symbols, uint64(*ref))
		}
		var list []gen.Reference
		for range labels {
			path := fmt.Sprintf("labels[%d].name", k.object().AddLabel(name))
			list = append(list, gen.Reference{Path: path, Long: uint64(name), Short: uint64(name) + uint64(length)})
		}
		d := k.draft()
		return d.Bytes, d.ExceedNames(k.Choices, total, len(d.Bytes), k.Symbols, list)
	}, "DVOJ174"), // they share its bytes
}
