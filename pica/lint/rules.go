package lint

import (
	"fmt"
	"slices"
	"strings"
)

// Rule describes a kind of finding. Ids are permanent.
type Rule struct {
	ID    string
	Title string // a few words for a heading
	Text  string // the condition, in full
	// Source says who says so, Class on what evidence: hardware, implementation,
	// document or guess.
	Source, Class string
	// Hazard: the console does not do what the program says. Other rules are about
	// code that an author can hardly have meant.
	Hazard bool
	// Milder: the rule also reports cases that are no hazard.
	Milder bool
	// Breaks and Keeps are sources in the default dialect of pica/asm: one that
	// breaks the rule, and a near miss.
	Breaks, Keeps string
}

// The evidence of rules.
const (
	hardware       = "hardware"
	implementation = "implementation"
	guess          = "guess"
)

// Rules is the catalogue of lints.
var Rules = []Rule{
	{ID: "PICA001", Title: "two input registers",
		Text:   "One instruction reads two different input registers. The console then reads wrong data.",
		Source: "picasso's manual", Class: hardware, Hazard: true,
		Breaks: "add o0, v0, v1\nend",
		Keeps:  "add o0, v0, v0\nend",
	},
	{ID: "PICA002", Title: "two MOVA in a row",
		Text:   "A MOVA directly follows another one in execution. The console freezes.",
		Source: "picasso's manual", Class: hardware, Hazard: true,
		Breaks: "mova a0.x, v0\nmova a0.y, v0\nmov o0, c0[a0.x]\nmov o1, c0[a0.y]\nend",
		Keeps:  "mova a0.x, v0\nnop\nmova a0.y, v0\nmov o0, c0[a0.x]\nmov o1, c0[a0.y]\nend",
	},
	{ID: "PICA003", Title: "flow control ends a scope",
		Text: "The last word of a scope is a jump, a call or an IF, in a LOOP also a BREAK, two scopes end at the same " +
			"word, or control passes the last word of a scope without executing it. The scope's own transfer of " +
			"control wins, or a scope stays open.",
		Source: "T. Karras (3dbrew), single observer; picasso pads with NOP", Class: hardware, Hazard: true,
		Breaks: "ifu b0, 2, 0\njmpu b1, 2\nend",
		Keeps:  "ifu b0, 3, 0\njmpu b1, 2\nnop\nend",
	},
	{ID: "PICA004", Title: "no END",
		Text:   "A path leaves the program behind its last word.",
		Source: "picasso's manual", Class: implementation, Hazard: true,
		Breaks: "mov o0, v0",
		Keeps:  "mov o0, v0\nend",
	},
	{ID: "PICA005", Title: "unreachable code",
		Text:   "No entry point reaches a word that is not a NOP.",
		Source: "flow analysis", Class: guess,
		Breaks: "mov o0, v0\nend\nmov o1, v0",
		Keeps:  "mov o0, v0\nend\nnop",
	},
	{ID: "PICA006", Title: "register read before it is written",
		Text:   "On some path a temporary, an address register or a condition flag is read that nothing has written.",
		Source: "flow analysis", Class: guess,
		Breaks: "ifu b0, 3, 0\nmov r0, v0\nnop\nmov o0, r0\nend",
		Keeps:  "ifu b0, 3, 1\nmov r0, v0\nnop\nmov r0, c0\nmov o0, r0\nend",
	},
	{ID: "PICA007", Title: "output component never written, or not on each path",
		Text: "A component of an output that the file declares is written on no path, or a path from the entry to its " +
			"END does not write it. The console hangs if the rasterizer reads it. The components of an output are the " +
			"first bits of its mask, as many as a loader takes: 4 of a position, normalquat and color, 3 of a view, 2 of " +
			"a texcoord, 1 of a texcoord0w, none of a dummy. In a geometry program the finding is a remark, because " +
			"released programs do it.",
		Source: "3dbrew's pitfalls; libctru's loader; regressions T12", Class: hardware, Hazard: true, Milder: true,
		Breaks: ".out p position\nmov p.xyz, v0\nend",
		Keeps:  ".out p position\nmov p.xyz, v0\nmov p.w, c0\nend",
	},
	{ID: "PICA008", Title: "output written and not declared",
		Text:   "An output register is written that the file does not declare.",
		Source: "flow analysis", Class: guess,
		Breaks: ".out p position\nmov p, v0\nmov o1, v0\nend",
		Keeps:  ".out p position\n.out c color o1\nmov p, v0\nmov o1, v0\nend",
	},
	{ID: "PICA009", Title: "uniform declared and not read",
		Text:   "No instruction reads a register of an input or a uniform that the file declares.",
		Source: "flow analysis", Class: guess,
		Breaks: ".fvec a, b\nmov o0, a\nend",
		Keeps:  ".fvec a, b\nmova a0.x, v0\nmov o0, a[a0.x]\nend",
	},
	{ID: "PICA010", Title: "value overwritten before it is read",
		Text:   "On every path a component of a temporary or an address register is overwritten before it is read.",
		Source: "flow analysis", Class: guess,
		Breaks: "mov r0, v0\nmov r0.xyz, c0\nmov o0, r0\nend",
		Keeps:  "mov r0, v0\nmov r0.xyz, r0.yzx\nmov o0, r0\nend",
	},
	{ID: "PICA011", Title: "MOVA of no address register",
		Text:   "The mask of a MOVA is empty, or names z or w, which do not exist.",
		Source: "3dbrew, nihstro", Class: implementation,
		Breaks: "mova a0.xz, v0\nmov o0, c0[a0.x]\nend",
		Keeps:  "mova a0.x, v0\nmov o0, c0[a0.x]\nend",
	},
	{ID: "PICA012", Title: "index that has no effect",
		Text:   "An input or a temporary has an address register; the console indexes float uniforms only.",
		Source: "Steveice10's console tests", Class: hardware,
		Breaks: "mova a0.x, v0\nmov o0, v0[a0.x]\nmov o1, c0[a0.x]\nend",
		Keeps:  "mova a0.x, v0\nmov o0, c0[a0.x]\nend",
	},
	{ID: "PICA013", Title: "LOOP without a body",
		Text:   "The last word of a LOOP's body is the LOOP itself or stands before it, so that nothing repeats.",
		Source: "T. Karras (3dbrew), single observer", Class: hardware, Hazard: true,
		Breaks: ".seti i0(1, 0, 0, 0)\nloop i0, 1\nnop\nend",
		Keeps:  ".seti i0(1, 0, 0, 0)\nloop i0, 2\nnop\nend",
	},
	{ID: "PICA014", Title: "BREAK outside of a LOOP",
		Text:   "A BREAK or BREAKC runs while no LOOP is open. The console hangs.",
		Source: "T. Karras (3dbrew), single observer", Class: hardware, Hazard: true,
		Breaks: "cmp v0, eq, ne, v0\nbreakc cmp.x\nend",
		Keeps:  ".seti i0(1, 0, 0, 0)\nloop i0, 4\nnop\nbreak\nnop\nend",
	},
	{ID: "PICA015", Title: "scopes nest too deep",
		Text:   "More than 8 IF, 4 CALL or 4 LOOP are open. The oldest is lost.",
		Source: "T. Karras (3dbrew), single observer", Class: hardware, Hazard: true,
		Breaks: nest(9),
		Keeps:  nest(8),
	},
	{ID: "PICA016", Title: "SETEMIT of vertex 3",
		Text:   "A SETEMIT names vertex 3; the emitter has slots 0 to 2.",
		Source: "3dbrew", Class: implementation, Hazard: true,
		Breaks: ".gsh\nsetemit 3\nend",
		Keeps:  ".gsh\nsetemit 2\nend",
	},
	{ID: "PICA017", Title: "LOOP with a doubtful count",
		Text: "A LOOP counts by an integer uniform that no constant sets and no name declares, or whose count the " +
			"source spells -1 or 256; or a container sets it to 256 passes, which no source spells.",
		Source: "flow analysis", Class: guess,
		Breaks: ".seti i0(-1, 0, 1, 0)\nloop i0, 3\nnop\nnop\nend",
		Keeps:  ".ivec count\n.seti i1(255, 0, 1, 0)\nloop i0, 3\nnop\nnop\nloop i1, 6\nnop\nnop\nend",
	},
	{ID: "PICA018", Title: "reserved opcode",
		Text:   "A reachable word has an opcode without a known instruction.",
		Source: "3dbrew", Class: implementation, Hazard: true,
		Breaks: ".word 0x40000000\nend",
		Keeps:  ".word 0x4c000f80\nend",
	},
	{ID: "PICA019", Title: "too many paths",
		Text:   "The program reaches more states of the stacks than the limit. Rules about paths are not evaluated.",
		Source: "our limit", Class: guess,
		Breaks: calls(10),
		Keeps:  calls(8),
	},
	{ID: "PICA020", Title: "output component written twice",
		Text: "On some path a component of an output is written that has been written before; in a geometry " +
			"program, since the last EMIT. 3dbrew says that the console may hang; in a geometry program the finding is a " +
			"remark, because released ones do it.",
		Source: "3dbrew's pitfalls; regressions T12", Class: hardware, Hazard: true, Milder: true,
		Breaks: "mov o0, v0\nmov o0.w, c0\nend",
		Keeps:  "mov o0.xyz, v0\nmov o0.w, c0\nend",
	},
}

// RuleOf returns the rule with the given id.
func RuleOf(id string) Rule {
	return Rules[slices.IndexFunc(Rules, func(r Rule) bool { return r.ID == id })]
}

// nest returns a program whose IF scopes nest to a depth and end one after the
// other.
func nest(depth int) string {
	var text strings.Builder
	for k := range depth {
		fmt.Fprintf(&text, "ifu b0, %d, 0\n", 3*depth-2*k)
	}
	return text.String() + strings.Repeat("nop\n", 2*depth) + "end"
}

// calls returns a program of procedures that call each other n times each, to the
// depth of the console's stack: n to the 4th contents of the stack.
func calls(n int) string {
	text := ".proc p4\nnop\nnop\nnop\nnop\n.end\n"
	for k := 3; k > 0; k-- {
		text += fmt.Sprintf(".proc p%d\n%snop\n.end\n", k, strings.Repeat(fmt.Sprintf("call p%d\n", k+1), n))
	}
	return text + ".proc main\n" + strings.Repeat("call p1\n", n) + "end\n.end"
}
