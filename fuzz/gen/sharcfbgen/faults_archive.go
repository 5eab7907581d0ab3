package sharcfbgen

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
)

const headerSize = 0x18

func header(*kit) string { return "header" }

var headerFields = []wrongField{
	{"SHARC003", header, "version", gen.Other, nil, nil},
	{"SHARC004", header, "endian", gen.Other, nil, nil},
	{"SHARC005", header, "file_size", gen.Other, nil, nil},
	{"SHARC006", header, "resolved", gen.Other, nil, nil},
	{"SHARC007", header, "name_length", gen.Beyond(behindHeader), nil, nil},
}

var headerBreaches = []breach{
	{"SHARC001", func(k *kit) gen.Place {
		k.Write()
		k.Bytes = k.C.Cut(k.Bytes, int(k.C.Within(0, headerSize-1)))
		return gen.Place{Off: len(k.Bytes), Path: "header"}
	}, nil},
	{"SHARC002", func(k *kit) gen.Place {
		k.Write()
		old := string(k.Bytes[:4])
		copy(k.Bytes, gen.Only(k.C, gen.Pick(k.C, []string{
			"SHAA", "AAHS", "BASH", "shab", "SHA\x00", string(old[0]^1) + old[1:], old[:3] + string(old[3]^0x20),
			"\x00\x00\x00\x00",
		}), old))
		return k.Place("header.signature")
	}, nil},
	// A name that takes 0x100 bytes can go without moving code from its alignment.
	{"SHARC007", func(k *kit) gen.Place {
		k.C.OnlyValid()
		k.f.Name = k.Letters(0xFF)
		k.splice("", k.Off("name"), 0x100)
		k.Set("header.name_length", 0)
		return k.Place("header.name_length")
	}, nil},
	{"SHARC007", func(k *kit) gen.Place { return k.unterminated("name", "header.name_length") }, nil},
	{"SHARC014", func(k *kit) gen.Place {
		end := k.end("")
		tail := k.Data(gen.Only(k.C, 1+k.C.Below(100), 0))
		k.splice("", end, 0, tail...)
		return gen.Place{Off: end, Len: len(tail), Path: "tail"}
	}, nil},
}

// leastRecord is the size of the smallest record of each list.
var leastRecord = map[string]int{
	"binaries": 0x10, "programs": 0x41, "macros": 0x14, "defaults": 0x14,
	"uniforms": 0x1A, "blocks": 0x1A, "samplers": 0x1A, "attributes": 0x1A,
}

var programLists = []string{"macros", "defaults", "uniforms", "blocks", "samplers", "attributes"}

// least returns the size of the smallest record of a list.
func least(list string) int { return leastRecord[list[strings.LastIndexByte(list, '.')+1:]] }

// aList draws a list, which may be empty.
func aList(k *kit) string {
	switch n := k.C.Below(2 + len(programLists)); n {
	case 0:
		return "binaries"
	case 1:
		return "programs"
	default:
		return fmt.Sprintf("programs[%d].%s", k.program(), programLists[n-2])
	}
}

// aRecord draws a record of any list.
func aRecord(k *kit) string { return anyOf(k, aBinary, aProgram, aMacro, aSymbol) }

func anyOf(k *kit, draw ...func(*kit) string) string { return gen.Pick(k.C, draw)(k) }

func aBinary(k *kit) string { return fmt.Sprintf("binaries[%d]", k.ShaderOf()) }

func aProgram(k *kit) string { return fmt.Sprintf("programs[%d]", k.program()) }

// aMacro draws a macro or a default value.
func aMacro(k *kit) string {
	defaults := k.C.Bits(1) != 0
	p, m := k.macro(defaults)
	if defaults {
		return fmt.Sprintf("programs[%d].defaults[%d]", p, m)
	}
	return fmt.Sprintf("programs[%d].macros[%d]", p, m)
}

// symbolOf draws a symbol of one of the given lists.
func symbolOf(kinds ...symbolKind) func(k *kit) string {
	return func(k *kit) string {
		kind := gen.Pick(k.C, kinds)
		p, s := k.symbol(kind)
		return fmt.Sprintf("programs[%d].%s[%d]", p, symbolLists[kind], s)
	}
}

var aSymbol = symbolOf(anySymbols...)

// lengthen makes the names of programs and the names and IDs of macros longer,
// all alike, so that records can lose some bytes and keep the smallest size.
func (k *kit) lengthen() {
	for i := range k.f.Programs {
		p := &k.f.Programs[i]
		p.Name += wire.Text(strings.Repeat("_", leastRecord["programs"]))
		for _, macros := range [][]sharcfb.Macro{p.Macros, p.Defaults} {
			for j := range macros {
				macros[j].Name += "_"
				macros[j].ID += "_"
			}
		}
	}
}

// behindHeader returns the number of bytes behind the header.
func behindHeader(_ *gen.Choices, d *gen.Draft, _ gen.Place) uint64 {
	return uint64(len(d.Bytes) - headerSize)
}

// room returns the number of bytes from an element, whose size is the field, to the end of the structure around it.
func room(_ *gen.Choices, d *gen.Draft, size gen.Place) uint64 {
	return uint64(end(d, parent(parent(size.Path))) - size.Off)
}

