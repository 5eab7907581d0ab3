package pattern

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/formats/wire"
)

// WriteKSY writes a type of Kaitai Struct.
func (d *Description) WriteKSY(w io.Writer) error {
	b := bufio.NewWriter(w)
	order := "le"
	if d.Big {
		order = "be"
	}
	fmt.Fprintf(b, "meta:\n  id: %s\n  title: %s\n  file-extension:\n", d.Name, quoted(d.Title))
	for _, ext := range d.Extensions {
		fmt.Fprintf(b, "    - %s\n", strings.TrimPrefix(ext, "."))
	}
	fmt.Fprintf(b, "  endian: %s\ninstances:\n", order)
	for _, p := range d.Placed {
		fmt.Fprintf(b, "  %s:\n    pos: 0x%x\n    type: %s\n", p.Name, p.Offset, p.Type.Name)
		repeat(b, "    ", p.Count)
	}
	fmt.Fprintln(b, "types:")
	for k := range d.Types {
		t := &d.Types[k]
		fmt.Fprintf(b, "  %s:\n    doc: %s\n    seq:\n", t.Name, quoted(t.Text))
		for i := range t.Fields {
			f := &t.Fields[i]
			fmt.Fprintf(b, "      - id: %s\n        %s\n", f.Name, kaitaiType(f))
			repeat(b, "        ", f.Count)
			if f.Doc != "" {
				fmt.Fprintf(b, "        doc: %s\n", quoted(f.Doc))
			}
		}
	}
	return b.Flush()
}

// kaitaiType returns the key with the type of a field.
func kaitaiType(f *wire.Column) string {
	switch {
	case f.Always != nil:
		var list []string
		for _, c := range f.Always {
			list = append(list, fmt.Sprintf("0x%02x", c))
		}
		return "contents: [" + strings.Join(list, ", ") + "]"
	case f.Kind == wire.Signed:
		return fmt.Sprintf("type: s%d", f.Size)
	case f.Kind == wire.Unsigned:
		return fmt.Sprintf("type: u%d", f.Size)
	}
	return fmt.Sprintf("size: %d", f.Size)
}

// repeat writes the keys of an array.
func repeat(b *bufio.Writer, indent string, count int) {
	if count > 0 {
		fmt.Fprintf(b, "%srepeat: expr\n%srepeat-expr: %d\n", indent, indent, count)
	}
}

// quoted returns a text as a string of YAML.
func quoted(text string) string { return strconv.QuoteToASCII(text) }
