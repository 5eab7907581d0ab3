package properties_test

import (
	"slices"
	"testing"

	"github.com/leanovate/gopter"
	gopgen "github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/vm"
	"github.com/picaproof/picaproof/properties/arb"
)

// salted checks a property of jobs that draws choices of its own.
func salted(t *testing.T, runs int, models gopter.Gen, judgement func(c *gen.Choices, job *pica.Job) error) {
	t.Helper()
	check(t, runs, prop.ForAll(func(j arb.Job, salt uint64) (string, error) {
		return "", judgement(gen.From(gen.Seed(salt, 0)), j.Job)
	}, models, gopgen.UInt64()))
}

// TestVMIsTheOracle: bit for bit, in every mode and profile.
func TestVMIsTheOracle(t *testing.T) {
	reference, engine := impl.New(), vm.New()
	for _, p := range profiles {
		for _, mode := range gen.Modes {
			t.Run(p.Name+"/"+string(mode), func(t *testing.T) {
				holds(t, 300, arb.Jobs([]gen.Mode{mode}, p), func(j arb.Job) error {
					want, err := outcome(reference, j.Job)
					if err != nil {
						return err
					}
					got, err := outcome(engine, j.Job)
					if err != nil {
						return err
					}
					return same(j.Job, want, got)
				})
			})
		}
	}
}

// TestRunsLeaveNothingBehind: a job has the same outcome whatever the engine has run before,
// and the same as on a new engine.
func TestRunsLeaveNothingBehind(t *testing.T) {
	for _, make := range engines {
		engine := make()
		t.Run(engine.Name(), func(t *testing.T) {
			var before *pica.Job
			var first *pica.Outcome
			holds(t, 1500, jobs, func(j arb.Job) error {
				got, err := outcome(engine, j.Job)
				if err != nil {
					return err
				}
				want, err := outcome(make(), j.Job)
				if err != nil {
					return err
				}
				if err := same(j.Job, want, got); err != nil {
					return err
				}
				if before != nil {
					again, err := outcome(engine, before)
					if err != nil {
						return err
					}
					if err := same(before, first, again); err != nil {
						return err
					}
				}
				before, first = j.Job, got
				return nil
			})
		})
	}
}

// TestBatchesAreSingleVertices: if nothing is kept, the vertices of a job have the same
// outcomes as each alone. Every geometry run sets b15.
func TestBatchesAreSingleVertices(t *testing.T) {
	ofEngines(t, func(t *testing.T, engine pica.Engine) {
		holds(t, 1000, jobs, func(j arb.Job) error {
			batch := *j.Job
			batch.Keep = false
			all, err := outcome(engine, &batch)
			if err != nil {
				return err
			}
			for k := range batch.Vertices {
				one := batch
				one.Vertices = batch.Vertices[k : k+1]
				if k > 0 && one.Stage == pica.Geometry {
					one.Bools |= 1 << 15
				}
				alone, err := outcome(engine, &one)
				if err != nil {
					return err
				}
				part := pica.Outcome{Storage: all.Storage, Vertices: all.Vertices[k : k+1], Bools: alone.Bools}
				if err := same(&one, alone, &part); err != nil {
					return err
				}
				if k == len(batch.Vertices)-1 && alone.Bools != all.Bools {
					return failure(&batch, "b0-b15: got %04x, want %04x", all.Bools, alone.Bools)
				}
			}
			return nil
		})
	})
}

