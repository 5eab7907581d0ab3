package csdrgen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/csdr"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// outlineFaults are about the elements and attributes that there must be.
var outlineFaults = []fault{
	{rule: "CSDR005", spoil: changed(func(c *gen.Choices, d *document) where {
		d.root.name = gen.Only(c, gen.Pick(c, []string{"x:" + d.root.name, d.root.name + "s",
			strings.ToLower(d.root.name), d.content.name, "\u00E9"}), d.root.name)
		return d.root.tag("root")
	})},
	{rule: "CSDR006", onlyValid: true, spoil: changed(func(_ *gen.Choices, d *document) where {
		d.root.remove(d.content)
		return d.root.tag(d.content.name)
	})},
	{rule: "CSDR006", onlyValid: true, spoil: changed(func(_ *gen.Choices, d *document) where {
		d.content.remove(d.shaders)
		return d.content.tag(d.shaders.name)
	})},
	{rule: "CSDR006", onlyValid: true, spoil: changed(func(c *gen.Choices, d *document) where {
		again := another(c, d).content
		d.root.insert(behind(c, d.root, d.content), again)
		return again.tag(again.name)
	})},
	{rule: "CSDR006", onlyValid: true, spoil: changed(func(c *gen.Choices, d *document) where {
		again := another(c, d).shaders
		d.content.insert(behind(c, d.content, d.shaders), again)
		return again.tag(again.name)
	})},
	{rule: "CSDR007", onlyValid: true, spoil: changed(func(_ *gen.Choices, d *document) where {
		d.content.drop("Version")
		return d.content.tag("version")
	})},
	{rule: "CSDR007", spoil: changed(func(c *gen.Choices, d *document) where {
		a := d.content.attr("Version")
		wrong := gen.Pick(c,
			[]string{"1.3.0", "", "0.7", "0.7.0 ", " 0.7.0", "0.7.00", "0.7.1", characters(c) + "0.7.0x"})
		a.value = written(c, gen.Only(c, wrong, usualVersion))
		return a.quoted("version")
	})},
	{rule: "CSDR008", onlyValid: true, spoil: changed(func(c *gen.Choices, d *document) where {
		o := gen.Pick(c, d.objects)
		o.element.drop("Name")
		return o.element.tag(d.pathOf(o, "name"))
	})},
	{rule: "CSDR008", spoil: changed(func(c *gen.Choices, d *document) where {
		o := gen.Pick(c, d.objects)
		a := o.element.attr("Name")
		a.value = written(c, gen.Breach(c, "", "~"))
		return a.quoted(d.pathOf(o, "name"))
	})},
	{rule: "CSDR009", shape: shape{shaders: 2}, spoil: changed(func(c *gen.Choices, d *document) where {
		names := d.names() // in the order of the text
		later := 1 + c.Below(len(names)-1)
		names[later].attr.value = written(c, names[c.Below(later)].name+gen.Breach(c, "", "~"))
		return names[later].attr.quoted(fmt.Sprintf("shaders[%d].name", later))
	})},
	{rule: "CSDR010", onlyValid: true, spoil: changed(func(c *gen.Choices, d *document) where {
		o := gen.Pick(c, d.objects)
		o.element.remove(o.binary)
		return o.element.tag(d.pathOf(o, "binary_data"))
	})},
	{rule: "CSDR010", onlyValid: true, spoil: changed(func(c *gen.Choices, d *document) where {
		o := gen.Pick(c, d.objects)
		again := raw(opaque(c, "BinaryData", 5, "\r\n"))
		o.element.insert(behind(c, o.element, o.binary), again)
		return again.tag(d.pathOf(o, "binary_data"))
	})},
	{rule: "CSDR012", onlyValid: true, spoil: changed(func(c *gen.Choices, d *document) where {
		for _, o := range d.objects {
			d.shaders.remove(o.element)
		}
		if c.Chance(4) {
			d.shaders.inside, d.shaders.short = nil, true
		}
		return d.shaders.tag(d.shaders.name)
	})},
}

// another draws a document whose shader occurs in no shader of d.
func another(c *gen.Choices, d *document) *document {
	name := ""
	for _, o := range d.objects {
		name += o.Name + "2"
	}
	f := draw(c, shape{})
	f.Objects = []csdr.Object{{Name: name, DVLB: f.Objects[0].DVLB}}
	return outline(f)
}

