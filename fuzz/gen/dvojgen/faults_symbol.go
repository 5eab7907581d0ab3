package dvojgen

import (
	"slices"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// symbolFaults break DVOJ170 to DVOJ174.
var symbolFaults = []gen.Fault{
	inSymbols("DVOJ170", func(k kit) int {
		k.Symbols = append(k.Symbols, k.text()+"x"...)
		return len(k.Symbols) - 1
	}, "DVOJ173"), // no name has bytes behind the last NUL
	inSymbols("DVOJ171", func(k kit) int { return k.insertSome("\u0080", "\u07ff", "\ufffd", "\U0010ffff") }),
	inSymbols("DVOJ172", func(k kit) int {
		return k.insertSome("\x80", "\xbf", "\xff", "\xc3", "\xe2\x82", "\xf0\x9f\x98", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80")
	}),
	inSymbols("DVOJ173", func(k kit) int { // a string that is no name
		at := k.boundary()
		insert(k.File, at, at, k.text()+"\x00")
		return int(at)
	}),
	inSymbols("DVOJ173", func(k kit) int { // a string of which the end is a name
		k.aLabel()
		at := *gen.Pick(k.Choices, references(k.File))
		insert(k.File, at, at, k.text()+"x")
		return int(at)
	}),
	model("DVOJ174", func(k kit) string { // a label with a part of a name, or all of it
		target, path := k.aReference()
		part := *target + uint32(k.below(len(nameAt(k.File, *target))+1))
		return k.shareWith(part, path)
	}),
	model("DVOJ174", func(k kit) string { // a name that is a part of a label's
		target, path := k.aReference()
		whole := *target
		insert(k.File, whole, whole, k.text()+"x")
		return k.shareWith(whole, path)
	}),
}

// inSymbols is the fault of the symbols, at the offset in them that spoil
// returns.
func inSymbols(rule string, spoil func(k kit) int, also ...string) gen.Fault {
	return raw(rule, func(k kit) ([]byte, int) {
		at := spoil(k)
		d := k.draft()
		return d.Bytes, int(d.Get(place(symbols))) + at
	}, also...)
}

// insertSome puts one of the texts into a name and returns where.
func (k kit) insertSome(texts ...string) int {
	k.aLabel()
	at := uint32(k.below(len(k.Symbols)))
	insert(k.File, at, at+1, gen.Pick(k.Choices, texts))
	return int(at)
}

// boundary picks the start of a name, or the end of the symbols.
func (k kit) boundary() uint32 {
	list := []uint32{uint32(len(k.Symbols))}
	for _, name := range references(k.File) {
		list = append(list, *name)
	}
	return gen.Pick(k.Choices, list)
}

// aReference picks a name and the path of the record that has it, the first if
// several lines do. The path is "" for a label.
func (k kit) aReference() (name *uint32, path string) {
	k.aLabel()
	i := k.below(len(references(k.File)))
	name = references(k.File)[i]
	switch i -= len(k.Labels); {
	case i < 0:
		return name, ""
	case i < len(k.Uniforms):
		return name, in(uniforms, i, "name")
	}
	i = slices.IndexFunc(k.Lines, func(l shbin.Line) bool { return l.Name == *name })
	return name, in(lines, i, "name")
}

// shareWith adds a label that shares a name. The path returned is that of the
// second reference to the shared bytes: names of labels come first.
func (k kit) shareWith(name uint32, other string) string {
	k.addLabel(k.File, name)
	if other == "" {
		return in(labels, len(k.Labels)-1, "id")
	}
	return other
}
