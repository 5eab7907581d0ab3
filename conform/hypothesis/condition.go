package hypothesis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

// OfOpcode is the condition that an instruction has an opcode.
func OfOpcode(op pica.Opcode) Condition { return ofOpcodes(op) }

// ofOpcodes is the condition that an instruction has one of some opcodes.
func ofOpcodes(list ...pica.Opcode) Condition {
	set, names := only(list...), []string{}
	for _, op := range list {
		names = append(names, op.String())
	}
	text := names[len(names)-1]
	if len(names) > 1 {
		text = strings.Join(names[:len(names)-1], ", ") + " and " + text
	}
	return Condition{Text: text, Holds: func(c *oracle.Control) bool { return set>>c.Op&1 != 0 }, ops: set}
}

// kin are opcodes that one piece of an implementation may execute.
var kin = [][]pica.Opcode{
	{pica.DPH, pica.DPHI}, {pica.DST, pica.DSTI}, {pica.SGE, pica.SGEI}, {pica.SLT, pica.SLTI}, {pica.MAD, pica.MADI},
	{pica.DP3, pica.DP4}, {pica.DP4, pica.DPH, pica.DPHI}, {pica.DP3, pica.DP4, pica.DPH, pica.DPHI}, {pica.MAX, pica.MIN},
	{pica.SGE, pica.SLT, pica.SGEI, pica.SLTI}, {pica.EX2, pica.LG2}, {pica.RCP, pica.RSQ},
	{pica.RCP, pica.RSQ, pica.EX2, pica.LG2}, {pica.RCP, pica.RSQ, pica.EX2, pica.LG2, pica.MOVA}, {pica.MUL, pica.MAD, pica.MADI}, {pica.ADD, pica.MUL},
	{pica.DPHI, pica.DSTI, pica.SGEI, pica.SLTI}, {pica.IFU, pica.IFC}, {pica.CALLC, pica.CALLU},
	{pica.CALL, pica.CALLC, pica.CALLU}, {pica.JMPC, pica.JMPU}, {pica.BREAK, pica.BREAKC},
	{pica.IFC, pica.CALLC, pica.JMPC, pica.BREAKC}, {pica.IFC, pica.CALLC, pica.JMPC}, {pica.IFU, pica.CALLU, pica.JMPU},
}

// Wider returns the hypothesis for opcodes akin to its own in its place.
func (h *Hypothesis) Wider() (list []*Hypothesis) {
	for i, c := range h.Scope {
		for _, group := range kin {
			if set := only(group...); c.ops != 0 && c.ops != set && c.ops&set == c.ops {
				list = append(list, h.instead(i, ofOpcodes(group...)))
			}
		}
	}
	return list
}

// Of returns the hypothesis for exactly some opcodes, as [Opcodes] has them, which answers spoke for; nil if it cannot
// have a scope.
func (h *Hypothesis) Of(program uint64) *Hypothesis {
	var list []pica.Opcode
	for op := range pica.Opcode(pica.NumOpcodes) {
		if program>>op&1 != 0 {
			list = append(list, op)
		}
	}
	n := h.Within(ofOpcodes(list...))
	if i := slices.IndexFunc(h.Scope, Condition.OfOpcodes); i >= 0 {
		n = h.instead(i, ofOpcodes(list...))
	}
	if n != nil {
		n.Grown = true
	}
	return n
}

// instead returns the hypothesis with another condition in the place of one.
func (h *Hypothesis) instead(i int, c Condition) *Hypothesis {
	n := *h
	n.Scope = slices.Clone(h.Scope)
	n.Scope[i] = c
	return &n
}

// Outside returns the hypothesis without one of its conditions, for each of them.
func (h *Hypothesis) Outside() (list []*Hypothesis) {
	for i := range h.Scope {
		n := *h
		n.Scope = slices.Delete(slices.Clone(h.Scope), i, i+1)
		list = append(list, &n)
	}
	return list
}

// Conditions returns the conditions that hold for the present instruction, its opcode apart.
func Conditions(c *oracle.Control) (list []Condition) {
	for _, make := range conditions {
		list = append(list, make(c)...)
	}
	return list
}

