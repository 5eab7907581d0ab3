package writer

import (
	"fmt"
	"math"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

// Differences of the code as a whole.
const (
	missingStep = "missing instruction"
	moreSteps   = "additional instruction"
	target      = "target"
	length      = "length"
)

// pair is an instruction of the model and the corresponding one of the output; -1 for none.
type pair struct{ want, got int }

// band is the largest distance of paired instructions, so that the cost for long programs is not
// quadratic.
const band = 128

// alike returns the instruction of an output, with exchanged operands if necessary, if it can be
// the instruction of the model, whatever its target and the registers of constants are; else
// nil.
func alike(a, b *step, m *registers) *step {
	if a.op != b.op {
		return nil
	}
	open, x := registers{free: m.free, open: true}, *b
	x.target, x.end = a.target, a.end
	if a.differs(&x, &open) == "" {
		return &x
	}
	if e, ok := x.exchanged(); ok && a.differs(&e, &open) == "" {
		return &e
	}
	return nil
}

// align pairs the instructions of model and output. An instruction without a match is paired
// with another one at its position, unless the numbers of instructions show that one is missing
// or extra.
func align(want, got *code, m *registers) (list []pair) {
	a, b := want.steps, got.steps
	first := 0
	for first < min(len(a), len(b)) &&
		(a[first].op == b[first].op && len(a) == len(b) || alike(&a[first], &b[first], m) != nil) {
		first++
	}
	for k := range first {
		list = append(list, pair{k, k})
	}
	last := 0 // pairs at the end
	for last < min(len(a), len(b))-first && alike(&a[len(a)-1-last], &b[len(b)-1-last], m) != nil {
		last++
	}
	list = append(list, middle(a[first:len(a)-last], b[first:len(b)-last], first, m)...)
	for k := last; k > 0; k-- {
		list = append(list, pair{len(a) - k, len(b) - k})
	}
	return list
}

// middle aligns instructions, with numbers from first on. The distance of a pair is at most a
// band plus the difference in length.
func middle(a, b []step, first int, m *registers) (list []pair) {
	const gap = -1
	kindsA, firstsA := kindsOfSteps(a)
	kindsB, firstsB := kindsOfSteps(b)
	scores := make([]int32, len(firstsA)*len(firstsB))
	for i, x := range firstsA {
		for j, y := range firstsB {
			scores[i*len(firstsB)+j] = score(x, y, m)
		}
	}
	paired := func(i, j int) int32 { return scores[kindsA[i]*len(firstsB)+kindsB[j]] }
	// best has the score of the pairs from there on, a row for each i, with j from i+low on.
	low, high := min(0, len(b)-len(a))-band, max(0, len(b)-len(a))+band
	width := high - low + 1
	best := make([]int32, (len(a)+1)*width)
	worth := func(i, j int) int32 {
		switch k := j - i - low; {
		case k < 0 || k >= width:
			return math.MinInt32 / 2
		case i == len(a) || j == len(b):
			return gap * int32(len(a)-i+len(b)-j)
		default:
			return best[i*width+k]
		}
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := min(len(b)-1, i+high); j >= max(0, i+low); j-- {
			best[i*width+j-i-low] = max(paired(i, j)+worth(i+1, j+1), gap+worth(i+1, j), gap+worth(i, j+1))
		}
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && worth(i, j) == paired(i, j)+worth(i+1, j+1):
			list = append(list, pair{first + i, first + j})
			i, j = i+1, j+1
		case i < len(a) && worth(i, j) == gap+worth(i+1, j):
			list = append(list, pair{first + i, -1})
			i++
		default:
			list = append(list, pair{-1, first + j})
			j++
		}
	}
	return list
}

// score rates a pair of instructions.
func score(x, y *step, m *registers) int32 {
	const like, sameName, other = 4, 1, -2 // two different instructions are no better than one missing and one extra
	switch {
	case alike(x, y, m) != nil:
		return like
	case x.op == y.op:
		return sameName
	}
	return other
}

// kindsOfSteps numbers instructions that are the same apart from their targets, and returns the
// first instruction of each number.
func kindsOfSteps(list []step) (kinds []int, firsts []*step) {
	type plain struct {
		op         pica.Opcode
		dest, mask uint8
		compare    [2]uint8
		flow       decode.Inst
		sources    [3]operand
	}
	numbers := map[plain]int{}
	for i := range list {
		s := &list[i]
		p := plain{op: s.op, dest: s.dest, mask: s.mask, compare: s.compare, flow: s.flow}
		copy(p.sources[:], s.sources)
		n, ok := numbers[p]
		if !ok {
			n = len(firsts)
			numbers[p], firsts = n, append(firsts, s)
		}
		kinds = append(kinds, n)
	}
	return kinds, firsts
}

// compareWords compares the instructions. A missing or extra instruction is a finding of its
// own, which explains different targets in the others.
func compareWords(model *source.Meaning, want, got *code,
	tables []map[register]pica.Vec4) (list findings, m *registers) {
	m = newRegisters(model)
	aligned := align(want, got, m)
	m.bind(model, want, got, aligned, tables)
	if x := shifted(want, got, aligned); x != nil {
		list = append(list, x.finding())
	}
	for _, p := range aligned {
		if p.want < 0 || p.got < 0 {
			continue
		}
		x := compareStep(want, got, p, m)
		if x != nil && (len(list) == 0 || x.field != target && x.field != length && x.field != "instruction") {
			return append(list, x.finding()), m
		}
	}
	return list, m
}

func (x *mismatch) finding() *finding {
	return &finding{level: report.WrongMeaning, what: x.field, op: x.op, where: fmt.Sprintf("word %d", x.pc),
		expected: x.expected, observed: x.observed}
}

// shifted returns the first missing or extra instruction, nil if there is none.
func shifted(want, got *code, aligned []pair) *mismatch {
	for k, p := range aligned {
		switch {
		case p.got < 0:
			pc := len(got.Code) // the address of the instruction behind it
			for _, q := range aligned[k:] {
				if q.got >= 0 {
					pc = got.steps[q.got].pc
					break
				}
			}
			s := &want.steps[p.want]
			return &mismatch{missingStep, name(want, s), pc, want.text(s), "nothing"}
		case p.want < 0:
			s := &got.steps[p.got]
			return &mismatch{moreSteps, name(got, s), s.pc, "nothing", got.text(s)}
		}
	}
	return nil
}

// name returns the name of an instruction in the code.
func name(c *code, s *step) string { return pica.Opcodes[pica.OpcodeOf(c.Code[s.pc])].Name }

// compareStep returns the difference between two instructions, nil if they do the same.
func compareStep(model, output *code, p pair, m *registers) *mismatch {
	want, got := &model.steps[p.want], &output.steps[p.got]
	field := want.differs(got, m)
	if e, ok := got.exchanged(); ok && field != "" {
		if want.differs(&e, m) == "" {
			field = ""
		}
	}
	if field != "" && want.reordered(got, m) {
		field = "order of operands"
	}
	if field == "" {
		return nil
	}
	return &mismatch{field, name(model, want), got.pc, model.textFor(want, output, m), output.text(got)}
}
