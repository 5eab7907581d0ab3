package hypothesis

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// A Hypothesis is a change of the engine that predicts.
type Hypothesis struct {
	Name string // stable: "dp3-reads-w", "r15 as source 2 reads r14"
	// Rule is the sentence of the instruction-set page that it breaks, with its section.
	Rule  string
	Scope Scope // the instructions that it changes; empty for all
	// Detail counts what the hypothesis says beyond a rule: a parameter, a condition. Of two that explain the
	// same, the one with less detail is named.
	Detail int
	// Passes names the state that passes from vertex to vertex: "temporaries"; "" for another hypothesis.
	Passes string
	// Dies: it ends runs without an answer.
	Dies bool
	// Fitted: a number in it is taken from an answer, so that it fits that answer whatever is wrong.
	Fitted bool
	// Grown: its opcodes are those of answers, which need not be akin.
	Grown bool
	// Exact: it is about the last bits of a result, so that an answer within the tolerance of an estimate is no fit.
	Exact bool
	// Profile sets the value of the knob that it is; nil for a fault.
	Profile func(p *pica.Profile)
	// whole: it changes more than the execution of an instruction, so a scope has no meaning.
	whole bool
	// lane: it changes one lane of results, as an operation on one lane computes it.
	lane bool
	// needs are opcodes: the run of a program that lacks one of them is not changed.
	needs opcodes
	apply func(r *oracle.Rules)
	// presence ends the run of a program that has a word in the scope; nil for another hypothesis.
	presence func(c *oracle.Control)
}

// A Scope is a set of instructions: those for which all conditions hold.
type Scope []Condition

// A Condition is a property of an instruction in a run.
type Condition struct {
	Text  string
	Holds func(c *oracle.Control) bool
	ops   opcodes // without one of them it never holds; 0 for any
	// ofDestination: it is about the number of the destination.
	ofDestination bool
	bounded       string // the number of which it gives the least value; "" for none
	// OfMost: it holds for all opcodes but one.
	OfMost bool
}

// OfOpcodes reports whether the condition names the opcodes of an instruction.
func (c Condition) OfOpcodes() bool { return c.ops != 0 }

// opcodes is a set of base opcodes.
type opcodes uint64

func only(list ...pica.Opcode) (set opcodes) {
	for _, op := range list {
		set |= 1 << op.Base()
	}
	return set
}

// Opcodes returns the set of the opcodes in a program.
func Opcodes(code []uint32) (set uint64) {
	for _, w := range code {
		set |= 1 << pica.OpcodeOf(w).Base()
	}
	return set
}

// String returns the name and the scope, its opcodes first: "loop: has a step of 0, i3".
func (h *Hypothesis) String() string {
	text := h.Name
	for _, c := range h.Scope {
		if c.ops != 0 {
			text = c.Text + ": " + text
		}
	}
	for _, c := range h.Scope {
		if c.ops == 0 {
			text += ", " + c.Text
		}
	}
	return text
}

// Opcodes returns the opcodes that the hypothesis names, as the function [Opcodes] has them; 0 if it is for all.
func (h *Hypothesis) Opcodes() uint64 {
	for _, c := range h.Scope {
		if c.ops != 0 {
			return uint64(c.ops)
		}
	}
	return 0
}

// Opcode returns the opcode that the hypothesis is about, "" for several.
func (h *Hypothesis) Opcode() string {
	for _, c := range h.Scope {
		if c.ops != 0 && c.ops&(c.ops-1) == 0 {
			return c.Text
		}
	}
	return ""
}

// Touches reports whether the hypothesis may change a run of a program with these opcodes.
func (h *Hypothesis) Touches(program uint64) bool {
	if uint64(h.needs)&^program != 0 {
		return false
	}
	for _, c := range h.Scope {
		if c.ops != 0 && uint64(c.ops)&program == 0 {
			return false
		}
	}
	return true
}

// Touching goes over those of some hypotheses that may change a run of a program with these opcodes, if they are true
// together. One about all opcodes may make others of an opcode, and control that leaves the program finds zeros, which
// are ADD.
func Touching(list []*Hypothesis, program uint64) iter.Seq[*Hypothesis] {
	scoped := !slices.ContainsFunc(list, func(h *Hypothesis) bool {
		return !slices.ContainsFunc(h.Scope, Condition.OfOpcodes)
	})
	return func(yield func(*Hypothesis) bool) {
		for _, h := range list {
			if (!scoped || h.Touches(program|1<<pica.ADD)) && !yield(h) {
				return
			}
		}
	}
}

// Within returns the hypothesis with one more condition; nil if it cannot have one, such as a second bound of a number.
func (h *Hypothesis) Within(c Condition) *Hypothesis {
	if h.whole || slices.ContainsFunc(h.Scope, func(o Condition) bool {
		return o.Text == c.Text || o.bounded != "" && o.bounded == c.bounded
	}) {
		return nil
	}
	n := *h
	n.Scope = append(slices.Clip(h.Scope), c)
	n.Detail++
	return &n
}