// conditions are the kinds of conditions. Each returns those that hold for an instruction. Of two conditions that
// explain the same, the first is named: relations and classes come before numbers.
var conditions = []func(c *oracle.Control) []Condition{
	destinations, sources, scopes, before, branches, loops, sixBits, comparisons, descriptors, registers, emissions,
}

// test returns a condition if it holds now.
func test(c *oracle.Control, text string, holds func(c *oracle.Control) bool) []Condition {
	if !holds(c) {
		return nil
	}
	return []Condition{{Text: text, Holds: holds}}
}

// equal returns the condition that a number has the value that it has now; none if it is negative.
func equal(c *oracle.Control, text string, of func(c *oracle.Control) int) []Condition {
	n := of(c)
	if n < 0 {
		return nil
	}
	return []Condition{{Text: fmt.Sprintf(text, n), Holds: func(c *oracle.Control) bool { return of(c) == n }}}
}

// from returns the conditions that a number is not below a bound, and that it is not below its present
// value.
func from(c *oracle.Control, text string, of func(c *oracle.Control) int, bounds ...int) (list []Condition) {
	n := of(c)
	for _, b := range bounds {
		if n >= b {
			list = append(list, Condition{Text: fmt.Sprintf(text, b), bounded: text,
				Holds: func(c *oracle.Control) bool { return of(c) >= b }})
		}
	}
	return list
}

// among narrows conditions to some opcodes: the fields that they read are those of these.
func among(ops opcodes, list []Condition) []Condition {
	for i := range list {
		holds := list[i].Holds
		list[i].Holds = func(c *oracle.Control) bool { return ops>>c.Op&1 != 0 && holds(c) }
	}
	return list
}

// Opcodes with the fields of a target, of a condition on flags, and of a boolean.
var (
	onFlags    = only(pica.IFC, pica.CALLC, pica.JMPC, pica.BREAKC)
	onBooleans = only(pica.IFU, pica.CALLU, pica.JMPU)
	targeted   = onBooleans | only(pica.IFC, pica.CALLC, pica.JMPC, pica.CALL, pica.LOOP)
)

func shape(c *oracle.Control) *oracle.Shape { return &c.Rules.Encoding.Shapes[c.Op] }

// dest returns the destination of the instruction, -1 without one.
func dest(c *oracle.Control) int {
	s := shape(c)
	if s.Layout == nil || s.Layout.Dest.Width == 0 || pica.Opcodes[c.Op].Writes&pica.WritesDest == 0 {
		return -1
	}
	return s.Layout.Dest.Of(c.Word)
}

// source returns the register number of source k as the word has it, -1 without one.
func source(c *oracle.Control, k int) int {
	s := shape(c)
	if s.Layout == nil || k >= s.Count {
		return -1
	}
	return s.Layout.Sources[k].Of(c.Word)
}

func index(c *oracle.Control) int {
	s := shape(c)
	if s.Layout == nil {
		return pica.IndexNone
	}
	return s.Layout.Index.Of(c.Word)
}

// descriptor returns the number of the operand descriptor and its bits; -1 without one.
func descriptor(c *oracle.Control) (n int, bits uint32) {
	s := shape(c)
	if s.Layout == nil {
		return -1, 0
	}
	if n = s.Layout.Desc.Of(c.Word); n < len(c.Job.Descriptors) {
		bits = c.Job.Descriptors[n]
	}
	return n, bits
}

// register names a source number.
func register(n int) string {
	switch {
	case n == oracle.Zeros:
		return "zeros"
	case n < pica.SourceTemporary:
		return fmt.Sprintf("v%d", n)
	case n < pica.SourceUniform:
		return fmt.Sprintf("r%d", n-pica.SourceTemporary)
	}
	return fmt.Sprintf("c%d", n-pica.SourceUniform)
}

// written names a destination number.
func written(n int) string {
	if n < pica.DestTemporary {
		return fmt.Sprintf("o%d", n)
	}
	return fmt.Sprintf("r%d", n-pica.DestTemporary)
}

