package conform

import (
	"slices"
	"strings"

	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// use is an instruction that a run executes, or at which it ends in undefined behaviour.
type use struct {
	pc   int
	op   pica.Opcode // the plain form of an inverted instruction
	last int         // the largest number of steps before it
}

// observer collects the instructions that a run executes, in the order of their first execution.
type observer struct {
	uses []use
	seen map[int]int // the index in uses, by address
}

func (o *observer) Start(_ *pica.Job, vertex int, _ *pica.State) {
	if vertex == 0 {
		o.uses, o.seen = o.uses[:0], map[int]int{}
	}
}

func (o *observer) Step(s *pica.Step) {
	if s.Trap.Cause == pica.TrapUnsupported || s.Skipped {
		return
	}
	at, ok := o.seen[s.PC]
	if !ok {
		at = len(o.uses)
		o.seen[s.PC] = at
		o.uses = append(o.uses, use{pc: s.PC, op: pica.OpcodeOf(s.Word).Base()})
	}
	o.uses[at].last = max(o.uses[at].last, s.Index)
}

// watcher runs jobs on the oracle, or one with proved faults, and lists the instructions that they execute. It is not safe
// for concurrent use.
type watcher struct {
	observer
	engine pica.Engine
	out    pica.Outcome
}

func newWatcher() *watcher {
	w := new(watcher)
	w.engine = impl.Watched(&w.observer)
	return w
}

// newWatcher returns a watcher of what the core executes: with the proved faults, control may go elsewhere. Those that
// end a run are left out, because jobs avoid them.
func (s *session) newWatcher() *watcher {
	w := newWatcher()
	faults := slices.DeleteFunc(slices.Clone(s.faults), func(h *hypothesis.Hypothesis) bool { return h.Dies })
	if len(faults) > 0 {
		w.engine = hypothesis.Watched(&w.observer, faults...)
	}
	return w
}

// uses returns the instructions that a job executes under its profile, valid until the next
// call.
func (w *watcher) uses(job *pica.Job) []use {
	w.observer.uses = w.observer.uses[:0]
	if w.engine.Run(job, &w.out) != nil {
		return nil
	}
	return w.observer.uses
}

// flowKinds names the kinds of flow control among the uses, each once.
func flowKinds(uses []use) (kinds []string) {
	for _, u := range uses {
		info := &pica.Opcodes[u.op]
		if info.Flow == pica.FlowNone || info.Flow == pica.FlowEnd {
			continue
		}
		if k := info.Flow.String(); !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	slices.Sort(kinds)
	return kinds
}

// lastComputing names the last instruction of a run that is not a move.
func lastComputing(uses []use) string {
	for _, u := range slices.Backward(uses) {
		if info := &pica.Opcodes[u.op]; info.Sources > 0 && !info.Copies {
			return u.op.String()
		}
	}
	return ""
}

// opcodes is a set of plain opcodes.
type opcodes [pica.NumOpcodes]bool

// telling returns the opcodes of some uses that may be at fault: those that do more than move a value, else MOV,
// else END.
func telling(uses []use) (ops opcodes) {
	moves := false
	for _, u := range uses {
		info := &pica.Opcodes[u.op]
		moves = moves || info.Copies
		if u.op != pica.NOP && info.Flow != pica.FlowEnd && !info.Copies {
			ops[u.op] = true
		}
	}
	if ops == (opcodes{}) && moves {
		ops[pica.MOV] = true
	} else if ops == (opcodes{}) {
		ops[pica.END] = true
	}
	return ops
}

// only returns the set of one opcode.
func only(op pica.Opcode) (ops opcodes) {
	ops[op] = true
	return ops
}

// with returns the union of two sets.
func (ops opcodes) with(others opcodes) opcodes {
	for op, has := range others {
		ops[op] = ops[op] || has
	}
	return ops
}

// numbers lists the numbers of the opcodes.
func (ops *opcodes) numbers() (list []int) {
	for op, has := range ops {
		if has {
			list = append(list, op)
		}
	}
	return list
}

// numbered returns the set of the opcodes with some numbers.
func numbered(list []int) (ops opcodes) {
	for op := range ops {
		ops[op] = slices.Contains(list, op)
	}
	return ops
}

// names lists the names of the opcodes in the order of the alphabet.
func (ops *opcodes) names() (names []string) {
	for op, has := range ops {
		if has {
			names = append(names, pica.Opcode(op).String())
		}
	}
	slices.Sort(names)
	return names
}

// String names the opcodes: "add and loop".
func (ops *opcodes) String() string { return strings.Join(ops.names(), " and ") }

// presentIn returns the opcodes in the words of a job, executed or not, but for END and NOP unless there is no other.
func presentIn(job *pica.Job) (ops opcodes) {
	for _, w := range job.Code {
		if op := pica.OpcodeOf(w).Base(); op != pica.END && op != pica.NOP {
			ops[op] = true
		}
	}
	if ops == (opcodes{}) {
		ops[pica.END] = true
	}
	return ops
}

// eachTemporary replaces each temporary that a program names.
func eachTemporary(code []uint32, other func(n uint32) uint32) {
	for at, word := range code {
		op := pica.OpcodeOf(word)
		info, l := &pica.Opcodes[op], op.Layout()
		if n := l.Dest.Get(word) - pica.DestTemporary; info.Writes&pica.WritesDest != 0 && n < pica.NumTemporaries {
			code[at] = l.Dest.Put(code[at], pica.DestTemporary+other(n))
		}
		for k := range info.Sources {
			if n := l.Src[k].Get(word) - pica.SourceTemporary; n < pica.NumTemporaries {
				code[at] = l.Src[k].Put(code[at], pica.SourceTemporary+other(n))
			}
		}
	}
}
