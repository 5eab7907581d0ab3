package sharcfbgen

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// kit spoils an archive. It is written when the first field is asked for: what a
// fault needs to be there is drawn before.
type kit struct {
	*drawing
	*gen.Draft
}

// write writes the archive as it is drawn so far.
func (k *kit) write() {
	if k.Draft != nil {
		return
	}
	b, err := k.f.AppendBinary(nil)
	if err != nil {
		panic(err)
	}
	var order binary.ByteOrder = binary.BigEndian
	if k.f.Endian == sharcfb.Little {
		order = binary.LittleEndian
	}
	k.Draft = gen.NewDraft(b, order, k.f.Regions())
	k.C.Nearer(func() ([]byte, bool) { return slices.Clone(b), len(sharcfb.Check(b)) == 0 })
}

// rewrite writes the archive again, now that it cannot be read any more. Fields
// in front of the change are where they were.
func (k *kit) rewrite() {
	b, err := k.f.AppendUnchecked(nil)
	if err != nil {
		panic(err)
	}
	k.Bytes = b
}

// off, get and set are those of the draft, of a written archive.
func (k *kit) off(path string) int {
	k.write()
	return k.Off(path)
}

func (k *kit) get(path string) uint32 {
	k.write()
	return uint32(k.Get(path))
}

func (k *kit) set(path string, v uint32) {
	k.write()
	k.Set(path, uint64(v))
}

// place returns the place of a field.
func (k *kit) place(path string) gen.Place {
	k.write()
	return k.Place(path)
}

// whole returns the place of a list or record, which begins with its size.
func (k *kit) whole(path string) gen.Place {
	return gen.Place{Off: k.off(path + ".size"), Len: int(k.get(path + ".size")), Path: path}
}

// pair returns the place of a field and the one behind it, to which it belongs.
func (k *kit) pair(path string) gen.Place {
	at := k.place(path)
	at.Len *= 2
	return at
}

func (k *kit) add(path string, n uint32) { k.set(path, k.get(path)+n) }

// splice replaces n bytes by others and corrects the sizes of the element that
// they are in, and of all that this is in. Fields in front are where they were.
func (k *kit) splice(element string, off, n int, with ...byte) {
	for _, size := range append(sizes(element), "header.file_size") {
		k.add(size, uint32(len(with)-n))
	}
	k.Bytes = slices.Replace(k.Bytes, off, off+n, with...)
}

// sizes lists the sizes of an element, of the list that it is in, and so on: of
// "programs[0].macros[1]", say.
func sizes(element string) (fields []string) {
	for ; element != ""; element = parent(element) {
		fields = append(fields, element+".size")
	}
	return fields
}

// parent returns the list that a record is in, the record that a list is in, or
// "", the file.
func parent(element string) string {
	return element[:max(strings.LastIndexAny(element, "[."), 0)]
}

// end returns the offset behind an element, or "", the file.
func (k *kit) end(element string) int {
	if k.write(); element == "" {
		return len(k.Bytes)
	}
	return k.off(element+".size") + int(k.get(element+".size"))
}
