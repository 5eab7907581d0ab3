package hypothesis

import (
	"slices"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// A Sight is what a job executes: its opcodes, the conditions of its instructions, and the hypotheses with
// parameters that may change one of them.
type Sight struct {
	Opcodes    []pica.Opcode
	Conditions []Condition
	// Families are hypotheses about the words, registers and uploads of the job.
	Families []*Hypothesis
}

// See runs a job under hypotheses and returns what it executes.
func See(job *pica.Job, under ...*Hypothesis) *Sight {
	s := &Sight{}
	resolve := resolver(under)
	seen := &collector{sight: s, texts: map[string]bool{}, words: map[[3]uint32]bool{}}
	engine := composed{oracle.NewEngine(func(p *pica.Profile) (*oracle.Rules, error) {
		r, err := resolve(p)
		if err == nil {
			inner := r.Choose
			r.Choose = func(c *oracle.Control) *oracle.Rules {
				seen.instruction(c)
				if inner != nil {
					return inner(c)
				}
				return r
			}
		}
		return r, err
	}, nil)}
	if engine.Run(job, new(pica.Outcome)) != nil {
		return s
	}
	for _, h := range slices.Concat(uploads(job), absent(), states(), entries(job), returns(job)) {
		seen.add(h)
	}
	return s
}

// collector collects a Sight.
type collector struct {
	sight *Sight
	texts map[string]bool
	words map[[3]uint32]bool // with the vertex and the number of open calls
	steps int
}

// mostSeen limits the instructions that are looked at.
const mostSeen = 2000

func (s *collector) instruction(c *oracle.Control) {
	if s.steps++; s.steps > mostSeen {
		return
	}
	op := c.Op
	if !s.texts[op.String()] {
		s.texts[op.String()] = true
		s.sight.Opcodes = append(s.sight.Opcodes, op)
	}
	for _, condition := range Conditions(c) {
		if !s.texts[condition.Text] {
			s.texts[condition.Text] = true
			s.sight.Conditions = append(s.sight.Conditions, condition)
		}
	}
	if key := [3]uint32{c.Word, uint32(c.Vertex), uint32(c.Stacks.CallDepth)}; s.words[key] {
		return
	} else {
		s.words[key] = true
	}
	for _, family := range families {
		for _, h := range family(c) {
			s.add(h)
		}
	}
}

func (s *collector) add(h *Hypothesis) {
	if name := h.String(); !s.texts[name] {
		s.texts[name] = true
		s.sight.Families = append(s.sight.Families, h)
	}
}

// families make the hypotheses about one instruction that [Table] does not have.
var families = []func(c *oracle.Control) []*Hypothesis{
	operands, disguises, sourceAliases, laneAliases, stale, lostResults, straightLine, copies, banks, destAliases, results, extrema,
	arithmetic, masks, effects, flags, spoiltFlags, integerComparisons, differences, control, geometry,
}

// changed returns a hypothesis with a parameter.
func changed(name, rule string, apply func(r *oracle.Rules)) *Hypothesis {
	return &Hypothesis{Name: name, Rule: rule, Detail: 1, apply: apply}
}

// noting is changed for a hypothesis that notes at one instruction what another one uses: with a scope it would miss
// some.
func noting(name, rule string, apply func(r *oracle.Rules)) *Hypothesis {
	h := changed(name, rule, apply)
	h.whole = true
	return h
}