// ofDestination is a condition on the number of the destination, negative for none.
func ofDestination(text string, holds func(c *oracle.Control, d int) bool) Condition {
	return Condition{Text: "destination " + text, ofDestination: true,
		Holds: func(c *oracle.Control) bool { return holds(c, dest(c)) }}
}

func destinations(c *oracle.Control) (list []Condition) {
	n := dest(c)
	if n < 0 {
		return nil
	}
	kind := "an output"
	if n >= pica.DestTemporary {
		kind = "a temporary"
	}
	is := func(text string, holds func(c *oracle.Control, d int) bool) {
		if holds(c, n) {
			list = append(list, ofDestination(text, holds))
		}
	}
	is(kind, func(_ *oracle.Control, d int) bool { return d >= 0 && d/pica.DestTemporary == n/pica.DestTemporary })
	is("o8 to o15", func(_ *oracle.Control, d int) bool { return d >= 8 && d < pica.DestTemporary })
	is("r8 to r15", func(_ *oracle.Control, d int) bool { return d >= pica.DestTemporary+8 })
	for k := range shape(c).Count {
		is(fmt.Sprintf("is source %d", k+1), func(c *oracle.Control, d int) bool {
			return d >= pica.DestTemporary && source(c, k) == d-pica.DestTemporary+pica.SourceTemporary
		})
	}
	_, bits := descriptor(c)
	mask := c.Rules.Encoding.Mask.Of(bits)
	for i, name := range "xyzw" {
		bit, with := 8>>i, "a mask without %c"
		if mask&bit != 0 {
			with = "a mask with %c"
		}
		list = append(list, Condition{Text: fmt.Sprintf(with, name), Holds: func(c *oracle.Control) bool {
			n, bits := descriptor(c)
			return n >= 0 && (c.Rules.Encoding.Mask.Of(bits)^mask)&bit == 0
		}})
	}
	return append(list, Condition{Text: "mask " + lanes(mask), Holds: func(c *oracle.Control) bool {
		n, bits := descriptor(c)
		return n >= 0 && c.Rules.Encoding.Mask.Of(bits) == mask
	}})
}

// lanes names the lanes of a mask, bit 3 being x.
func lanes(mask int) (text string) {
	for i, name := range "xyzw" {
		if mask&(8>>i) != 0 {
			text += string(name)
		}
	}
	if text == "" {
		return "0"
	}
	return text
}

// banksOf names the kinds of sources by their first numbers.
var banksOf = map[int]string{0: "an input", pica.SourceTemporary: "a temporary", pica.SourceUniform: "a float uniform"}

func sources(c *oracle.Control) (list []Condition) {
	count := shape(c).Count
	for _, op := range []pica.Opcode{pica.CMP, pica.MOV} {
		if count > 0 && c.Op != op {
			list = append(list, Condition{Text: "any opcode but " + op.String(), OfMost: true,
				Holds: func(c *oracle.Control) bool { return c.Op != op }})
		}
	}
	if count > 1 {
		list = append(list, test(c, "sources 1 and 2 are the same register",
			func(c *oracle.Control) bool { return shape(c).Count > 1 && source(c, 0) == source(c, 1) })...)
	}
	for k := range count {
		list = append(list, test(c, fmt.Sprintf("source %d is negated", k+1), func(c *oracle.Control) bool {
			_, bits := descriptor(c)
			return k < shape(c).Count && c.Rules.Encoding.Negate[k].Of(bits) != 0
		})...)
		swizzled := func(c *oracle.Control) bool {
			_, bits := descriptor(c)
			return c.Rules.Encoding.Selectors[k].Of(bits) != pica.IdentitySwizzle
		}
		is, text := swizzled(c), fmt.Sprintf("source %d is not swizzled", k+1)
		if is {
			text = fmt.Sprintf("source %d is swizzled", k+1)
		}
		list = append(list, Condition{Text: text, Holds: func(c *oracle.Control) bool {
			return k < shape(c).Count && swizzled(c) == is
		}})
	}
	for k := range count {
		first, end := firstOf(source(c, k))
		list = append(list, test(c, fmt.Sprintf("source %d is %s", k+1, banksOf[first]), func(c *oracle.Control) bool {
			n := source(c, k)
			return n >= first && n < end
		})...)
		text := fmt.Sprintf("source %d is a float uniform without an index", k+1)
		list = append(list, test(c, text, func(c *oracle.Control) bool {
			return source(c, k) >= pica.SourceUniform && index(c) == pica.IndexNone
		})...)
	}
	for _, of := range ofIndexes {
		list = append(list, test(c, of.Text, of.Holds)...)
	}
	if i := index(c); i == pica.IndexNone && count > 1 {
		list = append(list, test(c, "no index", func(c *oracle.Control) bool { return index(c) == pica.IndexNone })...)
	} else if i != pica.IndexNone {
		list = append(list, test(c, "an index", func(c *oracle.Control) bool { return index(c) != pica.IndexNone })...)
		list = append(list, Condition{Text: "index " + [...]string{"none", "a0.x", "a0.y", "aL"}[i],
			Holds: func(c *oracle.Control) bool { return index(c) == i }})
		list = append(list, test(c, "an index of a0", func(c *oracle.Control) bool {
			i := index(c)
			return i == pica.IndexA0X || i == pica.IndexA0Y
		})...)
	}
	return list
}

