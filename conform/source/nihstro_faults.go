package source

import "github.com/picaproof/picaproof/pica"

// nihstroFaults are mistakes that nihstro-assemble refuses with an error. A warning is not
// enough.
var nihstroFaults = []Fault{
	{Name: "unknown directive", Check: "mnemonics", Before: ".zz zzname v14", Right: ".alias zzname v14"},
	{Name: "too few operands", Check: "operand count", Body: "\tadd r0, r1", Right: "\tadd r0, r1, r2"},
	{Name: "too many operands", Check: "operand count", Body: "\tmov r0, r1, r2", Right: "\tmov r0, r1"},
	{Name: "last operand missing", Check: "operand count", Body: "\tmov r0,", Right: "\tmov r0, r1"},
	{Name: "too few relations", Check: "relations", Body: "\tcmp r0.xy, r1.xy, ==",
		Right: "\tcmp r0.xy, r1.xy, ==, =="},
	{Name: "more components than the destination", Check: "component counts", Body: "\tmov r0.xy, r1.xyz",
		Right: "\tmov r0.xy, r1.xy"},
	{Name: "fewer components than the destination", Check: "component counts", Body: "\tmov r0, r1.x",
		Right: "\tmov r0, r1.xxxx"},
	{Name: "dp3 of four components", Check: "component counts", Body: "\tdp3 r0, r1, r2",
		Right: "\tdp3 r0, r1.xyz, r2.xyz"},
	{Name: "dp4 of three components", Check: "component counts", Body: "\tdp4 r0, r1.xyz, r2.xyz",
		Right: "\tdp4 r0, r1, r2"},
	{Name: "cmp of four components", Check: "component counts", Body: "\tcmp r0, r1, ==, ==",
		Right: "\tcmp r0.xy, r1.xy, ==, =="},
	{Name: "mova of four components", Check: "component counts", Body: "\tmova r0", Right: "\tmova r0.xy"},
	{Name: "destination is an input", Check: "operand class", Body: "\tmov v0, r0", Right: "\tmov r0, r0"},
	{Name: "destination is a uniform", Check: "operand class", Body: "\tmov c0, r0", Right: "\tmov r0, r0"},
	{Name: "source is an output", Check: "operand class", Body: "\tmov r0, o0", Right: "\tmov r0, v0"},
	{Name: "source is a boolean", Check: "operand class", Body: "\tmov r0, b0", Right: "\tmov r0, c0"},
	{Name: "two uniforms", Check: "two wide operands", Body: "\tadd r0, c0, c1", Right: "\tadd r0, c0, r1"},
	{Name: "one uniform twice", Check: "two wide operands", Body: "\tmul r0, c0, c0", Right: "\tmul r0, c0, r0"},
	{Name: "dst with a wide second operand", Check: "dsti", Body: "\tdst r0, r1, c0", Right: "\tdst r0, c0, r1"},
	{Name: "unknown register", Check: "names", Body: "\tmov r0, zzname", Right: "\tmov r0, r1"},
	{Name: "unknown index", Check: "index", Body: "\tmov r0, c0[aL]", Right: "\tmov r0, c0[lcnt]"},
	{Name: "two address registers", Check: "index", Body: "\tmov r0, c5[a0+a1]", Right: "\tmov r0, c5[a0+1]"},
	{Name: "index is a temporary", Check: "index", Body: "\tmov r0, c5[r0]", Right: "\tmov r0, c5[a0]"},
	{Name: "missing bracket", Check: "index", Body: "\tmov r0, c5[1", Right: "\tmov r0, c5[1]"},
	{Name: "address register with a sign", Check: "index", Body: "\tmov r0, c5[-a0]", Right: "\tmov r0, c5[a0]"},
	{Name: "uniform above c95", Check: "index", Body: "\tmov r0, c95[1]", Right: "\tmov r0, c94[1]"},
	{Name: "unknown relation", Check: "relations", Body: "\tcmp r0.xy, r1.xy, =, ==",
		Right: "\tcmp r0.xy, r1.xy, ==, =="},
	{Name: "unknown flag", Check: "conditions", Body: "\tif cc.q\n\tnop\n\tendif", Right: "\tif cc.x\n\tnop\n\tendif"},
	{Name: "flag twice", Check: "conditions", Body: "\tif cc.x && cc.x\n\tnop\n\tendif",
		Right: "\tif cc.x && cc.y\n\tnop\n\tendif"},
	{Name: "two flags and one", Check: "conditions", Body: "\tif cc.xy && cc.x\n\tnop\n\tendif",
		Right: "\tif cc.y && cc.x\n\tnop\n\tendif"},
	{Name: "flags without letters", Check: "conditions", Body: "\tif cc\n\tnop\n\tendif",
		Right: "\tif cc.x\n\tnop\n\tendif"},
	{Name: "boolean and flag", Check: "conditions", Body: "\tif b0 && cc.x\n\tnop\n\tendif",
		Right: "\tif cc.y && cc.x\n\tnop\n\tendif"},
	{Name: "temporary in if", Check: "conditions", Body: "\tif r0\n\tnop\n\tendif", Right: "\tif b0\n\tnop\n\tendif"},
	{Name: "integer in if", Check: "conditions", Body: "\tif i0\n\tnop\n\tendif", Right: "\tif b0\n\tnop\n\tendif"},
	{Name: "loop on a flag", Check: "loop", Body: "\tloop cc.x\n\tnop\n\tendloop", Right: "\tloop i0\n\tnop\n\tendloop"},
	{Name: "negated boolean", Check: "conditions", Body: "\tif !b0\n\tnop\n\tendif", Right: "\tif b0\n\tnop\n\tendif"},
	{Name: "break on a boolean", Check: "conditions", Body: "\tloop i0\n\tbreakc b0\n\tnop\n\tendloop",
		Right: "\tloop i0\n\tbreakc cc.x\n\tnop\n\tendloop"},
	{Name: "jump without a condition", Check: "jmp", Body: "zzlabel:\n\tjmp zzlabel",
		Right: "zzlabel:\n\tjmp zzlabel if b0"},
	{Name: "jump with an end", Check: "jmp", Body: "zzlabel:\n\tnop\nzzend:\n\tjmp zzlabel until zzend if b0",
		Right: "zzlabel:\n\tnop\nzzend:\n\tjmp zzlabel if b0"},
	{Name: "call without an end", Check: "call range", Body: "zzlabel:\n\tnop\nzzend:\n\tcall zzlabel",
		Right: "zzlabel:\n\tnop\nzzend:\n\tcall zzlabel until zzend"},
	{Name: "loop on a boolean", Check: "loop", Body: "\tloop b0\n\tnop\n\tendloop",
		Right: "\tloop i0\n\tnop\n\tendloop"},
	{Name: "undefined label", Check: "labels", Body: "zzlabel:\n\tjmp zylabel if b0",
		Right: "zzlabel:\n\tjmp zzlabel if b0"},
	{Name: "label twice", Check: "labels twice", Body: "zzlabel:\n\tnop\nzzlabel:\n\tnop",
		Right: "zzlabel:\n\tnop\nzylabel:\n\tnop"},
	{Name: "empty call range", Check: "call range", Body: "zzlabel:\n\tnop\nzzend:\n\tcall zzlabel until zzlabel",
		Right: "zzlabel:\n\tnop\nzzend:\n\tcall zzlabel until zzend"},
	{Name: "call range that ends above its start", Check: "call range",
		Body:  "zzend:\n\tnop\nzzlabel:\n\tcall zzlabel until zzend",
		Right: "zzend:\n\tnop\nzzlabel:\n\tcall zzend until zzlabel"},
	{Name: "else of no block", Check: "blocks", Body: "\telse", Right: "\tif b0\n\tnop\n\telse\n\tnop\n\tendif"},
	{Name: "else in a loop", Check: "blocks", Body: "\tloop i0\n\tnop\n\telse\n\tnop\n\tendloop",
		Right: "\tif b0\n\tnop\n\telse\n\tnop\n\tendif"},
	{Name: "second else", Check: "blocks", Body: "\tif b0\n\tnop\n\telse\n\tnop\n\telse\n\tnop\n\tendif",
		Right: "\tif b0\n\tnop\n\telse\n\tnop\n\tnop\n\tnop\n\tendif"},
	{Name: "end of no loop", Check: "blocks", Body: "\tendloop", Right: "\tloop i0\n\tnop\n\tendloop"},
	{Name: "block left open", Check: "blocks", After: "\tif b0\n\tnop", Right: "\tif b0\n\tnop\n\tendif"},
	{Name: "end of no block", Check: "blocks", Body: "\tendif", Right: "\tif b0\n\tnop\n\tendif"},
	{Name: "end of another block", Check: "blocks", Body: "\tloop i0\n\tnop\n\tendif",
		Right: "\tloop i0\n\tnop\n\tendloop"},
	{Name: "output without a semantic", Check: "semantics", Before: ".alias zz o6", Right: ".alias zz o6 as color"},
	{Name: "alias of a temporary", Check: "aliases", Before: ".alias zz r3", Right: ".alias zz c3"},
	{Name: "alias of an unknown register", Check: "names", Before: ".alias zz zzname", Right: ".alias zz v14"},
	{Name: "alias twice", Check: "aliases", Before: ".alias zz v14\n.alias zz v14", Right: ".alias zz v14\n.alias zy v14"},
	{Name: "alias named like a label", Check: "aliases", Before: ".alias zz v14", Body: "zz:\n\tnop",
		Right: "zy:\n\tnop"},
	{Name: "range of two kinds", Check: "aliases", Before: ".alias zz c0-i3", Right: ".alias zz c0-c3"},
	{Name: "letters of a range", Check: "aliases", Before: ".alias zz c0-c3.xy", Right: ".alias zz c0-c3"},
	{Name: "semantic of a temporary", Check: "semantics", Before: ".alias zz r0 as color",
		Right: ".alias zz o6 as color"},
	{Name: "letters of an output that descend", Check: "semantics", Before: ".alias zz o6.yx as color",
		Right: ".alias zz o6.xy as color"},
	{Name: "constant of three numbers", Check: "constants", Before: ".alias zz c50 as (1, 2, 3)",
		Right: ".alias zz c50 as (1, 2, 3, 4)"},
	{Name: "constant of a range", Check: "constants", Before: ".alias zz c50-c51 as (1, 2, 3, 4)",
		Right: ".alias zz c50 as (1, 2, 3, 4)"},
	{Name: "constant of some components", Check: "constants", Before: ".alias zz c50.xy as (1, 2, 3, 4)",
		Right: ".alias zz c50 as (1, 2, 3, 4)"},
	{Name: "integer above 255", Check: "numbers", Before: ".alias zz i2 as (256, 0, 0, 0)",
		Right: ".alias zz i2 as (255, 0, 0, 0)"},
	{Name: "negative integer", Check: "numbers", Before: ".alias zz i2 as (-1, 0, 0, 0)",
		Right: ".alias zz i2 as (1, 0, 0, 0)"},
	{Name: "boolean of two", Check: "numbers", Before: ".alias zz b9 as 2", Right: ".alias zz b9 as 1"},
	{Name: "unknown semantic", Check: "semantics", Before: ".alias zz o6 as zzsemantic", Right: ".alias zz o6 as color"},
	{Name: "number beyond float32", Check: "numbers", Before: ".alias zz c50 as (1e39, 0, 0, 0)",
		Right: ".alias zz c50 as (1e9, 0, 0, 0)"},
	{Name: "128 operand descriptors", Check: "room for descriptors", Body: many(128, rotated),
		Right: many(28, rotated)},
}

