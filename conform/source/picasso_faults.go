package source

import (
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// picassoFaults are mistakes that picasso refuses. Their names begin with zz, because no program
// has such names.
var picassoFaults = []Fault{
	{Name: "unknown instruction", Check: "mnemonics", Body: "adf r0, r1, r2"},
	{Name: "unknown directive", Check: "mnemonics", Before: ".zz r0"},
	{Name: "too few operands", Check: "operand count", Body: "add r0, r1"},
	{Name: "too many operands", Check: "operand count", Body: "mov r0, r1, r2"},
	{Name: "operand of end", Check: "operand count", Body: "end r0"},
	{Name: "temporary above r15", Check: "register range", Body: "mov r0, r16"},
	{Name: "uniform above c95", Check: "register range", Body: "mov r0, c96"},
	{Name: "output above o15", Check: "register range", Body: "mov o16, r0"},
	{Name: "boolean above b15", Check: "register range", Body: "ifu b16\nnop\n.end"},
	{Name: "integer above i7", Check: "register range", Body: "for i8\nnop\n.end"},
	{Name: "no such component", Check: "swizzle", Body: "mov r0, r1.xq1"},
	{Name: "five components", Check: "swizzle", Body: "mov r0, r1.xyzwx"},
	{Name: "uniform in the narrow operand", Check: "narrow operand", Body: "add r0, r1, c0"},
	{Name: "two uniforms", Check: "narrow operand", Body: "mul r0, c0, c1"},
	{Name: "two uniforms of mad", Check: "narrow operand of mad", Body: "mad r0, r1, c0, c1"},
	{Name: "uniform in the first operand of mad", Check: "narrow operand of mad", Body: "mad r0, c0, r1, r1"},
	{Name: "address register in the narrow operand", Check: "narrow operand", Body: "add r0, r1, c0[a0]"},
	{Name: "address register in the first operand of mad", Check: "narrow operand of mad",
		Body: "mad r0, c0[a0], r1, r1"},
	{Name: "uniform in the second operand of cmp", Check: "narrow operand", Body: "cmp r0, eq, eq, c1"},
	{Name: "destination is a uniform", Check: "destination", Body: "mov c0, r0"},
	{Name: "destination is an integer", Check: "destination", Body: "mov i0, r0"},
	{Name: "source is a boolean", Check: "operand class", Body: "mov r0, b0"},
	{Name: "address register on the destination", Check: "index", Body: "mov r0[a0], r1"},
	{Name: "negative offset", Check: "index", Body: "mov r0, c5[-1]"},
	{Name: "unknown index", Check: "index", Body: "mov r0, c5[a0.z+1]"},
	{Name: "missing bracket", Check: "index", Body: "mov r0, c0["},
	{Name: "two signs", Check: "sign", Body: "mov r0, --r1"},
	{Name: "undefined name", Check: "names", Body: "mov r0, zzname"},
	{Name: "two input registers", Check: "two input registers", Body: "add r0, v0, v1"},
	{Name: "two input registers of mad", Check: "two input registers", Body: "mad r0, v0, r1, v1"},
	{Name: "unknown relation", Check: "relations", Body: "cmp r0, zz, eq, r1"},
	{Name: "unknown flag", Check: "conditions", Body: "ifc cmp.z\nnop\n.end"},
	{Name: "flag of ifu", Check: "conditions", Body: "ifu cmp.x\nnop\n.end"},
	{Name: "boolean that is not", Check: "conditions", Body: "ifu !b0\nnop\n.end"},
	{Name: "call on a boolean that is not", Check: "conditions", Body: "callu !b0, main"},
	{Name: "integer in ifu", Check: "operand class", Body: "ifu i0\nnop\n.end"},
	{Name: "boolean in for", Check: "operand class", Body: "for b0\nnop\n.end"},
	{Name: "one flag twice", Check: "conditions", Body: "ifc cmp.x && cmp.x\nnop\n.end"},
	{Name: "destination of mova", Check: "destination", Body: "mova r0, r1"},
	{Name: "vertex above 2", Check: "setemit", After: ".proc zz\nsetemit 3\n.end"},
	{Name: "vertex that is no number", Check: "setemit", After: ".proc zz\nsetemit zz\n.end"},
	{Name: "undefined label", Check: "labels", Body: "jmpc cmp.x, zzlabel"},
	{Name: "label twice", Check: "labels twice", Body: "zzlabel:\nnop\nzzlabel:\nnop"},
	{Name: "malformed label", Check: "identifiers", Body: "1zz:\nnop"},
	{Name: "undefined procedure", Check: "procedures", Body: "call zzproc"},
	{Name: "procedure twice", Check: "procedures twice", After: ".proc zz\nnop\n.end\n.proc zz\nnop\n.end"},
	{Name: "instruction outside a procedure", Check: "scopes", After: "mov r0, r1"},
	{Name: "scope left open", Check: "scopes", After: ".proc zz\nnop"},
	{Name: "end without a scope", Check: "scopes", After: ".end"},
	{Name: "else without a condition", Check: "scopes", Body: ".else"},
	{Name: "else in a loop", Check: "scopes", Body: "for i0\nnop\n.else\nnop\n.end"},
	{Name: "second else", Check: "scopes", Body: "ifu b0\nnop\n.else\nnop\n.else\nnop\n.end"},
	{Name: "33 scopes", Check: "depth of scopes", Body: strings.Repeat("ifu b0\n", 32) + "nop\n" +
		strings.Repeat(".end\n", 32)},
	{Name: "name twice", Check: "names twice", Before: ".alias zz r0\n.alias zz r1"},
	{Name: "alias of a register's name", Check: "identifiers", Before: ".alias r5 r1"},
	{Name: "malformed name", Check: "identifiers", Before: ".alias 2zz r1"},
	{Name: "array of no registers", Check: "array size", Before: ".fvec zz[0]"},
	{Name: "array without its bracket", Check: "array size", Before: ".fvec zz[2"},
	{Name: "name of a constant for a uniform", Check: "names twice", Before: ".constf zz(1, 2, 3, 4)\n.fvec zz"},
	{Name: "too many uniforms", Check: "room for uniforms", Before: ".fvec zz[97]"},
	{Name: "too many integers", Check: "room for uniforms", Before: ".ivec zz[5]"},
	{Name: "too many booleans", Check: "room for uniforms", Before: ".bool zz[17]"},
	{Name: "too many constants", Check: "room for constants",
		Before: many(97, func(k int) string { return fmt.Sprintf(".constf zz%d(0, 0, 0, 0)", k) })},
	{Name: "too many inputs", Check: "room for inputs",
		Before: many(17, func(k int) string { return fmt.Sprintf(".in zz%d", k) })},
	{Name: "constant left open", Check: "constants", Before: ".constf zz(1, 2, 3, 4"},
	{Name: "array of constants without a row", Check: "array of constants", Before: ".constfa zz[]\n.end"},
	{Name: "array of constants with a row too many", Check: "array of constants",
		Before: ".constfa zz[1]\n.constfa (1, 2, 3, 4)\n.constfa (1, 2, 3, 4)\n.end"},
	{Name: "array of no constants", Check: "array size", Before: ".constfa zz[0]\n.constfa (1, 2, 3, 4)\n.end"},
	{Name: "row without its parenthesis", Check: "array of constants",
		Before: ".constfa zz[]\n.constfa 1, 2, 3, 4\n.end"},
	{Name: "constant of three components", Check: "constants", Before: ".constf zz(1, 2, 3)"},
	{Name: "boolean of no value", Check: "constants", Before: ".setb b0 maybe"},
	{Name: "constant of an integer register above i3", Check: "register range", Before: ".seti i4(1, 2, 3, 4)"},
	{Name: "constant of a temporary", Check: "constants", Before: ".setf r0(1, 2, 3, 4)"},
	{Name: "unknown semantic", Check: "semantics", Before: ".out zz zzsemantic"},
	{Name: "letters behind the semantic and the register", Check: "semantics", Before: ".out zz view.xy o6"},
	{Name: "semantic of o7", Check: "outputs", Before: ".out zz color o7"},
	{Name: "component with two outputs", Check: "outputs", Before: ".out zz texcoord2 o6.xy\n.out zy view o6.y"},
	{Name: "input above v15", Check: "register range", Before: ".in zz v16"},
	{Name: "input in a temporary", Check: "inputs", Before: ".in zz r0"},
	{Name: "undefined entry", Check: "entry", After: ".entry zzentry"},
	{Name: "malformed entry", Check: "identifiers", After: ".entry 1zz"},
	{Name: "geometry mode twice", Check: "geometry mode", Before: ".gsh point c0\n.gsh point c0"},
	{Name: "geometry after an output", Check: "geometry mode", Before: ".out zz dummy\n.gsh point c0"},
	{Name: "geometry uniforms in a temporary", Check: "geometry mode", Before: ".gsh point r0"},
	{Name: "fixed mode that overlaps its uniforms", Check: "geometry mode", Before: ".gsh fixed c10 c20 4"},
	{Name: "variable mode of 256 vertices", Check: "geometry mode", Before: ".gsh variable c10 256"},
	{Name: "geometry after a constant", Check: "geometry mode", Before: ".constf zz(1, 2, 3, 4)\n.gsh point c0"},
	{Name: "unknown geometry mode", Check: "geometry mode", Before: ".gsh zz c0"},
	{Name: "129 operand descriptors", Check: "room for descriptors",
		Body: many(129, func(k int) string { return "mov r0, r0" + selectorText(uint8(k), 0) })},
	{Name: "33 operand descriptors of mad", Check: "room for descriptors of mad",
		Body: many(33, func(k int) string { return "mad r0, r0" + selectorText(uint8(k), 0) + ", r1, r2" })},
	{Name: "514 words", Check: "room for words", Body: strings.Repeat("nop\n", 514)},
}

// many returns a line for each number below n.
func many(n int, line func(k int) string) string {
	var b strings.Builder
	for k := range n {
		b.WriteString(line(k) + "\n")
	}
	return b.String()
}

// picassoEntry reports whether a line opens the procedure that is entered.
func picassoEntry(line, entry string) bool {
	f := strings.Fields(line)
	return len(f) >= 2 && f[0] == ".proc" && f[1] == entry
}

// picassoProgram wraps lines in a source of one procedure.
func picassoProgram(declarations, body string) Text {
	return Text{Files: []string{declarations + ".proc main\n" + body + "end\n.end\n"}, Entry: "main"}
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

// picassoDefects are known defects of picasso 2.7.
var picassoDefects = []Defect{
	{Name: "v15 is refused", Shows: refusesValid, Valid: true, Program: func() *Program {
		return Minimal(move(Operand{Class: 'r'}, Operand{Class: 'v', Number: 15}))
	}, About: "the manual documents v15"},
	{Name: "outputs o8 to o15 collide with o0 to o7", Shows: refusesValid, Valid: true, Program: func() *Program {
		p := Minimal()
		p.Outputs = []Output{{Name: "a", Semantic: "dummy", Register: 7, Mask: 0xF},
			{Name: "b", Semantic: "dummy", Register: 15, Mask: 0xF}}
		return p
	}, About: "components are kept per register modulo 8"},
	{Name: "negative offsets are refused", Shows: refusesValid, Valid: true, Program: func() *Program {
		return Minimal(move(Operand{Class: 'r'}, Operand{Class: 'r', Number: 2}))
	}, Text: picassoProgram("", "mov r0, r4[-2]\n"), About: "the manual promises r4[-2]"},
	{Name: "i4 to i7 are accepted", Text: picassoProgram("", "for i4\nnop\nnop\n.end\n"),
		About: "the console has i0 to i3; the number spills into unused bits"},
	{Name: "offset past the bank", Text: picassoProgram("", "mov r0, r15[1]\n"), About: "r15[1] becomes c0"},
	{Name: "procedure of more than 255 words",
		Text:  picassoProgram("", "call big\n").append(".proc big\n" + strings.Repeat("mov r0, r0\n", 300) + ".end\n"),
		About: "the length spills into the bits above it"},
	{Name: "else part of more than 255 words",
		Text:  picassoProgram("", "ifu b0\nnop\n.else\n"+strings.Repeat("mov r0, r0\n", 300)+".end\n"),
		About: "the length spills into the bits above it"},
	{Name: "4097 words", Text: picassoProgram(".gsh\n", strings.Repeat("nop\n", 4096)),
		About: "no unit holds more than 4096; addresses spill into the bits above them"},
	{Name: "513 words", Text: picassoProgram("", strings.Repeat("nop\n", 512)), About: "a vertex unit holds 512"},
	{Name: "offset that is no number", Text: picassoProgram("", "mov r0, c5[zz]\n"), About: "c5[zz] is taken for c5"},
	{Name: "text behind a register", Text: picassoProgram("", "mov r0, r1zz\n"), About: "r1zz is taken for r1"},
	{Name: "negated destination", Text: picassoProgram("", "mov -r0, r1\n"), About: "the sign is ignored"},
	{Name: "negated boolean", Text: picassoProgram("", "ifu -b0\nnop\n.end\n"), About: "the sign is ignored"},
	{Name: "integer above 255", Text: picassoProgram(".consti k(300, 0, 1, 0)\n", ""),
		About: "cut to eight bits: 300 becomes 44"},
	{Name: "text for a number", Text: picassoProgram(".constf k(zz, 0, 0, 0)\n", ""), About: "taken for 0"},
	{Name: "five numbers", Text: picassoProgram(".constf k(1, 2, 3, 4, 5)\n", ""), About: "the fifth is ignored"},
	{Name: "two input registers of cmp", Text: picassoProgram("", "cmp v0, eq, eq, v1\n"),
		About: "other instructions are checked"},
	{Name: "setemit flag without a comma", Text: picassoProgram(".gsh\n", "setemit 2 prim\nemit\n"),
		About: "the flag is lost"},
	{Name: "unknown setemit flag", Text: picassoProgram(".gsh\n", "setemit 2, zz\nemit\n"),
		About: "an error is printed, and the file is written"},
	{Name: "output register as a source", Text: picassoProgram("", "mov r0, o3\n"), About: "reads v3"},
	{Name: "input register as a destination", Text: picassoProgram("", "mov v3, r0\n"), About: "writes o3"},
	{Name: "variable mode of no vertices", Text: picassoProgram(".gsh variable c16 0\n", "nop\n"),
		About: "the file breaks DVLE015"},
	{Name: "fixed mode of no vertices", Text: picassoProgram(".gsh fixed c16 c0 0\n", "nop\n"),
		About: "the file breaks DVLE016"},
	{Name: "number beyond the range", Shows: wrongConstants, Allowed: func(raw uint32) bool { return raw == 0x7F0000 },
		Text: picassoProgram(".constf k(18500000000000000000, 0, 0, 0)\n", ""), About: "1.85e19 becomes a NaN, 7f00bd"},
	{Name: "constant that is not a number", Shows: wrongConstants,
		Allowed: func(raw uint32) bool { return pica.Float24.Class(raw) == pica.ClassNaN },
		Text:    picassoProgram(".constf k(nan, 0, 0, 0)\n", ""), About: "NaN becomes infinity, 7f0000"},
	{Name: "subnormal constant", Shows: wrongConstants, Valid: true, Program: floatConstant(0x20780000),
		About: "2.1e-19 becomes 00efd9, another number"},
	{Name: "empty program", Text: Text{Files: []string{".entry main\n.proc main\n.end\n"}, Entry: "main"},
		About: "a file of no words, which breaks DVLP006"},
}

// append returns the text with some lines after it.
func (t Text) append(after string) Text {
	t.Files = []string{t.Files[0] + after}
	return t
}