// behind draws a place behind a piece.
func behind(c *gen.Choices, in, p *piece) int {
	i := slices.Index(in.inside, p) + 1
	return i + c.Below(len(in.inside)+1-i)
}

func (p *piece) drop(attribute string) {
	p.attrs = slices.DeleteFunc(p.attrs, func(a *attr) bool { return a.name == attribute })
}

// named is a name where it is written.
type named struct {
	name string
	attr *attr
}

// names are the names of the shaders in the order of the text.
func (d *document) names() (list []named) {
	for _, p := range d.shaders.inside {
		for _, o := range d.objects {
			if o.element == p {
				list = append(list, named{o.Name, p.attr("Name")})
			}
		}
	}
	return list
}

// oddFaults add pieces to a text that the usual outline does not have: CSDR011.
var oddFaults = []fault{
	{rule: "CSDR011", onlyValid: true, spoil: changed(func(c *gen.Choices, d *document) where {
		return d.add(c, false, raw(opaque(c, gen.Pick(c, unknownNames), 5, "\r\n"))).tag("outline.element")
	})},
	{rule: "CSDR011", spoil: changed(func(c *gen.Choices, d *document) where {
		wrong := gen.Pick(c, []string{"<?pi <x> ?>", "<?p?>", "<?xmlx a='b'?>", "<?x:\u00E9 ??>"})
		return d.add(c, true, raw(gen.Breach(c, wrong, "<!---->"))).place("outline.instruction")
	})},
	{rule: "CSDR011", spoil: changed(func(c *gen.Choices, d *document) where {
		wrong := gen.Pick(c, []string{"<![CDATA[]]>", "<![CDATA[ ]]>", "<![CDATA[<Shaders>]]>", "<![CDATA[]]]]>"})
		return d.add(c, false, raw(gen.Breach(c, wrong, "<!---->"))).place("outline.cdata")
	})},
	{rule: "CSDR011", spoil: changed(func(c *gen.Choices, d *document) where {
		p := gen.Pick(c, append(d.known(), gen.Pick(c, d.objects).binary))
		a := attribute(gen.Pick(c, []string{"name", "version", "x:Name", "xmlns", "xml:space", "\u00E9"}),
			characters(c))
		p.attrs = slices.Insert(p.attrs, c.Below(len(p.attrs)+1), gen.Only(c, []*attr{a}, nil)...)
		return a.place("outline.attribute")
	})},
	// The reader reports the whole run of character data.
	{rule: "CSDR011", spoil: changed(func(c *gen.Choices, d *document) where {
		p, i := d.somewhere(c)
		odd := gen.Pick(c, []string{"x", "=", "&amp;", "&#160;", "\u00A0", "\uFEFF", "]]", ">"})
		odd = gen.Breach(c, odd, "&#32;")
		for _, k := range []int{i - 1, i} {
			if k >= 0 && k < len(p.inside) && p.inside[k].text {
				p.inside[k].raw += odd
				return p.inside[k].place("outline.text")
			}
		}
		p.insert(i, text(odd))
		return p.inside[i].place("outline.text")
	})},
	{rule: "CSDR011", spoil: insideBase64(func(c *gen.Choices, base64 string) (string, string, string) {
		i := c.Below(len(base64) + 1)
		return base64[:i], gen.Breach(c, gen.Pick(c, []string{"<?pi x?>", "<?p?>"}), "<!---->"), base64[i:]
	}, outlineOf("instruction"))},
	{rule: "CSDR011", spoil: insideBase64(func(c *gen.Choices, base64 string) (string, string, string) {
		i := c.Below(len(base64) + 1)
		j := i + c.Below(len(base64)+1-i)
		return base64[:i], gen.Only(c, "<![CDATA["+base64[i:j]+"]]>", base64[i:j]), base64[j:]
	}, outlineOf("cdata"))},
}

// outlineOf reports all of a piece that the outline does not have.
func outlineOf(what string) func(d *document, o object, wrong *piece) where {
	return func(_ *document, _ object, wrong *piece) where { return wrong.place("outline." + what) }
}

// unknownNames are known at no place where an element is added.
var unknownNames = []string{"Extra", "editData", "x:a", "NintendoWareIntermediateFile", "Shader", "ShaderCtrs", "Data",
	"\u00E9", "_", ":"}
