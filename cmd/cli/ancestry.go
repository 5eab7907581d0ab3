package cli

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/oracle/ancestry"
	"github.com/picaproof/picaproof/oracle/given"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// ancestry prints for each vertex what fed a component of an output. values is the set of uniforms that have a value,
// uploads aside, and masks has the inputs of each vertex.
func (a *app) ancestry(job *pica.Job, shader *pica.Shader, values given.Set, masks []uint16,
	component string) error {
	output, lane, err := given.Component(shader, component)
	if err != nil {
		return fmt.Errorf("--ancestry %q: %w", component, err)
	}
	values.AddUploads(job)
	reports := []given.Ancestry{}
	for vertex := range job.Vertices {
		found, err := ancestry.Of(job, vertex, output, lane)
		switch {
		case errors.Is(err, pica.ErrUnsupportedProfile):
			return fmt.Errorf("--profile %s: the oracle does not implement it for --ancestry", job.Profile.Name)
		case errors.Is(err, ancestry.ErrNotEnded):
			return failure{err.Error()}
		case err != nil:
			return err
		}
		r := given.Name(job, shader, values.With(masks[vertex]), found)
		r.Vertex, r.Component = vertex, fmt.Sprintf("o%d.%c", output, "xyzw"[lane])
		reports = append(reports, r)
	}
	return a.result(reports, false, func(w io.Writer, _ palette) {
		for i := range reports {
			ancestryText(w, &reports[i], job)
		}
	})
}

// ancestryText prints the list of members, and the program with a mark and the number of executions at each member.
func ancestryText(w io.Writer, r *given.Ancestry, job *pica.Job) {
	fmt.Fprintf(w, "vertex %d: %s came from %s\n", r.Vertex, r.Component, plural(len(r.Steps), "executed instruction"))
	for _, group := range []struct {
		name string
		list []given.Source
	}{{"inputs", r.Inputs}, {"uniforms", r.Uniforms}, {"constants of the file", r.Constants}} {
		if len(group.list) == 0 {
			continue
		}
		names := make([]string, len(group.list))
		for k, s := range group.list {
			names[k] = s.String()
		}
		fmt.Fprintf(w, "  %s: %s\n", group.name, strings.Join(names, ", "))
	}
	if len(r.Initial) > 0 {
		fmt.Fprintf(w, "  from before the run: %s\n", strings.Join(r.Initial, ", "))
	}
	last := len(job.Code) - 1
	if pcs := slices.Sorted(maps.Keys(r.Words)); len(pcs) > 0 {
		last = max(last, pcs[len(pcs)-1])
	}
	for pc := range last + 1 {
		word, mark := uint32(0), ""
		if pc < len(job.Code) {
			word = job.Code[pc]
		}
		if n := r.Words[pc]; n == 1 {
			mark = "*"
		} else if n > 1 {
			mark = fmt.Sprintf("* %d times", n)
		}
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%4d  %-40s %s", pc, asm.Format(word, job.Descriptors), mark), " "))
	}
}