// ofIndexes are conditions of the register that indexes the wide source.
var ofIndexes = []Condition{
	indexing("a negative index", func(n int, offset int32) bool { return offset < 0 }),
	indexing("an index outside -128 to 127", func(n int, offset int32) bool { return offset != int32(int8(offset)) }),
	indexing("an index that leads beyond the float uniforms", func(n int, offset int32) bool {
		n += int(offset)
		return n < pica.SourceUniform || n >= pica.SourceUniform+pica.NumFloats
	}),
}

// farIndexes are conditions that an index leads from a register of any kind to where no registers are: a core may add it
// where the console does not. Registers count from v0 on, of all kinds in a row.
func farIndexes() (list []Condition) {
	far := func(text string, is func(n int) bool) {
		list = append(list, Condition{Text: text, Holds: func(c *oracle.Control) bool {
			n := indexed(c)
			return n >= 0 && is(n+int(offset(c)))
		}})
	}
	far("an index that leads before v0", func(n int) bool { return n < 0 })
	for beyond := pica.SourceUniform + pica.NumFloats; beyond <= 1<<16; beyond *= 2 {
		far(fmt.Sprintf("an index that leads beyond %d registers", beyond), func(n int) bool { return n >= beyond })
		far(fmt.Sprintf("an index that leads before v0 or beyond %d registers", beyond), func(n int) bool {
			return n < 0 || n >= beyond
		})
	}
	return list
}

// indexing returns a condition of a float uniform with an index: of the number of the register, and of what is added to
// it.
func indexing(text string, is func(n int, offset int32) bool) Condition {
	return Condition{Text: text, Holds: func(c *oracle.Control) bool {
		n := indexed(c)
		return n >= pica.SourceUniform && is(n, offset(c))
	}}
}

// offset returns the value of the index of an instruction that has one.
func offset(c *oracle.Control) int32 {
	return [...]int32{c.Address[0], c.Address[1], c.AL}[index(c)-pica.IndexNone-1]
}

// indexed returns the source number to which an index is added, -1 without one.
func indexed(c *oracle.Control) int {
	if index(c) == pica.IndexNone {
		return -1
	}
	return source(c, shape(c).Layout.Wide)
}

// registers are the conditions that operands are the registers that they are now.
func registers(c *oracle.Control) (list []Condition) {
	if n := dest(c); n >= 0 {
		list = append(list, ofDestination(written(n), func(_ *oracle.Control, d int) bool { return d == n }))
	}
	for k := range shape(c).Count {
		n := source(c, k)
		list = append(list, Condition{Text: fmt.Sprintf("source %d is %s", k+1, register(n)),
			Holds: func(c *oracle.Control) bool { return source(c, k) == n }})
	}
	if n := indexed(c); n >= pica.SourceUniform {
		list = append(list, Condition{Text: register(n) + " with an index",
			Holds: func(c *oracle.Control) bool { return indexed(c) == n }})
	}
	for k := range shape(c).Count {
		if n := reads(c, k); n >= 0 {
			list = append(list, Condition{Text: "a source that is " + register(n), Holds: func(c *oracle.Control) bool {
				return reads(c, 0) == n || reads(c, 1) == n || reads(c, 2) == n
			}})
		}
	}
	return list
}

