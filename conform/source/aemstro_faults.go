package source

import "github.com/picaproof/picaproof/pica"

// described is a line behind the program that gives an operand descriptor to a source without one.
const described = "\t.opdesc xyzw, xyzw, xyzw, xyzw"

// instruction is a mistake in an instruction.
func instruction(name, check, wrong, right string) Fault {
	return Fault{Name: name, Check: check, Body: "\t" + wrong, Right: "\t" + right, After: described}
}

// directive is a mistake in a directive.
func directive(name, check, wrong, right string) Fault {
	return Fault{Name: name, Check: check, Before: "\t" + wrong, Right: "\t" + right}
}

// aemstroFaults are mistakes that aemstro_as ends with an exception.
var aemstroFaults = []Fault{
	instruction("too few operands", "operand count", "add r0, r1 (0x0)", "add r0, r1, r2 (0x0)"),
	instruction("too many operands", "operand count", "mov r0, r1, r2 (0x0)", "mov r0, r1 (0x0)"),
	instruction("no descriptor", "descriptor", "mov r0, r1", "mov r0, r1 (0x0)"),
	instruction("descriptor that is no number", "descriptor", "mov r0, r1 (xyzw)", "mov r0, r1 (0x0)"),
	instruction("destination is an input", "operand class", "mov v0, r0 (0x0)", "mov r0, r0 (0x0)"),
	instruction("destination is a uniform", "operand class", "mov c0, r0 (0x0)", "mov r0, r0 (0x0)"),
	instruction("source is an output", "operand class", "mov r0, o0 (0x0)", "mov r0, v0 (0x0)"),
	instruction("source is a boolean", "operand class", "mov r0, b0 (0x0)", "mov r0, c0 (0x0)"),
	instruction("two uniforms", "narrow operand", "add r0, c0, c1 (0x0)", "add r0, c0, r1 (0x0)"),
	instruction("unknown register", "names", "mov r0, zzname (0x0)", "mov r0, r1 (0x0)"),
	instruction("unknown index", "index", "mov r0, c0[a0.z] (0x0)", "mov r0, c0[a0.x] (0x0)"),
	instruction("index is a number", "index", "mov r0, c0[1] (0x0)", "mov r0, c0[a0.x] (0x0)"),
	instruction("unknown relation", "relations", "cmp r0, zz, eq, r1 (0x0)", "cmp r0, eq, eq, r1 (0x0)"),
	instruction("flag twice", "conditions", "ifc zz, zz, cmp.x && cmp.x\n\tnop\nzz:",
		"ifc zz, zz, cmp.x && cmp.y\n\tnop\nzz:"),
	instruction("unknown flag", "conditions", "ifc zz, zz, cmp.z\n\tnop\nzz:", "ifc zz, zz, cmp.x\n\tnop\nzz:"),
	instruction("integer in ifu", "conditions", "ifu zz, zz, i0\n\tnop\nzz:", "ifu zz, zz, b0\n\tnop\nzz:"),
	instruction("loop on a boolean", "loop", "loop zz, b0\n\tnop\nzz:", "loop zz, i0\n\tnop\nzz:"),
	instruction("loop without an end", "loop", "loop i0\n\tnop\nzz:", "loop zz, i0\n\tnop\nzz:"),
	instruction("call without an end", "call range", "call zz\nzz:\n\tnop\nzzend:",
		"call zz, zzend\nzz:\n\tnop\nzzend:"),
	instruction("vertex that is no vertex", "setemit", "setemit 0, true, false", "setemit vtx0, true, false"),
	instruction("setemit flag that is no flag", "setemit", "setemit vtx0, prim, false", "setemit vtx0, true, false"),
	directive("descriptor of three letters", "descriptor", ".opdesc xyzw, xyz, xyzw, xyzw",
		".opdesc xyzw, xyzz, xyzw, xyzw"),
	directive("descriptor with an unknown letter", "descriptor", ".opdesc xyzw, xyzq, xyzw, xyzw",
		".opdesc xyzw, xyzw, xyzw, xyzw"),
	directive("descriptor of four sources", "descriptor", ".opdesc xyzw, xyzw, xyzw, xyzw, xyzw",
		".opdesc xyzw, xyzw, xyzw, xyzw"),
	directive("constant of three numbers", "constants", ".const c50, 1, 2, 3", ".const c50, 1, 2, 3, 4"),
	directive("constant that is no number", "constants", ".const c50, 1, 2, 3, zz", ".const c50, 1, 2, 3, 4"),
	directive("boolean of no value", "constants", ".const b9, maybe", ".const b9, 1"),
	directive("number beyond float32", "numbers", ".const c50, 1e39, 0, 0, 0", ".const c50, 1e9, 0, 0, 0"),
	directive("output without a mask", "outputs", ".out o6, result.color", ".out o6, result.color, 0xf"),
	directive("output mask that is no number", "outputs", ".out o6, result.color, xyzw", ".out o6, result.color, 0xf"),
	directive("uniform without a name", "uniforms", ".uniform c90, c91", ".uniform c90, c91, zz"),
	directive("uniform in a temporary", "uniforms", ".uniform r0, r1, zz", ".uniform c90, c91, zz"),
}

