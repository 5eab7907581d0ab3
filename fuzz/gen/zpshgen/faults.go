package zpshgen

import (
	"fmt"
	"slices"
	"sync"

	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/wordgen"
)

// Faults has a way to break every rule, mostly several.
var Faults = sync.OnceValue(func() []gen.Fault {
	return gen.FieldFaults[zpsh.Option]{Rules: fields, File: File, Outline: zpsh.Outline}.With(
		slices.Concat(headerFaults, placeFaults, entryFaults, nameFaults, codeFaults()))
})

// codeFaults break the rules about code.
func codeFaults() (list []gen.Fault) {
	for _, fault := range wordgen.Faults {
		list = append(list, model(fault.Rule, func(k kit) string {
			k.Descriptors = k.Descriptors[:min(len(k.Descriptors), wordgen.MaxDescriptors)]
			k.recode(min(len(k.Code), wordgen.MaxWords))
			i := k.below(len(k.Code))
			k.Code[i] = fault.Word(k.Choices, len(k.Code), len(k.Descriptors))
			return fmt.Sprintf("code[%d]", i)
		}))
	}
	return list
}
