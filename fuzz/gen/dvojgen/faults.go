package dvojgen

import (
	"fmt"
	"slices"
	"sync"

	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/wordgen"
)

// Faults has a way to break every rule, mostly several.
var Faults = sync.OnceValue(func() []gen.Fault {
	return append(gen.FieldFaults[dvoj.Option]{Rules: fields, File: File, Outline: dvoj.Outline}.With(slices.Concat(
		headerFaults, placeFaults, codeFaults(), lineFaults, objectFaults(), nameFaults, coverageFaults)), cutTable)
})

// codeFaults break the rules about code, its length, and the tables that speak
// of it.
func codeFaults() []gen.Fault {
	list := slices.Clone(lengthFaults)
	for _, fault := range wordgen.Faults {
		list = append(list, model(fault.Rule, func(k kit) string {
			k.Descriptors = k.Descriptors[:min(len(k.Descriptors), wordgen.MaxDescriptors)]
			k.recode(len(k.Code))
			i := k.below(len(k.Code))
			k.Code[i] = fault.Word(k.Choices, len(k.Code), len(k.Descriptors))
			k.relocate(k.File)
			return fmt.Sprintf("code[%d]", i)
		}))
	}
	return list
}
