package source

import (
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// nihstroFaults are mistakes that nihstro-assemble refuses with an error. A warning is not
// enough.
var nihstroFaults = []Fault{
	{Name: "unknown directive", Check: "mnemonics", Before: ".version 1.0"},
	{Name: "too few operands", Check: "operand count", Body: "\tadd r0, r1"},
	{Name: "too many operands", Check: "operand count", Body: "\tmov r0, r1, r2"},
	{Name: "last operand missing", Check: "operand count", Body: "\tmov r0,"},
	{Name: "too few relations", Check: "relations", Body: "\tcmp r0.xy, r1.xy, =="},
	{Name: "more components than the destination", Check: "component counts", Body: "\tmov r0.xy, r1.xyz"},
	{Name: "fewer components than the destination", Check: "component counts", Body: "\tmov r0, r1.x"},
	{Name: "dp3 of four components", Check: "component counts", Body: "\tdp3 r0, r1, r2"},
	{Name: "dp4 of three components", Check: "component counts", Body: "\tdp4 r0, r1.xyz, r2.xyz"},
	{Name: "cmp of four components", Check: "component counts", Body: "\tcmp r0, r1, ==, =="},
	{Name: "mova of four components", Check: "component counts", Body: "\tmova r0"},
	{Name: "destination is an input", Check: "operand class", Body: "\tmov v0, r0"},
	{Name: "destination is a uniform", Check: "operand class", Body: "\tmov c0, r0"},
	{Name: "source is an output", Check: "operand class", Body: "\tmov r0, o0"},
	{Name: "source is a boolean", Check: "operand class", Body: "\tmov r0, b0"},
	{Name: "two uniforms", Check: "two wide operands", Body: "\tadd r0, c0, c1"},
	{Name: "one uniform twice", Check: "two wide operands", Body: "\tmul r0, c0, c0"},
	{Name: "dst with a wide second operand", Check: "dsti", Body: "\tdst r0, r1, c0"},
	{Name: "unknown register", Check: "names", Body: "\tmov r0, zzname"},
	{Name: "unknown index", Check: "index", Body: "\tmov r0, c0[aL]"},
	{Name: "two address registers", Check: "index", Body: "\tmov r0, c5[a0+a1]"},
	{Name: "index is a temporary", Check: "index", Body: "\tmov r0, c5[r0]"},
	{Name: "missing bracket", Check: "index", Body: "\tmov r0, c5[1"},
	{Name: "address register without a sign", Check: "index", Body: "\tmov r0, c5[-a0]"},
	{Name: "uniform above c95", Check: "index", Body: "\tmov r0, c95[1]"},
	{Name: "unknown relation", Check: "relations", Body: "\tcmp r0.xy, r1.xy, =, =="},
	{Name: "unknown flag", Check: "conditions", Body: "\tif cc.q\n\tnop\n\tendif"},
	{Name: "flag twice", Check: "conditions", Body: "\tif cc.x && cc.x\n\tnop\n\tendif"},
	{Name: "two flags and one", Check: "conditions", Body: "\tif cc.xy && cc.x\n\tnop\n\tendif"},
	{Name: "flags without letters", Check: "conditions", Body: "\tif cc\n\tnop\n\tendif"},
	{Name: "boolean and flag", Check: "conditions", Body: "\tif b0 && cc.x\n\tnop\n\tendif"},
	{Name: "temporary in if", Check: "conditions", Body: "\tif r0\n\tnop\n\tendif"},
	{Name: "integer in if", Check: "conditions", Body: "\tif i0\n\tnop\n\tendif"},
	{Name: "loop on a flag", Check: "loop", Body: "\tloop cc.x\n\tnop\n\tendloop"},
	{Name: "negated boolean", Check: "conditions", Body: "\tif !b0\n\tnop\n\tendif"},
	{Name: "break on a boolean", Check: "conditions", Body: "\tloop i0\n\tbreakc b0\n\tnop\n\tendloop"},
	{Name: "jump without a condition", Check: "jmp", Body: "\tjmp main"},
	{Name: "jump with an end", Check: "jmp", Body: "zzlabel:\n\tnop\nzzend:\n\tjmp zzlabel until zzend if b0"},
	{Name: "call without an end", Check: "call range", Body: "zzlabel:\n\tcall zzlabel"},
	{Name: "loop on a boolean", Check: "loop", Body: "\tloop b0\n\tnop\n\tendloop"},
	{Name: "undefined label", Check: "labels", Body: "\tjmp zzlabel if b0"},
	{Name: "label twice", Check: "labels twice", Body: "zzlabel:\n\tnop\nzzlabel:\n\tnop"},
	{Name: "empty call range", Check: "call range", Body: "zzlabel:\n\tcall zzlabel until zzlabel"},
	{Name: "call range that ends above its start", Check: "call range",
		Body: "zzend:\n\tnop\nzzlabel:\n\tcall zzlabel until zzend"},
	{Name: "else of no block", Check: "blocks", Body: "\telse"},
	{Name: "else in a loop", Check: "blocks", Body: "\tloop i0\n\tnop\n\telse\n\tnop\n\tendloop"},
	{Name: "second else", Check: "blocks", Body: "\tif b0\n\tnop\n\telse\n\tnop\n\telse\n\tnop\n\tendif"},
	{Name: "end of no loop", Check: "blocks", Body: "\tendloop"},
	{Name: "block left open", Check: "blocks", After: "\tif b0\n\tnop"},
	{Name: "end of no block", Check: "blocks", Body: "\tendif"},
	{Name: "end of another block", Check: "blocks", Body: "\tloop i0\n\tnop\n\tendif"},
	{Name: "output without a semantic", Check: "semantics", Before: ".alias zz o6"},
	{Name: "alias of a temporary", Check: "aliases", Before: ".alias zz r3"},
	{Name: "alias of an unknown register", Check: "names", Before: ".alias zz zzname"},
	{Name: "alias twice", Check: "aliases", Before: ".alias zz v14\n.alias zz v14"},
	{Name: "alias named like a label", Check: "aliases", Before: ".alias zz v14", Body: "zz:\n\tnop"},
	{Name: "range of two kinds", Check: "aliases", Before: ".alias zz c0-i3"},
	{Name: "letters of a range", Check: "aliases", Before: ".alias zz c0-c3.xy"},
	{Name: "semantic of a temporary", Check: "semantics", Before: ".alias zz r0 as color"},
	{Name: "letters of an output that descend", Check: "semantics", Before: ".alias zz o6.yx as color"},
	{Name: "constant of three numbers", Check: "constants", Before: ".alias zz c50 as (1, 2, 3)"},
	{Name: "constant of a range", Check: "constants", Before: ".alias zz c50-c51 as (1, 2, 3, 4)"},
	{Name: "constant of some components", Check: "constants", Before: ".alias zz c50.xy as (1, 2, 3, 4)"},
	{Name: "integer above 255", Check: "numbers", Before: ".alias zz i2 as (256, 0, 0, 0)"},
	{Name: "negative integer", Check: "numbers", Before: ".alias zz i2 as (-1, 0, 0, 0)"},
	{Name: "boolean of two", Check: "numbers", Before: ".alias zz b9 as 2"},
	{Name: "unknown semantic", Check: "semantics", Before: ".alias zz o6 as zzsemantic"},
	{Name: "number beyond float32", Check: "numbers", Before: ".alias zz c50 as (1e39, 0, 0, 0)"},
	{Name: "128 operand descriptors", Check: "room for descriptors",
		Body: strings.TrimSuffix(many(128, func(k int) string {
			return "\tmov r0, r0." + selectorText(uint8(k), 1|1<<6)[1:]
		}), "\n")},
}

func nihstroProgram(body string) Text {
	return Text{Files: []string{"main:\n" + body + "\tend\n"}, Entry: "main"}
}

// nihstroGeometry wraps lines in a source of a geometry program.
func nihstroGeometry(body string) Text {
	t := nihstroProgram(body)
	t.Geometry = true
	return t
}

// compute returns an instruction whose destination has a mask and whose source has selectors.
func compute(op pica.Opcode, mask uint8, sources ...Operand) Statement {
	s := Statement{Kind: Compute, Op: op, Dest: Operand{Class: 'r', Number: 1, Mask: mask}, Sources: sources}
	for k := range s.Sources {
		if s.Sources[k].Selector == 0 {
			s.Sources[k].Selector = pica.IdentitySwizzle
		}
	}
	return s
}

func temporary(n int) Operand { return Operand{Class: 'r', Number: n} }
func uniform(n int) Operand   { return Operand{Class: 'c', Number: n} }

// unprinted is a defect whose source Print does not write, with its meaning.
func unprinted(name, about, shows, body string, statements ...Statement) Defect {
	return Defect{Name: name, About: about, Shows: shows, Valid: true, Text: nihstroProgram(body),
		Program: func() *Program { return Minimal(statements...) }}
}

// nihstroDefects are known defects of nihstro-assemble f4d8659.
var nihstroDefects = []Defect{
	{Name: "setemitraw is not counted", Shows: wrongTables, Valid: true, Program: func() *Program {
		p := Minimal(Statement{Kind: SetEmit})
		p.Stage, p.Geometry.Shared = pica.Geometry, true
		p.Procedures = append(p.Procedures,
			Procedure{Name: "tail", Body: []Statement{{Kind: Nop}, {Kind: Emit}, {Kind: Nop}}})
		return p
	}, Text: nihstroGeometry("\tsetemitraw 0\n").append("main_end:\ntail:\n\tnop\n\temit\n\tnop\ntail_end:\n"),
		About: "labels below it are too small, in jumps, calls and the label table"},
	unprinted("mova writes nothing", "its mask is 0: no address register can be set", wrongMeaning,
		"\tmova r0.xy\nmain_end:\n",
		Statement{Kind: Compute, Op: pica.MOVA, Dest: Operand{Class: 'a', Mask: 12},
			Sources: []Operand{{Class: 'r', Selector: pica.IdentitySwizzle}}}),
	unprinted("mad loses the address register", "the index of mad is always 0", wrongMeaning,
		"\tmad r1, r2, c5[lcnt], r3\n",
		compute(pica.MAD, 15, temporary(2), Operand{Class: 'c', Number: 5, Index: pica.IndexAL}, temporary(3))),
	{Name: "mad with a uniform as its first operand", Text: nihstroProgram("\tmad r1, c1, r2, r3\n"),
		About: "the register is cut to five bits: c1 becomes v1"},
	{Name: "mad with a descriptor above 31", Shows: wrongMeaning, Valid: true, Program: lateMAD,
		About: "the number is cut to five bits"},
	unprinted("rsq writing no x", "it reads x, whatever the letter says", wrongMeaning, "\trsq r1.y, r0.y\n",
		compute(pica.RSQ, 4, Operand{Class: 'r', Selector: 0x55})),
	unprinted("dph reads x for w", "the added term is x of the second operand", wrongMeaning, "\tdph r1, r2, r3.xyz\n",
		compute(pica.DPH, 15, temporary(2), temporary(3))),
	unprinted("dph with a wide second operand and few letters", "slots without a letter read x", wrongMeaning,
		"\tdph r1.x, r2.x, c3.x\n",
		compute(pica.DPH, 8, temporary(2), uniform(3))),
	unprinted("lit writing no x", "cmp.x is taken from component x of the source, whatever the letters say",
		wrongMeaning, "\tlit r1.y, r0.w\n",
		compute(pica.LITP, 4, Operand{Class: 'r', Selector: 0xFF})),
	{Name: "negated destination", Text: nihstroProgram("\tmov -r1, r0\n"), About: "the sign is ignored"},
	{Name: "indexed destination", Text: nihstroProgram("\tmov r1[a0], r0\n"), About: "the address register is ignored"},
	{Name: "component of the destination twice", Text: nihstroProgram("\tmov r1.xx, r0.xy\n"),
		About: "the second letter of the source is lost"},
	{Name: "call range above 255",
		Text:  nihstroProgram("\tcall main until zz\n" + strings.Repeat("\tnop\n", 299) + "zz:\n"),
		About: "the length is cut to eight bits"},
	{Name: "unknown instruction", Text: nihstroProgram("\tadf r0, r1, r2\n"),
		About: "a warning, and a file without the line and all that stands below it"},
	{Name: "else part of more than 255 words",
		Text:  nihstroProgram("\tif b0\n\tnop\n\telse\n" + strings.Repeat("\tmov r0, r0\n", 300) + "\tendif\n"),
		About: "the length is cut to eight bits"},
	{Name: "setemitraw above 3", Text: nihstroGeometry("\tsetemitraw 4\n"), About: "the vertex is taken modulo 4"},
	{Name: "empty loop", Text: nihstroProgram("\tloop i0\n\tendloop\n"),
		About: "the last word of the body is the LOOP itself"},
	{Name: "flag z", Text: nihstroProgram("\tif cc.z\n\tnop\n\tendif\n"), About: "read as cc.x"},
	{Name: "index past the bank", Text: nihstroProgram("\tmov r1, r15[1]\n"), About: "r15[1] becomes c0"},
	{Name: "alias named like a register", Text: nihstroProgram("\tmov r1, r5\n").prepend(".alias r5 c7\n"),
		About: "the name keeps its old meaning"},
	{Name: "constant in a temporary", Text: nihstroProgram("\tnop\n").prepend(".alias k r3 as (1, 2, 3, 4)\n"),
		About: "a boolean constant of that number"},
	{Name: "fraction of an integer", Text: nihstroProgram("\tnop\n").prepend(".alias k i0 as (1.9, 0, 0, 0)\n"),
		About: "cut to 1"},
	{Name: "infinite constant", Shows: wrongConstants, Allowed: func(raw uint32) bool { return raw == 0x7F0000 },
		Text:  nihstroProgram("\tnop\n").prepend(".alias k c5 as (3.5e38, 0, 0, 0)\n"),
		About: "becomes 3f0000, which is 1"},
	{Name: "number beyond the range", Shows: wrongConstants, Allowed: func(raw uint32) bool { return raw == 0x7F0000 },
		Text: nihstroProgram("\tnop\n").prepend(".alias k c5 as (1e30, 0, 0, 0)\n"), About: "the exponent wraps"},
	{Name: "entry that is not the first label", Shows: "invalid file", Valid: true, Program: func() *Program {
		p := Minimal(Statement{Kind: Nop})
		p.Procedures = []Procedure{{Name: "zzhelper", Body: []Statement{{Kind: Nop}}}, p.Procedures[0]}
		p.Entry = 1
		return p
	}, Text: Text{Files: []string{"zzhelper:\n\tnop\nzzhelper_end:\nmain:\n\tnop\n\tend\nmain_end:\n"}, Entry: "main"},
		About: "the entry is the offset of the label's name, not its word"},
}

// lateMAD has 40 operand descriptors before its only MAD.
func lateMAD() *Program {
	var body []Statement
	for k := range 40 {
		body = append(body, compute(pica.MOV, 15, Operand{Class: 'r', Selector: uint8(k + 1)}))
	}
	return Minimal(append(body, compute(pica.MAD, 15, temporary(2), temporary(3), temporary(4)))...)
}

// prepend returns the text with some lines before it.
func (t Text) prepend(before string) Text {
	t.Files = []string{before + t.Files[0]}
	return t
}
