package latte

import (
	"fmt"
	"slices"
	"strings"
)

// A Rule is a kind of finding. Ids are permanent. Two rows have one id if it reports milder cases, too.
type Rule struct {
	ID       string
	Severity Severity
	Evidence Evidence
	Text     string // what is reported, in its first sentence, and the details
	// check reports the rule. It is nil if the rule stops decoding.
	check func(*checker, report)
}

// Title returns the first sentence of the text, without its end.
func (r *Rule) Title() string {
	title, _, _ := strings.Cut(r.Text, ". ")
	return strings.TrimSuffix(title, ".")
}

// Evidence says who states a rule.
type Evidence struct {
	Class  string // hardware, implementation, document or guess
	Source string
}

var (
	console  = Evidence{"hardware", "ClassiCube 42f472107"}
	readers  = Evidence{"implementation", "decaf-emu, Cemu"}
	mesa     = Evidence{"implementation", "Mesa r600"}
	files    = Evidence{"implementation", "every known file"}
	bounds   = Evidence{"implementation", "readers leave the program"}
	document = Evidence{"document", "AMD R700 instruction set architecture"}
	gx2      = Evidence{"document", "wut gx2"}
	guess    = Evidence{"guess", "two numbers of one variable"}
)

// report adds a finding about some bytes of the program.
type report func(off, n int)

// Rules is the catalogue of rules. Those of the last three groups compare the code with its [Structure].
var Rules = slices.Concat(instructionRules, flowRules, stackRules, groupRules, readRules, addressRules,
	exportRules, registerRules, tableRules)

// instructionRules stop decoding, or look at one instruction.
var instructionRules = []Rule{
	{"LATTE001", Error, bounds, "The length is 0 or no multiple of 8.", nil},
	{"LATTE002", Error, readers,
		"The program has no END_OF_PROGRAM, or a subroutine no RETURN. Readers go on behind the end of the code.",
		nil},
	{"LATTE003", Error, readers, "The number of a control-flow instruction is unknown.", nil},
	{"LATTE004", Error, bounds, "A clause is not inside the program.", nil},
	{"LATTE005", Error, document, "A fetch clause starts at an odd word.", nil},
	{"LATTE006", Error, bounds,
		"A clause overlaps the control flow or a different clause. Two control-flow words may run one clause," +
			" but not parts of each other's.",
		nil},
	{"LATTE007", Info, files, "A second control-flow word runs the clause.", eachCF(func(c *checker, i int) int {
		cf := &c.CF[i]
		return first(cf.Clause >= 0 && c.Clauses[cf.Clause].CF != i)
	})},
	{"LATTE012", Warning, document, "A reserved bit of a control-flow word is set.",
		eachCF(func(c *checker, i int) int {
			reserved := reservedOf[c.CF[i].Op().form]
			return second(reserved != nil && reserved.of(c.CF[i].Words) != 0)
		})},
	{"LATTE018", Warning, readers, "ALU_EXT belongs to later processors.", eachCF(func(c *checker, i int) int {
		return first(c.CF[i].Op().number() == cfALUExt)
	})},
	{"LATTE019", Error, document, "An export has type 3.",
		eachExport(func(w pair) int { return first(exportType.of(w) == 3) })},
	{"LATTE021", Error, document, "The number of an export does not exist.", eachExport(func(w pair) int {
		kind := exportType.of(w)
		for n := exportBase.of(w); kind < 3 && n <= exportBase.of(w)+exportBurst.of(w); n++ {
			if exportNumbers[kind]>>n&1 == 0 {
				return 0
			}
		}
		return none
	})},
	{"LATTE022", Warning, document, "A select of an export is reserved.", eachExport(func(w pair) int {
		return second(selects(w, exportSelects[:], selReservedLetter))
	})},
	{"LATTE030", Error, readers, "An ALU opcode is unknown.", nil},
	{"LATTE031", Error, document,
		"A group does not end within five instructions, or not within the clause. Its literals are inside of " +
			"the clause, too.",
		nil},
	{"LATTE032", Error, document,
		"Two instructions of a group are in one unit. An operation of t alone is in t, one of vector units or" +
			" a reduction in the unit of its channel, any other in that unit if it is free, else in t.",
		nil},
	{"LATTE037", Warning, readers, "A source has a reserved select.", eachSource(func(s source) bool {
		return s.sel >= selReserved && s.sel < selInline
	})},
	{"LATTE038", Warning, document, "A bank swizzle is reserved.", eachALU(func(a *ALU) int {
		return first(swizzleNames[a.Unit/transcendental][aluSwizzle.of(a.Words)] == "")
	})},
	{"LATTE044", Warning, document,
		"A source that is not used is a literal: readers disagree on the length of the group.",
		eachALU(func(a *ALU) int {
			for k := int(a.Op().Sources); k < 2; k++ {
				if sources[k].sel.of(a.Words) == selLiteral {
					return 0
				}
			}
			return none
		})},
	{"LATTE046", Warning, document, "PRED_SEL is 1.",
		eachALU(func(a *ALU) int { return first(aluPred.of(a.Words) == 1) })},
	{"LATTE047", Warning, readers, "INDEX_MODE is above 4.",
		eachALU(func(a *ALU) int { return first(aluIndex.of(a.Words) > 4) })},
	{"LATTE052", Warning, document, "An instruction that sets no predicate updates mask or predicate.",
		eachALU(func(a *ALU) int {
			updates := !a.isOP3() && (aluExecMask.flag(a.Words) || aluUpdatePred.flag(a.Words))
			return second(updates && a.Op().effect != setsPredicate)
		})},
	{"LATTE055", Info, files, "The fourth word of a fetch is not 0. A compiler writes 0x0DEADFEC there.",
		eachFetch(func(f *Fetch) int {
			if fetchWord3.in(&f.Words) != 0 {
				return 12
			}
			return none
		})},
	{"LATTE056", Warning, document, "A reserved bit of a fetch is set.", eachFetch(func(f *Fetch) int {
		w := &f.Words
		switch f.Op().layout {
		case &textureLayout:
			return first(texReserved0.in(w)|texReserved1.in(w)|fetchReserved.in(w) != 0)
		case &vertexLayout, &semanticLayout:
			return first(fetchReserved.in(w)|vtxReserved.in(w) != 0)
		}
		return none
	})},
	{"LATTE057", Error, readers, "The number of a vertex fetch is unknown.", nil},
	{"LATTE058", Warning, document, "A select of a fetch is reserved.", eachFetch(func(f *Fetch) int {
		layout := f.Op().layout
		switch {
		case layout != &rawLayout && selects(f.Words[0], dstSelects[:], selReservedLetter):
			return 4
		case layout == &textureLayout && selects(f.Words[1], texSelects[:], selReservedLetter):
			return 8
		}
		return none
	})},
	{"LATTE060", Info, files, "A select of a texture source is 7.", eachFetch(func(f *Fetch) int {
		if f.Op().layout == &textureLayout && selects(f.Words[1], texSelects[:], selMasked) {
			return 8
		}
		return none
	})},
	{"LATTE061", Info, files, "A fetch clause has more than eight fetches.", eachCF(func(c *checker, i int) int {
		op := c.CF[i].Op()
		return second(op.form == normalForm && op.Clause != NoClause && cfCount3.flag(c.CF[i].Words))
	})},
}