// aemstroDefects are known defects of aemstro_as 51bfeef.
var aemstroDefects = []Defect{
	{Fault: Fault{Name: "index aL", Body: "\tmov r1, c5[aL] (0x0)", After: described}, Shows: refusesValid, Valid: true,
		Program: func() *Program {
			return Minimal(compute(pica.MOV, 0xF, Operand{Class: 'c', Number: 5, Index: pica.IndexAL}))
		}, About: "the line is put into small letters before aL is looked for"},
	{Fault: Fault{Name: "mad loses the address register", Body: "\tmad r1, r2, c5[a0.x], r3 (0x0)", After: described},
		Shows: wrongMeaning, Valid: true, Program: func() *Program {
			return Minimal(compute(pica.MAD, 0xF, temporary(2), Operand{Class: 'c', Number: 5, Index: pica.IndexA0X},
				temporary(3)))
		}, About: "the index of mad is always 0"},
	{Fault: Fault{Name: "word of zero", Body: "\tadd o0, v0, v0 (0x0)", After: described}, Shows: wrongMeaning,
		Valid: true, Program: func() *Program {
			s := compute(pica.ADD, 0xF, Operand{Class: 'v'}, Operand{Class: 'v'})
			s.Dest.Class, s.Dest.Number = 'o', 0
			return Minimal(s)
		}, About: "an instruction whose word is 0 is left out"},
	defective("unknown instruction", "a message, and a file without the line", "adf r0, r1, r2 (0x0)",
		"add r0, r1, r2 (0x0)"),
	defective("operand of end", "ignored", "end r0", "end"),
	defective("temporary above r15", "cut to the field: r16 becomes o0 or c0", "mov r0, r16 (0x0)", "mov r0, r15 (0x0)"),
	defective("uniform above c95", "cut to seven bits: c96 becomes v0", "mov r0, c96 (0x0)", "mov r0, c95 (0x0)"),
	defective("mad with a uniform as its first operand", "the register spills into other fields",
		"mad r1, c1, r2, r3 (0x0)", "mad r1, r1, r2, r3 (0x0)"),
	defective("descriptor that is not there", "only the width of the field counts", "mov r0, r1 (0x7f)",
		"mov r0, r1 (0x0)"),
	defective("undefined label", "its address is 0", "call zy, zzend\nzz:\n\tnop\nzzend:",
		"call zz, zzend\nzz:\n\tnop\nzzend:"),
	defective("label twice", "the second one counts", "nop\nzz:\n\tnop\nzz:", "nop\nzz:\n\tnop\nzy:"),
	{Fault: directive("unknown directive", "", ".zz c90, c91, zz", ".uniform c90, c91, zz"),
		About: "a message, and a file"},
	{Fault: directive("unknown semantic", "", ".out o6, result.zz, 0xf", ".out o6, result.color, 0xf"),
		About: "the output is left out"},
	{Fault: directive("range of two kinds", "", ".uniform c90, i1, zz", ".uniform c90, c91, zz"),
		About: "a message, and the uniform is left out"},
	{Fault: directive("number beyond the range", "", ".const c50, 1e30, 0, 0, 0", ".const c50, 1e3, 0, 0, 0"),
		Shows: wrongConstants, Allowed: infinite, About: "the exponent spills into the sign"},
}

// defective is a wrong instruction that the assembler accepts.
func defective(name, about, wrong, right string) Defect {
	return Defect{Fault: instruction(name, "", wrong, right), About: about}
}
