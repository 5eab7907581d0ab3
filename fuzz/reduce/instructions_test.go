package reduce

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/picaproof/picaproof/pica"
)

// TestInstructionsLackNoProgram: dropping runs of words makes the programs that dropping each run would make.
func TestInstructionsLackNoProgram(t *testing.T) {
	const seed = 1
	r, fewer := rand.New(rand.NewPCG(seed, 0)), false
	for range 300 {
		job := &pica.Job{Program: pica.Program{Code: make([]uint32, 1+r.IntN(24))}}
		job.Entry = r.IntN(len(job.Code))
		for at := range job.Code {
			switch job.Code[at] = nop; r.IntN(6) {
			case 0:
				job.Code[at] = pica.JMPU.Layout().Dst.Put(uint32(pica.JMPU)<<26, uint32(r.IntN(len(job.Code)+1)))
			case 1:
				job.Code[at] = uint32(pica.END) << 26
			}
		}
		made := map[string]bool{}
		program := func(c *pica.Job) string { return fmt.Sprintf("%08x %d", c.Code, c.Entry) }
		list := instructions(job)
		for _, e := range list {
			if c, ok := e(); ok {
				made[program(c)] = true
			}
		}
		from := r.IntN(len(list) + 1) // after a success, a search goes on in the middle
		rest, k := instructions(job)[from:], 0
		chunks(droppable(job), func(a, b int) {
			c, ok := without(job, span{a, b})()
			if ok && !made[program(c)] {
				t.Fatalf("seed %d: %08x: the program without %d to %d is missing", seed, job.Code, a, b)
			}
			if k++; k == from+1 {
				if first, made := rest[0](); made != ok || ok && program(first) != program(c) {
					t.Fatalf("seed %d: %08x: edit %d is left out", seed, job.Code, from)
				}
			} else if k > from+1 {
				_, made := rest[k-1-from]()
				fewer = fewer || ok && !made
			}
		})
	}
	if !fewer {
		t.Error("no run was left out")
	}
}
