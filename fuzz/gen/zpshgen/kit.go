package zpshgen

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/wordgen"
)

// kit is a valid model, for a fault to spoil.
type kit struct {
	drawer
	*zpsh.File
}

func newKit(c *gen.Choices) kit {
	d := drawer{Choices: c}
	return kit{d, d.file()}
}

// faultsOf makes faults of a kit.
var faultsOf = gen.Kit[kit]{New: newKit, Bytes: func(k kit) []byte { return gen.Unchecked(k.File) }, Draft: kit.draft}

var (
	model = faultsOf.Model // a fault of the model; its function returns the path of the finding
	raw   = faultsOf.Raw   // a fault of the written file
	field = faultsOf.Field // a fault of one field with a wrong value
)

// milder is the same fault, reported with the other severity of its rule.
func milder(f gen.Fault) gen.Fault {
	f.Milder = true
	return f
}

// draft writes the model.
func (k kit) draft() *gen.Draft {
	return gen.NewDraft(gen.Unchecked(k.File), binary.LittleEndian, k.Regions())
}

// use makes it a file of a revision.
func (k kit) use(r zpsh.Revision) {
	k.Revision = r
	for i := range k.Entries {
		k.Entries[i].R4Header = zpsh.R4Header{}
		if r == zpsh.R4 {
			k.Entries[i].HeaderWords = 4 << k.Bits(1)
		}
	}
}

// atLeast adds entries until the file has n.
func (k kit) atLeast(n int) {
	for len(k.Entries) < n {
		k.Entries = append(k.Entries, k.entry(k.Revision, len(k.Code)))
	}
	k.SetNames(k.names(len(k.Entries))...)
}

// rename gives the entries other names.
func (k kit) rename(change func(names []string)) {
	names := namesOf(k.File)
	change(names)
	k.SetNames(names...)
}

// recode draws other code, of n words.
func (k kit) recode(n int) {
	k.Code = wordgen.Code(k.Choices, n, len(k.Descriptors))
	for i := range k.Entries {
		k.Entries[i].Instruction = uint16(k.below(n))
	}
}

// anEntry picks an entry.
func (k kit) anEntry() (int, *zpsh.Entry) {
	i := k.below(len(k.Entries))
	return i, &k.Entries[i]
}

// last returns the last entry.
func (k kit) last() (int, *zpsh.Entry) {
	i := len(k.Entries) - 1
	return i, &k.Entries[i]
}

// anOutput picks an output of a register from low to high, which an entry is
// given if it has none. It returns its path.
func (k kit) anOutput(low, high int) (path string, o *zpsh.Output) {
	i, e := k.anEntry()
	register := uint8(k.Within(uint64(low), uint64(high)))
	at, found := slices.BinarySearchFunc(e.Outputs, register,
		func(o zpsh.Output, r uint8) int { return int(o.Register) - int(r) })
	if !found {
		e.Outputs = slices.Insert(e.Outputs, at, k.output(register))
	}
	return fmt.Sprintf("entries[%d].outputs[%d]", i, register), &e.Outputs[at]
}

// entryPath returns the path of an entry.
func entryPath(i int) string { return fmt.Sprintf("entries[%d]", i) }

// entryField returns the path of a field of an entry header.
func entryField(i int, field string) string { return fmt.Sprintf("entries[%d].%s", i, field) }

// entryOffset returns the path of an entry offset.
func entryOffset(i int) string { return fmt.Sprintf("entry_offsets[%d]", i) }
