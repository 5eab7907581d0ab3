package zpsh_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// every is all leniencies at once.
var every = []zpsh.Option{zpsh.HashMismatch, zpsh.SkipUnknownHeader}

// bases are files that mutations start from.
func bases(t testing.TB) [][]byte {
	list := [][]byte{
		mustAppend(t, minimalModel(r3)), mustAppend(t, minimalModel(r4)),
		mustAppend(t, fullModel(r3)), mustAppend(t, fullModel(r4)),
		edited(t, fullModel(r4), gaps),
		edited(t, fullModel(r3), func(f *zpsh.File) { f.Layout = &zpsh.Layout{Tail: wire.Hex{1, 2, 3}} }),
		edited(t, fullModel(r4), longHeader),
	}
	return list
}

// gaps puts bytes before two entries and behind the last.
func gaps(f *zpsh.File) {
	f.Layout = &zpsh.Layout{Gaps: []zpsh.Gap{{Entry: 1, Bytes: wire.Hex("hole")}, {Entry: 3, Bytes: make([]byte, 8)}},
		Tail: wire.Hex("tail")}
}

// TestAgreement mutates files at random: whatever the bytes are, Parse and
// Check agree, and what is accepted is written as it was.
func TestAgreement(t *testing.T) {
	for name, options := range map[string][]zpsh.Option{"strict": nil, "lenient": every} {
		t.Run(name, func(t *testing.T) { format(options...).Random(t, bases(t), 60_000, 20) })
	}
}

// TestHostileCounts: counts and offsets that promise much cost little.
func TestHostileCounts(t *testing.T) {
	for name, b := range map[string][]byte{
		"all ones, R3":          all0xFF(zpsh.R3, 4096),
		"all ones, R4":          all0xFF(zpsh.R4, 4096),
		"4095 entries, no room": set32(4, 4095)(mustAppend(t, minimalModel(r3))),
		"all entries at 0":      aliased(4095),
		"suffixes":              suffixes(4095, 1<<17),
		"twins":                 suffixTwins(2000, 1<<17-4),
		"not UTF-8":             notUTF8(4095),
		"large":                 mustAppend(t, large()),
	} {
		t.Run(name, func(t *testing.T) {
			format(every...).Bounds(t, b)
			format(every...).Agree(t, b)
		})
	}
}

// TestLinear: time grows with the size, whatever the names do.
func TestLinear(t *testing.T) {
	for name, build := range map[string]func(n int) []byte{
		"aliased":  aliased,
		"suffixes": func(n int) []byte { return suffixes(n, 64*n) },
		"bad":      notUTF8,
	} {
		t.Run(name, func(t *testing.T) { format(every...).Linear(t, build, 500) })
	}
}

func all0xFF(r zpsh.Revision, n int) []byte {
	b := slices.Repeat([]byte{0xFF}, n)
	copy(b, "ZPSH")
	b[11] = byte(r)
	return b
}

func set32(at int, v uint32) func(b []byte) []byte {
	return func(b []byte) []byte { binary.LittleEndian.PutUint32(b[at:], v); return b }
}

// aliased is a file whose n entries have one place and one name.
func aliased(n int) []byte {
	f := minimalModel(r4)
	f.Entries = slices.Repeat(f.Entries, n)
	b := gen.Unchecked(f)
	clear(b[offset : offset+4*n])
	return b
}

// suffixes is a file with n entries whose names all end where the strings do.
func suffixes(n, size int) []byte { return gen.Unchecked(suffixModel(n, size)) }

func suffixModel(n, size int) *zpsh.File {
	f := minimalModel(r3)
	f.Strings = make([]byte, size)
	for i := range size - 1 {
		f.Strings[i] = 'a'
	}
	f.Entries = slices.Repeat(f.Entries, n)
	for i := range f.Entries {
		f.Entries[i].Name = uint32(i)
	}
	return f
}

// suffixTwins is a file with two equal strings, and n entries at the ends of
// each.
func suffixTwins(n, size int) []byte {
	f := suffixModel(n, size)
	f.Strings = slices.Concat(f.Strings, f.Strings)
	f.Entries = slices.Concat(f.Entries, f.Entries)
	for i := range f.Entries[n:] {
		f.Entries[n+i].Name += uint32(size)
	}
	return gen.Unchecked(f)
}

// notUTF8 is a file with n entries whose names share bytes that are not UTF-8.
func notUTF8(n int) []byte {
	f := minimalModel(r3)
	f.Strings = append(slices.Repeat([]byte{0xC3, 0x28}, 4*n), 0, 0, 0, 0)
	f.Entries = slices.Repeat(f.Entries, n)
	for i := range f.Entries {
		f.Entries[i].Name = uint32(i)
	}
	return gen.Unchecked(f)
}

// large is a sound file near the limits of the format.
func large() *zpsh.File {
	f := fullModel(r4)
	f.Code = slices.Repeat([]uint32{mov, nop, nop, end}, 1024)
	f.Entries = slices.Repeat(f.Entries, 250)
	names := make([]string, len(f.Entries))
	for i := range names {
		names[i] = "entry_point_" + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676))
	}
	f.SetNames(names...)
	return f
}

func BenchmarkParse(b *testing.B) { format().BenchmarkParse(b, gen.Unchecked(large())) }
func BenchmarkCheck(b *testing.B) { format().BenchmarkCheck(b, gen.Unchecked(large())) }
func BenchmarkWrite(b *testing.B) { format().BenchmarkWrite(b, gen.Unchecked(large())) }
