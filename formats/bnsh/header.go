package bnsh

import (
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
)

// knownVersions are those that documents list.
var knownVersions = []Version{
	{2, 1, 2}, {2, 1, 4}, {2, 1, 5}, {2, 1, 10}, {2, 1, 11}, {2, 1, 12}, {2, 2, 1}, {2, 3, 1},
}

const (
	byteOrderMark  = 0xFEFF
	knownShift     = 12
	maxShift       = 31
	usualContainer = headerSize
	nvnAPI         = 4
)

// header reads the file header. The header of another major version is the same
// (it is that of all files of the console's libraries, nnheaders); what lies
// behind it is not known.
func (r *reader) header() {
	at := func(field string) diag.Place { return owner{part: headerPart}.place(0, field) }
	size := r.Size()
	if size < minFileSize {
		r.fail("BNSH001", diag.Place{Off: size, Path: diag.Path{Field: "header"}}, diag.AtLeast(minFileSize), diag.Dec(size))
		return
	}
	if got := r.Bytes(0, 8); string(got) != fileSignature {
		r.fail("BNSH001", at("signature"), diag.Quoted([]byte(fileSignature)), diag.Quoted(got))
		return
	}
	if got := r.U16(0x0C); got != byteOrderMark {
		r.fail("BNSH002", at("byte_order_mark"), diag.Hex(byteOrderMark), diag.Hex(uint64(got)))
		return
	}
	h := &r.file.Header
	h.Version = Version{r.U16(0x0A), r.U8(0x09), r.U8(0x08)}
	h.AlignmentShift, h.AddressSize = r.U8(0x0E), r.U8(0x0F)
	if h.Version.Major == 2 {
		r.known |= knowFile
	} else {
		r.fail("BNSH003", at("version.major"), diag.Dec(2), diag.Dec(uint64(h.Version.Major)))
	}
	if h.AlignmentShift != knownShift {
		r.Report("BNSH004", at("alignment_shift"), diag.Dec(knownShift), diag.Dec(uint64(h.AlignmentShift)))
	}
	if h.AddressSize != 0 && h.AddressSize != 64 {
		r.Report("BNSH005", at("address_size"), diag.Text("0 or 64"), diag.Dec(uint64(h.AddressSize)))
	}
	if n := uint64(r.U32(0x1C)); n != size {
		r.fail("BNSH006", at("file_size"), diag.Dec(size), diag.Dec(n))
	}
	if flags := r.U16(0x14); flags != 0 {
		r.fail("BNSH007", at("flags"), diag.Dec(0), diag.Hex(uint64(flags)))
	}
	r.reserved("BNSH008", owner{part: headerPart}, 0)
	switch c := uint64(r.U16(0x16)); {
	case c%8 != 0:
		r.fail("BNSH009", at("container"), diag.Text("multiple of 8"), diag.Hex(c))
	case c < headerSize:
		r.fail("BNSH009", at("container"), diag.Value{Format: ">= 0x%x", N: headerSize}, diag.Hex(c))
	case !r.Has(c, containerSize):
		r.fail("BNSH009", at("container"), diag.Value{Format: "<= 0x%x", N: size - containerSize}, diag.Hex(c))
	default:
		r.layout.Container = uint32(c)
	}
	if h.Version.Major == 2 && !slices.Contains(knownVersions, h.Version) {
		r.Report("BNSH015", headerVersion(), diag.Text("a version that documents list"), diag.Text(h.Version.String()))
	}
	if h.AlignmentShift > maxShift {
		r.fail("BNSH016", at("alignment_shift"), diag.AtMost(maxShift), diag.Dec(uint64(h.AlignmentShift)))
	}
	if c := r.layout.Container; c != 0 && c != usualContainer {
		r.Report("BNSH017", at("container"), diag.Hex(usualContainer), diag.Hex(uint64(c)))
	}
}

// headerVersion is the place of the whole version.
func headerVersion() diag.Place {
	return diag.Place{Off: 0x08, Len: 4, Path: diag.Path{Prefix: "header.", Field: "version"}}
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
	next := uint64(r.U32(c + 4))
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
	size := uint64(r.U32(c + 8))
	r.layout.ContainerSize = uint32(size)
	switch {
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
	if got := r.U32(s + 4); got != 0 {
		r.fail("BNSH010", field("next"), diag.Dec(0), diag.Hex(uint64(got)))
	}
	r.known |= knowBody
	r.layout.Strings = uint32(s)
	r.low, r.high = uint64(r.layout.Container)+containerSize, s
}

// relocationTable reads the head of the relocation table.
func (r *reader) relocationTable() {
	t := uint64(r.U32(0x18))
	at := owner{part: headerPart}.place(0, "relocation_table")
	low := uint64(headerSize)
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
	if got := uint64(r.U32(t + 4)); got != t {
		r.fail("BNSH070", field("offset"), diag.Hex(t), diag.Hex(got))
	}
	r.known |= knowTable
	r.layout.Relocations = uint32(t)
	r.reserved("BNSH070", owner{part: relocationPart}, t)
}

// container reads the container.
func (r *reader) container() {
	c := uint64(r.layout.Container)
	o := owner{part: containerPart}
	r.reserved("BNSH011", o, c)
	h := &r.file.Header
	h.APIType, h.APIVersion, h.TargetCodeType = r.U16(c+0x10), r.U16(c+0x12), r.U8(c+0x14)
	h.CompilerVersion, h.LowLevelCompilerVersion = r.U32(c+0x18), r.U64(c+0x30)
	if h.APIType != nvnAPI {
		r.Report("BNSH019", o.place(c, "api_type"), diag.Dec(nvnAPI), diag.Dec(uint64(h.APIType)))
	}
	if h.TargetCodeType != 0 {
		r.Report("BNSH019", o.place(c, "target_code_type"), diag.Dec(0), diag.Dec(uint64(h.TargetCodeType)))
	}
}

// variationArray finds the variations.
func (r *reader) variationArray() {
	c := uint64(r.layout.Container)
	o := owner{part: containerPart}
	r.pointers = newBitmap(r.Size())
	v, n := r.pointer(c+0x20), uint64(r.U32(c+0x1C))
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
