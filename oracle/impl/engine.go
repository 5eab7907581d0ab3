package impl

import (
	"fmt"
	"iter"
	"slices"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// New returns the oracle as an engine for every profile. It reuses its memory from
// run to run and is not safe for concurrent use.
func New() pica.Engine { return oracle.NewEngine(Rules, nil) }

// NewWith returns an engine for mutants: change replaces rules of every profile. The
// engine calls change again whenever a job has another profile than the job before.
// The observer, which may be nil, receives its runs.
func NewWith(change func(r *oracle.Rules), o oracle.Observer) pica.Engine {
	return oracle.NewEngine(func(p *pica.Profile) (*oracle.Rules, error) {
		r, err := Rules(p)
		if err == nil {
			change(r)
		}
		return r, err
	}, o)
}

// Watched returns an engine for every profile; the observer receives its runs.
func Watched(o oracle.Observer) pica.Engine { return oracle.NewEngine(Rules, o) }

// NewMachine returns a machine for every profile.
func NewMachine() *oracle.Machine { return oracle.NewMachine(Rules) }

// Trace runs one vertex of a job; see [oracle.Trace].
func Trace(job *pica.Job, vertex int) (iter.Seq[*pica.Step], error) {
	return oracle.Trace(Rules, job, vertex)
}

// Traces runs all vertices of a job; see [oracle.Traces].
func Traces(job *pica.Job) (iter.Seq2[int, iter.Seq[*pica.Step]], error) {
	return oracle.Traces(Rules, job)
}

// Rules returns the rules of a profile: the reference's, with the replacements of its knob
// values, in the order of the [Catalogue], and of its support of opcodes. Each machine needs
// rules of its own, since a model of control flow keeps its state in them. The error wraps
// [pica.ErrUnsupportedProfile]: a value does not exist, or needs float32 registers that the
// profile does not have.
func Rules(p *pica.Profile) (*oracle.Rules, error) {
	for i := range Catalogue {
		k := &Catalogue[i]
		switch v := k.Get(p); {
		case v >= len(k.Values):
			return nil, fmt.Errorf("%w: knob %s has no value %d", pica.ErrUnsupportedProfile, k.Name, v)
		case k.Values[v].needsFloat32 && p.Storage != pica.Float32:
			return nil, fmt.Errorf("%w: %s=%s needs float32 registers",
				pica.ErrUnsupportedProfile, k.Name, k.Values[v].Name)
		}
	}
	r, kept := oracle.Console(p), *p // rules keep a pointer to the copy
	apply(r, &kept)
	return r, nil
}

// With returns a function that applies the replacements of the values in k. First values have
// none, nor have values that [oracle.Console] reads.
func With(k pica.Knobs) func(r *oracle.Rules) {
	return func(r *oracle.Rules) { apply(r, &pica.Profile{Knobs: k}) }
}

// apply applies the replacements of the profile: of its knob values, then of its support
// of opcodes.
func apply(r *oracle.Rules, p *pica.Profile) {
	for i := range Catalogue {
		k := &Catalogue[i]
		if replace := k.Values[k.Get(p)].replace; replace != nil {
			replace(r, p)
		}
	}
	for op, how := range p.Support {
		if how != pica.SupportRun {
			r.Admit[op] = support(how, p)
		}
	}
	if slices.Contains(p.Support[:], pica.SupportPresent) {
		r.Program = func(c *oracle.Control) {
			if present(p, c.Job.Code) >= 0 {
				c.Refuse(p.Refusal)
			}
		}
	}
}

// present returns the address of the first word that makes the implementation refuse the program
// by its mere presence, -1 for none. Words that exceed the memory do not count, nor do the zeros
// behind a program.
func present(p *pica.Profile, code []uint32) int {
	return slices.IndexFunc(code[:min(len(code), memoryWords(p.ProgramEnd))],
		func(word uint32) bool { return p.Support[word>>26] == pica.SupportPresent })
}

// support returns a rule that skips or refuses an opcode. With [pica.SupportFetch] it first
// finds the wide source, where the rules of addressing may refuse.
func support(how pica.Support, p *pica.Profile) func(c *oracle.Control) bool {
	return func(c *oracle.Control) bool {
		switch how {
		case pica.SupportAbort:
			c.Refuse(p.Refusal)
		case pica.SupportPresent: // a word behind the program, which may or may not count
			c.Refuse(pica.RefusalUnknown)
		case pica.SupportFetch:
			if c.Rules.Encoding.Shapes[c.Op].Layout != nil {
				c.WideSource()
			}
		}
		if !c.Trapped() {
			c.Skip()
		}
		return false
	}
}

// refusing returns a rule that refuses with the Refusal of the profile.
func refusing(p *pica.Profile) func(c *oracle.Control) {
	return func(c *oracle.Control) { c.Refuse(p.Refusal) }
}
