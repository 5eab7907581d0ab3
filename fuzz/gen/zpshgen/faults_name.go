package zpshgen

import (
	"bytes"
	"math"
	"strings"

	"github.com/picaproof/picaproof/fuzz/gen"
)

// nameFaults break ZPSH024 to ZPSH027 and ZPSH029.
var nameFaults = []gen.Fault{
	model("ZPSH024", func(k kit) string {
		i, e := k.anEntry()
		e.Name = uint32(k.Within(uint64(len(k.Strings)), math.MaxUint32))
		return entryField(i, "name")
	}),
	model("ZPSH024", func(k kit) string { // no NUL behind the last name
		text := bytes.TrimRight(k.Strings, "\x00")
		k.Strings = append(text[:len(text):len(text)], "abc"[:-len(text)&3]...)
		i, _ := k.last()
		return entryField(i, "name")
	}),
	model("ZPSH024", func(k kit) string { // a name in text without NUL behind the others
		i, e := k.anEntry()
		const text = "unending"
		insert(k.File, len(k.Strings), text)
		e.Name = uint32(len(k.Strings) - 1 - k.below(len(text)))
		return entryField(i, "name")
	}),
	model("ZPSH025", func(k kit) string {
		i, _ := k.anEntry()
		k.rename(func(names []string) { names[i] = "" })
		return entryField(i, "name")
	}),
	model("ZPSH026", func(k kit) string {
		i, j := twoEntries(k)
		k.rename(func(names []string) { names[j] = names[i] })
		return entryField(j, "name")
	}),
	model("ZPSH026", func(k kit) string { // among names that are alike for longer than most readers look
		i, j := twoEntries(k)
		alike := strings.Repeat("alike", 1+k.below(9))
		k.rename(func(names []string) {
			for n := range names {
				names[n] = alike + string(rune('A'+n))
			}
			names[j] = names[i]
		})
		return entryField(j, "name")
	}),
	model("ZPSH026", func(k kit) string {
		i, j := twoEntries(k)
		k.rename(func(names []string) { names[i], names[j] = "", "" })
		return entryField(j, "name")
	}, "ZPSH025"), // both are empty
	model("ZPSH026", func(k kit) string { // one string for two entries
		i, j := twoEntries(k)
		k.Entries[j].Name = k.Entries[i].Name
		return entryField(j, "name")
	}, "ZPSH029"), // each name has a string of its own there
	model("ZPSH027", func(k kit) string {
		i, _ := k.anEntry()
		k.rename(func(names []string) {
			at := k.below(len(names[i]) + 1)
			names[i] = names[i][:at] + gen.Pick(k.Choices, notUTF8) + names[i][at:]
		})
		return entryField(i, "name")
	}),
	model("ZPSH027", func(k kit) string { // a name that begins inside a character
		i, _ := k.anEntry()
		k.rename(func(names []string) { names[i] = "\u00e9" + names[i] })
		k.Entries[i].Name++
		return entryField(i, "name")
	}, "ZPSH029"), // the strings hold the whole character
	model("ZPSH029", func(k kit) string {
		gen.Pick(k.Choices, rearrangements)(k.drawer, k.File)
		return "strings"
	}),
	raw("ZPSH031", func(k kit) ([]byte, gen.Place) { // names that are ends of one string
		const entries = 64
		first := len(k.Entries)
		k.atLeast(first + entries)
		total := 0
		for _, name := range namesOf(k.File)[:first] {
			total += len(name) + 1
		}
		length := gen.LongName(entries, len(gen.Unchecked(k.File)))
		start := len(k.Strings)
		insert(k.File, start, strings.Repeat("^", length)+"\x00")
		var list []gen.Reference
		for i := range entries {
			list = append(list, gen.Reference{Path: entryField(first+i, "name"), Long: uint64(start + i),
				Short: uint64(start + length - 1 - i)})
		}
		d := k.draft()
		return d.Bytes, d.ExceedNames(k.Choices, total, k.Strings, list)
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
