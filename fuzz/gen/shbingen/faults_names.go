package shbingen

import (
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/fuzz/gen"
)

// nameFaults break the rule about the bytes of all names.
var nameFaults = []fault{
	// One name of many labels: they share its bytes.
	{rule: "DVLB016", also: []string{"DVLE074"}, spoil: func(d *draft) place {
		const labels = 64
		i := d.anyDVLE()
		o := d.object(&d.m.DVLEs[i])
		length := gen.LongName(labels, len(gen.Unchecked(d.m))+labels*labelSize)
		name := o.AddName(strings.Repeat("n", length))
		total := d.nameBytes()
		var references []gen.Reference
		for range labels {
			k := o.AddLabel(name)
			references = append(references,
				gen.Reference{Path: fmt.Sprintf("dvle[%d].labels[%d].name", i, k), Long: uint64(name),
					Short: uint64(name) + uint64(length)})
		}
		out := d.bytes()
		size := min(len(out.Bytes), int(d.m.Canonical().Size()))
		at := out.ExceedNames(d.c, total, size, o.Symbols, references)
		return place{exact: &at}
	}},
}

const labelSize = 0x10

// nameBytes returns the bytes of all names of the file, each with its NUL. A name of lines counts once for each offset.
func (d *draft) nameBytes() (n int) {
	p := &d.m.DVLP
	lines := make(map[uint32]bool)
	for _, l := range p.Lines {
		if !lines[l.Name] {
			n += gen.NameBytes(p.FileNames, uint64(l.Name))
		}
		lines[l.Name] = true
	}
	for i := range d.m.DVLEs {
		for _, ref := range d.object(&d.m.DVLEs[i]).References() {
			n += gen.NameBytes(d.m.DVLEs[i].Symbols, uint64(*ref))
		}
	}
	return n
}
