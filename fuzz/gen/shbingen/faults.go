package shbingen

import (
	"encoding/binary"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/pica"
)

// fault spoils a draft of a valid file and says where.
type fault struct {
	rule    string
	spoil   func(d *draft) place
	also    []string
	milder  bool
	instead []string
}

var faults = slices.Concat(dvlbFaults, dvlpFaults, codeFaults, dvleFaults, placeFaults, tableFaults,
	nameFaults, coverageFaults)

// Faults has at least one entry for every rule.
var Faults = func() (list []gen.Fault) {
	for _, f := range faults {
		list = append(list, gen.Fault{Rule: f.rule, Spoil: f.file, Also: f.also, Milder: f.milder, Instead: f.instead})
	}
	return fieldFaults.With(list)
}()

var fieldFaults = gen.FieldFaults[shbin.Option]{
	Rules: fields, File: File, Outline: shbin.Outline, Mend: mend,
	Besides: []string{"DVLB004", "DVLE041"},
	Others: map[string][]string{
		"DVLP003": {"DVLE003"}, // a DVLE has the version of the DVLP or a known one
		"DVLE007": {"DVLE009"}, // an end inside the code is not after such an entry
	},
	Instead: RecordInstead("DVLE0"),
}

// mend gives empty tables of DVLEs the offsets where the tables before them end. It reports whether that is possible,
// and whether the header of the DVLP stays as long as it is.
func mend(d *gen.Draft) bool {
	if d.Get("dvlp.code.offset") < dvlpHeaderSize ||
		d.Get("dvlp.descriptors.count") > 0 && d.Get("dvlp.descriptors.offset") < dvlpHeaderSize {
		return false
	}
	for i := 0; d.Has(at("dvle[%d].magic", i).path); i++ {
		if !d.FollowTables(at("dvle[%d]", i).path, dvleHeaderSize, numTables, tableOf) {
			return false
		}
	}
	return true
}

// oddities are the faults that are no errors. They change the model only, not
// the written bytes.
var oddities = append(slices.DeleteFunc(slices.Clone(faults), func(f fault) bool {
	return slices.ContainsFunc(append([]string{f.rule}, f.also...), isError)
}), fault{rule: "DVLE055", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
	i := d.outputOf(e)
	gen.Change(d.c, &e.Outputs[i].Unknown)
	return element("outputs", i, "unknown")
})})

func isError(rule string) bool {
	return slices.ContainsFunc(shbin.Rules, func(r diag.Rule) bool { return r.ID == rule && r.Severity == diag.Error })
}

// file draws a file with the fault.
func (f fault) file(c *gen.Choices) ([]byte, gen.Place) {
	d := newDraft(c, pica.MaxVertexCode)
	c.Valid(func() []byte { return gen.Unchecked(d.m) })
	p := f.spoil(d)
	out := d.bytes()
	return out.Bytes, p.in(out)
}

// bytes writes the file when it is called first, and returns the draft of its bytes, which later calls may patch.
func (d *draft) bytes() *gen.Draft {
	if d.out == nil {
		b := d.write()
		d.out = gen.NewDraft(b, binary.LittleEndian, d.m.Regions())
	}
	return d.out
}

// size returns the size of the written file.
func (d *draft) size() uint32 { return uint32(len(d.bytes().Bytes)) }

// get reads a field of the file.
func (d *draft) get(p place) uint32 { return uint32(d.bytes().Get(p.path)) }

// set writes a field of the file and says where.
func (d *draft) set(v uint32, p place) place {
	d.bytes().Set(p.path, uint64(v))
	return p
}

// replace writes a wrong value to a field whose present value is the only right one.
func (d *draft) replace(v uint32, p place) place { return d.set(gen.Only(d.c, v, d.get(p)), p) }

// changed writes any other value to a field.
func changed(p place) func(d *draft) place {
	return func(d *draft) place {
		d.bytes().Change(d.c, p.path)
		return p
	}
}

func tableOf(k int) (name string, size uint32) { return tableNames[k], tableSizes[k] }
