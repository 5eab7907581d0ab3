package shbin

import (
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

// TableCheck checks the contents of the tables of a DVLE: DVLE011, DVLE012 and
// DVLE030 to DVLE074. The caller sets the fields and calls All, and may then do
// the same for the next DVLE. An object file has the same tables and reports the
// rules under its own ids (see diag.RuleSet.Alias).
type TableCheck struct {
	*diag.Reporter
	Prefix     func() string           // of paths: "dvle[1]."; nil means none
	Offsets    [numDVLETables]uint64   // in the file: of constants, labels, outputs, uniforms, symbols
	Words      uint64                  // code length
	MaskAt     func(string) diag.Place // place of "input_mask" or "output_mask"
	Type       Type
	InputMask  uint16
	OutputMask uint16
	// References are the distinct offsets of names that further tables refer to;
	// ReferenceAt returns the place of References[i]. A DVLE has none.
	References  []uint32
	ReferenceAt func(i int) diag.Place
	// LongNames is set when the names of the file exceed their limit. Names are then
	// not compared, because that would cost time.
	LongNames bool

	scratch
}

// scratch is memory that the check of the next DVLE uses again.
type scratch struct {
	seen      semanticSet         // semantics of the outputs so far
	marks     []uint8             // for each offset in the symbols: number of references, at most two
	first     wire.NameSet[int32] // for each name: index of the first uniform
	namesakes []int32             // for each uniform: index of the first uniform with its name, or -1
}

// All checks the five tables in the order of a DVLE header.
func (c *TableCheck) All(t *Tables) {
	c.Constants(t.Constants)
	c.Labels(t.Labels, t.Symbols)
	c.Outputs(t.Outputs)
	c.Uniforms(t.Uniforms, t.Symbols)
	c.Symbols(t)
}

// at returns the place of entry i of table k, or of one of its fields.
func (c *TableCheck) at(k, i int, field string) diag.Place {
	return c.in(k, dvleTables[k].Fields, i, field)
}

// in returns the place of entry i of table k, or of one of its fields. fields are the fields of the entry: the fields
// of a constant depend on its type.
func (c *TableCheck) in(k int, fields diag.Struct, i int, field string) diag.Place {
	off := c.Offsets[k] + dvleTables[k].Size*uint64(i)
	return fields.At(off, diag.Path{Prefix: c.prefix(), Table: dvleTables[k].Name, Index: i, Field: field})
}

func (c *TableCheck) prefix() string {
	if c.Prefix == nil {
		return ""
	}
	return c.Prefix()
}

// Constants checks the constant table: DVLE030 to DVLE036. A strict walk needs
// errors only, so this and the other checks then skip the warnings.
func (c *TableCheck) Constants(table []Constant) {
	var used [len(registerCounts)][256 / 64]uint64 // a bit for each value of the register byte
	for i := range table {
		at := func(field string) diag.Place { return c.at(constantTable, i, field) }
		k := &table[i]
		if k.Type > Float {
			c.Report("DVLE030", at("type"), diag.AtMost(uint64(Float)), diag.Dec(uint64(k.Type)))
			continue
		}
		switch {
		case k.Reserved1 != 0:
			c.Report("DVLE031", at("reserved1"), diag.Dec(0), diag.Dec(uint64(k.Reserved1)))
		case k.Reserved3 != 0:
			c.Report("DVLE031", at("reserved3"), diag.Dec(0), diag.Dec(uint64(k.Reserved3)))
		}
		if n := registerCounts[k.Type]; k.Register >= n {
			c.Report("DVLE032", at("register"), diag.Below(uint64(n)), diag.Dec(uint64(k.Register)))
		}
		if c.Strict() {
			continue
		}
		c.payload(i, k)
		seen, bit := &used[k.Type][k.Register/64], uint64(1)<<(k.Register%64)
		if *seen&bit != 0 {
			c.Report("DVLE036", at(""), diag.Text("a register of its own"), k.show())
		}
		*seen |= bit
	}
}

// payload checks the value of constant i: DVLE033 to DVLE035.
func (c *TableCheck) payload(i int, k *Constant) {
	at := func(field string) diag.Place { return c.in(constantTable, ConstantFields(k.Type), i, field) }
	w := k.Payload.Words()
	if k.Type == Float {
		for j, v := range w {
			if v>>24 != 0 {
				c.Report("DVLE035", at(floatWords[j]), diag.Text("bits 24-31 clear"), diag.Hex(uint64(v)))
				break
			}
		}
		return
	}
	if k.Type == Bool && w[0] > 1 {
		c.Report("DVLE033", at("payload.value"), diag.Text("0 or 1"), diag.Dec(uint64(w[0])))
	}
	if w[1]|w[2]|w[3] != 0 {
		c.Report("DVLE034", at("payload.rest"), diag.Text("12 zero bytes"), diag.Text("other bytes"))
	}
}

var floatWords = [4]string{"payload.x", "payload.y", "payload.z", "payload.w"}

// Labels checks the label table: DVLE040 to DVLE044.
func (c *TableCheck) Labels(table []Label, symbols []byte) {
	limit := wire.NameLimit(symbols)
	for i := range table {
		at := func(field string) diag.Place { return c.at(labelTable, i, field) }
		l := &table[i]
		switch end := uint64(l.Word) + uint64(l.Length); {
		case uint64(l.Word) > c.Words:
			c.Report("DVLE040", at("word"), diag.AtMost(c.Words), diag.Dec(uint64(l.Word)))
		case l.Length != NoLength && end > c.Words:
			c.Report("DVLE041", at("length"), diag.Value{Format: "end <= %d", N: c.Words},
				diag.Value{Format: "end %d", N: end})
		}
		if uint64(l.Name) >= limit {
			c.Report("DVLE042", at(""), diag.Text(nameInside), diag.Hex(uint64(l.Name)))
		}
		if uint64(l.ID) != uint64(i) {
			c.Report("DVLE043", at("id"), diag.Dec(uint64(i)), diag.Dec(uint64(l.ID)))
		}
		if l.Flags != 1 {
			c.Report("DVLE044", at("flags"), diag.Dec(1), diag.Dec(uint64(l.Flags)))
		}
	}
}

// maxMapped is the highest output register with an entry in libctru's output map.
const maxMapped = 6

// Outputs checks the output table and the output mask: DVLE050 to DVLE057 and
// DVLE011.
func (c *TableCheck) Outputs(table []Output) {
	var (
		registers uint16
		claimed   [pica.NumOutputs]uint16 // components of earlier outputs
	)
	for i := range table {
		at := func(field string) diag.Place { return c.at(outputTable, i, field) }
		o := &table[i]
		if !o.Semantic.Known() {
			c.Report("DVLE050", at("semantic"), diag.Text("0 to 6, 8 or 9"), diag.Dec(uint64(o.Semantic)))
		}
		repeated := !c.Strict() && c.seen.add(o.Semantic)
		if o.Register >= pica.NumOutputs {
			c.Report("DVLE051", at("register"), diag.Below(pica.NumOutputs), diag.Dec(uint64(o.Register)))
			continue
		}
		registers |= 1 << o.Register
		if o.Register > maxMapped && (o.Semantic != Dummy || c.Type == GeometryShader) {
			c.Report("DVLE052", at("register"), diag.AtMost(maxMapped), diag.Dec(uint64(o.Register)))
		}
		components := o.Mask & 0xF
		if components == 0 {
			c.Report("DVLE053", at("mask"), diag.Text("a component"), diag.Hex(uint64(o.Mask)))
		}
		if o.Mask > 0xF {
			c.Report("DVLE054", at("mask"), diag.AtMost(0xF), diag.Hex(uint64(o.Mask)))
		}
		if o.Unknown != 0 {
			c.Report("DVLE055", at("unknown"), diag.Dec(0), diag.Hex(uint64(o.Unknown)))
		}
		if both := claimed[o.Register] & components; both != 0 {
			c.Report("DVLE056", at(""), diag.Text("components of its own"),
				diag.Value{N: uint64(both), Show: showMask})
		}
		claimed[o.Register] |= components
		if repeated && o.Semantic != Dummy {
			c.Report("DVLE057", at("semantic"), diag.Text("a semantic of its own"), diag.Text(o.Semantic.String()))
		}
	}
	c.seen.remove(table)
	if c.OutputMask != registers {
		c.Report("DVLE011", c.MaskAt("output_mask"), diag.Hex(uint64(registers)), diag.Hex(uint64(c.OutputMask)))
	}
}

// semanticSet is a set of semantics. Real files have known ones only, up to Dummy.
type semanticSet struct {
	known   uint16
	unknown []uint64 // a bit for each; nil until one is added
}

// add adds a semantic and reports whether it was there already.
func (set *semanticSet) add(s Semantic) (again bool) {
	if s <= Dummy {
		again = set.known>>s&1 != 0
		set.known |= 1 << s
		return again
	}
	if set.unknown == nil {
		set.unknown = make([]uint64, 1<<16/64)
	}
	word, bit := &set.unknown[s/64], uint64(1)<<(s%64)
	again = *word&bit != 0
	*word |= bit
	return again
}

// remove empties a set that holds the semantics of table. Its time does not
// depend on the size of the bit field.
func (set *semanticSet) remove(table []Output) {
	set.known = 0
	if set.unknown == nil {
		return
	}
	for i := range table {
		set.unknown[table[i].Semantic/64] = 0
	}
}

// Uniforms checks the uniform table and the input mask: DVLE060 to DVLE067 and
// DVLE012.
func (c *TableCheck) Uniforms(table []Uniform, symbols []byte) {
	var (
		inputs   uint16
		previous Register
		used     registerSet
	)
	limit := wire.NameLimit(symbols)
	if !c.Strict() {
		c.findNamesakes(table, symbols)
	}
	for i := range table {
		at := func(field string) diag.Place { return c.at(uniformTable, i, field) }
		u := &table[i]
		first, _, firstKnown := u.First.Class()
		last, _, lastKnown := u.Last.Class()
		sound := false
		switch {
		case !firstKnown:
			c.Report("DVLE060", at("first"), diag.Text(knownRegisters), diag.Hex(uint64(u.First)))
		case !lastKnown:
			c.Report("DVLE060", at("last"), diag.Text(knownRegisters), diag.Hex(uint64(u.Last)))
		case u.First > u.Last, first != last:
			c.Report("DVLE061", at(""), diag.Text("first to last of one class"), u.show())
		default:
			sound = true
		}
		named := uint64(u.Name) < limit
		if !named {
			c.Report("DVLE062", at(""), diag.Text(nameInside), diag.Hex(uint64(u.Name)))
		}
		if c.Strict() {
			continue
		}
		if named && symbols[u.Name] == 0 {
			c.Report("DVLE063", at(""), diag.Text("a name"), diag.Text(`""`))
		}
		if earlier := c.namesakes[i]; earlier >= 0 {
			c.Report("DVLE064", at(""), diag.Text("a name of its own"),
				diag.Quoted(wire.NameStart(symbols, uint64(u.Name))),
				c.at(uniformTable, int(earlier), ""))
		}
		if u.First < previous {
			c.Report("DVLE065", at("first"), diag.Value{Format: ">= 0x%x", N: uint64(previous)},
				diag.Hex(uint64(u.First)))
		}
		previous = u.First
		if !sound {
			continue
		}
		if used.add(u.First, u.Last) {
			c.Report("DVLE066", at(""), diag.Text("registers of its own"), u.show())
		}
		if first == 'v' {
			inputs |= uint16(1<<(u.Last+1) - 1<<u.First)
			if u.First != u.Last {
				c.Report("DVLE067", at(""), diag.Text("one register"), u.show())
			}
		}
	}
	if c.InputMask != inputs {
		c.Report("DVLE012", c.MaskAt("input_mask"), diag.Hex(uint64(inputs)), diag.Hex(uint64(c.InputMask)))
	}
}

// findNamesakes sets namesakes[i] to the index of the first uniform with the name of
// uniform i, or to -1 if that is uniform i itself or has no valid name.
func (c *TableCheck) findNamesakes(table []Uniform, symbols []byte) {
	c.namesakes = slices.Grow(c.namesakes[:0], len(table))[:len(table)]
	c.first.Reset(len(table))
	limit := wire.NameLimit(symbols)
	for i := range table {
		c.namesakes[i] = -1
		off := uint64(table[i].Name)
		if off >= limit || c.LongNames {
			continue
		}
		name, _ := wire.NameAt(symbols, off)
		if first, again := c.first.Add(name, int32(i)); again {
			c.namesakes[i] = first
		}
	}
}

const knownRegisters = "0x00 to 0x73 or 0x78 to 0x87"

// registerSet is a set of the register numbers of a uniform table.
type registerSet [3]uint64

// add adds the numbers first to last, which are below 192, and reports whether
// one was there already.
func (s *registerSet) add(first, last Register) (overlap bool) {
	for k := range s {
		low, high := max(int(first)-64*k, 0), min(int(last)-64*k, 63)
		if low > high {
			continue
		}
		mask := ^uint64(0) << low & (^uint64(0) >> (63 - high))
		overlap = overlap || s[k]&mask != 0
		s[k] |= mask
	}
	return overlap
}