// reads returns the register that source k reads, with its index; -1 without one.
func reads(c *oracle.Control, k int) int {
	n, i := source(c, k), index(c)
	if n < pica.SourceUniform || i == pica.IndexNone || k != shape(c).Layout.Wide {
		return n
	}
	if x := [...]int32{c.Address[0], c.Address[1], c.AL}[i-pica.IndexNone-1]; x == int32(int8(x)) {
		n = pica.SourceUniform + (n-pica.SourceUniform+int(x))&127
	}
	if n >= pica.SourceUniform+pica.NumFloats {
		return -1
	}
	return n
}

func descriptors(c *oracle.Control) []Condition {
	number := func(c *oracle.Control) int { n, _ := descriptor(c); return n }
	if number(c) < 0 {
		return nil
	}
	var list []Condition
	if number(c) > 0 { // every small program has descriptor 0
		list = equal(c, "descriptor %d", number)
	}
	n := number(c) // a smaller program may have a smaller number
	return append(list,
		from(c, "descriptors from %d on", number, 1, 2, 4, 8, 16, 32, 64, 96, 100, n, max(n-1, 0), max(n-2, 0))...)
}

func scopes(c *oracle.Control) (list []Condition) {
	for _, s := range []struct {
		name string
		most int
		of   func(c *oracle.Control) int
	}{
		{"call", pica.CallDepth, func(c *oracle.Control) int { return int(c.Stacks.CallDepth) }},
		{"if", pica.IfDepth, func(c *oracle.Control) int { return int(c.Stacks.IfDepth) }},
		{"loop", pica.LoopDepth, func(c *oracle.Control) int { return int(c.Stacks.LoopDepth) }},
	} {
		list = append(list, from(c, "in %d or more open "+s.name+"s", s.of, 1, 2, 3, max(s.of(c), 1), s.most)...)
		list = append(list, test(c, "in no "+s.name, func(c *oracle.Control) bool { return s.of(c) == 0 })...)
	}
	list = append(list, vertices(c)...)
	stage := c.Job.Stage
	return append(list, Condition{Text: stage.String() + " programs",
		Holds: func(c *oracle.Control) bool { return c.Job.Stage == stage }})
}

func before(c *oracle.Control) (list []Condition) {
	every := func(pica.Opcode) bool { return true }
	format1 := func(op pica.Opcode) bool { return op < pica.MOVA } // and what is reserved there
	for _, next := range []struct {
		name string
		is   func(op pica.Opcode) bool
		uses func(next *oracle.Control, n int) bool
	}{
		{"instruction writes and does not read", every, readsTemporary},
		{"operation of format 1 writes and does not read", format1, readsTemporary},
		{"operation of format 1 writes and names in no source field", format1, namesTemporary},
	} {
		list = append(list, test(c, "a temporary that the next "+next.name,
			func(c *oracle.Control) bool { return overwritten(c, next.is, next.uses) })...)
	}
	list = append(list, test(c, "unused bits that are set", func(c *oracle.Control) bool { return c.Word&decode.Ignored(c.Word) != 0 })...)
	second := pica.ADD.Layout().Src[1]
	list = append(list, test(c, "bits in the place of a second source", func(c *oracle.Control) bool {
		return shape(c).Count == 1 && second.Get(c.Word) != 0
	})...)
	if next := following(c); next != pica.END { // which every program has
		list = append(list, Condition{Text: "before " + next.String(),
			Holds: func(c *oracle.Control) bool { return following(c) == next }})
	}
	if c.Last == 0 {
		return list
	}
	op := pica.OpcodeOf(c.Last).Base()
	list = append(list, Condition{Text: "behind " + op.String(),
		Holds: func(c *oracle.Control) bool { return c.Last != 0 && pica.OpcodeOf(c.Last).Base() == op }})
	return append(list, test(c, "a source written by the instruction before", func(c *oracle.Control) bool {
		d := lastTemporary(c)
		return d >= 0 && readsTemporary(c, d)
	})...)
}

