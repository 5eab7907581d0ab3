package zpshgen

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// nameFaults break ZPSH024 to ZPSH027 and ZPSH029.
var nameFaults = []gen.Fault{
	gen.MissBreaking(model("ZPSH024", func(k kit) string {
		i, e := k.anEntry()
		end := uint64(len(k.Strings))
		k.Strings = append(k.Strings, gen.Breach(k.Choices, "", "~~~\x00")...)
		e.Name = uint32(k.Wrong(end, math.MaxUint32, end))
		return entryField(i, "name")
	}), "ZPSH029"), // nobody has the old name
	model("ZPSH024", func(k kit) string { // no NUL behind the last name
		text, nul := bytes.TrimRight(k.Strings, "\x00"), gen.Breach(k.Choices, 0, 1)
		k.Strings = slices.Concat(text, []byte("abc"[:-(len(text)+nul)&3]), make([]byte, nul))
		i, _ := k.last()
		return entryField(i, "name")
	}),
	gen.MissBreaking(model("ZPSH024", func(k kit) string { // a name in text without NUL behind the others
		i, e := k.anEntry()
		wrong := gen.Pick(k.Choices, []string{"unending", "\x00\x00\x00u"})
		text := gen.Breach(k.Choices, wrong, "\x01ending\x00")
		insert(k.File, len(k.Strings), text)
		n := len(strings.TrimLeft(text, "\x00"))
		e.Name = uint32(len(k.Strings) - gen.Breach(k.Choices, 1+k.below(n), n))
		return entryField(i, "name")
	}), "ZPSH029"), // nobody has the old name
	model("ZPSH025", func(k kit) string {
		i, _ := k.anEntry()
		k.rename(func(names []string) { names[i] = gen.Breach(k.Choices, "", "~") })
		return entryField(i, "name")
	}),
	model("ZPSH026", func(k kit) string {
		i, j := twoEntries(k)
		k.rename(func(names []string) { names[j] = names[i] + gen.Breach(k.Choices, "", "~") })
		return entryField(j, "name")
	}),
	model("ZPSH026", func(k kit) string { // among names that are alike for longer than most readers look
		i, j := twoEntries(k)
		alike := strings.Repeat("alike", 1+k.below(9))
		k.rename(func(names []string) {
			for n := range names {
				names[n] = alike + string(rune('A'+n))
			}
			names[j] = names[i] + gen.Breach(k.Choices, "", "~")
		})
		return entryField(j, "name")
	}),
	model("ZPSH026", func(k kit) string {
		i, j := twoEntries(k)
		k.rename(func(names []string) { names[i], names[j] = "", gen.Breach(k.Choices, "", "~") })
		return entryField(j, "name")
	}, "ZPSH025"), // both are empty
	model("ZPSH026", func(k kit) string { // one string for two entries
		i, j := twoEntries(k)
		k.Entries[j].Name = gen.Only(k.Choices, k.Entries[i].Name, k.Entries[j].Name)
		return entryField(j, "name")
	}, "ZPSH029"), // each name has a string of its own there
	model("ZPSH027", func(k kit) string {
		i, _ := k.anEntry()
		k.rename(func(names []string) {
			at := k.below(len(names[i]) + 1)
			text := gen.Pick(k.Choices, notUTF8)
			if k.Near() {
				at, text = 0, "\U0010ffff~" // "~" is in no other name
			}
			names[i] = names[i][:at] + text + names[i][at:]
		})
		return entryField(i, "name")
	}),
	model("ZPSH027", func(k kit) string { // a name that begins inside a character
		i, _ := k.anEntry()
		k.rename(func(names []string) { names[i] = "\u00e9" + names[i] })
		k.Entries[i].Name += gen.Breach[uint32](k.Choices, 1, 0)
		return entryField(i, "name")
	}, "ZPSH029"), // the strings hold the whole character
	model("ZPSH029", func(k kit) string {
		rearrange := gen.Pick(k.Choices, rearrangements)
		gen.Only(k.Choices, rearrange, func(drawer, *zpsh.File) {})(k.drawer, k.File)
		return "strings"
	}),
	raw("ZPSH031", func(k kit) ([]byte, gen.Place) { // names that are ends of one string
		const entries = 64
		first := len(k.Entries)
		k.atLeast(first + entries)
		others := nameBytes(namesOf(k.File)[:first])
		length := gen.LongName(entries, len(gen.Unchecked(k.File)))
		start := len(k.Strings)
		insert(k.File, start, strings.Repeat("^", length)+"\x00")
		var list []gen.Reference
		for i := range entries {
			list = append(list, gen.Reference{Path: entryField(first+i, "name"), Long: uint64(start + i),
				Short: uint64(start + length - 1 - i)})
		}
		d := k.draft()
		return d.Bytes, d.ExceedNames(k.Choices, others, len(d.Bytes), k.Strings, list)
	}, "ZPSH029"), // zitrus writes each name for itself
}

// notUTF8 are bytes that no character has: a stray one, characters cut short,
// overlong ones, a surrogate, one behind the last.
var notUTF8 = []string{"\x80", "\xbf", "\xff", "\xc3", "\xe2\x82", "\xf0\x9f\x98", "\xc0\x80", "\xc1\xbf",
	"\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80"}

// twoEntries picks two entries, i before j.
func twoEntries(k kit) (i, j int) {
	k.atLeast(2)
	j = 1 + k.below(len(k.Entries)-1)
	return k.below(j), j
}
