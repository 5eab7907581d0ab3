package properties_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
	"github.com/picaproof/picaproof/pica/lint"
)

// TestLintIsTrue runs generated programs: no run comes to a word that is reported as unreachable (PICA005), and none
// reads a component that is reported as overwritten before it is read (PICA010).
func TestLintIsTrue(t *testing.T) {
	const seed = 1
	hw, err := profile.Parse("hw")
	if err != nil {
		t.Fatal(err)
	}
	var g gen.Generator
	unreachable, overwritten := 0, 0
	for _, mode := range gen.Modes {
		for n := range long.Numbers(t, 1000, long.Few(200, 80)) {
			job := g.Job(gen.Seed(seed, uint64(n)), mode)
			job.Budget, job.Profile = 5000, hw
			claims := claimsOf(job)
			unreachable, overwritten = unreachable+len(claims.unreachable), overwritten+len(claims.overwritten)
			steps, err := impl.Trace(job, 0)
			if err != nil {
				t.Fatal(err)
			}
			var unread temporaries // what no step may read before another one writes it
			for step := range steps {
				if claims.unreachable[step.PC] {
					t.Fatalf("mode %s, seed %d, job %d: word %d runs and is reported as unreachable", mode, seed, n, step.PC)
				}
				if step.Skipped || step.Trap.Cause != pica.TrapNone {
					continue
				}
				for k, register := range step.Registers {
					r := int(register) - pica.SourceTemporary
					if r >= 0 && r < pica.NumTemporaries && unread[r]&components(step, k) != 0 {
						t.Fatalf("mode %s, seed %d, job %d: word %d reads r%d, which is reported as overwritten before",
							mode, seed, n, step.PC, r)
					}
				}
				i := decode.Decode(step.Word)
				if r := int(i.Dest) - pica.NumOutputs; pica.Opcodes[i.Op].Writes&pica.WritesDest != 0 && r >= 0 {
					unread[r] = unread[r]&^step.Written | claims.overwritten[step.PC][r]&step.Written
				}
			}
		}
	}
	if t.Logf("%d words unreachable, %d overwritten", unreachable, overwritten); unreachable < 100 || overwritten < 100 {
		t.Error("too few findings")
	}
}

// components returns the components of its register on which an operand depends, bit 3 = x.
func components(step *pica.Step, operand int) (set uint8) {
	for lane := range 4 {
		if step.Needed[operand]&(8>>lane) != 0 {
			set |= 8 >> pica.Descriptor(step.Descriptor).Selector(operand, lane)
		}
	}
	return set
}

// temporaries holds components of each temporary, bit 3 = x.
type temporaries [pica.NumTemporaries]uint8

// claims is what lint says about words of a program.
type claims struct {
	unreachable map[int]bool
	overwritten map[int]temporaries
}

var (
	wordRange = regexp.MustCompile(`^words? (\d+)(?: to (\d+))? (?:is|are) unreachable$`)
	named     = regexp.MustCompile(`r(\d+)\.([xyzw]+)`)
)

func claimsOf(job *pica.Job) claims {
	c := claims{map[int]bool{}, map[int]temporaries{}}
	s := pica.Shader{Program: job.Program, Entry: job.Entry, Stage: job.Stage}
	for _, f := range lint.Check([]pica.Shader{s}) {
		switch f.Rule {
		case "PICA005":
			m := wordRange.FindStringSubmatch(f.Message)
			first, _ := strconv.Atoi(m[1])
			last, err := strconv.Atoi(m[2])
			if err != nil {
				last = first
			}
			for pc := first; pc <= last; pc++ {
				c.unreachable[pc] = true
			}
		case "PICA010":
			var list temporaries
			for _, m := range named.FindAllStringSubmatch(f.Message, -1) {
				r, _ := strconv.Atoi(m[1])
				for _, letter := range m[2] {
					list[r] |= 8 >> strings.IndexRune("xyzw", letter)
				}
			}
			c.overwritten[f.PC] = list
		}
	}
	return c
}
