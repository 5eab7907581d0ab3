package bnshgen

import (
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// headerFaults break the rules of the file header, of the chain of blocks and of
// the container.
var headerFaults = []fault{
	{"BNSH001", nil, short, nil},
	{"BNSH001", nil, set(other, "header.signature"), nil},
	{"BNSH002", nil, set(oneOf(0xFFFE), "header.byte_order_mark"), nil},
	{"BNSH002", nil, set(other, "header.byte_order_mark"), nil},
	{"BNSH003", nil, set(other, "header.version.major"), nil},
	{"BNSH004", nil, set(between(0, 31), "header.alignment_shift"), nil},
	{"BNSH005", nil, setOr(neither(0, 64), func(f *file, r diag.Region) uint64 { return 64 - f.value(r) },
		"header.address_size"), nil},
	{"BNSH006", nil, set(other, "header.file_size"), nil},
	// The relocation table does not end the file then.
	{"BNSH006", nil, resized, []string{"BNSH071"}},
	{"BNSH007", nil, set(other, "header.flags"), nil},
	{"BNSH008", nil, nonzeroField("header.reserved"), nil},
	{"BNSH009", nil, set(between(1, 7).added, "header.container"), nil},
	{"BNSH009", nil, set(between(0, 11).times(8), "header.container"), nil},
	{"BNSH009", smallest, set(behind(0x60), "header.container"), nil},
	{"BNSH010", nil, set(other, "container.signature"), nil},
	{"BNSH010", nil, set(between(0, 11).times(8), "container.next"), nil},
	{"BNSH010", nil, set(between(1, 7).added, "container.next"), nil},
	{"BNSH010", nil, set(behind(0x60+0x14), "container.next"), nil},
	{"BNSH010", nil, noStrings, nil},
	{"BNSH010", nil, set(other, "strings.signature"), nil},
	{"BNSH010", nil, set(other, "strings.next"), nil},
	{"BNSH011", nil, nonzeroField("container.reserved*"), nil},
	{"BNSH012", nil, setOr(between(0, 0x5F), oneOf(0x60), "container.size"), nil},
	{"BNSH012", nil, set(more, "container.size"), nil},
	{"BNSH015", nil, unlistedVersion, nil},
	// A shift above 31 is not 12 either.
	{"BNSH016", nil, setOr(above(31), oneOf(31), "header.alignment_shift"), []string{"BNSH004"}},
	{"BNSH018", nil, set(less(0x60), "container.size"), notCanonical},
	{"BNSH019", nil, set(other, "container.api_type", "container.target_code_type"), nil},
	{"BNSH020", nil, set(oneOf(0), "container.variation_count"), nil},
	{"BNSH020", nil, set(tooMany("variations.pointer", 0x40), "container.variation_count"), nil},
	{"BNSH020", nil, set(oneOf(0), "container.variations.pointer"), nil},
	{"BNSH020", nil, lost(0x40, 8, "container.variations.pointer"), nil},
}

// short cuts a file off before the end of the container.
func short(f *file) gen.Place {
	f.b = f.Cut(f.b, gen.Pick(f.Choices, []int{0xBF, 0, f.Below(0xC0)}))
	return gen.Place{Off: len(f.b), Path: "header"}
}

// resized cuts a file off or adds to it.
func resized(f *file) gen.Place {
	n := gen.Only(f.Choices, 1+f.Below(0x20), 0)
	if f.Bits(1) != 0 {
		f.b = f.b[:len(f.b)-n]
	} else {
		f.b = append(f.b, make([]byte, n)...)
	}
	return placeOf(f.pick("header.file_size"))
}

// neither draws a number that differs from a and from b. It needs b >= a+2.
func neither(a, b uint64) value {
	return func(f *file, r diag.Region) uint64 {
		higher := b + 1 + f.Bits(8*r.Len)%(most(r)-b)
		return gen.Pick(f.Choices, []uint64{a + 1, b - 1, b + 1, b / 2, most(r), higher})
	}
}

// times draws a multiple of n.
func (v value) times(n uint64) value {
	return func(f *file, r diag.Region) uint64 { return n * v(f, r) }
}

// behind draws a multiple of 8 so high that the file ends within n bytes from
// there on.
func behind(n int) value {
	return func(f *file, r diag.Region) uint64 {
		first := uint64(len(f.b)-n)&^7 + 8
		return gen.Pick(f.Choices, []uint64{first, first + 8*f.Bits(8), most(r)}) &^ 7
	}
}

// less draws a number from low up to one less than the value of the field.
func less(low uint64) value {
	return func(f *file, r diag.Region) uint64 { return between(low, f.value(r)-1)(f, r) }
}

// noStrings makes the container go on to something that is no string block.
func noStrings(f *file) gen.Place {
	next := f.pick("container.next")
	words := f.value(next) / 8
	at := 8 * between(0x60/8, words-1)(f, next)
	f.store(next.Off, next.Len, gen.Only(f.Choices, at, f.value(next)))
	return gen.Place{Off: int(f.Layout.Container) + int(at), Len: 4, Path: "strings.signature"}
}

// unlistedVersion changes the micro version; the whole version is reported.
func unlistedVersion(f *file) gen.Place {
	f.setOr(f.field("header.version.micro"), unlisted, listed)
	return gen.RecordAt(f.regions, "header.version")
}

// listed returns a micro version that some document lists together with the minor version.
func listed(f *file, _ diag.Region) uint64 {
	i := slices.IndexFunc(knownVersions, func(v [2]uint8) bool { return v[0] == f.Version.Minor })
	return uint64(knownVersions[i][1])
}

// unlisted draws a micro version that no document lists together with the minor
// version.
func unlisted(f *file, r diag.Region) uint64 {
	micro := uint8(above(0)(f, r))
	for slices.Contains(knownVersions, [2]uint8{f.Version.Minor, micro}) {
		micro++
	}
	return uint64(micro)
}
