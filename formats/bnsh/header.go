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

// header checks the file header.
func (r *reader) header() bool {
	at := func(field string) diag.Place { return owner{part: headerPart}.place(0, field) }
	size := r.Size()
	if size < minFileSize {
		return r.refuse("BNSH001", diag.Place{Off: size, Path: diag.Path{Field: "header"}}, diag.AtLeast(minFileSize), diag.Dec(size))
	}
	if got := r.Bytes(0, 8); string(got) != fileSignature {
		return r.refuse("BNSH001", at("signature"), diag.Quoted([]byte(fileSignature)), diag.Quoted(got))
	}
	if got := r.U16(0x0C); got != byteOrderMark {
		return r.refuse("BNSH002", at("byte_order_mark"), diag.Hex(byteOrderMark), diag.Hex(uint64(got)))
	}
	h := &r.file.Header
	h.Version = Version{r.U16(0x0A), r.U8(0x09), r.U8(0x08)}
	h.AlignmentShift, h.AddressSize = r.U8(0x0E), r.U8(0x0F)
	if h.Version.Major != 2 {
		return r.refuse("BNSH003", at("version.major"), diag.Dec(2), diag.Dec(uint64(h.Version.Major)))
	}
	if h.AlignmentShift != knownShift {
		r.Report("BNSH004", at("alignment_shift"), diag.Dec(knownShift), diag.Dec(uint64(h.AlignmentShift)))
	}
	if h.AddressSize != 0 && h.AddressSize != 64 {
		r.Report("BNSH005", at("address_size"), diag.Text("0 or 64"), diag.Dec(uint64(h.AddressSize)))
	}
	if n := uint64(r.U32(0x1C)); n != size {
		return r.refuse("BNSH006", at("file_size"), diag.Dec(size), diag.Dec(n))
	}
	if flags := r.U16(0x14); flags != 0 {
		return r.refuse("BNSH007", at("flags"), diag.Dec(0), diag.Hex(uint64(flags)))
	}
	if !r.reserved("BNSH008", owner{part: headerPart}, 0) {
		return false
	}
	switch c := uint64(r.U16(0x16)); {
	case c%8 != 0:
		return r.refuse("BNSH009", at("container"), diag.Text("multiple of 8"), diag.Hex(c))
	case c < headerSize:
		return r.refuse("BNSH009", at("container"), diag.Value{Format: ">= 0x%x", N: headerSize}, diag.Hex(c))
	case !r.Has(c, containerSize):
		return r.refuse("BNSH009", at("container"), diag.Value{Format: "<= 0x%x", N: size - containerSize}, diag.Hex(c))
	}
	r.layout.Container = uint32(r.U16(0x16))
	if !slices.Contains(knownVersions, h.Version) {
		r.Report("BNSH015", headerVersion(), diag.Text("a version that documents list"), diag.Text(h.Version.String()))
	}
	if h.AlignmentShift > maxShift {
		return r.refuse("BNSH016", at("alignment_shift"), diag.AtMost(maxShift), diag.Dec(uint64(h.AlignmentShift)))
	}
	if r.layout.Container != usualContainer {
		r.Report("BNSH017", at("container"), diag.Hex(usualContainer), diag.Hex(uint64(r.layout.Container)))
	}
	return true
}

// headerVersion is the place of the whole version.
func headerVersion() diag.Place {
	return diag.Place{Off: 0x08, Len: 4, Path: diag.Path{Prefix: "header.", Field: "version"}}
}

