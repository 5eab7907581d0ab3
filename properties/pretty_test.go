package properties_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// TestPrettyTextMeansTheSame executes generated programs and what the default
// dialect makes of their pretty text.
func TestPrettyTextMeansTheSame(t *testing.T) {
	const seed = 1
	var g gen.Generator
	n := uint64(300)
	if testing.Short() {
		n = 30
	}
	for _, mode := range gen.Modes {
		for k := range n {
			job := g.Job(gen.Seed(seed, k), mode)
			job.Budget = 5000
			s := pica.Shader{Program: job.Program, Entry: job.Entry, Stage: job.Stage}
			var text strings.Builder
			if err := asm.Disassemble(&text, &s, asm.Options{Structured: true, Pretty: true}); err != nil {
				t.Fatal(err)
			}
			a, err := asm.Assemble([]asm.Source{{Name: "pretty", Text: text.String()}}, asm.AssembleOptions{})
			if err != nil {
				t.Fatalf("%s, case %d of seed %d: %v\n%s", mode, k, seed, err, text.String())
			}
			again := *job
			again.Program, again.Entry = a.Program, a.Entries[0].First
			var want, got pica.Outcome
			if err := impl.New().Run(job, &want); err != nil {
				t.Fatal(err)
			}
			if err := impl.New().Run(&again, &got); err != nil {
				t.Fatal(err)
			}
			if verdict, d := compare.Outcomes(&want, &got); verdict == compare.Differ {
				t.Fatalf("%s, case %d of seed %d: %v\n%s", mode, k, seed, d, text.String())
			}
		}
	}
}

// TestHalfOfProgramsAreStructured: the structured text of at least half of the
// programs has no target but those of its scopes. The others jump, or their
// scopes cross.
func TestHalfOfProgramsAreStructured(t *testing.T) {
	const seed = 1
	var g gen.Generator
	structured, all := 0, 0
	for _, mode := range []gen.Mode{gen.Flow, gen.Mixed, gen.Geometry} {
		for k := range uint64(200) {
			job := g.Job(gen.Seed(seed, k), mode)
			s := pica.Shader{Program: job.Program, Entry: job.Entry, Stage: job.Stage}
			var text strings.Builder
			if err := asm.Disassemble(&text, &s, asm.Options{Structured: true}); err != nil {
				t.Fatal(err)
			}
			all++
			explicit := slices.ContainsFunc(strings.Split(text.String(), "\n"), func(line string) bool {
				word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
				switch word {
				case "loop", "jmpc", "jmpu":
					return true
				case "ifc", "ifu", "call", "callc", "callu":
					return strings.Contains(rest, ", L") || strings.HasPrefix(rest, "L")
				}
				return false
			})
			if !explicit {
				structured++
			}
		}
	}
	if structured < all/2 {
		t.Errorf("seed %d: %d of %d programs have no explicit target", seed, structured, all)
	}
}
