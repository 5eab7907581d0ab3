package bnsh

import (
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
)

// knownVersions are the versions in documents.
var knownVersions = []Version{
	{2, 1, 2}, {2, 1, 4}, {2, 1, 5}, {2, 1, 10}, {2, 1, 11}, {2, 1, 12}, {2, 2, 1}, {2, 3, 1},
}

const (
	byteOrderMark = 0xFEFF
	knownShift    = 12
	maxShift      = 31
	nvnAPI        = 4
)

// header reads the file header. All files of the console's libraries have this header (nnheaders), also in
// other major versions, whose records are not known.
func (r *reader) header() {
	at := func(field string) diag.Place { return owner{part: headerPart}.place(0, field) }
	size := r.Size()
	if size < minFileSize {
		r.fail("BNSH001", diag.Place{Off: size, Path: diag.Path{Field: "header"}}, diag.AtLeast(minFileSize),
			diag.Dec(size))
		return
	}
	if got := r.Bytes(0, 8); string(got) != fileSignature {
		r.fail("BNSH001", at("signature"), diag.Quoted([]byte(fileSignature)), diag.Quoted(got))
		return
	}
	if byteOrderRule.Check(r.Reporter, r.View, 0, at).Any() {
		return
	}
	headerRecord.Get(r.B, r.current[:])
	h := &r.file.Header
	if !majorVersionRule.Check(r.Reporter, r.View, 0, at).Any() {
		r.known |= knowFile
	}
	usualRules.Check(r.Reporter, r.View, 0, at)
	if n := uint64(r.U32(headerFileSizeAt)); n != size {
		r.fail("BNSH006", at("file_size"), diag.Dec(size), diag.Dec(n))
	}
	headerRecord.Check(r.Reporter, r.View, 0, at)
	r.reserved("BNSH008", owner{part: headerPart}, 0)
	switch c := uint64(r.U16(headerContainerAt)); {
	case c%8 != 0:
		r.fail("BNSH009", at("container"), diag.Text("multiple of 8"), diag.Hex(c))
	case c < headerSize:
		r.fail("BNSH009", at("container"), diag.Value{Format: ">= 0x%x", N: headerSize}, diag.Hex(c))
	case !r.Has(c, containerSize):
		r.fail("BNSH009", at("container"), diag.Value{Format: "<= 0x%x", N: size - containerSize}, diag.Hex(c))
	default:
		r.layout.Container = uint32(c)
	}
	if r.known&knowFile != 0 && !slices.Contains(knownVersions, h.Version) {
		version := diag.Place{Off: 0x08, Len: 4, Path: diag.Path{Prefix: "header.", Field: "version"}}
		r.Report("BNSH015", version, diag.Text("a version that documents list"), diag.Text(h.Version.String()))
	}
	if h.AlignmentShift > maxShift {
		r.fail("BNSH016", at("alignment_shift"), diag.AtMost(maxShift), diag.Dec(uint64(h.AlignmentShift)))
	}
	if c := r.layout.Container; c != 0 && c != uint32(headerSize) {
		r.Report("BNSH017", at("container"), diag.Hex(headerSize), diag.Hex(uint64(c)))
	}
}

// blocks reads the chain of blocks: container, strings.
func (r *reader) blocks() {
	c := uint64(r.layout.Container)
	if c == 0 {
		return
	}
	at := func(field string) diag.Place { return owner{part: containerPart}.place(c, field) }
	if got := r.Bytes(c, 4); string(got) != containerSignature {
		r.fail("BNSH010", at("signature"), diag.Quoted([]byte(containerSignature)), diag.Quoted(got))
		return
	}
	r.known |= knowContainer
	next := uint64(r.U32(c + containerNextAt))
	switch {
	case next < containerSize:
		r.fail("BNSH010", at("next"), diag.Value{Format: ">= 0x%x", N: containerSize}, diag.Hex(next))
	case next%8 != 0:
		r.fail("BNSH010", at("next"), diag.Text("multiple of 8"), diag.Hex(next))
	case !r.Has(c+next, stringsHeadSize):
		r.fail("BNSH010", at("next"), diag.Text("a string block inside the file"), diag.Hex(next))
	default:
		r.stringBlock(c + next)
	}
	most := next
	if r.known&knowBody == 0 {
		most = r.Size() - c
	}
	containerRecord.Get(r.B[c:], r.current[:])
	switch size := uint64(r.layout.ContainerSize); {
	case size < containerSize || size > most:
		r.fail("BNSH012", at("size"), diag.Value{Format: "0x60 to 0x%x", N: most}, diag.Hex(size))
	case size != next && r.known&knowBody != 0:
		r.Report("BNSH018", at("size"), diag.Hex(next), diag.Hex(size))
	}
}

