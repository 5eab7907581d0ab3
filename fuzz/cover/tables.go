package cover

import (
	"slices"
	"sync"

	"github.com/picaproof/picaproof/pica"
)

// families has all families. The numbers of points and the order of reports follow this
// order.
var families = number([]*family{
	&opcodePoints,
	&filePoints, &swizzlePoints, &negationPoints, &maskPoints, &destPoints, &indexPoints, &offsetPoints,
	&unaryPoints, &binaryPoints, &valuePoints, &resultPoints,
	&roundingPoints, &productPoints,
	&conditionPoints, &outcomePoints, &comparePoints, &decisionPoints, &boolPoints, &passesPoints, &stepPoints,
	&shapePoints, &depthPoints, &overflowPoints, &endPoints, &transferPoints, &entryPoints,
	&pairPoints,
	&setemitPoints, &emitPoints, &bankPoints, &primitivePoints, &oddityPoints,
	&hazardPoints, &trapPoints,
})

// points lists the points of all families. Most programs want no names.
var points = sync.OnceValue(func() []Info {
	all := []Info{{Name: "none"}}
	for _, f := range families {
		for n, p := range f.points {
			if p != None {
				all = append(all, Info{p, f.group, f.label(n/f.stride[0], n%f.stride[0]/f.stride[1], n%f.stride[1])})
			}
		}
	}
	return all
})

// Labels of axes.
var (
	opcodeNames = func() []string {
		names := make([]string, pica.NumOpcodes)
		for op := range names {
			names[op] = pica.Opcode(op).String()
		}
		return names
	}()
	bases     = pica.OpcodesWhere(func(*pica.OpcodeInfo) bool { return true })
	operands  = []string{"1", "2", "3"}
	maskNames = func() []string {
		names := make([]string, 16)
		for mask := range names {
			for k, c := range "xyzw" {
				if mask&(8>>k) != 0 {
					names[mask] += string(c)
				}
			}
		}
		names[0] = "none"
		return names
	}()
	boolNames  = []string{"false", "true"}
	classNames = func() (names []string) {
		for c := range pica.NumNumberClasses {
			names = append(names, c.String())
		}
		return names
	}()
)

// known reports whether op is the base opcode of an instruction.
func known(op int) bool { return slices.Contains(bases, pica.Opcode(op)) }

// among is the existence rule of families about the given opcodes.
func among(ops ...pica.Opcode) func(i, j, k int) bool {
	return func(op, _, _ int) bool { return slices.Contains(ops, pica.Opcode(op)) }
}

// reads is the existence rule of families about the operands of an instruction.
func reads(op, operand, _ int) bool {
	return known(op) && operand < pica.Opcodes[op].Sources
}

func hasOperands(op, _, _ int) bool { return reads(op, 0, 0) }

func writesDest(op, _, _ int) bool {
	return known(op) && pica.Opcodes[op].Writes&pica.WritesDest != 0
}

// The instructions, and the forms of their operands.
var (
	opcodePoints = family{group: Opcodes, name: "opcode/%s", axes: [][]string{opcodeNames},
		exists: func(op, _, _ int) bool { return known(op) }}

	filePoints = family{group: Operands, name: "%s/%s.file=%s",
		axes: [][]string{opcodeNames, operands, {"v", "r", "c"}},
		exists: func(op, operand, file int) bool {
			return reads(op, operand, 0) && (file < 2 || pica.Opcode(op).Layout().Src[operand].Width == 7)
		}}
	swizzlePoints = family{group: Operands, name: "%s/%s.swizzle=%s",
		axes:   [][]string{opcodeNames, operands, {"identity", "x", "y", "z", "w", "permutation", "other"}},
		exists: reads}
	negationPoints = family{group: Operands, name: "%s/%s.sign=%s",
		axes: [][]string{opcodeNames, operands, {"plain", "negated"}}, exists: reads}
	maskPoints = family{group: Operands, name: "%s/mask=%s",
		axes: [][]string{opcodeNames, maskNames}, exists: hasOperands}
	destPoints = family{group: Operands, name: "%s/dest=%s",
		axes: [][]string{opcodeNames, {"o", "r", "source"}}, exists: writesDest}
	indexPoints = family{group: Operands, name: "%s/index=%s",
		axes: [][]string{opcodeNames, {"none", "a0.x", "a0.y", "aL"}}, exists: hasOperands}
	offsetPoints = family{group: Operands, name: "index/%s=%s",
		axes: [][]string{{"a0.x", "a0.y", "aL"}, {"inside", "wraps", "ones", "outside", "ignored"}}}
)

