package fingerprint

import (
	"context"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// Defaults returns an inferred profile with the console's answer to each question where the answers fit it
// as well: they do not show that the core follows the set from which the inference began. They fit it too if
// they fit a core that skips an opcode of the question. A profile that
// is a named set stays. So does the precision of an instruction that the core executes, because the results
// of an estimate may be exact by chance.
func Defaults(p pica.Profile, answers []Answer) pica.Profile {
	if !strings.Contains(profile.String(p), ",") {
		return p
	}
	s := newInference(context.Background(), answers, new(Costs), &Faults{})
	now := s.fitOf(p)
	console := profile.HW()
	for d := range Dimensions {
		dim := &Dimensions[d]
		value := dim.Get(&console)
		if value == dim.Get(&now.profile) || s.lacks.excludes(dim, value) || s.estimates(dim, &now.profile) {
			continue
		}
		q, ok := dim.With(now.profile, value)
		if !ok {
			continue
		}
		then := s.after(&now, q, dim)
		if then.firstWorse(&now) < 0 {
			now = then
			continue
		}
		if slices.ContainsFunc(s.order, func(i int) bool { // the console need not run the program
			if then.cost[i] <= now.cost[i] {
				return false
			}
			s.predict.View(answers[i].Job, &q, &s.want)
			return s.want.End != view.Ended
		}) {
			continue
		}
		for k := range Dimensions { // a rule that only shows with an opcode that may be skipped as well
			if op := &Dimensions[k]; s.lacks.executed[op] && dim.depends(op) {
				skipped, _ := op.With(q, int(pica.SupportSkip))
				if then := s.after(&now, skipped, dim, op); then.firstWorse(&now) < 0 {
					now = then
					break
				}
			}
		}
	}
	return now.profile
}

// depends reports whether a knob has an effect only with opcodes of which the other question asks for one.
func (d *Dimension) depends(op *Dimension) bool {
	with := extent{opcodes: 1 << op.opcodes[0]}
	return d.IsKnob() && d.needs != nil && !d.needs(&extent{}) && d.needs(&with)
}

// estimates reports whether a question is the precision of instructions of which the core executes one.
func (s *inference) estimates(dim *Dimension, p *pica.Profile) bool {
	if dim.Name != "rcp" && dim.Name != "ex2" {
		return false
	}
	return slices.ContainsFunc([]pica.Opcode{pica.RCP, pica.RSQ, pica.EX2, pica.LG2}, func(op pica.Opcode) bool {
		e := extent{opcodes: 1 << op}
		return dim.concerns(&e) && p.Support[op] == pica.SupportRun && !s.lacks.has(op)
	})
}
