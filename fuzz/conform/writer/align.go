package writer

import (
	"fmt"

	"github.com/picaproof/picaproof/fuzz/conform/source"
	"github.com/picaproof/picaproof/fuzz/report"
	"github.com/picaproof/picaproof/pica"
)

// What differs in the code as a whole.
const (
	missingStep = "missing instruction"
	moreSteps   = "additional instruction"
	target      = "target"
	length      = "length"
)

// pair is an instruction of the model and the one of the output that stands for it; -1 for none.
type pair struct{ want, got int }

// maxAligned limits the table that alignment fills.
const maxAligned = 1 << 20

// alike returns the instruction of an output, its operands exchanged if need be, if it may be the one of
// the model, wherever it leads and wherever constants are; nil if it may not.
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

// align pairs the instructions of model and output. One that has no like is paired with another in its
// place, unless their numbers say that one is missing, or is one too many.
func align(want, got *code, m *registers) (list []pair) {
	a, b := want.steps, got.steps
	first := 0
	for first < min(len(a), len(b)) && (a[first].op == b[first].op && len(a) == len(b) || alike(&a[first], &b[first], m) != nil) {
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

// middle aligns instructions, the first of which have a number.
func middle(a, b []step, first int, m *registers) (list []pair) {
	if len(a)*len(b) > maxAligned {
		for k := range max(len(a), len(b)) {
			p := pair{first + k, first + k}
			if k >= len(a) {
				p.want = -1
			}
			if k >= len(b) {
				p.got = -1
			}
			list = append(list, p)
		}
		return list
	}
	const like, sameName, gap = 4, 1, -1
	score := func(x, y *step) int {
		switch {
		case alike(x, y, m) != nil:
			return like
		case x.op == y.op:
			return sameName
		}
		return 0
	}
	width := len(b) + 1
	best := make([]int, (len(a)+1)*width) // of what is left from there on
	pairs := make([]int, len(a)*len(b))
	for i := len(a); i >= 0; i-- {
		for j := len(b); j >= 0; j-- {
			switch {
			case i == len(a):
				best[i*width+j] = gap * (len(b) - j)
			case j == len(b):
				best[i*width+j] = gap * (len(a) - i)
			default:
				s := score(&a[i], &b[j])
				pairs[i*len(b)+j] = s
				best[i*width+j] = max(s+best[(i+1)*width+j+1], gap+best[(i+1)*width+j], gap+best[i*width+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && best[i*width+j] == pairs[i*len(b)+j]+best[(i+1)*width+j+1]:
			list = append(list, pair{first + i, first + j})
			i, j = i+1, j+1
		case i < len(a) && best[i*width+j] == gap+best[(i+1)*width+j]:
			list = append(list, pair{first + i, -1})
			i++
		default:
			list = append(list, pair{-1, first + j})
			j++
		}
	}
	return list
}

// compareWords compares the instructions. An instruction that is missing or one too many is a finding beside
// the one about the others; it explains where they lead.
func compareWords(model *source.Meaning, want, got *code, tables []map[register]pica.Vec4) (list findings, m *registers) {
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
	return &finding{level: report.WrongMeaning, what: x.field, op: x.op, where: fmt.Sprintf("word %d", x.pc), expected: x.expected, observed: x.observed}
}

// shifted returns the first instruction that is missing or one too many, nil if there is none.
func shifted(want, got *code, aligned []pair) *mismatch {
	for k, p := range aligned {
		switch {
		case p.got < 0:
			pc := len(got.Code) // of the instruction behind it
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

// name returns the name of an instruction as it stands in the code.
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
	return &mismatch{field, name(model, want), got.pc, model.textFor(want, output, got, m), output.text(got)}
}