// TestUploadsMayBeSplit: uploads give the same registers as a whole, one register at a time,
// or without the values that later uploads overwrite.
func TestUploadsMayBeSplit(t *testing.T) {
	ofEngines(t, func(t *testing.T, engine pica.Engine) {
		holds(t, 1000, jobs, func(j arb.Job) error {
			want, err := outcome(engine, j.Job)
			if err != nil {
				return err
			}
			split, merged := *j.Job, *j.Job
			split.Floats = singles(j.Floats)
			merged.Floats = visible(split.Floats)
			for _, other := range []*pica.Job{&split, &merged} {
				got, err := outcome(engine, other)
				if err != nil {
					return err
				}
				if err := same(j.Job, want, got); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// singles returns uploads as uploads of one register each.
func singles(uploads []pica.Upload) (list []pica.Upload) {
	for _, u := range uploads {
		for k := range u.Values {
			list = append(list, pica.Upload{Register: u.Register + k, Format: u.Format, Values: u.Values[k : k+1]})
		}
	}
	return list
}

// visible returns the last upload of each register, in another order.
func visible(uploads []pica.Upload) (list []pica.Upload) {
	for _, u := range slices.Backward(uploads) {
		if !slices.ContainsFunc(list, func(v pica.Upload) bool { return v.Register == u.Register }) {
			list = append(list, u)
		}
	}
	return list
}

// TestBudgetsArePrefixes: a run with budget k stops in a state from which the instruction at
// its pc alone leads to the state of a run with budget k+1.
func TestBudgetsArePrefixes(t *testing.T) {
	ofEngines(t, func(t *testing.T, engine pica.Engine) {
		salted(t, 1500, jobs, func(c *gen.Choices, job *pica.Job) error {
			one := *job
			one.Vertices = one.Vertices[:min(1, len(one.Vertices))]
			if len(one.Vertices) == 0 {
				return nil
			}
			whole, err := outcome(engine, &one)
			if err != nil {
				return err
			}
			total := whole.Vertices[0].Steps
			if total < 2 {
				return nil
			}
			one.Budget = 1 + c.Below(min(total-1, 100))
			short, err := outcome(engine, &one)
			if err != nil {
				return err
			}
			one.Budget++
			long, err := outcome(engine, &one)
			if err != nil {
				return err
			}
			a, b := &short.Vertices[0], &long.Vertices[0]
			if a.Trap.Cause != pica.TrapBudget || a.Steps != one.Budget-1 || b.Steps != one.Budget {
				return failure(&one, "stopped after %d and %d instructions: %v, %v", a.Steps, b.Steps, a.Trap, b.Trap)
			}
			word := uint32(0)
			if pc := a.Trap.PC; pc < len(one.Code) {
				word = one.Code[pc]
			}
			if what := beyond(word, descriptorOf(&one, word), a, b); what != "" {
				return failure(&one, "instruction %d at %d changed %s", one.Budget, a.Trap.PC, what)
			}
			return nil
		})
	})
}

// beyond names the changes by a word that are no effect of its instruction. Effects are:
// writes under the mask of its descriptor, flags, address registers, the other bank of outputs
// after EMIT, and aL at the end of a scope, whatever closes it.
func beyond(word uint32, d pica.Descriptor, before, after *pica.VertexOutcome) string {
	op := pica.OpcodeOf(word)
	writes := pica.Opcodes[op].Writes
	a, b := before.State, after.State
	if writes&pica.WritesDest != 0 {
		dest := op.Layout().Dest.Get(word)
		old, now := &a.O[dest&15], &b.O[dest&15]
		if dest >= pica.DestTemporary {
			old, now = &a.R[dest&15], &b.R[dest&15]
		}
		for k := range old {
			if d.Mask()&(8>>k) != 0 {
				old[k] = now[k]
			}
		}
	}
	switch {
	case writes&pica.WritesEmit == 0 && a.O != b.O:
		return "an output"
	case a.R != b.R:
		return "a temporary"
	case writes&pica.WritesAddress == 0 && a.Address != b.Address:
		return "a0"
	case writes&pica.WritesCC == 0 && a.CC != b.CC:
		return "a condition flag"
	case !prefix(before.Primitives, after.Primitives) ||
		writes&pica.WritesEmit == 0 && len(before.Primitives) != len(after.Primitives):
		return "primitives"
	case !prefix(before.Skipped, after.Skipped) || !prefix(before.Hazards, after.Hazards):
		return "what was reported"
	}
	return ""
}

func prefix[T comparable](short, long []T) bool {
	return len(short) <= len(long) && slices.Equal(short, long[:len(short)])
}
