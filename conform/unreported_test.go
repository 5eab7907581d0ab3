package conform_test

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// adapted is a core whose adapter changes its answers.
type adapted struct {
	adapter.Core
	change func(a *adapter.Answer)
}

func (c *adapted) Ask(ctx context.Context, job *pica.Job) adapter.Answer {
	a := c.Core.Ask(ctx, job)
	c.change(&a)
	return a
}

func (c *adapted) AskFresh(ctx context.Context, job *pica.Job) adapter.Answer {
	a := c.Core.AskFresh(ctx, job)
	c.change(&a)
	return a
}

func (c *adapted) AskAfter(ctx context.Context, jobs ...*pica.Job) (adapter.Answer, int) {
	a, n := c.Core.AskAfter(ctx, jobs...)
	c.change(&a)
	return a, n
}

// TestUnreported: registers that an adapter does not copy from the core are named, and nothing is said of them.
func TestUnreported(t *testing.T) {
	zeros := func(set pica.Registers) func(a *adapter.Answer) {
		return func(a *adapter.Answer) {
			for i := range a.Outcome.Vertices {
				a.Outcome.Vertices[i].Take(set, new(pica.State))
			}
		}
	}
	addresses := pica.RegA0X | pica.RegA0Y | pica.RegAL
	core := func(change func(a *adapter.Answer), rules ...func(r *oracle.Rules)) adapter.Core {
		return &adapted{adapter.InProcess("adapted", profile.F32(), func() pica.Engine {
			return impl.NewWith(func(r *oracle.Rules) {
				for _, rule := range rules {
					rule(r)
				}
			}, nil)
		}), change}
	}
	named := func(names string) []string {
		return []string{"not judged: " + names + ", which the core uses, but answers as 0 or leaves out"}
	}
	for _, x := range long.Items(t, []struct {
		core  adapter.Core
		notes []string
		named []string // what is said against the core
	}{
		{core(zeros(addresses)), named("a0.x, a0.y, aL"), nil},
		{core(zeros(pica.RegCCX | pica.RegCCY)), named("cc.x, cc.y"), nil},
		{core(zeros(pica.RegTemporaries)), named("r0 to r15"), nil},
		{core(func(a *adapter.Answer) { a.Unreported = addresses; zeros(addresses)(a) }), named("a0.x, a0.y, aL"), nil},
		{core(zeros(pica.RegAL | pica.RegCCX | 0xFF02)), named("r1, r8 to r15, aL, cc.x"), nil},
		{core(func(a *adapter.Answer) { // registers are 0 in some answers only
			if len(a.Outcome.Vertices) > 0 && a.Outcome.Vertices[0].AL > 1 {
				zeros(addresses)(a)
			}
		}), nil, []string{"wrong against console: loop: address register"}},
		{core(zeros(addresses), func(r *oracle.Rules) {
			loop := r.Flow.LOOP
			r.Flow.LOOP = func(c *oracle.Control, target int, p oracle.Passes) {
				p.Step = 1
				loop(c, target, p)
			}
		}), named("a0.x, a0.y, aL"), []string{"wrong against console: step-is-one"}},
	}, 1) {
		r, err := conform.Run(t.Context(), x.core, conform.Options{Suites: suites(), Cases: 200, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if found := accusations(r); !slices.Equal(r.Notes, x.notes) || !reflect.DeepEqual(found, x.named) {
			t.Errorf("notes %q, want %q; entries %q, want %q", r.Notes, x.notes, found, x.named)
		}
	}
}
