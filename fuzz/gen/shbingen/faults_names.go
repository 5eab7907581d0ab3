package shbingen

import (
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// nameFaults break the rule about the bytes of all names.
var nameFaults = []fault{
	// One name of many labels: they share its bytes.
	{rule: "DVLB016", also: []string{"DVLE074"}, spoil: func(d *draft) place {
		total := lineBytes(d.m.DVLP.Lines, d.m.DVLP.FileNames)
		for i := range d.m.DVLEs {
			total += d.object(&d.m.DVLEs[i]).NameBytes()
		}
		i := d.anyDVLE()
		o := d.object(&d.m.DVLEs[i])
		references := o.OneName(len(gen.Unchecked(d.m)), fmt.Sprintf("dvle[%d].labels", i))
		out := d.bytes()
		size := min(len(out.Bytes), int(d.m.Canonical().Size()))
		at := out.ExceedNames(d.c, total, size, o.Symbols, references)
		return place{exact: &at}
	}},
}

// OneName gives an object many labels with one long name, and returns the fields that refer to it. size is the size of
// the file before, labels the path of the labels.
func (o *Object) OneName(size int, labels string) (references []gen.Reference) {
	const n, labelSize = 64, 0x10
	length := gen.LongName(n, size+n*labelSize)
	name := o.AddName(strings.Repeat("n", length))
	for range n {
		path := fmt.Sprintf("%s[%d].name", labels, o.AddLabel(name))
		references = append(references, gen.Reference{Path: path, Long: uint64(name), Short: uint64(name) + uint64(length)})
	}
	return references
}

// NameBytes returns the bytes of all names of an object, each with its NUL.
func (o *Object) NameBytes() int {
	n := lineBytes(o.Lines, o.Symbols)
	for _, name := range o.References()[:len(o.Labels)+len(o.Uniforms)] {
		n += gen.NameBytes(o.Symbols, uint64(*name))
	}
	return n
}

// lineBytes returns the bytes of the names of lines. A name counts once for each offset.
func lineBytes(lines []shbin.Line, names []byte) (n int) {
	counted := make(map[uint32]bool)
	for _, l := range lines {
		if !counted[l.Name] {
			n += gen.NameBytes(names, uint64(l.Name))
		}
		counted[l.Name] = true
	}
	return n
}