// stringBlock finds the string block at s, at which the block body ends.
func (r *reader) stringBlock(s uint64) {
	field := func(name string) diag.Place { return owner{part: stringPart}.place(s, name) }
	if got := r.Bytes(s, 4); string(got) != stringsSignature {
		r.fail("BNSH010", field("signature"), diag.Quoted([]byte(stringsSignature)), diag.Quoted(got))
		return
	}
	if got := r.U32(s + stringsNextAt); got != 0 {
		r.fail("BNSH010", field("next"), diag.Dec(0), diag.Hex(uint64(got)))
	}
	r.known |= knowBody
	r.layout.Strings = uint32(s)
	r.low, r.high = uint64(r.layout.Container)+containerSize, s
}

// relocationTable reads the head of the relocation table.
func (r *reader) relocationTable() {
	t := uint64(r.U32(headerRelocationsAt))
	at := owner{part: headerPart}.place(0, "relocation_table")
	low := headerSize
	if r.known&knowBody != 0 {
		low = uint64(r.layout.Strings) + stringsHeadSize
	}
	switch {
	case t%8 != 0:
		r.fail("BNSH070", at, diag.Text("multiple of 8"), diag.Hex(t))
		return
	case t < low:
		r.fail("BNSH070", at, diag.Value{Format: ">= 0x%x", N: low}, diag.Hex(t))
		return
	case !r.Has(t, relocationHeadSize):
		r.fail("BNSH070", at, diag.Text("a relocation table inside the file"), diag.Hex(t))
		return
	}
	field := func(name string) diag.Place { return owner{part: relocationPart}.place(t, name) }
	if got := r.Bytes(t, 4); string(got) != relocationSignature {
		r.fail("BNSH070", field("signature"), diag.Quoted([]byte(relocationSignature)), diag.Quoted(got))
		return
	}
	if got := uint64(r.U32(t + relocationSelfAt)); got != t {
		r.fail("BNSH070", field("offset"), diag.Hex(t), diag.Hex(got))
	}
	r.known |= knowTable
	r.layout.Relocations = uint32(t)
	r.rules(owner{part: relocationPart}, t)
	r.reserved("BNSH070", owner{part: relocationPart}, t)
}

// container checks the fields of the container.
func (r *reader) container() {
	c, o := uint64(r.layout.Container), owner{part: containerPart}
	r.reserved("BNSH011", o, c)
	r.rules(o, c)
}

// variationArray finds the variations.
func (r *reader) variationArray() {
	c := uint64(r.layout.Container)
	o := owner{part: containerPart}
	v, n := r.U64(c+containerVariationsAt), uint64(r.U32(c+containerCountAt))
	if n == 0 {
		r.fail("BNSH020", o.place(c, "variation_count"), diag.AtLeast(1), diag.Dec(n))
		return
	}
	if !r.record(reference{"BNSH020", someRecord, o, c, "variations"}, v, variationSize, 8) {
		return
	}
	if most := r.room(v, variationSize); n > most {
		r.fail("BNSH020", o.place(c, "variation_count"), diag.AtMost(most), diag.Dec(n))
		return
	}
	r.known |= knowVariations
	r.unknown &^= someRecord
	r.layout.Variations = uint32(v)
	r.file.Variations = make([]Variation, n)
	r.claim(n * variationSize)
}
