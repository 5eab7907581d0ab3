package cli

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/internal/safetext"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/show"
)

// register is a uniform or an input: class c, i, b or v, and number.
type register struct {
	class byte
	n     int
}

func (r register) String() string { return fmt.Sprintf("%c%d", r.class, r.n) }

// registerSet is a set of uniforms and inputs.
type registerSet map[register]bool

func (s registerSet) add(class byte, first, count int) {
	for n := first; n < first+count; n++ {
		s[register{class, n}] = true
	}
}

// givenBy returns the integer and boolean constants of a shader.
func givenBy(shader *pica.Shader) registerSet {
	s := registerSet{}
	for n := range shader.Ints {
		s.add('i', n, 1)
	}
	for n := range shader.Bools {
		s.add('b', n, 1)
	}
	return s
}

// givenByJob returns the uniforms of a job file, float uniforms aside. A job states every integer and boolean uniform.
func givenByJob() registerSet {
	s := registerSet{}
	s.add('i', 0, pica.NumInts)
	s.add('b', 0, pica.NumBools)
	return s
}

// inputMask is the set of input registers that a vertex has; bit n stands for vn.
type inputMask uint16

// inputsOf returns the input registers of each vertex of a job file.
func inputsOf(job *pica.Job) []inputMask {
	masks := make([]inputMask, len(job.Vertices))
	for i := range masks {
		masks[i] = 1<<len(job.Vertices[i]) - 1
	}
	return masks
}

// with returns the set and the input registers that each of some vertices has.
func (s registerSet) with(vertices ...inputMask) registerSet {
	all := inputMask(1<<pica.NumInputs - 1)
	for _, mask := range vertices {
		all &= mask
	}
	s = maps.Clone(s)
	for n := range pica.NumInputs {
		s[register{'v', n}] = all>>n&1 != 0
	}
	return s
}

// addUploads adds the float uniforms that a job uploads, and b15 of a geometry program, which the console sets.
func (s registerSet) addUploads(job *pica.Job) {
	for _, u := range job.Floats {
		s.add('c', u.Register, len(u.Values))
	}
	if job.Stage == pica.Geometry {
		s.add('b', pica.NumBools-1, 1)
	}
}

// notGiven runs a job and returns the uniforms that it reads and that neither given nor an upload sets, and the
// inputs that it reads and that are not given.
func notGiven(job *pica.Job, shader *pica.Shader, given registerSet) (uniforms, inputs []show.Registers, err error) {
	read, err := registersRead(job)
	if err != nil {
		return nil, nil, err
	}
	given.addUploads(job)
	for r, yes := range given {
		if yes {
			delete(read, r)
		}
	}
	return ranges(read, "cib", shader.Uniforms), ranges(read, "v", shader.Inputs), nil
}

// registersRead runs a job and returns the uniforms and inputs on which results or conditions of executed
// instructions depend.
func registersRead(job *pica.Job) (registerSet, error) {
	read := registerSet{}
	runs, err := impl.Traces(job)
	if err != nil {
		return nil, err
	}
	for _, steps := range runs {
		for s := range steps {
			if s.Trap.Cause == pica.TrapNone && !s.Skipped {
				read.addStep(s)
			}
		}
	}
	return read, nil
}

// addStep adds what an instruction reads.
func (s registerSet) addStep(step *pica.Step) {
	op := pica.OpcodeOf(step.Word)
	for k, n := range step.Registers[:pica.Opcodes[op].Sources] {
		switch {
		case step.Needed[k] == 0 || n < 0:
		case n < pica.SourceTemporary:
			s.add('v', int(n), 1)
		case n >= pica.SourceUniform:
			s.add('c', int(n)-pica.SourceUniform, 1)
		}
	}
	info := &pica.Opcodes[op]
	switch {
	case info.Flow == pica.FlowLoop:
		s.add('i', int(info.Layout.Int.Get(step.Word)), 1)
	case info.Condition >= pica.OnUniform:
		s.add('b', int(info.Layout.Bool.Get(step.Word)), 1)
	}
}

// ranges lists the registers of a set in the order of classes. Neighbours of one symbol are one range.
func ranges(set registerSet, classes string, symbols []pica.Symbol) []show.Registers {
	list := make([]register, 0, len(set))
	for r := range set {
		if strings.IndexByte(classes, r.class) >= 0 {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b register) int {
		order := func(r register) int { return strings.IndexByte(classes, r.class) }
		return cmp.Or(cmp.Compare(order(a), order(b)), cmp.Compare(a.n, b.n))
	})
	out := []show.Registers{}
	for i, r := range list {
		name := nameOf(symbols, r)
		if i > 0 && list[i-1] == (register{r.class, r.n - 1}) && out[len(out)-1].Name == name {
			out[len(out)-1].Last = r.String()
			continue
		}
		out = append(out, show.Registers{Name: name, First: r.String(), Last: r.String()})
	}
	return out
}

// nameOf returns the first name that the symbols give a register; it may be empty.
func nameOf(symbols []pica.Symbol, r register) string {
	for _, s := range symbols {
		if s.Class == r.class && s.First <= r.n && r.n <= s.Last {
			return s.Name
		}
	}
	return ""
}

// notGivenText prints the registers without a value.
func notGivenText(w io.Writer, r *show.Run) {
	for _, row := range []struct {
		words string
		list  []show.Registers
	}{{"read and never set", r.NeverSet}, {"read without a value", r.WithoutValue}} {
		var texts []string
		for _, x := range row.list {
			texts = append(texts, safetext.Line(x.String()))
		}
		if texts != nil {
			fmt.Fprintf(w, "%s: %s\n", row.words, strings.Join(texts, ", "))
		}
	}
}