// The columns of destPoints and offsetPoints.
const (
	destOutput = iota
	destTemporary
	destSource // a temporary that is also a source
)

const (
	offsetInside  = iota // a float uniform
	offsetWraps          // a float uniform, after the wrap at 128
	offsetOnes           // 96 to 127 of the window
	offsetOutside        // beyond a byte: the base is read
	offsetIgnored        // the base is no float uniform
)

// Classes of operands.
var (
	unaryOps = pica.OpcodesWhere(func(i *pica.OpcodeInfo) bool {
		return i.Sources == 1 && i.Writes == pica.WritesDest && !i.Copies
	})
	binaryOps = pica.OpcodesWhere(func(i *pica.OpcodeInfo) bool {
		return i.Sources == 2 && i.Reads[0] == 0 && i.Plain == i.Base
	})

	unaryPoints = family{group: Unary, name: "%s/src=%s", axes: [][]string{opcodeNames, classNames},
		exists: among(unaryOps...)}
	binaryPoints = family{group: Binary, name: "%s/src=%s,%s", axes: [][]string{opcodeNames, classNames, classNames},
		exists: among(binaryOps...)}
	valuePoints = family{group: Values, name: "%s/src%s=%s", axes: [][]string{opcodeNames, operands, classNames},
		exists: func(op, operand, _ int) bool {
			return reads(op, operand, 0) && !slices.Contains(unaryOps, pica.Opcode(op)) &&
				!slices.Contains(binaryOps, pica.Opcode(op))
		}}
	resultPoints = family{group: Results, name: "%s/result=%s", axes: [][]string{opcodeNames, classNames},
		exists: func(op, class, _ int) bool {
			return writesDest(op, 0, 0) && !pica.Opcodes[op].Never.Has(pica.NumberClass(class))
		}}
)

// Rounding, where the operands give the exact result: ADD, MUL, the product of MAD and, if
// that is exact, its sum.
var (
	roundingPoints = family{group: Rounding, name: "%s/round=%s", axes: [][]string{opcodeNames, directionNames},
		exists: func(op, d, _ int) bool {
			// A sum is never inexact in the subnormal range.
			rounds := pica.Opcodes[op].Rounds
			return known(op) && rounds != pica.RoundsOther &&
				(direction(d) != underflow || rounds == pica.RoundsProduct)
		}}
	productPoints = family{group: Rounding, name: "%s/product=%s",
		axes:   [][]string{opcodeNames, {"exact", "rounded", "overflow", "underflow"}},
		exists: func(op, _, _ int) bool { return known(op) && pica.Opcodes[op].Rounds == pica.RoundsProductSum }}
)

