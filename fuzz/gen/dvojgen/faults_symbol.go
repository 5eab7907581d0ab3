package dvojgen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// symbolFaults break DVOJ170 to DVOJ174.
var symbolFaults = []gen.Fault{
	inSymbols("DVOJ170", func(k kit) (at, n int) {
		k.Symbols = append(k.Symbols, k.text()+"x"+gen.Breach(k.Choices, "", "\x00")...)
		return len(k.Symbols) - 1, 1
	}, "DVOJ173"), // no name has bytes behind the last NUL
	gen.OrElse(inSymbols("DVOJ171", func(k kit) (at, n int) {
		return k.insertSome("\x7f", "\u0080", "\u07ff", "\ufffd", "\U0010ffff")
	}), "DVOJ164"), // another uniform may have the new name
	gen.OrElse(inSymbols("DVOJ172", func(k kit) (at, n int) {
		return k.insertSome("\U0010ffff", "\x80", "\xbf", "\xff", "\xc3", "\xe2\x82", "\xf0\x9f\x98", "\xc0\x80",
			"\xed\xa0\x80", "\xf4\x90\x80\x80")
	}), "DVOJ171", "DVOJ164"), // a character, but not ASCII
	inSymbols("DVOJ173", func(k kit) (at, n int) { // a string that is no name
		text := k.text() + "\x00"
		start := k.boundary()
		insert(k.File, start, start, gen.Only(k.Choices, text, ""))
		return int(start), len(text)
	}),
	inSymbols("DVOJ173", func(k kit) (at, n int) { // a string of which the end is a name
		k.aLabel()
		start, text := *gen.Pick(k.Choices, references(k.File)), k.text()+"x"
		insert(k.File, start, start, gen.Only(k.Choices, text, ""))
		return int(start), len(text)
	}),
	model("DVOJ174", func(k kit) string { // a label with a part of a name, or all of it
		target, path := k.aReference()
		part := *target + uint32(k.below(len(nameAt(k.File, *target))+1))
		if gen.Only(k.Choices, false, true) {
			return path
		}
		return k.shareWith(part, path)
	}),
	model("DVOJ174", func(k kit) string { // a name that is a part of a label's
		target, path := k.aReference()
		whole := *target
		insert(k.File, whole, whole, k.text()+"x"+gen.Breach(k.Choices, "", "\x00"))
		return k.shareWith(whole, path)
	}),
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
			path := fmt.Sprintf("labels[%d].name", len(k.Labels))
			k.addLabel(k.File, name)
			list = append(list, gen.Reference{Path: path, Long: uint64(name), Short: uint64(name) + uint64(length)})
		}
		d := k.draft()
		return d.Bytes, d.ExceedNames(k.Choices, total, len(d.Bytes), k.Symbols, list)
	}, "DVOJ174"), // they share its bytes
}

// inSymbols is a fault in the symbols. spoil returns the offset in them and the length of the finding.
func inSymbols(rule string, spoil func(k kit) (at, n int), also ...string) gen.Fault {
	return raw(rule, func(k kit) ([]byte, gen.Place) {
		at, n := spoil(k)
		d := k.draft()
		return d.Bytes, gen.Place{Off: int(d.Get(place(symbols))) + at, Len: n, Path: shapes[symbols].name}
	}, also...)
}

// insertSome inserts a wrong text into a name and returns the place of its first byte, which the reader reports.
func (k kit) insertSome(right string, wrong ...string) (at, n int) {
	k.aLabel()
	at = k.below(len(k.Symbols))
	insert(k.File, uint32(at), uint32(at)+1, gen.Breach(k.Choices, gen.Pick(k.Choices, wrong), right))
	return at, 1
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
		return name, in(uniforms, i, "")
	}
	i = slices.IndexFunc(k.Lines, func(l shbin.Line) bool { return l.Name == *name })
	return name, in(lines, i, "")
}

// shareWith adds a label that shares the bytes of a name. It returns the path of the second reference to these bytes:
// references of labels come first.
func (k kit) shareWith(name uint32, other string) string {
	k.addLabel(k.File, name)
	if other == "" {
		return in(labels, len(k.Labels)-1, "")
	}
	return other
}
