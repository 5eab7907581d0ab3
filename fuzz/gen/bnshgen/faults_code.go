package bnshgen

import (
	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// notPlain are the programs whose code is one run of bytes.
func notPlain(field string) []string {
	return append(ofStages("variations[*].source.", field), ofStages("variations[*].intermediate.", field)...)
}

const (
	texts        = "variations[last].source.*"
	textSizes    = texts + ".text_sizes[*]"
	textPointers = texts + ".text_pointers[*]"
)

// otherCodeFaults break the rules of packed code and of source arrays.
var otherCodeFaults = []fault{
	{"BNSH034", packedTwins, packedIntoPacked, neverSeen},
	{"BNSH036", inSource, lost(0x20, 8, notPlain("pointer")...), neverSeen},
	{"BNSH036", inIntermediate, lost(0x20, 8, notPlain("pointer")...), neverSeen},
	{"BNSH036", inTexts, lost(0x20, 8, notPlain("pointer")...), neverSeen},
	{"BNSH036", inZlib, lost(0x20, 8, ofStages("variations[last].binary.", "pointer")...), packed},
	{"BNSH036", inSource, nonzeroField(notPlain("reserved*")...), neverSeen},
	{"BNSH036", inTexts, nonzeroField(notPlain("reserved*")...), neverSeen},
	{"BNSH036", inIntermediate, set(gen.OneOf(0), append(notPlain("size"), notPlain("code.pointer")...)...), neverSeen},
	{"BNSH036", inIntermediate, set(tooMany("code.pointer", 1), notPlain("size")...), neverSeen},
	{"BNSH036", inSource, lost(1, 1, notPlain("code.pointer")...), neverSeen},
	{"BNSH036", inTexts, set(gen.OneOf(0), texts+".count", texts+".text_sizes.pointer", texts+".text_pointers.pointer",
		textSizes, textPointers), neverSeen},
	{"BNSH036", inTexts, set(tooManyTexts, texts+".count"), neverSeen},
	{"BNSH036", inTexts, lost(4, 4, texts+".text_sizes.pointer"), neverSeen},
	{"BNSH036", inTexts, lost(8, 8, texts+".text_pointers.pointer"), neverSeen},
	{"BNSH036", inTexts, lost(1, 1, textPointers), neverSeen},
	{"BNSH036", inTexts, textTooLong, neverSeen},
}

// packedTwins appends two variations with source code of two bytes or more.
func packedTwins(d *drawer, m *bnsh.File) {
	for range 2 {
		code := &bnsh.Code{Code: d.fill(2 + d.Below(20))}
		add(d, m, &bnsh.Program{CodeType: bnsh.SourceCode, Stages: bnsh.PerStage[bnsh.Code]{bnsh.Vertex: code}})
	}
}

// packedIntoPacked makes the code of the second twin start inside the code of the first.
func packedIntoPacked(f *file) gen.Place {
	twins := f.fields("variations[*].source.vertex.code.pointer")
	size := f.Number(f.Sibling(twins[0], "size"))
	f.set(twins[1], gen.OneOf(f.Number(twins[0])+f.Within(1, size-1)))
	return f.target(twins[1], int(f.Number(f.Sibling(twins[1], "size"))))
}

// tooManyTexts draws a number of texts for which one of the arrays has no room.
func tooManyTexts(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
	_, high := body(d)
	sizes, pointers := d.Number(d.Sibling(r, "text_sizes.pointer")), d.Number(d.Sibling(r, "text_pointers.pointer"))
	return gen.Above(min((high-sizes)/4, (high-pointers)/8))(c, d, r)
}

// textTooLong makes a text go on behind the body.
func textTooLong(f *file) gen.Place {
	_, high := body(f.Draft)
	sizes := f.fields(textSizes)
	i := f.Below(len(sizes))
	return f.set(sizes[i], gen.Above(high-f.Number(f.fields(textPointers)[i])))
}
