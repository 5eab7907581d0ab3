package csdrgen

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/picaproof/picaproof/fuzz/gen"
)

// textFaults are about the text as bytes and lines, and its start.
var textFaults = []fault{
	{rule: "CSDR001", spoil: damaged(func(c *gen.Choices, text []byte) ([]byte, int, int) {
		return slices.Concat([]byte(gen.Only(c, "\uFEFF", "")), text), 0, len("\uFEFF")
	})},
	{rule: "CSDR002", spoil: damaged(func(c *gen.Choices, text []byte) ([]byte, int, int) {
		i := c.Below(len(text) + 1)
		for i < len(text) && !utf8.RuneStart(text[i]) {
			i--
		}
		return slices.Insert(text, i, []byte(gen.Only(c, gen.Pick(c, notUTF8), ""))...), i, 1
	})},
	{rule: "CSDR003", spoil: changed(func(c *gen.Choices, d *document) where {
		d.top[0] = gen.Only(c, gen.Pick(c, []*piece{text(""), text("\r\n"), comment(c)}), d.top[0])
		return func() gen.Place { return gen.Place{Len: len("<?xml"), Path: "declaration"} }
	})},
	{rule: "CSDR017", spoil: changed(func(c *gen.Choices, d *document) where {
		p := d.add(c, true, raw(gen.Pick(c, []string{"\n", "\r", "<!--\n-->", "<!--\r\r\n-->"})))
		end := strings.IndexAny(p.raw, "\r\n")
		before, after := raw(" "+p.raw[:end]), raw(p.raw[end+1:]+" ")
		*p = piece{raw: gen.Breach(c, p.raw[end:end+1], "\r\n")}
		d.around(p, before, after)
		return p.firstByte("text")
	})},
	{rule: "CSDR017", spoil: damaged(func(c *gen.Choices, text []byte) ([]byte, int, int) {
		end := []byte(gen.Breach(c, "\n", "\r\n"))
		text = append(bytes.ReplaceAll(text, []byte("\r\n"), end), end...)
		return text, bytes.IndexByte(text, '\n'), 1
	})},
}

// notUTF8 are a NUL, and bytes that are no character of UTF-8: bytes that start none, characters that are cut off or
// encoded too long, and numbers above U+10FFFF.
var notUTF8 = []string{"\x00", "\xFF", "\xFE", "\x80", "\xBF", "\xC3", "\xE2\x82", "\xF0\x9F\x98", "\xC0\x80",
	"\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80"}

// around puts pieces in front of and behind another.
func (d *document) around(p, before, after *piece) {
	for _, list := range append([]*[]*piece{&d.top}, insides(d.known())...) {
		if i := slices.Index(*list, p); i >= 0 {
			*list = slices.Concat((*list)[:i], []*piece{before, p, after}, (*list)[i+1:])
		}
	}
}

func insides(elements []*piece) (list []*[]*piece) {
	for _, p := range elements {
		list = append(list, &p.inside)
	}
	return list
}

// breach is a text that is not well-formed. before is the part in front of the place that the reader reports.
type breach struct{ before, at string }

// The breaches by where they are one: in a known element, outside the root too,
// behind it only, at the end, and in the place of the declaration.
var (
	insideBreaches = []breach{
		{"", "]]>"}, {"", "&undefined;"}, {"", "&;"}, {"", "& "}, {"", "&lt "}, {"", "&#0;"}, {"", "&#8;"},
		{"", "&#xD800;"}, {"", "&#xFFFE;"}, {"", "&#x110000;"}, {"", "&#99999999999;"}, {"", "&#xG;"}, {"", "&#;"},
		{"", "&#X41;"},
	}
	anyBreaches = []breach{
		{"", "<!DOCTYPE a>"}, {"", "<!ENTITY a 'b'>"}, {"", "</b>"}, {"", "<?xml version=\"1.0\"?>"}, {"", "<?XML?>"},
		{"", "<?xMl a?>"},
		{"", "\x01"}, {"", "\x08"}, {"", "\x0B"}, {"", "\x1F"}, {"", "\uFFFE"}, {"", "\uFFFF"},
		{"<!-- ", "-- -->"}, {"<!--", "--->"}, {"<?", "1?>"}, {"<?", " a?>"}, {"<?p", "!?>"}, {"<", "1/>"},
		{"<", " a/>"}, {"<", "-a/>"}, {"<", "\u00B7/>"}, {"<", "\u00D7/>"},
	}
	tagBreaches = []breach{
		{"<a b", "/>"}, {"<a b ", "c=''/>"}, {"<a b=", "c/>"}, {"<a b='1'", "c='2'/>"}, {"<a b='", "<'/>"},
		{"<a b='", "&'/>"}, {"<a b='", "&c;'/>"}, {"<a b='1' c='3' ", "b='2'/>"}, {"<a ", "='1'/>"}, {"<a ", "1=''/>"},
		{"<a", "!/>"}, {"<a", "/ >"},
		{"<a>", "</b>"}, {"<a></a ", "b=''>"}, {"<a><b>", "</a></b>"}, {"<A>", "</a>"},
	}
	topBreaches = []breach{{"", "x"}, {"", "&#32;"}, {"\r\n", "]]>"}, {"", "<![CDATA[]]>"}, {"", "\u00A0"}}
	endBreaches = []breach{{"", "<a/>"}, {"", "<a></a>"}, {"<!-- ", ""}, {"<?pi ", ""}, {"<", ""}, {"<?", ""},
		{"", "<!"}, {"", "</"}}

	declarationBreaches = []breach{
		{"<?xml", " encoding='utf-8'?>"}, {"<?xml version='", "2.0'?>"}, {"<?xml version='", "1.'?>"},
		{"<?xml version='", "1.x'?>"}, {"<?xml version='1.0'", ">"}, {"<?xml version='1.0' encoding='", "utf-16'?>"},
		{"<?xml version=\"1.0\" encoding=\"", "utf8\"?>"},
		{"<?xml version='1.0' standalone='", "maybe'?>"}, {"<?xml encoding='utf-8' ", "version='1.0'?>"},
		{"<?xml version='1.0' standalone='yes' ", "encoding='utf-8'?>"}, {"<?xml version='1.0' ", "other=''?>"},
		{"<?xml version='1.0' ", "version='1.0'?>"}, {"<?xml", " ?>"},
	}
)