func rotated(k int) string { return "\tmov r0, r0." + selectorText(uint8(k), 1|1<<6)[1:] }

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
func unprinted(name, about, body string, statements ...Statement) Defect {
	return Defect{Fault: Fault{Name: name, Body: body}, About: about, Shows: wrongMeaning, Valid: true,
		Program: func() *Program { return Minimal(statements...) }}
}

// nihstroDefects are known defects of nihstro-assemble f4d8659.
var nihstroDefects = []Defect{
	{Fault: Fault{Name: "setemitraw is not counted", Body: "\tsetemitraw 0\n\tsetemitraw 0",
		After: "tail:\n\tnop\n\temit\n\tnop\ntail_end:"}, Base: geometric, Shows: wrongTables, Valid: true,
		Program: func() *Program {
			p := geometric()
			p.Procedures = []Procedure{Minimal(Statement{Kind: SetEmit}, Statement{Kind: SetEmit}).Procedures[0],
				{Name: "tail", Body: []Statement{{Kind: Nop}, {Kind: Emit}, {Kind: Nop}}}}
			return p
		}, About: "labels below it are too small, in jumps, calls and the label table"},
	unprinted("mova writes nothing", "its mask is 0: no address register can be set", "\tmova r0.xy",
		Statement{Kind: Compute, Op: pica.MOVA, Dest: Operand{Class: 'a', Mask: 12},
			Sources: []Operand{{Class: 'r', Selector: pica.IdentitySwizzle}}}),
	unprinted("mad loses the address register", "the index of mad is always 0", "\tmad r1, r2, c5[lcnt], r3",
		compute(pica.MAD, 15, temporary(2), Operand{Class: 'c', Number: 5, Index: pica.IndexAL}, temporary(3))),
	{Fault: Fault{Name: "mad with a uniform as its first operand", Body: "\tmad r1, c1, r2, r3",
		Right: "\tmad r1, r1, r2, r3"}, About: "the register is cut to five bits: c1 becomes v1"},
	{Fault: Fault{Name: "mad with a descriptor above 31"}, Shows: wrongMeaning, Valid: true, Program: lateMAD,
		About: "the number is cut to five bits"},
	unprinted("rsq writing no x", "it reads x, whatever the letter says", "\trsq r1.y, r0.y",
		compute(pica.RSQ, 4, Operand{Class: 'r', Selector: 0x55})),
	unprinted("dph reads x for w", "the added term is x of the second operand", "\tdph r1, r2, r3.xyz",
		compute(pica.DPH, 15, temporary(2), temporary(3))),
	unprinted("dph with a wide second operand and few letters", "slots without a letter read x",
		"\tdph r1.x, r2.x, c3.x", compute(pica.DPH, 8, temporary(2), uniform(3))),
	unprinted("lit writing no x", "cmp.x is taken from component x of the source, whatever the letters say",
		"\tlit r1.y, r0.w", compute(pica.LITP, 4, Operand{Class: 'r', Selector: 0xFF})),
	{Fault: Fault{Name: "negated destination", Body: "\tmov -r1, r0", Right: "\tmov r1, -r0"},
		About: "the sign is ignored"},
	{Fault: Fault{Name: "indexed destination", Body: "\tmov r1[a0], r0", Right: "\tmov r1, c0[a0]"},
		About: "the address register is ignored"},
	{Fault: Fault{Name: "component of the destination twice", Body: "\tmov r1.xx, r0.xy", Right: "\tmov r1.xy, r0.xy"},
		About: "the second letter of the source is lost"},
	{Fault: Fault{Name: "call range above 255", Body: ranged(300), Right: ranged(200)},
		About: "the length is cut to eight bits"},
	{Fault: Fault{Name: "unknown instruction", Body: "\tadf r0, r1, r2", Right: "\tadd r0, r1, r2"},
		About: "a warning, and a file without the line and all that stands below it"},
	{Fault: Fault{Name: "else part of more than 255 words", Body: elsewhere(300), Right: elsewhere(200)},
		About: "the length is cut to eight bits"},
	{Fault: Fault{Name: "setemitraw above 3", Body: "\tsetemitraw 4", Right: "\tsetemitraw 3"}, Base: geometric,
		About: "the vertex is taken modulo 4"},
	{Fault: Fault{Name: "empty loop", Body: "\tloop i0\n\tendloop", Right: "\tloop i0\n\tnop\n\tendloop"},
		About: "the last word of the body is the LOOP itself"},
	{Fault: Fault{Name: "flag z", Body: "\tif cc.z\n\tnop\n\tendif", Right: "\tif cc.x\n\tnop\n\tendif"},
		About: "read as cc.x"},
	{Fault: Fault{Name: "index past the bank", Body: "\tmov r1, r15[1]", Right: "\tmov r1, r14[1]"},
		About: "r15[1] becomes c0"},
	{Fault: Fault{Name: "alias named like a register", Before: ".alias r5 c7", Right: ".alias k c7"},
		About: "the name keeps its old meaning"},
	{Fault: Fault{Name: "constant in a temporary", Before: ".alias k r3 as (1, 2, 3, 4)",
		Right: ".alias k c3 as (1, 2, 3, 4)"}, About: "a boolean constant of that number"},
	{Fault: Fault{Name: "fraction of an integer", Before: ".alias k i0 as (1.9, 0, 0, 0)",
		Right: ".alias k i0 as (1, 0, 0, 0)"}, About: "cut to 1"},
	{Fault: Fault{Name: "infinite constant", Before: ".alias k c5 as (3.5e38, 0, 0, 0)",
		Right: ".alias k c5 as (3.5e8, 0, 0, 0)"}, Shows: wrongConstants, Allowed: infinite,
		About: "becomes 3f0000, which is 1"},
	{Fault: Fault{Name: "number beyond the range", Before: ".alias k c5 as (1e30, 0, 0, 0)",
		Right: ".alias k c5 as (1e3, 0, 0, 0)"}, Shows: wrongConstants, Allowed: infinite,
		About: "the exponent wraps"},
	{Fault: Fault{Name: "entry that is not the first label", Before: "zzhelper:\n\tnop\nzzhelper_end:"},
		Shows: "invalid file", Valid: true, Program: func() *Program {
			p := Minimal()
			p.Procedures = []Procedure{{Name: "zzhelper", Body: []Statement{{Kind: Nop}}}, p.Procedures[0]}
			p.Entry = 1
			return p
		}, About: "the entry is the offset of the label's name, not its word"},
}

// ranged is a call of some words, elsewhere the else part of a condition.
func ranged(n int) string {
	return "\tcall zz until zzend\nzz:\n" + many(n, func(int) string { return "\tnop" }) + "\nzzend:"
}
func elsewhere(n int) string {
	return "\tif b0\n\tnop\n\telse\n" + many(n, func(int) string { return "\tmov r0, r0" }) + "\n\tendif"
}

// lateMAD has 40 operand descriptors before its only MAD.
func lateMAD() *Program {
	var body []Statement
	for k := range 40 {
		body = append(body, compute(pica.MOV, 15, Operand{Class: 'r', Selector: uint8(k + 1)}))
	}
	return Minimal(append(body, compute(pica.MAD, 15, temporary(2), temporary(3), temporary(4)))...)
}