// Conditions: flags, comparisons, uniforms.
var (
	conditionPoints = family{group: Conditions, name: "condition/%s,refs=%s,cc=%s",
		axes: [][]string{{"or", "and", "x", "y"}, pairNames, pairNames}}
	outcomePoints = family{group: Conditions, name: "%s/condition=%s", axes: [][]string{opcodeNames, boolNames},
		exists: func(op, _, _ int) bool { return known(op) && pica.Opcodes[op].Condition == pica.OnFlags }}
	comparePoints = family{group: Conditions, name: "cmp.%s/%s=%s",
		axes: [][]string{{"x", "y"}, {"eq", "ne", "lt", "le", "gt", "ge", "6", "7"},
			{"below", "equal", "above", "unordered"}}}
	decisionPoints = family{group: Conditions, name: "%s%s/uniform=%s",
		axes: [][]string{opcodeNames, {"", ".inverted"}, boolNames},
		exists: func(op, inverted, _ int) bool {
			asks := pica.Opcodes[op].Condition
			return known(op) && (asks == pica.OnUniform && inverted == 0 || asks == pica.OnUniformInverse)
		}}
	boolPoints = family{group: Conditions, name: "uniform/b%s=%s",
		axes: [][]string{{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15"},
			boolNames}}
	passesPoints = family{group: Conditions, name: "loop/i%s,passes=%s",
		axes: [][]string{{"0", "1", "2", "3"}, {"1", "2", "more"}}}
	stepPoints = family{group: Conditions, name: "loop/start=%s,step=%s",
		axes: [][]string{{"0", "positive"}, {"0", "positive"}}}
)

// pairNames are the values of two flags, x first.
var pairNames = []string{"00", "01", "10", "11"}

// The stacks.
var (
	shapePoints = family{group: Flow, name: "flow/%s", axes: [][]string{shapeNames}}

	depthPoints = family{group: Scopes, name: "depth/%s=%s",
		axes:   [][]string{stackNames, {"1", "2", "3", "4", "5", "6", "7", "8"}},
		exists: func(stack, depth, _ int) bool { return depth < stackLimits[stack] }}
	overflowPoints = family{group: Scopes, name: "overflow/%s", axes: [][]string{stackNames}}
	endPoints      = family{group: Scopes, name: "ends/call=%s,if=%s,loop=%s",
		axes:   [][]string{{"0", "1"}, {"0", "1"}, {"0", "again", "exit", "break"}},
		exists: func(call, branch, loop int) bool { return call+branch+loop != 0 }}
	transferPoints = family{group: Scopes, name: "%s/target=%s",
		axes: [][]string{opcodeNames, {"backward", "next", "forward"}},
		exists: func(op, _, _ int) bool {
			flow := pica.Opcodes[op].Flow
			return known(op) && (flow == pica.FlowJump || flow == pica.FlowCall || flow == pica.FlowIf)
		}}
	entryPoints = family{group: Scopes, name: "entry/%s,%s",
		axes: [][]string{{"word 0", "later word"}, {"first vertex", "fresh vertex", "kept state"}}}
)

var stackNames = []string{"if", "call", "loop"}

var pairPoints = family{group: Pairs, name: "pair/%s,%s", axes: [][]string{opcodeNames, opcodeNames},
	exists: func(a, b, _ int) bool {
		return known(a) && known(b) && pica.Opcodes[a].Flow != pica.FlowEnd
	}}

// The geometry stage.
var (
	slots         = []string{"0", "1", "2", "3"}
	setemitPoints = family{group: GeometryUnit, name: "setemit/slot=%s,prim=%s,inverted=%s",
		axes: [][]string{slots, boolNames, boolNames}}
	emitPoints = family{group: GeometryUnit, name: "emit/slot=%s,prim=%s,inverted=%s",
		axes: [][]string{slots[:3], boolNames, boolNames}}
	bankPoints = family{group: GeometryUnit, name: "bank %s/%s",
		axes: [][]string{{"0", "1"}, {"written", "emitted"}}}
	// A primitive has at least one vertex that the last primitive lacked: the vertex just
	// emitted.
	primitivePoints = family{group: GeometryUnit, name: "primitive/new vertices=%s", axes: [][]string{{"1", "2", "3"}}}
	oddityPoints    = family{group: GeometryUnit, name: "geometry/%s",
		axes: [][]string{{"emit without setemit", "primitive with a slot never emitted"}}}
)

// The rows of oddityPoints.
const (
	emitUnset = iota
	emptySlot
)

// Hazards of the console and traps. Three traps have no point here: hazards trap only if the
// profile says so, only profiles of implementations refuse, and 4096 primitives take longer
// than a generated job may run.
var (
	hazardPoints = family{group: Traps, name: "hazard/%s",
		axes: [][]string{{"mova after mova", "two input registers"}}}
	trapPoints = family{group: Traps, name: "trap/%s", axes: [][]string{causeNames},
		exists: func(cause, _, _ int) bool {
			return !slices.Contains([]pica.Cause{pica.TrapNone, pica.TrapUnreliableInput, pica.TrapUnsupported,
				pica.TrapPrimitives}, pica.Cause(cause))
		}}
	causeNames = func() []string {
		names := make([]string, pica.NumCauses)
		for c := range names {
			names[c] = pica.Cause(c).String()
		}
		return names
	}()
)

// The rows of hazardPoints.
const (
	movaAfterMova = iota
	twoInputs
)