// syntaxFaults break CSDR004, once for each place.
func syntaxFaults() []fault {
	inside := slices.Concat(insideBreaches, anyBreaches, tagBreaches)
	top := slices.Concat(topBreaches, anyBreaches)
	list := []spoil{
		breaches(inside, rightComment, func(c *gen.Choices, d *document, p, q *piece) {
			in, i := d.somewhere(c)
			in.inside = slices.Insert(in.inside, i, p, q)
		}),
		breaches(top, rightComment, func(c *gen.Choices, d *document, p, q *piece) {
			d.top = slices.Insert(d.top, 1+c.Below(len(d.top)), p, q)
		}),
		breaches(endBreaches, rightComment,
			func(_ *gen.Choices, d *document, p, q *piece) { d.top = append(d.top, p, q) }),
		breaches(declarationBreaches, breach{"<?xml version='1.0'", "?>"},
			func(_ *gen.Choices, d *document, p, q *piece) {
				d.top = slices.Concat([]*piece{p, q}, d.top[1:])
			}),
		// The text ends inside the root.
		func(c *gen.Choices, d *document) ([]byte, gen.Place) {
			text := d.append(nil)
			p, i := d.somewhere(c)
			end := p.inner
			if i < len(p.inside) {
				end = p.inside[i].at
			}
			return c.Cut(text, end), gen.Place{Off: end, Path: "text"}
		},
		// An end tag has the name of another element.
		changed(func(c *gen.Choices, d *document) where {
			p := gen.Pick(c, d.known())
			name := gen.Pick(c, []string{p.name + "s", "x:" + p.name, strings.ToLower(p.name)})
			wrong := raw(gen.Only(c, "</"+name+">", ""))
			p.inside = append(p.inside, wrong)
			return wrong.firstByte("text")
		}),
	}
	var faults []fault
	for _, s := range list {
		faults = append(faults, fault{rule: "CSDR004", spoil: s})
	}
	// In the known elements all that may be so deep is unknown.
	return append(faults, fault{rule: "CSDR004", missBreaks: []string{"CSDR011"}, spoil: changed(tooDeep)})
}

// rightComment may stand where most breaches do.
var rightComment = breach{"<!-- - ", "-->"}

// breaches inserts one of some breaches into a text; in a near miss right, which is well-formed.
func breaches(list []breach, right breach, put func(c *gen.Choices, d *document, before, at *piece)) spoil {
	return changed(func(c *gen.Choices, d *document) where {
		x := gen.Breach(c, gen.Pick(c, list), right)
		at := raw(x.at)
		put(c, d, raw(x.before), at)
		return at.firstByte("text")
	})
}

// tooDeep nests elements deeper than the limit. The reader reports the first element beyond it.
func tooDeep(c *gen.Choices, d *document) where {
	p, i := d.somewhere(c)
	depth := min(slices.Index(d.known(), p), 3) + 1 // of the elements inside p
	most := maxDepth - depth
	beyond := raw(gen.Breach(c, gen.Pick(c, []string{"<a/>", "<a></a>", "<a><a/></a>"}), ""))
	p.inside = slices.Insert(p.inside, i, raw(strings.Repeat("<a>", most)), beyond, raw(strings.Repeat("</a>", most)))
	return beyond.firstByte("text")
}
