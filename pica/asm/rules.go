package asm

import (
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// Rule describes a kind of assembler error. Ids are permanent.
type Rule struct {
	ID    string
	Title string // a few words for a heading
	Text  string // the condition, in full
	Evidence
	// Breaks is a source that breaks the rule and no other, Keeps a near miss.
	Breaks, Keeps string
	// Dialect reads the two sources: the default one, unless only picasso's has the
	// rule.
	Dialect Dialect
}

// Evidence says who states a rule, and on what grounds: hardware, implementation,
// document or guess.
type Evidence struct{ Source, Class string }

// The evidence of the rules.
var (
	manual   = Evidence{"picasso's manual", "document"}
	erratum  = Evidence{"picasso's manual", "hardware"}
	encoding = Evidence{"the instruction encoding (nihstro, picasso)", "implementation"}
	writer   = Evidence{"picasso", "implementation"}
)

// Rules is the catalogue of assembler errors.
var Rules = []Rule{
	{ID: "ASM001", Title: "unknown instruction or directive", Evidence: manual,
		Text:   "The first word of a line is no mnemonic and no directive.",
		Breaks: "adf o0, v0, v0\nend",
		Keeps:  "add o0, v0, v0\nend",
	},
	{ID: "ASM002", Title: "wrong number of operands", Evidence: manual,
		Text:   "An instruction or directive has too few or too many operands.",
		Breaks: "add o0, v0\nend",
		Keeps:  "add o0, v0, v0\nend",
	},
	{ID: "ASM003", Title: "malformed name", Evidence: manual,
		Text: "A name consists of ASCII letters, digits, _ and $, and does not start with a digit. An alias must " +
			"not look like a register.",
		Breaks: ".alias 2nd v0\nmov o0, v0\nend",
		Keeps:  ".alias second v0\nmov o0, second\nend",
	},
	{ID: "ASM004", Title: "name defined twice", Evidence: writer,
		Text: "Aliases, uniforms, constants, inputs and outputs of a file share one name space; labels of a file " +
			"are another, procedures of all files a third.",
		Breaks: ".alias a v0\n.alias a v1\nmov o0, a\nend",
		Keeps:  ".alias a v0\n.alias b v1\nmov o0, a\nend",
	},
	{ID: "ASM005", Title: "undefined name", Evidence: writer,
		Text:   "A label is not defined in its file, a procedure in no file, or a register name by nothing.",
		Breaks: ".fvec colour\nmov o0, color\nend",
		Keeps:  ".fvec colour\nmov o0, colour\nend",
	},
	{ID: "ASM006", Title: "malformed operand", Evidence: manual,
		Text:   "An operand is a register or a name, with an index in brackets and a swizzle behind it.",
		Breaks: "mov o0, c0[1\nend",
		Keeps:  "mov o0, c0[1]\nend",
	},
	{ID: "ASM007", Title: "register of the wrong kind", Evidence: encoding,
		Text:   "The instruction or directive cannot take this kind of register in this place.",
		Breaks: "mov c0, v0\nend",
		Keeps:  "mov o0, v0\nend",
	},
	{ID: "ASM008", Title: "no such register", Evidence: encoding,
		Text:   "A register number, or a register number with its offset, lies outside its bank.",
		Breaks: "mov o0, v16\nend",
		Keeps:  "mov o0, v15\nend",
	},
	{ID: "ASM009", Title: "index in the wrong place", Evidence: encoding,
		Text: "Only the wide operand of an instruction may have an address register, and only when it is a float " +
			"uniform.",
		Breaks: "mov o0[a0.x], c0\nend",
		Keeps:  "mov o0, c0[a0.x]\nend",
	},
	{ID: "ASM010", Title: "malformed swizzle", Evidence: manual,
		Text: "A swizzle has one to four of the letters xyzw, rgba or stpq; a destination names each component " +
			"once, in order.",
		Breaks: "mov o0, v0.xyu\nend",
		Keeps:  "mov o0, v0.xyz\nend",
	},
	{ID: "ASM011", Title: "malformed number", Evidence: manual,
		Text:   "A number does not parse or lies outside the range of its field.",
		Breaks: ".setf c0(1, 2, 3, four)\nend",
		Keeps:  ".setf c0(1, 2, 3, 4)\nend",
	},
	{ID: "ASM012", Title: "malformed constant", Evidence: manual,
		Text:   "A constant has its values in parentheses: four numbers, or one for a boolean.",
		Breaks: ".setf c0(1, 2, 3)\nend",
		Keeps:  ".setf c0(1, 2, 3, 4)\nend",
	},
	{ID: "ASM013", Title: "malformed condition", Evidence: manual,
		Text:   "A condition is cmp.x, cmp.y or both joined by && or ||, each with an optional exclamation mark.",
		Breaks: "jmpc cmp.z, 1\nend",
		Keeps:  "jmpc cmp.y, 1\nend",
	},
	{ID: "ASM014", Title: "unknown relation", Evidence: encoding,
		Text:   "A relation of cmp is eq, ne, lt, le, gt or ge, or 6 or 7, which have no name.",
		Breaks: "cmp v0, gt, less, v0\nend",
		Keeps:  "cmp v0, gt, lt, v0\nend",
	},
	{ID: "ASM015", Title: "scope error", Evidence: manual,
		Text:   "An instruction outside of a procedure, an .end without a scope, or an .else without an if.",
		Breaks: ".proc main\nend\n.end\n.end",
		Keeps:  ".proc main\nend\n.end",
	},
	{ID: "ASM016", Title: "scope left open", Evidence: manual,
		Text:   "A .proc, for, ifc, ifu or .constfa has no .end.",
		Breaks: ".proc main\nend",
		Keeps:  ".proc main\nend\n.end",
	},
	{ID: "ASM017", Title: "scopes nest too deep", Evidence: writer,
		Text:   "More than 32 scopes are open.",
		Breaks: nested(maxScopes + 1),
		Keeps:  nested(maxScopes),
	},
	{ID: "ASM018", Title: "too many operand descriptors", Evidence: encoding,
		Text:   "A program has at most 128 operand descriptors, and mad reaches the first 32 only.",
		Breaks: swizzles(pica.MaxDescriptors + 1),
		Keeps:  swizzles(pica.MaxDescriptors),
	},
	{ID: "ASM019", Title: "two input registers", Evidence: erratum,
		Text:    "One instruction reads two different input registers; the console then reads wrong data.",
		Breaks:  ".proc main\nadd r0, v0, v1\nend\n.end",
		Keeps:   ".proc main\nadd r0, v0, v0\nend\n.end",
		Dialect: Picasso,
	},
	{ID: "ASM020", Title: "no room for a uniform", Evidence: writer,
		Text:   "The registers of the class are used up by uniforms from one end and constants from the other.",
		Breaks: ".fvec a[97]\nend",
		Keeps:  ".fvec a[96]\nend",
	},
	{ID: "ASM021", Title: "uniform declared differently", Evidence: writer,
		Text:   "A uniform of the shared space has another class or size in another file.",
		Breaks: ".fvec a\n.ivec a\nend",
		Keeps:  ".fvec a\n.ivec b\nend",
	},
	{ID: "ASM022", Title: "table full", Evidence: writer,
		Text:   "An entry point has at most 96 constants, 96 uniforms and inputs together, and 16 outputs.",
		Breaks: inputs(pica.NumInputs + 1),
		Keeps:  inputs(pica.NumInputs),
	},
	{ID: "ASM023", Title: "impossible output", Evidence: writer,
		Text: "The property is unknown, a component is taken, or the register is above o6 and the output is no " +
			"dummy.",
		Breaks: ".out - colour\nend",
		Keeps:  ".out - color\nend",
	},
	{ID: "ASM024", Title: "misplaced geometry directive", Evidence: writer,
		Text:   "A .gsh directive with a mode must come before declarations, once, and name registers that fit.",
		Breaks: ".fvec a\n.gsh point c0\nend",
		Keeps:  ".gsh point c0\n.fvec a\nend",
	},
	{ID: "ASM025", Title: "program too long", Evidence: encoding,
		Text:   "A vertex program has at most 512 words, any program 4096.",
		Breaks: strings.Repeat("nop\n", pica.MaxVertexCode) + "end",
		Keeps:  strings.Repeat("nop\n", pica.MaxVertexCode-1) + "end",
	},
	{ID: "ASM026", Title: "target out of reach", Evidence: encoding,
		Text:   "A target has 12 bits, the length of a procedure or an else part 8.",
		Breaks: "first: loop i0, first\nend",
		Keeps:  "loop i0, behind\nnop\nbehind: end",
	},
	{ID: "ASM027", Title: "no entry point", Evidence: writer,
		Text:   "No source makes an entry point, or its procedure does not exist.",
		Breaks: ".entry mian\n.proc main\nend\n.end",
		Keeps:  ".entry main\n.proc main\nend\n.end",
	},
	{ID: "ASM028", Title: "source of another assembler", Evidence: Evidence{"the manuals of nihstro and aemstro", "document"},
		Text: "A source that does not assemble has a statement that only nihstro or aemstro knows. No other error " +
			"of this source is reported.",
		Breaks: ".alias pos o0 as position\nmov pos, v0\nend",
		Keeps:  ".out pos position o0\nmov pos, v0\nend",
	},
	{ID: "ASM029", Title: "index outside of an array", Evidence: Evidence{"the declaration", "guess"},
		Text: "A number in brackets behind the name of a uniform, a constant, an input or an output, without an " +
			"address register, is negative or not below the size in its declaration.",
		Breaks: ".fvec mvp[4]\nmov o0, mvp[4]\nend",
		Keeps:  ".fvec mvp[4]\nmov o0, mvp[3]\nend",
	},
}

// nested returns a program with that many scopes, of which it closes at most
// maxScopes.
func nested(depth int) string {
	return strings.Repeat("ifu b0\n", depth) + strings.Repeat(".end\n", min(depth, maxScopes)) + "end"
}

// swizzles returns a program of n instructions, each with an operand descriptor of
// its own.
func swizzles(n int) string {
	var text strings.Builder
	for k := range n {
		fmt.Fprintf(&text, "mov r0, r0.%c%c%c%c\n", components[k>>6], components[k>>4&3],
			components[k>>2&3], components[k&3])
	}
	return text.String() + "end"
}

// inputs returns a program that declares n inputs.
func inputs(n int) string {
	var text strings.Builder
	for k := range n {
		fmt.Fprintf(&text, ".in in%d\n", k)
	}
	return text.String() + "end"
}