// Narrows reports whether the hypothesis is another one with further conditions, or with the same in another order.
func (h *Hypothesis) Narrows(other *Hypothesis) bool {
	return h.Name == other.Name && !slices.ContainsFunc(other.Scope, func(c Condition) bool {
		return !slices.ContainsFunc(h.Scope, func(o Condition) bool { return o.Text == c.Text })
	})
}

// Lanes returns the hypothesis for each lane of results alone. What it changes in sources counts for no lane.
func (h *Hypothesis) Lanes() (list []*Hypothesis) {
	if h.whole || h.lane || h.presence != nil {
		return nil
	}
	for i, name := range "xyzw" {
		n := *h
		n.Name, n.lane = fmt.Sprintf("%s, in lane %c", h.Name, name), true
		n.Detail++
		n.apply = func(r *oracle.Rules) {
			other, before := *r, r.Operands.Result
			h.apply(&other)
			r.Operands.Result = func(c *oracle.Control, sources *[3]pica.Vec4, v *pica.Vec4) {
				if before != nil {
					before(c, sources, v)
				}
				rules := c.Rules
				c.Rules = &other
				x, ok := c.Compute(sources)
				if !ok { // LITP, which sets flags
					x = *v
				}
				if other.Operands.Result != nil {
					other.Operands.Result(c, sources, &x)
				}
				v[i], c.Rules = x[i], rules
			}
		}
		list = append(list, &n)
	}
	return list
}

func (s Scope) holds(c *oracle.Control) bool {
	for i := range s {
		if !s[i].Holds(c) {
			return false
		}
	}
	return true
}

// Engine returns the oracle for every profile, changed by a list of at most 64 hypotheses. A later one
// wraps an earlier one.
func Engine(list ...*Hypothesis) pica.Engine { return Watched(nil, list...) }

// Watched is Engine for an observer, which may be nil.
func Watched(o oracle.Observer, list ...*Hypothesis) pica.Engine {
	return composed{oracle.NewEngine(resolver(list), o)}
}

// With is [Engine] with one more change of the rules.
func With(change func(r *oracle.Rules), list ...*Hypothesis) pica.Engine {
	rules := resolver(list)
	return composed{oracle.NewEngine(func(p *pica.Profile) (*oracle.Rules, error) {
		r, err := rules(p)
		if err == nil {
			change(r)
		}
		return r, err
	}, nil)}
}

// A Reusable is an engine whose hypotheses can be exchanged. It keeps the memory of its machine.
type Reusable struct {
	composed
	list []*Hypothesis
}

// NewReusable returns an engine without hypotheses.
func NewReusable() *Reusable {
	e := &Reusable{}
	e.Engine = oracle.NewEngine(func(p *pica.Profile) (*oracle.Rules, error) { return resolver(e.list)(p) }, nil)
	return e
}

// Change sets the hypotheses, as in [Engine].
func (e *Reusable) Change(list ...*Hypothesis) {
	e.list = list
	oracle.Renew(e.Engine)
}

// composed is an engine of rules that were not made for each other.
type composed struct{ pica.Engine }

// errNotComposed: the rules of a profile and of the hypotheses do not go together.
var errNotComposed = errors.New("hypothesis: these rules do not go together")

// Run returns an error instead of a panic: a hypothesis that a profile has no place for predicts nothing.
func (e composed) Run(job *pica.Job, out *pica.Outcome) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", errNotComposed, r)
		}
	}()
	return e.Engine.Run(job, out)
}

func resolver(list []*Hypothesis) oracle.Resolver {
	return func(p *pica.Profile) (*oracle.Rules, error) {
		r, err := impl.Rules(p)
		if err != nil {
			return nil, err
		}
		var scoped []*Hypothesis
		for _, h := range list {
			switch {
			case h.presence != nil:
				h.present(r)
			case len(h.Scope) == 0:
				h.apply(r)
			default:
				scoped = append(scoped, h)
			}
		}
		if len(scoped) > 0 {
			v := &variants{base: r, scoped: scoped}
			r.Choose = v.choose
		}
		return r, nil
	}
}

// variants are copies of the rules of one machine, one for each set of hypotheses that an instruction has
// met.
type variants struct {
	base   *oracle.Rules
	scoped []*Hypothesis
	made   []variant
}

type variant struct {
	set   uint64
	rules *oracle.Rules
}

func (v *variants) choose(c *oracle.Control) *oracle.Rules {
	set := uint64(0)
	for i, h := range v.scoped {
		if h.Scope.holds(c) {
			set |= 1 << i
		}
	}
	if set == 0 {
		return v.base
	}
	for i := range v.made {
		if v.made[i].set == set {
			return v.made[i].rules
		}
	}
	r := *v.base
	r.Choose = nil
	for i, h := range v.scoped {
		if set>>i&1 != 0 {
			h.apply(&r)
		}
	}
	v.made = append(v.made, variant{set, &r})
	return &r
}