// mostRecords returns how many records fit into a list, whose count is the field.
func mostRecords(_ *gen.Choices, d *gen.Draft, count gen.Place) uint64 {
	list := parent(count.Path)
	return (d.Get(list+".size") - 8) / uint64(least(list))
}

// leastSize returns the smallest size of a record, whose size is the field.
func leastSize(_ *gen.Choices, _ *gen.Draft, size gen.Place) uint64 {
	return uint64(least(parent(parent(size.Path))))
}

var listFields = []wrongField{
	{"SHARC010", aList, "size", gen.Between(0, 7), nil, nil},
	{"SHARC010", aList, "size", gen.Beyond(room), nil, nil},
	{"SHARC011", aList, "count", gen.Beyond(mostRecords), nil, nil},
	{"SHARC012", aRecord, "size", gen.Below(leastSize), nil, nil},
	{"SHARC012", aRecord, "size", gen.Beyond(room), nil, nil},
}

var listBreaches = []breach{
	// The list begins so late that its header does not fit.
	{"SHARC010", func(k *kit) gen.Place {
		k.C.OnlyValid()
		list := aList(k)
		k.lengthen()
		start, end := k.Off(list+".size"), k.end(parent(list))
		rest := k.Data(k.C.Below(8))
		k.splice(parent(list), start, end-start, rest...)
		return gen.Place{Off: start, Len: len(rest), Path: list}
	}, nil},
	// One record more is counted, and there would be room for a small one.
	{"SHARC012", func(k *kit) gen.Place {
		list := parent(anyOf(k, aBinary, aProgram))
		k.lengthen()
		n := k.Get(list + ".count")
		k.Set(list+".count", gen.Only(k.C, n+1, n))
		return gen.Place{Off: k.end(list), Path: fmt.Sprintf("%s[%d]", list, n)}
	}, nil},
	{"SHARC013", func(k *kit) gen.Place {
		list := aList(k)
		end := k.end(list)
		tail := k.Data(gen.Only(k.C, 1+k.C.Below(100), 0))
		k.splice(list, end, 0, tail...)
		return gen.Place{Off: end, Len: len(tail), Path: list}
	}, nil},
	// Fewer records are counted. With fewer macros there would be other variations,
	// with fewer blocks less room for uniforms.
	{"SHARC013", func(k *kit) gen.Place {
		list := parent(anyOf(k, aBinary, aProgram, symbolOf(uniforms, samplers, attributes)))
		count := k.Get(list + ".count")
		kept := uint32(k.C.Below(int(count)))
		k.Set(list+".count", gen.Only(k.C, kept, count))
		off := k.Off(fmt.Sprintf("%s[%d].size", list, kept))
		return gen.Place{Off: off, Len: k.end(list) - off, Path: list}
	}, nil},
	{"SHARC037", func(k *kit) gen.Place {
		program := aProgram(k)
		end := k.end(program)
		tail := k.Data(gen.Only(k.C, 1+k.C.Below(100), 0))
		k.splice(program, end, 0, tail...)
		return gen.Place{Off: end, Len: len(tail), Path: program + ".tail"}
	}, nil},
}

var binaryFields = []wrongField{
	{"SHARC020", aBinary, "type", gen.Between(3, math.MaxUint32), nil, nil},
	{"SHARC021", aBinary, "data_offset", gen.Beyond(rest("size", 0x10)), nil, nil},
	{"SHARC021", aBinary, "data_size", gen.Beyond(rest("size", 0x10)), nil, nil},
}

// unterminated replaces the NUL of a string by another byte.
func (k *kit) unterminated(path, length string) gen.Place {
	at := k.Place(path)
	k.Bytes[at.Off+int(k.Get(length))-1] = byte(gen.Only(k.C, 1+k.C.Below(0xFF), 0))
	return at
}

// stringBreaches are the strings with a length that a rule of their own is
// about.
func stringBreaches() []breach {
	list := []breach{{"SHARC008", func(k *kit) gen.Place {
		aRecord(k)
		k.f.Name += k.Word()
		s := gen.Pick(k.C, slices.DeleteFunc(k.strings(), func(s stringAt) bool { return !s.counted || *s.text == "" }))
		at := k.Place(s.path)
		nul := &k.Bytes[at.Off+k.C.Below(len(*s.text))]
		*nul = gen.Only(k.C, 0, *nul)
		return at
	}, nil}}
	for _, s := range []struct {
		rule    string
		element func(*kit) string
		field   string
	}{
		{"SHARC030", func(k *kit) string { return fmt.Sprintf("programs[%d]", k.withMacros(1)) }, "name"},
		{"SHARC045", aMacro, "id"},
		{"SHARC047", aMacro, "name"},
		{"SHARC057", aSymbol, "id"},
		{"SHARC057", aSymbol, "name"},
	} {
		list = append(list, breach{s.rule, func(k *kit) gen.Place {
			path := s.element(k) + "." + s.field
			return k.unterminated(path, path+"_length")
		}, nil}, breach{s.rule, func(k *kit) gen.Place {
			k.C.OnlyValid()
			element := s.element(k)
			k.lengthen()
			path := element + "." + s.field
			length := k.Place(path + "_length")
			k.splice(element, k.Off(path), int(k.Get(path+"_length")))
			k.Set(path+"_length", 0)
			return length
		}, nil})
	}
	return list
}
