package source

import (
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// picassoFaults are mistakes that picasso refuses. Their names begin with zz, because no program
// has such names.
var picassoFaults = []Fault{
	{Name: "unknown instruction", Check: "mnemonics", Body: "adf r0, r1, r2", Right: "add r0, r1, r2"},
	{Name: "unknown directive", Check: "mnemonics", Before: ".zz r0", Right: ".alias zz r0"},
	{Name: "too few operands", Check: "operand count", Body: "add r0, r1", Right: "add r0, r1, r2"},
	{Name: "too many operands", Check: "operand count", Body: "mov r0, r1, r2", Right: "mov r0, r1"},
	{Name: "operand of end", Check: "operand count", Body: "end r0", Right: "end"},
	{Name: "temporary above r15", Check: "register range", Body: "mov r0, r16", Right: "mov r0, r15"},
	{Name: "uniform above c95", Check: "register range", Body: "mov r0, c96", Right: "mov r0, c95"},
	{Name: "output above o15", Check: "register range", Body: "mov o16, r0", Right: "mov o15, r0"},
	{Name: "boolean above b15", Check: "register range", Body: "ifu b16\nnop\n.end", Right: "ifu b15\nnop\n.end"},
	{Name: "integer above i7", Check: "register range", Body: "for i8\nnop\n.end", Right: "for i3\nnop\n.end"},
	{Name: "no such component", Check: "swizzle", Body: "mov r0, r1.xq1", Right: "mov r0, r1.xyz"},
	{Name: "five components", Check: "swizzle", Body: "mov r0, r1.xyzwx", Right: "mov r0, r1.xyzw"},
	{Name: "uniform in the narrow operand", Check: "narrow operand", Body: "add r0, r1, c0",
		Right: "add r0, c0, r1"},
	{Name: "two uniforms", Check: "narrow operand", Body: "mul r0, c0, c1", Right: "mul r0, c0, r1"},
	{Name: "two uniforms of mad", Check: "narrow operand of mad", Body: "mad r0, r1, c0, c1",
		Right: "mad r0, r1, c0, r1"},
	{Name: "uniform in the first operand of mad", Check: "narrow operand of mad", Body: "mad r0, c0, r1, r1",
		Right: "mad r0, r1, c0, r1"},
	{Name: "address register in the narrow operand", Check: "narrow operand", Body: "add r0, r1, c0[a0]",
		Right: "add r0, c0[a0], r1"},
	{Name: "address register in the first operand of mad", Check: "narrow operand of mad",
		Body: "mad r0, c0[a0], r1, r1", Right: "mad r0, r1, c0[a0], r1"},
	{Name: "uniform in the second operand of cmp", Check: "narrow operand", Body: "cmp r0, eq, eq, c1",
		Right: "cmp c1, eq, eq, r0"},
	{Name: "destination is a uniform", Check: "destination", Body: "mov c0, r0", Right: "mov r0, r0"},
	{Name: "destination is an integer", Check: "destination", Body: "mov i0, r0", Right: "mov r0, r0"},
	{Name: "source is a boolean", Check: "operand class", Body: "mov r0, b0", Right: "mov r0, c0"},
	{Name: "address register on the destination", Check: "index", Body: "mov r0[a0], r1", Right: "mov r0, c1[a0]"},
	{Name: "negative offset", Check: "index", Body: "mov r0, c5[-1]", Right: "mov r0, c5[1]"},
	{Name: "unknown index", Check: "index", Body: "mov r0, c5[a0.z+1]", Right: "mov r0, c5[a0.x+1]"},
	{Name: "missing bracket", Check: "index", Body: "mov r0, c0[", Right: "mov r0, c0[1]"},
	{Name: "two signs", Check: "sign", Body: "mov r0, --r1", Right: "mov r0, -r1"},
	{Name: "undefined name", Check: "names", Body: "mov r0, zzname", Right: "mov r0, r1"},
	{Name: "two input registers", Check: "two input registers", Body: "add r0, v0, v1", Right: "add r0, v0, v0"},
	{Name: "two input registers of mad", Check: "two input registers", Body: "mad r0, v0, r1, v1",
		Right: "mad r0, v0, r1, v0"},
	{Name: "unknown relation", Check: "relations", Body: "cmp r0, zz, eq, r1", Right: "cmp r0, eq, eq, r1"},
	{Name: "unknown flag", Check: "conditions", Body: "ifc cmp.z\nnop\n.end", Right: "ifc cmp.x\nnop\n.end"},
	{Name: "flag of ifu", Check: "conditions", Body: "ifu cmp.x\nnop\n.end", Right: "ifc cmp.x\nnop\n.end"},
	{Name: "boolean that is not", Check: "conditions", Body: "ifu !b0\nnop\n.end", Right: "ifu b0\nnop\n.end"},
	{Name: "call on a boolean that is not", Check: "conditions", Body: "callu !b0, zz", After: ".proc zz\nnop\n.end",
		Right: "callu b0, zz"},
	{Name: "integer in ifu", Check: "operand class", Body: "ifu i0\nnop\n.end", Right: "ifu b0\nnop\n.end"},
	{Name: "boolean in for", Check: "operand class", Body: "for b0\nnop\n.end", Right: "for i0\nnop\n.end"},
	{Name: "one flag twice", Check: "conditions", Body: "ifc cmp.x && cmp.x\nnop\n.end",
		Right: "ifc cmp.x && cmp.y\nnop\n.end"},
	{Name: "destination of mova", Check: "destination", Body: "mova r0, r1", Right: "mova a0, r1"},
	{Name: "vertex above 2", Check: "setemit", After: ".proc zz\nsetemit 3\n.end",
		Right: ".proc zz\nsetemit 2\n.end"},
	{Name: "vertex that is no number", Check: "setemit", After: ".proc zz\nsetemit zz\n.end",
		Right: ".proc zz\nsetemit 0\n.end"},
	{Name: "undefined label", Check: "labels", Body: "zzlabel:\njmpc cmp.x, zylabel",
		Right: "zzlabel:\njmpc cmp.x, zzlabel"},
	{Name: "label twice", Check: "labels twice", Body: "zzlabel:\nnop\nzzlabel:\nnop",
		Right: "zzlabel:\nnop\nzylabel:\nnop"},
	{Name: "malformed label", Check: "identifiers", Body: "1zz:\nnop", Right: "zz:\nnop"},
	{Name: "undefined procedure", Check: "procedures", Body: "call zy", After: ".proc zz\nnop\n.end", Right: "call zz"},
	{Name: "procedure twice", Check: "procedures twice", After: ".proc zz\nnop\n.end\n.proc zz\nnop\n.end",
		Right: ".proc zz\nnop\n.end\n.proc zy\nnop\n.end"},
	{Name: "instruction outside a procedure", Check: "scopes", After: "mov r0, r1", Right: ".proc zz\nmov r0, r1\n.end"},
	{Name: "scope left open", Check: "scopes", After: ".proc zz\nnop", Right: ".proc zz\nnop\n.end"},
	{Name: "end without a scope", Check: "scopes", After: ".end", Right: nothing},
	{Name: "else without a condition", Check: "scopes", Body: ".else", Right: "ifu b0\nnop\n.else\nnop\n.end"},
	{Name: "else in a loop", Check: "scopes", Body: "for i0\nnop\n.else\nnop\n.end",
		Right: "ifu b0\nnop\n.else\nnop\n.end"},
	{Name: "second else", Check: "scopes", Body: "ifu b0\nnop\n.else\nnop\n.else\nnop\n.end",
		Right: "ifu b0\nnop\n.else\nnop\nnop\nnop\n.end"},
	{Name: "33 scopes", Check: "depth of scopes", Body: nested(32), Right: nested(31)},
	{Name: "name twice", Check: "names twice", Before: ".alias zz r0\n.alias zz r1",
		Right: ".alias zz r0\n.alias zy r1"},
	{Name: "alias of a register's name", Check: "identifiers", Before: ".alias r5 r1", Right: ".alias zz r1"},
	{Name: "malformed name", Check: "identifiers", Before: ".alias 2zz r1", Right: ".alias zz r1"},
	{Name: "array of no registers", Check: "array size", Before: ".fvec zz[0]", Right: ".fvec zz[1]"},
	{Name: "array without its bracket", Check: "array size", Before: ".fvec zz[2", Right: ".fvec zz[2]"},
	{Name: "name of a constant for a uniform", Check: "names twice", Before: ".constf zz(1, 2, 3, 4)\n.fvec zz",
		Right: ".constf zz(1, 2, 3, 4)\n.fvec zy"},
	{Name: "too many uniforms", Check: "room for uniforms", Before: ".fvec zz[97]", Right: ".fvec zz[9]"},
	{Name: "too many integers", Check: "room for uniforms", Before: ".ivec zz[5]", Right: ".ivec zz[1]"},
	{Name: "too many booleans", Check: "room for uniforms", Before: ".bool zz[17]", Right: ".bool zz[1]"},
	{Name: "too many constants", Check: "room for constants",
		Before: many(97, constant), Right: many(9, constant)},
	{Name: "too many inputs", Check: "room for inputs",
		After: many(17, input), Right: many(9, input)},
	{Name: "constant left open", Check: "constants", Before: ".constf zz(1, 2, 3, 4", Right: ".constf zz(1, 2, 3, 4)"},
	{Name: "array of constants without a row", Check: "array of constants", Before: ".constfa zz[]\n.end",
		Right: ".constfa zz[]\n.constfa (1, 2, 3, 4)\n.end"},
	{Name: "array of constants with a row too many", Check: "array of constants",
		Before: ".constfa zz[1]\n.constfa (1, 2, 3, 4)\n.constfa (1, 2, 3, 4)\n.end",
		Right:  ".constfa zz[2]\n.constfa (1, 2, 3, 4)\n.constfa (1, 2, 3, 4)\n.end"},
	{Name: "array of no constants", Check: "array size", Before: ".constfa zz[0]\n.constfa (1, 2, 3, 4)\n.end",
		Right: ".constfa zz[1]\n.constfa (1, 2, 3, 4)\n.end"},
	{Name: "row without its parenthesis", Check: "array of constants",
		Before: ".constfa zz[]\n.constfa 1, 2, 3, 4\n.end", Right: ".constfa zz[]\n.constfa (1, 2, 3, 4)\n.end"},
	{Name: "constant of three components", Check: "constants", Before: ".constf zz(1, 2, 3)",
		Right: ".constf zz(1, 2, 3, 4)"},
	{Name: "boolean of no value", Check: "constants", Before: ".setb b0 maybe", Right: ".setb b0 true"},
	{Name: "constant of an integer register above i3", Check: "register range", Before: ".seti i4(1, 2, 3, 4)",
		Right: ".seti i3(1, 2, 3, 4)"},
	{Name: "constant of a temporary", Check: "constants", Before: ".setf r0(1, 2, 3, 4)", Right: ".setf c0(1, 2, 3, 4)"},
	{Name: "unknown semantic", Check: "semantics", After: ".out zz zzsemantic", Right: ".out zz view"},
	{Name: "letters behind the semantic and the register", Check: "semantics", Before: ".out zz view.xy o6",
		Right: ".out zz view o6.xy"},
	{Name: "semantic of o7", Check: "outputs", Before: ".out zz color o7", Right: ".out zz color o6"},
	{Name: "component with two outputs", Check: "outputs", Before: ".out zz texcoord2 o6.xy\n.out zy view o6.y",
		Right: ".out zz texcoord2 o6.xy\n.out zy view o6.z"},
	{Name: "input above v15", Check: "register range", Before: ".in zz v16", Right: ".in zz v14"},
	{Name: "input in a temporary", Check: "inputs", Before: ".in zz r0", Right: ".in zz v14"},
	{Name: "undefined entry", Check: "entry", After: ".proc zz\nnop\n.end\n.entry zy",
		Right: ".proc zz\nnop\n.end\n.entry zz"},
	{Name: "malformed entry", Check: "identifiers", After: ".proc zz\nnop\n.end\n.entry 1zz",
		Right: ".proc zz\nnop\n.end\n.entry zz"},
	{Name: "geometry mode twice", Check: "geometry mode", Before: ".gsh point c0\n.gsh point c0", Right: ".gsh point c0"},
	{Name: "geometry after an output", Check: "geometry mode", Before: ".out zz dummy o6\n.gsh point c0",
		Right: ".gsh point c0\n.out zz dummy o6"},
	{Name: "geometry uniforms in a temporary", Check: "geometry mode", Before: ".gsh point r0", Right: ".gsh point c0"},
	{Name: "fixed mode that overlaps its uniforms", Check: "geometry mode", Before: ".gsh fixed c10 c20 4",
		Right: ".gsh fixed c10 c0 4"},
	{Name: "variable mode of 256 vertices", Check: "geometry mode", Before: ".gsh variable c10 256",
		Right: ".gsh variable c10 255"},
	{Name: "geometry after a constant", Check: "geometry mode", Before: ".constf zz(1, 2, 3, 4)\n.gsh point c0",
		Right: ".gsh point c0\n.constf zz(1, 2, 3, 4)"},
	{Name: "unknown geometry mode", Check: "geometry mode", Before: ".gsh zz c0", Right: ".gsh point c0"},
	{Name: "129 operand descriptors", Check: "room for descriptors", Body: many(129, swizzled), Right: many(29, swizzled)},
	{Name: "33 operand descriptors of mad", Check: "room for descriptors of mad", Body: many(33, mad),
		Right: many(3, mad)},
	{Name: "514 words", Check: "room for words", Body: many(514, idle), Right: many(14, idle)},
}

// Lines for many.
func constant(k int) string { return fmt.Sprintf(".constf zz%d(0, 0, 0, 0)", k) }
func input(k int) string    { return fmt.Sprintf(".in zz%d", k) }
func swizzled(k int) string { return "mov r0, r0" + selectorText(uint8(k), 0) }
func mad(k int) string      { return "mad r0, r0" + selectorText(uint8(k), 0) + ", r1, r2" }
func idle(int) string       { return "nop" }

// nested returns scopes within each other.
func nested(n int) string { return strings.Repeat("ifu b0\n", n) + "nop" + strings.Repeat("\n.end", n) }

// many returns a line for each number below n.
func many(n int, line func(k int) string) string {
	var b strings.Builder
	for k := range n {
		b.WriteString(line(k) + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// picassoEntry reports whether a line opens the procedure that is entered.
func picassoEntry(line, entry string) bool {
	f := strings.Fields(line)
	return len(f) >= 2 && f[0] == ".proc" && f[1] == entry
}

// Minimal returns a program of some statements and END.
func Minimal(body ...Statement) *Program {
	return &Program{Procedures: []Procedure{{Name: "main", Body: append(body, Statement{Kind: End})}}}
}

// move returns an instruction that copies a register.
func move(dest, source Operand) Statement {
	dest.Mask, source.Selector = 0xF, pica.IdentitySwizzle
	return Statement{Kind: Compute, Op: pica.MOV, Dest: dest, Sources: []Operand{source}}
}

// floatConstant is a program with one constant of one number.
func floatConstant(pattern uint32) func() *Program {
	return func() *Program {
		p := Minimal()
		p.Constants = []Constant{{Class: 'c', Name: "k", Rows: []pica.Vec4{{pattern, 0, 0, 0}}}}
		return p
	}
}

// geometric is a program of END for the geometry stage.
func geometric() *Program {
	p := Minimal()
	p.Stage, p.Geometry.Shared = pica.Geometry, true
	return p
}

// picassoDefects are known defects of picasso 2.7.
var picassoDefects = []Defect{
	{Fault: Fault{Name: "v15 is refused"}, Shows: refusesValid, Valid: true, Program: func() *Program {
		return Minimal(move(Operand{Class: 'r'}, Operand{Class: 'v', Number: 15}))
	}, About: "the manual documents v15"},
	{Fault: Fault{Name: "outputs o8 to o15 collide with o0 to o7"}, Shows: refusesValid, Valid: true,
		Program: func() *Program {
			p := Minimal()
			p.Outputs = []Output{{Name: "a", Semantic: "dummy", Register: 7, Mask: 0xF},
				{Name: "b", Semantic: "dummy", Register: 15, Mask: 0xF}}
			return p
		}, About: "components are kept per register modulo 8"},
	{Fault: Fault{Name: "negative offsets are refused", Body: "mov r0, r4[-2]"}, Shows: refusesValid, Valid: true,
		Program: func() *Program {
			return Minimal(move(Operand{Class: 'r'}, Operand{Class: 'r', Number: 2}))
		}, About: "the manual promises r4[-2]"},
	{Fault: Fault{Name: "i4 to i7 are accepted", Body: "for i4\nnop\nnop\n.end", Right: "for i3\nnop\nnop\n.end"},
		About: "the console has i0 to i3; the number spills into unused bits"},
	{Fault: Fault{Name: "offset past the bank", Body: "mov r0, r15[1]", Right: "mov r0, r15[0]"},
		About: "r15[1] becomes c0"},
	{Fault: Fault{Name: "procedure of more than 255 words", After: called(300), Right: called(200)},
		About: "the length spills into the bits above it"},
	{Fault: Fault{Name: "else part of more than 255 words", Body: otherwise(300), Right: otherwise(200)},
		About: "the length spills into the bits above it"},
	{Fault: Fault{Name: "4097 words", Body: many(4096, idle), Right: many(4095, idle)}, Base: geometric,
		About: "no unit holds more than 4096; addresses spill into the bits above them"},
	{Fault: Fault{Name: "513 words", Body: many(512, idle), Right: many(511, idle)}, About: "a vertex unit holds 512"},
	{Fault: Fault{Name: "offset that is no number", Body: "mov r0, c5[zz]", Right: "mov r0, c5[1]"},
		About: "c5[zz] is taken for c5"},
	{Fault: Fault{Name: "text behind a register", Body: "mov r0, r1zz", Right: "mov r0, r1"},
		About: "r1zz is taken for r1"},
	{Fault: Fault{Name: "negated destination", Body: "mov -r0, r1", Right: "mov r0, -r1"}, About: "the sign is ignored"},
	{Fault: Fault{Name: "negated boolean", Body: "ifu -b0\nnop\n.end", Right: "ifu b0\nnop\n.end"},
		About: "the sign is ignored"},
	{Fault: Fault{Name: "integer above 255", Before: ".consti k(300, 0, 1, 0)", Right: ".consti k(200, 0, 1, 0)"},
		About: "cut to eight bits: 300 becomes 44"},
	{Fault: Fault{Name: "text for a number", Before: ".constf k(zz, 0, 0, 0)", Right: ".constf k(0, 0, 0, 0)"},
		About: "taken for 0"},
	{Fault: Fault{Name: "five numbers", Before: ".constf k(1, 2, 3, 4, 5)", Right: ".constf k(1, 2, 3, 4)"},
		About: "the fifth is ignored"},
	{Fault: Fault{Name: "two input registers of cmp", Body: "cmp v0, eq, eq, v1", Right: "cmp v0, eq, eq, v0"},
		About: "other instructions are checked"},
	{Fault: Fault{Name: "setemit flag without a comma", Body: "setemit 2 prim\nemit", Right: "setemit 2, prim\nemit"},
		Base: geometric, About: "the flag is lost"},
	{Fault: Fault{Name: "unknown setemit flag", Body: "setemit 2, zz\nemit", Right: "setemit 2, prim\nemit"},
		Base: geometric, About: "an error is printed, and the file is written"},
	{Fault: Fault{Name: "output register as a source", Body: "mov r0, o3", Right: "mov r0, v3"}, About: "reads v3"},
	{Fault: Fault{Name: "input register as a destination", Body: "mov v3, r0", Right: "mov o3, r0"},
		About: "writes o3"},
	{Fault: Fault{Name: "variable mode of no vertices", Before: ".gsh variable c16 0", Right: ".gsh variable c16 1"},
		About: "the file breaks DVLE015"},
	{Fault: Fault{Name: "fixed mode of no vertices", Before: ".gsh fixed c16 c0 0", Right: ".gsh fixed c16 c0 1"},
		About: "the file breaks DVLE016"},
	{Fault: Fault{Name: "number beyond the range", Before: ".constf k(18500000000000000000, 0, 0, 0)",
		Right: ".constf k(1850000000000000000, 0, 0, 0)"}, Shows: wrongConstants, Allowed: infinite,
		About: "1.85e19 becomes a NaN, 7f00bd"},
	{Fault: Fault{Name: "constant that is not a number", Before: ".constf k(nan, 0, 0, 0)",
		Right: ".constf k(1, 0, 0, 0)"}, Shows: wrongConstants,
		Allowed: func(raw uint32) bool { return pica.Float24.Class(raw) == pica.ClassNaN },
		About:   "NaN becomes infinity, 7f0000"},
	{Fault: Fault{Name: "subnormal constant"}, Shows: wrongConstants, Valid: true, Program: floatConstant(0x20780000),
		About: "2.1006417e-19 becomes 00f000, another number"},
	{Fault: Fault{Name: "empty program", Right: "end"}, Base: func() *Program {
		return &Program{Procedures: []Procedure{{Name: "main"}}, Style: 1 << 12}
	}, About: "a file of no words, which breaks DVLP006"},
}

// infinite allows a constant to be infinite.
func infinite(raw uint32) bool { return raw == 0x7F0000 }

// long returns an instruction many times.
func long(n int) string { return many(n, func(int) string { return "mov r0, r0" }) }

// called is a procedure with a caller, otherwise the else part of a condition.
func called(n int) string    { return ".proc zz\ncall big\n.end\n.proc big\n" + long(n) + "\n.end" }
func otherwise(n int) string { return "ifu b0\nnop\n.else\n" + long(n) + "\n.end" }
