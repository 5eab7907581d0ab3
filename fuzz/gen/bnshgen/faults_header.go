package bnshgen

import (
	"slices"

	"github.com/picaproof/picaproof/fuzz/gen"
)

// headerFaults break the rules of the file header, of the chain of blocks and of
// the container.
var headerFaults = []fault{
	{"BNSH001", nil, short, nil},
	{"BNSH001", nil, set(gen.Other, "header.signature"), nil},
	{"BNSH002", nil, set(gen.OneOf(0xFFFE), "header.byte_order_mark"), nil},
	{"BNSH002", nil, set(gen.Other, "header.byte_order_mark"), nil},
	{"BNSH003", nil, set(gen.Other, "header.version.major"), nil},
	{"BNSH004", nil, set(gen.Between(0, 31), "header.alignment_shift"), nil},
	{"BNSH005", nil, setOr(gen.OtherThan(0, 64), otherSize, "header.address_size"), nil},
	{"BNSH006", nil, set(gen.Other, "header.file_size"), nil},
	// The relocation table does not end the file then.
	{"BNSH006", nil, resized, []string{"BNSH071"}},
	{"BNSH007", nil, set(gen.Other, "header.flags"), nil},
	{"BNSH008", nil, nonzeroField("header.reserved"), nil},
	{"BNSH009", nil, set(gen.Between(1, 7).Added, "header.container"), nil},
	{"BNSH009", nil, set(gen.Between(0, 11).Times(8), "header.container"), nil},
	{"BNSH009", smallest, set(behind(0x60), "header.container"), nil},
	{"BNSH010", nil, set(gen.Other, "container.signature"), nil},
	{"BNSH010", nil, set(gen.Between(0, 11).Times(8), "container.next"), nil},
	{"BNSH010", nil, set(gen.Between(1, 7).Added, "container.next"), nil},
	{"BNSH010", nil, set(behind(0x60+0x14), "container.next"), nil},
	{"BNSH010", nil, noStrings, nil},
	{"BNSH010", nil, set(gen.Other, "strings.signature"), nil},
	{"BNSH010", nil, set(gen.Other, "strings.next"), nil},
	{"BNSH011", nil, nonzeroField("container.reserved*"), nil},
	{"BNSH012", nil, setOr(gen.Between(0, 0x5F), gen.OneOf(0x60), "container.size"), nil},
	{"BNSH012", nil, set(gen.Beyond(gen.Same), "container.size"), nil},
	{"BNSH015", nil, unlistedVersion, nil},
	// A shift above 31 is not 12 either.
	{"BNSH016", nil, setOr(gen.Above(31), gen.OneOf(31), "header.alignment_shift"), []string{"BNSH004"}},
	{"BNSH018", nil, set(less(0x60), "container.size"), notCanonical},
	{"BNSH019", nil, set(gen.Other, "container.api_type", "container.target_code_type"), nil},
	{"BNSH020", nil, set(gen.OneOf(0), "container.variation_count"), nil},
	{"BNSH020", nil, set(tooMany("variations.pointer", 0x40), "container.variation_count"), nil},
	{"BNSH020", nil, set(gen.OneOf(0), "container.variations.pointer"), nil},
	{"BNSH020", nil, lost(0x40, 8, "container.variations.pointer"), nil},
}

// short cuts a file off before the end of the container.
func short(f *file) gen.Place {
	f.Bytes = f.Cut(f.Bytes, gen.Pick(f.Choices, []int{0xBF, 0, f.Below(0xC0)}))
	return gen.Place{Off: len(f.Bytes), Path: "header"}
}

// resized cuts a file off or adds to it.
func resized(f *file) gen.Place {
	n := gen.Only(f.Choices, 1+f.Below(0x20), 0)
	if f.Bits(1) != 0 {
		f.Bytes = f.Bytes[:len(f.Bytes)-n]
	} else {
		f.Bytes = append(f.Bytes, make([]byte, n)...)
	}
	return f.Place("header.file_size")
}

// otherSize returns 64 for 0 and 0 for 64, the two sizes of addresses.
func otherSize(_ *gen.Choices, d *gen.Draft, r gen.Place) uint64 { return 64 - d.Number(r) }

// behind draws a multiple of 8 so high that the file ends within n bytes from
// there on.
func behind(n int) gen.Value {
	return func(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
		first := uint64(len(d.Bytes)-n)&^7 + 8
		return gen.Pick(c, []uint64{first, first + 8*c.Bits(8), gen.Largest(r.Len)}) &^ 7
	}
}

// less draws a number from low up to one less than the value of the field.
func less(low uint64) gen.Value {
	return func(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
		return gen.Between(low, d.Number(r)-1)(c, d, r)
	}
}

// noStrings makes the container go on to something that is no string block.
func noStrings(f *file) gen.Place {
	next := f.Field("container.next")
	words := f.Number(next) / 8
	at := 8 * f.Within(0x60/8, words-1)
	f.set(next, gen.OneOf(at))
	return gen.Place{Off: int(f.Layout.Container) + int(at), Len: 4, Path: "strings.signature"}
}

// unlistedVersion changes the micro version; the whole version is reported.
func unlistedVersion(f *file) gen.Place {
	f.Break(f.Choices, f.Field("header.version.micro"), unlisted, listed)
	return f.Place("header.version")
}

// listed returns a micro version that some document lists together with the minor version.
func listed(_ *gen.Choices, d *gen.Draft, _ gen.Place) uint64 {
	minor := uint8(d.Get("header.version.minor"))
	i := slices.IndexFunc(knownVersions, func(v [2]uint8) bool { return v[0] == minor })
	return uint64(knownVersions[i][1])
}

// unlisted draws a micro version that no document lists together with the minor
// version.
func unlisted(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
	micro, minor := uint8(gen.Above(0)(c, d, r)), uint8(d.Get("header.version.minor"))
	for slices.Contains(knownVersions, [2]uint8{minor, micro}) {
		micro++
	}
	return uint64(micro)
}
