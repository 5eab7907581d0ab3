package asm

// Rule is what an assembler error refers to. Ids are permanent.
type Rule struct {
	ID     string
	Title  string // a few words: what is wrong
	Text   string // the condition, in full
	Source string // who says so
}

// The sources of the rules.
const (
	manual   = "picasso's manual"
	encoding = "the instruction encoding (nihstro, picasso)"
	writer   = "picasso"
	ours     = "our strictness"
)

// Rules is the catalogue of assembler errors.
var Rules = []Rule{
	{"ASM001", "unknown instruction or directive", "The first word of a line is no mnemonic and no directive.", manual},
	{"ASM002", "wrong number of operands", "An instruction or directive has too few or too many operands.", manual},
	{"ASM003", "malformed name",
		"A name consists of ASCII letters, digits, _ and $, and does not start with a digit. An alias must not look like a register.", manual},
	{"ASM004", "name defined twice",
		"Aliases, uniforms, constants, inputs and outputs of a file share one name space; labels of a file are another, procedures of all files a third.", writer},
	{"ASM005", "undefined name", "A label is not in its file, or a procedure in no file, or a register has a name that nothing defines.", writer},
	{"ASM006", "malformed operand", "An operand is a register or a name, with an index in brackets and a swizzle behind it.", manual},
	{"ASM007", "register of the wrong kind", "The instruction or directive cannot take this kind of register in this place.", encoding},
	{"ASM008", "no such register", "A register number, or a register number with its offset, lies outside its bank.", encoding},
	{"ASM009", "index in the wrong place", "Only the wide operand of an instruction may have an address register, and only when it is a float uniform.", encoding},
	{"ASM010", "malformed swizzle",
		"A swizzle has one to four of the letters xyzw, rgba or stpq; a destination names each component once, in order.", manual},
	{"ASM011", "malformed number", "A number does not parse or lies outside the range of its field.", manual},
	{"ASM012", "malformed constant", "A constant has its values in parentheses: four numbers, or one for a boolean.", manual},
	{"ASM013", "malformed condition", "A condition is cmp.x, cmp.y or both joined by && or ||, each with an optional exclamation mark.", manual},
	{"ASM014", "unknown relation", "A relation of cmp is eq, ne, lt, le, gt or ge, or 6 or 7, which have no name.", encoding},
	{"ASM015", "scope error", "An instruction outside of a procedure, an .end without a scope, or an .else without an if.", manual},
	{"ASM016", "scope left open", "A .proc, for, ifc, ifu or .constfa has no .end.", manual},
	{"ASM017", "scopes nest too deep", "More than 32 scopes are open.", writer},
	{"ASM018", "too many operand descriptors", "A program has at most 128 operand descriptors, and mad reaches the first 32 only.", encoding},
	{"ASM019", "two input registers", "One instruction reads two different input registers; the console then reads wrong data.", manual},
	{"ASM020", "no room for a uniform", "The registers of the class are used up by uniforms from one end and constants from the other.", writer},
	{"ASM021", "uniform declared differently", "A uniform of the shared space has another class or size in another file.", writer},
	{"ASM022", "table full", "An entry point has at most 96 constants, 96 uniforms and inputs together, and 16 outputs.", writer},
	{"ASM023", "impossible output", "The property is unknown, a component is taken, or the register is above o6 and the output is no dummy.", writer},
	{"ASM024", "misplaced geometry directive", "A .gsh directive with a mode must come before declarations, once, and name registers that fit.", writer},
	{"ASM025", "program too long", "A vertex program has at most 512 words, any program 4096.", encoding},
	{"ASM026", "target out of reach", "A target has 12 bits, the length of a procedure or an else part 8.", encoding},
	{"ASM027", "no entry point", "No source makes an entry point, or its procedure does not exist.", writer},
}
