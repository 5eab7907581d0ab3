package conform

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// Leaks names the causes of the state that a core keeps from one request to the next.
func Leaks(ctx context.Context, core adapter.Core) (names []string) {
	s := &session{core: core}
	s.findLeaks(ctx)
	for _, l := range oneCache(s.leaks) {
		names = append(names, l.deviation(s).Bucket)
	}
	return names
}

// ProvenanceOf exports the provenance of a prediction that an answer contradicts.
var ProvenanceOf = provenanceOf

// Assembled exports the jobs of probes.
var Assembled = assembled

// Dependents names the places that depend on estimates after a program, "flow" if all may.
func Dependents(code string) string { return DependentsOf(code, 1, false)[0] }

// DependentsOf names these places for each of some vertices.
func DependentsOf(code string, vertices int, keep bool) (list []string) {
	job := under(assembled(code), profile.F24())
	job.Keep = keep
	job.Vertices = slices.Repeat([][]pica.Vec4{{{}}}, vertices)
	after, ok := newDependents(estimated).places(job)
	if !ok {
		return []string{"flow"}
	}
	for _, p := range after {
		var names []string
		for n := range p.R {
			if p.R[n] != 0 {
				names = append(names, fmt.Sprintf("r%d.%d", n, p.R[n]))
			}
		}
		for n := range p.O {
			if p.O[n] != 0 {
				names = append(names, fmt.Sprintf("o%d.%d", n, p.O[n]))
			}
		}
		for k, letter := range "xy" {
			if p.Address[k] {
				names = append(names, fmt.Sprintf("a0.%c", letter))
			}
			if p.CC[k] {
				names = append(names, fmt.Sprintf("cc.%c", letter))
			}
		}
		list = append(list, strings.Join(names, " "))
	}
	return list
}
