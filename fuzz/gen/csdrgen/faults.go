package csdrgen

import (
	"slices"

	"github.com/picaproof/picaproof/fuzz/gen"
)

// Faults break one rule each.
var Faults = faults(textFaults, syntaxFaults(), outlineFaults, oddFaults, base64Faults, dvlbFaults())

// fault spoils a document in one place.
type fault struct {
	rule  string
	also  []string
	want  shape // of the document
	spoil spoil
}

// spoil makes a document break a rule. It returns the text, and where the breach
// is reported.
type spoil func(c *gen.Choices, d *document) (text []byte, off int)

func faults(groups ...[]fault) (list []gen.Fault) {
	for _, f := range slices.Concat(groups...) {
		list = append(list, gen.Fault{Rule: f.rule, Also: f.also, File: func(c *gen.Choices) ([]byte, int) {
			d := outline(draw(c, f.want))
			if c.Chance(12) {
				d.vary(c)
			}
			return f.spoil(c, d)
		}})
	}
	return list
}

// changed spoils by changing pieces; change returns where the number is that
// says, once the text is written, what is reported.
func changed(change func(c *gen.Choices, d *document) *int) spoil {
	return func(c *gen.Choices, d *document) ([]byte, int) {
		off := change(c, d)
		text := d.append(nil)
		return text, *off
	}
}

// damaged spoils the text as it was written.
func damaged(change func(c *gen.Choices, text []byte) ([]byte, int)) spoil {
	return func(c *gen.Choices, d *document) ([]byte, int) { return change(c, d.append(nil)) }
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
