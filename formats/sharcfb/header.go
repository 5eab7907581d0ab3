package sharcfb

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// headerField is the place of a header field.
func headerField(name string) diag.Place {
	return headerRecord.At(0, diag.Path{Prefix: "header.", Field: name})
}

// header reads the archive header: SHARC001 to SHARC009. It returns the end of
// the name; ok is false when nothing behind it can be read.
func (r *reader) header() (end uint64, ok bool) {
	if r.Size() < headerSize {
		at := diag.Place{Off: r.Size(), Path: diag.Path{Prefix: "header."}}
		r.Report("SHARC001", at, diag.Value{Format: ">= %d bytes", N: headerSize},
			diag.Bytes(r.Size()))
		return 0, false
	}
	if !r.identify() {
		return 0, false
	}
	order := r.file.Endian
	r.headers.file[0] = fileHeader{File: r.file}
	header := read(r.View, headerRecord, 0, &r.headers.file)
	if v := r.file.Endian; v != order {
		r.Report("SHARC004", headerField("endian"), diag.Dec(uint64(order)), diag.Dec(uint64(v)))
	}
	r.file.Endian = order
	if v := uint64(header.size); v != r.Size() {
		r.Report("SHARC005", headerField("file_size"), diag.Dec(r.Size()), diag.Dec(v))
	}
	headerRecord.Check(r.Reporter, r.View, 0, headerField)
	if r.Size() > math.MaxUint32 {
		return 0, false
	}
	n := uint64(header.name)
	if !r.Has(headerSize, n) {
		r.Report("SHARC007", headerField("name_length"), diag.AtMost(r.Size()-headerSize), diag.Dec(n))
		return 0, false
	}
	if n == 0 {
		r.Report("SHARC007", headerField("name_length"), diag.AtLeast(1), diag.Dec(0))
		return headerSize, true
	}
	at := func() diag.Place { return diag.Place{Off: headerSize, Len: n, Path: diag.Path{Field: "name"}} }
	name := r.Bytes(headerSize, n)
	if r.terminated("SHARC007", name, at) {
		r.file.Name = wire.Text(name[:n-1])
	}
	return headerSize + n, true
}

// identify reads signature and version, and finds the byte order: SHARC002,
// SHARC003.
func (r *reader) identify() bool {
	switch signature := r.U32(0); signature {
	case magic:
		r.file.Endian = Big
	case swap32(magic):
		r.file.Endian = Little
	default:
		found := diag.Quoted(r.Bytes(0, 4))
		if isSource(r.B) {
			if signature != sourceMagic {
				r.Big = false
			}
			found = diag.Value{Format: "a source archive of version %d",
				N: uint64(r.U32(headerRecord.Offset("version")))}
		}
		r.Report("SHARC002", headerField("signature"), diag.Text(`"SHAB" or "BAHS"`), found)
		return false
	}
	r.Big = r.file.Endian == Big
	versionRule.Check(r.Reporter, r.View, 0, headerField)
	return !r.Failed()
}

// isSource reports whether a file begins like a source archive of either byte
// order.
func isSource(b []byte) bool {
	return uint64(len(b)) >= headerSize && (string(b[:4]) == "SHAA" || string(b[:4]) == "AAHS")
}

func showVersion(n uint64) string {
	if n == 9 {
		return "9, the archive of the Switch"
	}
	return strconv.FormatUint(n, 10)
}

func swap32(n uint32) uint32 {
	return n>>24 | n>>8&0xFF00 | n<<8&0xFF0000 | n<<24
}

// terminated checks a length-prefixed string of at least one byte: the given
// rule if its last byte is not NUL, SHARC008 and SHARC009 for the bytes before.
func (r *reader) terminated(rule string, s []byte, at func() diag.Place) bool {
	last := len(s) - 1
	if s[last] != 0 {
		r.Report(rule, at(), diag.Text("a NUL at the end"), diag.Hex(uint64(s[last])))
		return false
	}
	if i := bytes.IndexByte(s, 0); i < last {
		r.Report("SHARC008", at(), diag.Text("no NUL before the end"),
			diag.Value{Format: "a NUL as byte %d", N: uint64(i)})
		return false
	}
	r.plain(s[:last], at)
	return true
}

// plain checks that a string is fit for reading: SHARC009.
func (r *reader) plain(s []byte, at func() diag.Place) {
	if !r.Strict() && !wire.Text(s).Plain() {
		r.Report("SHARC009", at(), diag.Text("UTF-8 without control characters"), diag.Quoted(s))
	}
}

// owner is a record that lists or findings belong to; its path is made when
// needed.
type owner struct {
	in    *owner
	table string
	index int
	path  string
}

// prefix returns the start of the paths of everything in the owner.
func (o *owner) prefix() string {
	if o == nil {
		return ""
	}
	if o.path == "" {
		o.path = fmt.Sprintf("%s%s[%d].", o.in.prefix(), o.table, o.index)
	}
	return o.path
}
