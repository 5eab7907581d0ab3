package csdrgen

import (
	"fmt"
	"slices"
	"sync"

	"github.com/picaproof/picaproof/fuzz/gen"
)

// Faults break one rule each.
var Faults = sync.OnceValue(func() []gen.Fault {
	return faults(textFaults, syntaxFaults(), outlineFaults, oddFaults, base64Faults, dvlbFaults())
})

// fault spoils a document in one place.
type fault struct {
	rule       string
	also       []string
	missBreaks []string
	onlyValid  bool  // the near miss is the valid text
	shape      shape // of the document
	spoil      spoil
}

// spoil makes a document break a rule. It returns the text and the place of the finding.
type spoil func(c *gen.Choices, d *document) (text []byte, at gen.Place)

func faults(groups ...[]fault) (list []gen.Fault) {
	for _, f := range slices.Concat(groups...) {
		list = append(list, gen.Fault{Rule: f.rule, Also: f.also, MissBreaks: f.missBreaks,
			Spoil: func(c *gen.Choices) ([]byte, gen.Place) {
				d := outline(draw(c, f.shape))
				if c.Chance(12) {
					d.vary(c)
				}
				c.Valid(func() []byte { return d.append(nil) })
				if f.onlyValid {
					c.OnlyValid()
				}
				text, at := f.spoil(c, d)
				at.Len = min(at.Len, len(text)-at.Off) // a place ends where the text does
				return text, at
			}})
	}
	return list
}

// where returns the place of the expected finding in the written text.
type where func() gen.Place

// changed spoils by changing pieces.
func changed(change func(c *gen.Choices, d *document) where) spoil {
	return func(c *gen.Choices, d *document) ([]byte, gen.Place) {
		at := change(c, d)
		text := d.append(nil)
		return text, at()
	}
}

// damaged changes the bytes of the written text. change returns the offset and the length of the finding.
func damaged(change func(c *gen.Choices, text []byte) (spoilt []byte, off, n int)) spoil {
	return func(c *gen.Choices, d *document) ([]byte, gen.Place) {
		text, off, n := change(c, d.append(nil))
		return text, gen.Place{Off: off, Len: n, Path: "text"}
	}
}

// tag is the place of the start tag of an element.
func (p *piece) tag(path string) where {
	return func() gen.Place { return gen.Place{Off: p.at, Len: p.tagEnd() - p.at, Path: path} }
}

// tagEnd returns where the start tag ends, in a raw element at the first > that
// is in no value.
func (p *piece) tagEnd() int {
	if p.name != "" {
		return p.inner
	}
	quote := rune(0)
	for i, r := range p.raw {
		switch {
		case quote == 0 && r == '>':
			return p.at + i + 1
		case quote == 0 && (r == '"' || r == '\''):
			quote = r
		case r == quote:
			quote = 0
		}
	}
	panic("csdrgen: no tag")
}

// place is the place of an opaque piece, firstByte of its first byte.
func (p *piece) place(path string) where {
	return func() gen.Place { return gen.Place{Off: p.at, Len: len(p.raw), Path: path} }
}

func (p *piece) firstByte(path string) where {
	return func() gen.Place { return gen.Place{Off: p.at, Len: 1, Path: path} }
}

// content is the place of all that is in an element.
func (p *piece) content(path string) where {
	return func() gen.Place { return gen.Place{Off: p.inner, Len: p.innerEnd - p.inner, Path: path} }
}

// place is the place of an attribute, quoted of its value in quotes.
func (a *attr) place(path string) where {
	return func() gen.Place { return gen.Place{Off: a.at, Len: a.valueAt + len(a.value) - a.at, Path: path} }
}

func (a *attr) quoted(path string) where {
	return func() gen.Place { return gen.Place{Off: a.valueAt, Len: len(a.value), Path: path} }
}

// pathOf returns the path of an item of a shader.
func (d *document) pathOf(o object, item string) string {
	i := 0
	for _, p := range d.shaders.inside {
		if p == o.element {
			break
		}
		if slices.ContainsFunc(d.objects, func(o object) bool { return o.element == p }) {
			i++
		}
	}
	return fmt.Sprintf("shaders[%d].%s", i, item)
}

// somewhere picks a known element with elements in it, and a place there.
func (d *document) somewhere(c *gen.Choices) (p *piece, i int) {
	p = gen.Pick(c, d.known())
	return p, c.Below(len(p.inside) + 1)
}

// add puts a piece anywhere in the known elements or, if asked, at the top.
func (d *document) add(c *gen.Choices, top bool, p *piece) *piece {
	if top && c.Chance(4) {
		d.top = slices.Insert(d.top, 1+c.Below(len(d.top)), p)
		return p
	}
	in, i := d.somewhere(c)
	in.insert(i, p)
	return p
}
