package csdrgen

import (
	"slices"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/fuzz/gen"
)

// vary changes how a text is written, and nothing that draws a finding:
// white space, quotes, references, comments, the order of elements and
// attributes, repeated opaque elements.
func (d *document) vary(c *gen.Choices) {
	d.top[0].raw = gen.Pick(c, []string{
		d.top[0].raw, `<?xml version="1.0"?>`, "<?xml version='1.0' encoding='UTF-8' standalone='no' ?>",
		"<?xml\r\n\tversion = \"1.15\" standalone=\"yes\"?>",
	})
	for _, p := range d.known() {
		d.element(c, p)
	}
	for _, o := range d.objects {
		if c.Chance(8) {
			o.element.attr("Name").value = written(c, o.Name)
		}
		tag(c, o.binary)
		if c.Chance(8) {
			o.binary.inside = pieces(c, o.binary.inside[0].raw)
		}
	}
	if c.Chance(8) {
		d.content.attr("Version").value = written(c, usualVersion)
		d.content.attr("Namespace").value = written(c, characters(c))
	}
	for range c.Below(3) {
		d.top = slices.Insert(d.top, 1+c.Below(len(d.top)), comment(c))
	}
}

// element varies a known element that has other elements in it.
func (d *document) element(c *gen.Choices, p *piece) {
	tag(c, p)
	swap := func() int { // one of the elements; every other piece is white space
		return 2*c.Below(len(p.inside)/2) + 1
	}
	if len(p.inside) > 1 {
		i, j := swap(), swap()
		if !slices.Contains([]*piece{d.root, d.shaders}, p) {
			p.inside[i], p.inside[j] = p.inside[j], p.inside[i]
		}
	}
	for _, q := range p.inside {
		if q.text && c.Chance(4) {
			q.raw = gen.Pick(c, []string{"", " ", "\r\n\r\n", "\t&#32;&#x09;", " &#13;\r\n"})
		}
	}
	if p == d.content || p.name == "ShaderCtr" && c.Chance(4) {
		for range c.Below(2) {
			p.insert(c.Below(len(p.inside)+1), raw(opaque(c, "EditData", 5, "\r\n")))
		}
	}
	for range c.Below(8) / 6 {
		p.insert(c.Below(len(p.inside)+1), comment(c))
	}
}

// tag varies white space and attributes in the tags of an element.
func tag(c *gen.Choices, p *piece) {
	white := func() string { return gen.Pick(c, []string{"", "", " ", "\r\n\t"}) }
	p.gap, p.endGap = white(), white()
	for _, a := range p.attrs {
		a.gap, a.equals = " "+white(), white()+"="+white()
	}
	if len(p.attrs) > 1 && c.Chance(8) {
		slices.Reverse(p.attrs)
	}
}

func comment(c *gen.Choices) *piece {
	return raw("<!--" + gen.Pick(c, []string{"", " ", "- - ", "<Shaders>", "&undefined;\r\n", "]]>", "\u00E9"}) + "-->")
}

// written writes a value with quotes of either kind and with references where
// they need not be.
func written(c *gen.Choices, value string) string {
	quote := gen.Pick(c, []string{`"`, "'"})
	var b strings.Builder
	b.WriteString(quote)
	for _, r := range value {
		s := string(r)
		switch plain := !strings.ContainsAny(s, "&<\t\r\n"+quote); {
		case plain && !c.Chance(3):
			b.WriteString(s)
		case escapes.Replace(s) != s && c.Chance(8):
			b.WriteString(escapes.Replace(s))
		default:
			b.WriteString(reference(c, r))
		}
	}
	b.WriteString(quote)
	return b.String()
}

// reference writes a character as a number.
func reference(c *gen.Choices, r rune) string {
	zeros := gen.Pick(c, []string{"", "", "0", "000"})
	if c.Chance(8) {
		return "&#" + zeros + strconv.Itoa(int(r)) + ";"
	}
	return "&#x" + zeros + strconv.FormatInt(int64(r), 16) + ";"
}

// pieces cuts a Base64 in pieces: as it stands, in references, with comments
// between them.
func pieces(c *gen.Choices, base64 string) (list []*piece) {
	for range c.Below(4) {
		n := c.Below(len(base64) + 1)
		list = append(list, text(base64[:n]))
		if base64 = base64[n:]; base64 != "" && c.Chance(8) {
			list = append(list, text(reference(c, rune(base64[0]))))
			base64 = base64[1:]
		}
		if c.Chance(6) {
			list = append(list, comment(c))
		}
	}
	return append(list, text(base64))
}
