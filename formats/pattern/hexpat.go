package pattern

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/formats/wire"
)

// WriteHexpat writes a pattern of ImHex.
func (d *Description) WriteHexpat(w io.Writer) error {
	b := bufio.NewWriter(w)
	order := "little"
	if d.Big {
		order = "big"
	}
	fmt.Fprintf(b, "#pragma description %s\n#pragma endian %s\n", d.Title, order)
	for k := range d.Types {
		t := &d.Types[k]
		fmt.Fprintf(b, "\n// %s\nstruct %s {\n", t.Text, hexName(t.Name))
		for i := range t.Fields {
			f := &t.Fields[i]
			kind, count := hexType(f)
			if count > 0 {
				count *= max(f.Count, 1)
			} else {
				count = f.Count
			}
			fmt.Fprintf(b, "    %s %s%s%s;\n", kind, hexName(f.Name), brackets(count), comment(f.Doc))
		}
		fmt.Fprintln(b, "};")
	}
	fmt.Fprintln(b)
	for _, p := range d.Placed {
		fmt.Fprintf(b, "%s %s%s @ 0x%x;\n", hexName(p.Type.Name), hexName(p.Name), brackets(p.Count), p.Offset)
	}
	return b.Flush()
}

// words are names that the language has a meaning for, or may get one.
var words = strings.Fields(`addressof as auto be bitfield bool break catch char char16 const continue double else enum
	false float fn for from if import in le match namespace null out padding parent ref reference return signed sizeof
	str struct this true try typenameof union unsigned using while`)

// hexName returns a name that is no word of the language.
func hexName(name string) string {
	if slices.Contains(words, name) {
		return name + "_"
	}
	return name
}

// hexType returns the type of a field, and the number of elements if one value of the field has several.
func hexType(f *wire.Column) (kind string, count int) {
	switch f.Kind {
	case wire.Unsigned:
		return fmt.Sprintf("u%d", 8*f.Size), 0
	case wire.Signed:
		return fmt.Sprintf("s%d", 8*f.Size), 0
	case wire.Characters:
		return "char", f.Size
	}
	return "u8", f.Size
}

func brackets(count int) string {
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("[%d]", count)
}

// comment returns the attribute with a text.
func comment(text string) string {
	if text == "" {
		return ""
	}
	return " [[comment(" + strconv.QuoteToASCII(strings.ReplaceAll(text, `"`, "'")) + ")]]"
}