// reservedOf are the reserved bits of control-flow words, by form.
var reservedOf = [...]*Field{
	normalForm: cfReserved, exportForm: swizReserved, memoryForm: bufferReserved, aluForm: nil,
}

const (
	selReservedLetter = 6
	selMasked         = 7
)

func selects(p pair, fields []*Field, value uint32) bool {
	return slices.ContainsFunc(fields, func(f *Field) bool { return f.of(p) == value })
}

// none is the answer of a check that has nothing to report; any other is an offset in the instruction.
const none = -1

func first(broken bool) int {
	if broken {
		return 0
	}
	return none
}

func second(broken bool) int {
	if broken {
		return 4
	}
	return none
}

func eachCF(check func(*checker, int) int) func(*checker, report) {
	return func(c *checker, r report) {
		for i := range c.CF {
			if at := check(c, i); at >= 0 {
				r(c.CF[i].At*WordBytes+at, WordBytes-at)
			}
		}
	}
}

func eachExport(check func(pair) int) func(*checker, report) {
	return eachCF(func(c *checker, i int) int {
		if c.CF[i].Op().form != exportForm {
			return none
		}
		return check(c.CF[i].Words)
	})
}

func eachALU(check func(*ALU) int) func(*checker, report) {
	return func(c *checker, r report) {
		for i := range c.ALU {
			if at := check(&c.ALU[i]); at >= 0 {
				r(int(c.ALU[i].At)*WordBytes+at, WordBytes-at)
			}
		}
	}
}

func eachSource(broken func(source) bool) func(*checker, report) {
	return eachALU(func(a *ALU) int {
		for k := range int(a.Op().Sources) {
			if broken(a.source(k)) {
				return 0
			}
		}
		return none
	})
}

func eachFetch(check func(*Fetch) int) func(*checker, report) {
	return func(c *checker, r report) {
		for i := range c.Fetches {
			if at := check(&c.Fetches[i]); at >= 0 {
				n := 4
				if at == 0 {
					n = fetchWords * WordBytes
				}
				r(c.Fetches[i].At*WordBytes+at, n)
			}
		}
	}
}

// checker is a program that is checked.
type checker struct {
	*Program
	*Structure // nil if only the code is known
	tables     tables
	rule       *Rule
	kept       int // of the rule
	list       []Finding
}

// code reports what was found in some bytes of the program.
func (c *checker) code(off, n int, format string, args ...any) {
	c.add(Finding{Off: off, Len: n}, format, args...)
}

// place reports what was found, at a word of the structure.
func (c *checker) place(p Place, format string, args ...any) {
	c.add(Finding{Place: p}, format, args...)
}

func (c *checker) add(f Finding, format string, args ...any) {
	if c.kept == MaxFindings {
		c.list[len(c.list)-1].More++
		return
	}
	f.Rule, f.Severity, f.Message, f.Found = c.rule.ID, c.rule.Severity, c.rule.Title(), fmt.Sprintf(format, args...)
	if n := len(c.list); n == 0 || c.list[n-1] != f { // several operands of an instruction may break a rule
		c.list = append(c.list, f)
		c.kept++
	}
}

// compare makes a check of one that needs the structure.
func compare(check func(*checker)) func(*checker, report) {
	return func(c *checker, _ report) {
		if c.Structure != nil && !c.StageOnly {
			check(c)
		}
	}
}

// compareStage makes a check of one that needs the stage.
func compareStage(check func(*checker)) func(*checker, report) {
	return func(c *checker, _ report) {
		if c.Structure != nil {
			check(c)
		}
	}
}

// Check returns what is wrong with a program, in the order of [Rules]. A program that does not decode has one finding.
// s may be nil, if nothing is known but the code.
func Check(code []byte, s *Structure) []Finding {
	p, err := Decode(code)
	if err != nil {
		return []Finding{err.(*DecodeError).Finding}
	}
	c := &checker{Program: p, Structure: s}
	if s != nil {
		c.tables = s.tables()
	}
	for i := range Rules {
		if c.rule, c.kept = &Rules[i], 0; c.rule.check != nil {
			c.rule.check(c, func(off, n int) { c.code(off, n, "") })
		}
	}
	return c.list
}