// following returns the opcode of the word behind the instruction, END behind the last one.
func following(c *oracle.Control) pica.Opcode {
	if c.PC+1 >= len(c.Job.Code) {
		return pica.END
	}
	return pica.OpcodeOf(c.Job.Code[c.PC+1]).Base()
}

// lastTemporary returns the source number of the temporary that the instruction before wrote, -1 for none.
func lastTemporary(c *oracle.Control) int {
	s := &c.Rules.Encoding.Shapes[pica.OpcodeOf(c.Last).Base()]
	if c.Last == 0 || s.Layout == nil || s.Layout.Dest.Width == 0 {
		return -1
	}
	if d := s.Layout.Dest.Of(c.Last); d >= pica.DestTemporary {
		return d - pica.DestTemporary + pica.SourceTemporary
	}
	return -1
}

// overwritten reports whether the next word is an instruction that writes the temporary of this one, and does not use
// it.
func overwritten(c *oracle.Control, is func(op pica.Opcode) bool, uses func(next *oracle.Control, n int) bool) bool {
	d := dest(c)
	if d < pica.DestTemporary || c.PC+1 >= len(c.Job.Code) {
		return false
	}
	next := *c
	next.Word = c.Job.Code[c.PC+1]
	next.Op = c.Rules.Encoding.Opcode(next.Word)
	return dest(&next) == d && is(next.Op) && !uses(&next, d-pica.DestTemporary+pica.SourceTemporary)
}

// readsTemporary reports whether an instruction reads the register with a source number.
func readsTemporary(c *oracle.Control, n int) bool {
	for k := range shape(c).Count {
		if source(c, k) == n {
			return true
		}
	}
	return false
}

// namesTemporary reports whether a word has a source number in a field where instructions of format 1 have one. The
// instruction need not use the field.
func namesTemporary(c *oracle.Control, n int) bool {
	l := pica.ADD.Layout()
	return l.Src[0].Get(c.Word) == uint32(n) || l.Src[1].Get(c.Word) == uint32(n)
}

func branches(c *oracle.Control) (list []Condition) {
	target := func(c *oracle.Control) int { return c.Rules.Encoding.Target.Of(c.Word) }
	num := func(c *oracle.Control) int { return c.Rules.Encoding.Num.Of(c.Word) }
	if targeted>>c.Op&1 != 0 {
		list = from(c, "targets from %d on", target, 128, 256, 512, 1024, 2048)
		list = append(list, test(c, "a target not behind it",
			func(c *oracle.Control) bool { return target(c) <= c.PC })...)
		list = append(list, test(c, "a target behind the loop", func(c *oracle.Control) bool {
			n := c.Stacks.LoopDepth
			return n > 0 && target(c) >= int(c.Stacks.Loop[n-1].End)
		})...)
		list = append(list, test(c, "a target before the loop", func(c *oracle.Control) bool {
			n := c.Stacks.LoopDepth
			return n > 0 && target(c) < int(c.Stacks.Loop[n-1].Entry)
		})...)
		list = append(list, test(c, "num 0", func(c *oracle.Control) bool { return num(c) == 0 })...)
		list = append(list, from(c, "num from %d on", num, 1, 2)...)
		list = among(targeted, list)
	}
	switch {
	case onFlags>>c.Op&1 != 0:
		operator := func(c *oracle.Control) int { return c.Rules.Encoding.Condition.Of(c.Word) }
		x, y, flags := c.Rules.Encoding.RefX.Of(c.Word), c.Rules.Encoding.RefY.Of(c.Word), c.CC
		list = append(list, among(onFlags, slices.Concat(equal(c, "condop %d", operator),
			test(c, "condop 0 or 1", func(c *oracle.Control) bool { return operator(c) < 2 }),
			test(c, "different references", func(c *oracle.Control) bool {
				return c.Rules.Encoding.RefX.Of(c.Word) != c.Rules.Encoding.RefY.Of(c.Word)
			}),
			[]Condition{
				{Text: fmt.Sprintf("references %d, %d", x, y), Holds: func(c *oracle.Control) bool {
					return c.Rules.Encoding.RefX.Of(c.Word) == x && c.Rules.Encoding.RefY.Of(c.Word) == y
				}},
				{Text: fmt.Sprintf("flags %t, %t", flags[0], flags[1]),
					Holds: func(c *oracle.Control) bool { return c.CC == flags }},
			}))...)
	case onBooleans>>c.Op&1 != 0:
		boolean := func(c *oracle.Control) int { return c.Rules.Encoding.Bool.Of(c.Word) }
		list = append(list, among(onBooleans,
			append(equal(c, "b%d", boolean), from(c, "b%d and above", boolean, 8)...))...)
	}
	return list
}

