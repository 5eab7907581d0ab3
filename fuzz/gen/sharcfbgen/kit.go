package sharcfbgen

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/gx2gen"
)

// kit spoils an archive.
type kit struct {
	*drawing
	gx2gen.Fields
}

func newKit(c *gen.Choices) *kit {
	k := &kit{drawing: newDrawing(c)}
	k.New = func() *gen.Draft {
		k.settle()
		b, err := k.f.AppendBinary(nil)
		if err != nil {
			panic(err)
		}
		var order binary.ByteOrder = binary.BigEndian
		if k.f.Endian == sharcfb.Little {
			order = binary.LittleEndian
		}
		return gen.NewDraft(b, order, k.f.Regions())
	}
	return k
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

// elementPlace returns the place of a list or record, which begins with its size.
func (k *kit) elementPlace(path string) gen.Place {
	return gen.Place{Off: k.Off(path + ".size"), Len: int(k.Get(path + ".size")), Path: path}
}

func (k *kit) add(path string, n uint32) { k.Set(path, k.Get(path)+n) }

// splice replaces n bytes of an element and corrects the sizes of the element and of all elements around it. Fields in
// front of the bytes keep their offsets.
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
func end(d *gen.Draft, element string) int {
	if element == "" {
		return len(d.Bytes)
	}
	return d.Off(element+".size") + int(d.Get(element+".size"))
}

func (k *kit) end(element string) int {
	k.Write()
	return end(k.Draft, element)
}
