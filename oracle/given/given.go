package given

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/show"
)

// Register is a uniform or an input.
type Register struct {
	Class byte // 'c', 'i', 'b' or 'v'
	N     int
}

func (r Register) String() string { return fmt.Sprintf("%c%d", r.Class, r.N) }

// Set is a set of uniforms and inputs that have a value.
type Set map[Register]bool

// Add adds count registers of a class from the first on.
func (s Set) Add(class byte, first, count int) {
	for n := first; n < first+count; n++ {
		s[Register{class, n}] = true
	}
}

// By returns the integer and boolean constants of a shader.
func By(shader *pica.Shader) Set {
	s := Set{}
	for n := range shader.Ints {
		s.Add('i', n, 1)
	}
	for n := range shader.Bools {
		s.Add('b', n, 1)
	}
	return s
}

// ByJob returns the uniforms of a job file, float uniforms aside. A job states every integer and boolean uniform.
func ByJob() Set {
	s := Set{}
	s.Add('i', 0, pica.NumInts)
	s.Add('b', 0, pica.NumBools)
	return s
}

// Inputs returns the input registers that each vertex of a job file has; bit n stands for vn.
func Inputs(job *pica.Job) []uint16 {
	masks := make([]uint16, len(job.Vertices))
	for i := range masks {
		masks[i] = 1<<len(job.Vertices[i]) - 1
	}
	return masks
}

// With returns the set and the input registers that each of some vertices has.
func (s Set) With(vertices ...uint16) Set {
	all := uint16(1<<pica.NumInputs - 1)
	for _, mask := range vertices {
		all &= mask
	}
	s = maps.Clone(s)
	for n := range pica.NumInputs {
		s[Register{'v', n}] = all>>n&1 != 0
	}
	return s
}

// AddUploads adds the float uniforms that a job uploads, and b15 of a geometry program, which the console sets.
func (s Set) AddUploads(job *pica.Job) {
	for _, u := range job.Floats {
		s.Add('c', u.Register, len(u.Values))
	}
	if job.Stage == pica.Geometry {
		s.Add('b', pica.NumBools-1, 1)
	}
}

// Missing runs a job and returns the uniforms that it reads and that neither given nor an upload sets, and the
// inputs that it reads and that are not given.
func Missing(job *pica.Job, shader *pica.Shader, given Set) (uniforms, inputs []show.Registers, err error) {
	read, err := registersRead(job)
	if err != nil {
		return nil, nil, err
	}
	given.AddUploads(job)
	for r, yes := range given {
		if yes {
			delete(read, r)
		}
	}
	return ranges(read, "cib", shader.Uniforms), ranges(read, "v", shader.Inputs), nil
}

// registersRead runs a job and returns the uniforms and inputs on which results or conditions of executed
// instructions depend.
func registersRead(job *pica.Job) (Set, error) {
	read := Set{}
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
func (s Set) addStep(step *pica.Step) {
	op := pica.OpcodeOf(step.Word)
	for k, n := range step.Registers[:pica.Opcodes[op].Sources] {
		switch {
		case step.Needed[k] == 0 || n < 0:
		case n < pica.SourceTemporary:
			s.Add('v', int(n), 1)
		case n >= pica.SourceUniform:
			s.Add('c', int(n)-pica.SourceUniform, 1)
		}
	}
	info := &pica.Opcodes[op]
	switch {
	case info.Flow == pica.FlowLoop:
		s.Add('i', int(info.Layout.Int.Get(step.Word)), 1)
	case info.Condition >= pica.OnUniform:
		s.Add('b', int(info.Layout.Bool.Get(step.Word)), 1)
	}
}

// ranges lists the registers of a set in the order of classes. Neighbours of one symbol are one range.
func ranges(set Set, classes string, symbols []pica.Symbol) []show.Registers {
	list := make([]Register, 0, len(set))
	for r := range set {
		if strings.IndexByte(classes, r.Class) >= 0 {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b Register) int {
		order := func(r Register) int { return strings.IndexByte(classes, r.Class) }
		return cmp.Or(cmp.Compare(order(a), order(b)), cmp.Compare(a.N, b.N))
	})
	out := []show.Registers{}
	for i, r := range list {
		name := nameOf(symbols, r)
		if i > 0 && list[i-1] == (Register{r.Class, r.N - 1}) && out[len(out)-1].Name == name {
			out[len(out)-1].Last = r.String()
			continue
		}
		out = append(out, show.Registers{Name: name, First: r.String(), Last: r.String()})
	}
	return out
}

// nameOf returns the first name that the symbols give a register; it may be empty.
func nameOf(symbols []pica.Symbol, r Register) string {
	for _, s := range symbols {
		if s.Class == r.Class && s.First <= r.N && r.N <= s.Last {
			return s.Name
		}
	}
	return ""
}