// blocks checks the chain of blocks: container, strings.
func (r *reader) blocks() bool {
	c := uint64(r.layout.Container)
	at := func(field string) diag.Place { return owner{part: containerPart}.place(c, field) }
	if got := r.Bytes(c, 4); string(got) != containerSignature {
		return r.refuse("BNSH010", at("signature"), diag.Quoted([]byte(containerSignature)), diag.Quoted(got))
	}
	next := uint64(r.U32(c + 4))
	s := c + next
	switch {
	case next < containerSize:
		return r.refuse("BNSH010", at("next"), diag.Value{Format: ">= 0x%x", N: containerSize}, diag.Hex(next))
	case next%8 != 0:
		return r.refuse("BNSH010", at("next"), diag.Text("multiple of 8"), diag.Hex(next))
	case !r.Has(s, stringsHeadSize):
		return r.refuse("BNSH010", at("next"), diag.Text("a string block inside the file"), diag.Hex(next))
	}
	field := func(name string) diag.Place { return owner{part: stringPart}.place(s, name) }
	if got := r.Bytes(s, 4); string(got) != stringsSignature {
		return r.refuse("BNSH010", field("signature"), diag.Quoted([]byte(stringsSignature)), diag.Quoted(got))
	}
	if got := r.U32(s + 4); got != 0 {
		return r.refuse("BNSH010", field("next"), diag.Dec(0), diag.Hex(uint64(got)))
	}
	size := uint64(r.U32(c + 8))
	if size < containerSize || size > next {
		return r.refuse("BNSH012", at("size"), diag.Value{Format: "0x60 to 0x%x", N: next}, diag.Hex(size))
	}
	if size != next {
		r.Report("BNSH018", at("size"), diag.Hex(next), diag.Hex(size))
	}
	r.layout.ContainerSize = uint32(size)
	r.layout.Strings = uint32(s)
	r.low, r.high = c+containerSize, s
	return true
}

// relocationHead checks the start of the relocation table.
func (r *reader) relocationHead() bool {
	t := uint64(r.U32(0x18))
	at := owner{part: headerPart}.place(0, "relocation_table")
	low := uint64(r.layout.Strings) + stringsHeadSize
	switch {
	case t%8 != 0:
		return r.refuse("BNSH070", at, diag.Text("multiple of 8"), diag.Hex(t))
	case t < low:
		return r.refuse("BNSH070", at, diag.Value{Format: ">= 0x%x", N: low}, diag.Hex(t))
	case !r.Has(t, relocationHeadSize):
		return r.refuse("BNSH070", at, diag.Text("a relocation table inside the file"), diag.Hex(t))
	}
	field := func(name string) diag.Place { return owner{part: relocationPart}.place(t, name) }
	if got := r.Bytes(t, 4); string(got) != relocationSignature {
		return r.refuse("BNSH070", field("signature"), diag.Quoted([]byte(relocationSignature)), diag.Quoted(got))
	}
	if got := uint64(r.U32(t + 4)); got != t {
		return r.refuse("BNSH070", field("offset"), diag.Hex(t), diag.Hex(got))
	}
	r.layout.Relocations = uint32(t)
	return r.reserved("BNSH070", owner{part: relocationPart}, t)
}

// container checks the container and its variation array.
func (r *reader) container() bool {
	c := uint64(r.layout.Container)
	o := owner{part: containerPart}
	if !r.reserved("BNSH011", o, c) {
		return false
	}
	h := &r.file.Header
	h.APIType, h.APIVersion, h.TargetCodeType = r.U16(c+0x10), r.U16(c+0x12), r.U8(c+0x14)
	h.CompilerVersion, h.LowLevelCompilerVersion = r.U32(c+0x18), r.U64(c+0x30)
	if h.APIType != nvnAPI {
		r.Report("BNSH019", o.place(c, "api_type"), diag.Dec(nvnAPI), diag.Dec(uint64(h.APIType)))
	}
	if h.TargetCodeType != 0 {
		r.Report("BNSH019", o.place(c, "target_code_type"), diag.Dec(0), diag.Dec(uint64(h.TargetCodeType)))
	}
	n := uint64(r.U32(c + 0x1C))
	if n == 0 {
		return r.refuse("BNSH020", o.place(c, "variation_count"), diag.AtLeast(1), diag.Dec(n))
	}
	r.pointers = newBitmap(r.Size())
	v := r.pointer(c + 0x20)
	if !r.record("BNSH020", func() diag.Place { return o.place(c, "variations.pointer") }, v, variationSize, 8) {
		return false
	}
	if most := (r.high - v) / variationSize; n > most {
		return r.refuse("BNSH020", o.place(c, "variation_count"), diag.AtMost(most), diag.Dec(n))
	}
	r.layout.Variations = uint32(v)
	r.file.Variations = make([]Variation, n)
	return r.claim(owner{part: variationPart}, v, n*variationSize)
}