func loops(c *oracle.Control) (list []Condition) {
	if c.Op != pica.LOOP {
		return nil
	}
	number := func(c *oracle.Control) int { return c.Rules.Encoding.Int.Of(c.Word) }
	list = equal(c, "i%d", number)
	for k, name := range [3]string{"count", "start", "step"} {
		value := func(c *oracle.Control) int {
			if n := number(c); n < pica.NumInts {
				return int(c.Job.Ints[n][k])
			}
			return 0
		}
		list = append(list, from(c, "a "+name+" from %d on", value, 1, 2, 64, 127, 128, 254, 255)...)
		list = append(list, test(c, "a "+name+" of 0", func(c *oracle.Control) bool { return value(c) == 0 })...)
	}
	return among(only(pica.LOOP), list)
}

// emissions are the conditions of the fields of SETEMIT.
func emissions(c *oracle.Control) (list []Condition) {
	if c.Op != pica.SETEMIT {
		return nil
	}
	list = equal(c, "vertex id %d", func(c *oracle.Control) int { return c.Rules.Encoding.Vertex.Of(c.Word) })
	primitive := func(c *oracle.Control) bool { return c.Rules.Encoding.Primitive.Of(c.Word) != 0 }
	inverted := func(c *oracle.Control) bool { return c.Rules.Encoding.Winding.Of(c.Word) != 0 }
	list = append(list, test(c, "a primitive that ends", primitive)...)
	list = append(list, test(c, "an inverted winding", inverted)...)
	return among(only(pica.SETEMIT), list)
}

// sixBits: CMP, MAD and MADI have fewer than six bits of opcode, so they have several entries in a table of six bits.
func sixBits(c *oracle.Control) []Condition {
	of := only(pica.CMP, pica.MAD, pica.MADI)
	if of>>c.Op&1 == 0 {
		return nil
	}
	return among(of, equal(c, "opcode 0x%02x in six bits", func(c *oracle.Control) int { return int(c.Word >> 26) }))
}

func comparisons(c *oracle.Control) []Condition {
	if c.Op != pica.CMP {
		return nil
	}
	x := func(c *oracle.Control) int { return c.Rules.Encoding.CompareX.Of(c.Word) }
	y := func(c *oracle.Control) int { return c.Rules.Encoding.CompareY.Of(c.Word) }
	list := append(equal(c, "operator %d for x", x), equal(c, "operator %d for y", y)...)
	list = append(list, test(c, "equal operators", func(c *oracle.Control) bool { return x(c) == y(c) })...)
	return among(only(pica.CMP), list)
}

// vertices are the conditions of the run's vertex.
func vertices(c *oracle.Control) []Condition {
	vertex := func(c *oracle.Control) int { return c.Vertex }
	list := append(equal(c, "vertex %d", vertex), from(c, "vertices from %d on", vertex, 1)...)
	return append(list, test(c, "every fourth vertex", func(c *oracle.Control) bool { return c.Vertex%4 == 3 })...)
}
