package proof

import (
	"math/bits"
	"slices"

	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/pica"
)

// countOf counts an answer for the opcode of one of the best, if the program has one beside END and NOP.
func (t *trial) countOf(i int, job *pica.Job, wrong int) {
	named := t.best[i].h.Opcodes()
	op := hypothesis.Opcodes(job.Code) &^ (1<<pica.END | 1<<pica.NOP)
	if named != 0 {
		op &= named
	}
	if bits.OnesCount64(op) != 1 || op == named {
		return
	}
	if t.of[i][op] == nil {
		t.of[i][op] = new([2]int)
	}
	t.of[i][op][wrong]++
}

// join notes the opcodes of a job behind a border of opcodes of which the hypothesis must be true, too, to predict an
// answer.
func (t *trial) join(b *border, job *pica.Job, got *view.View) {
	if !b.without.OfOpcodes() {
		return
	}
	h := t.best[b.of].h
	for others := hypothesis.Opcodes(job.Code) &^ h.Opcodes(); others != 0; others &= others - 1 {
		op := others & -others
		var v view.View
		if t.with(h.Of(h.Opcodes()|op)).View(job, &t.Profile, &v); view.Compare(&v, got, nil) <= view.Near {
			t.also[b.of] |= op
		}
	}
}

// grown returns those of the best that are true of other opcodes, with these. One that is true of further opcodes may be
// true of all.
func (t *trial) grown() (list []*hypothesis.Hypothesis) {
	for i, x := range t.best {
		var right, wrong uint64
		for op, n := range t.of[i] {
			if n[1] > 0 {
				wrong |= op
			} else {
				right |= op
			}
		}
		if k := slices.IndexFunc(x.h.Scope, hypothesis.Condition.OfOpcodes); k >= 0 && t.also[i] != 0 {
			list = append(list, x.h.Outside()[k])
		}
		named := x.h.Opcodes()
		ops := (named | t.also[i]) &^ wrong
		if named == 0 && wrong != 0 {
			ops = right
		}
		if ops == 0 || ops == named {
			continue
		}
		if h := x.h.Of(ops); h != nil {
			list = append(list, h)
		}
	}
	return list
}
