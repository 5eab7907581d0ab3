package fingerprint

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/pica"
)

// Lacks are the opcodes that a core refuses or dies of, and the stages that it refuses, as its answers to
// the probes show them. They depend on no other question.
//
// A core may refuse an opcode in a way that no model has: where a path may lead, or in one stage. So a
// refusal of a program with such an opcode says nothing about other questions.
type Lacks struct {
	List     []Lack
	executed map[*Dimension]bool  // the core executes or skips the opcodes
	reached  map[*Dimension][]int // the numbers of the answers to programs that reach an opcode
	refused  [2]uint64            // by stage; bit n is set for a refused opcode n
	deadly   uint64               // the same for opcodes that the core dies of, in every stage
	stages   int                  // the answer to the question; -1 if it is unknown
}

// A Lack is the answer to the question about an opcode that a core refuses or dies of.
type Lack struct {
	Dimension *Dimension
	Support   pica.Support // SupportAbort or SupportPresent
	Deadly    bool         // the core dies
	Answer    int          // the number of an answer that shows it
}

// Numbers lists the numbers of the opcodes that the core refuses, by stage, and of those of which it dies.
func (l *Lacks) Numbers() (refused [2][]int, deadly []int) {
	list := func(set uint64) []int {
		numbers := []int{}
		for ; set != 0; set &= set - 1 {
			numbers = append(numbers, bits.TrailingZeros64(set))
		}
		return numbers
	}
	return [2][]int{list(l.refused[0]), list(l.refused[1])}, list(l.deadly)
}

// LacksOf returns the lacks that another run has found, without the answers that show them.
func LacksOf(refused [2][]int, deadly []int) *Lacks {
	set := func(numbers []int) (set uint64) {
		for _, n := range numbers {
			set |= 1 << n
		}
		return set
	}
	return &Lacks{refused: [2]uint64{set(refused[0]), set(refused[1])}, deadly: set(deadly)}
}

// A reaction is what a core does with the programs of a probe.
type reaction uint8

const (
	silent  reaction = iota // no answer that says anything
	runs                    // it runs some of them, if only to hang
	refuses                 // it refuses all of them
	dies                    // it dies of all of them
)

// reactions are the reactions to one program, by the end of its run.
var reactions = [view.NumEnds]reaction{view.Ended: runs, view.Trapped: runs, view.Hung: runs,
	view.Refused: refuses, view.Unpredictable: refuses, view.Crashed: dies}

// lacksOf finds the lacks in answers.
func lacksOf(answers []Answer) *Lacks {
	l := &Lacks{executed: map[*Dimension]bool{}, reached: map[*Dimension][]int{}, stages: -1}
	byProgram := map[string]int{}
	for i := range answers {
		byProgram[programOf(answers[i].Job)] = i
	}
	type question struct {
		dim   *Dimension
		stage pica.Stage
	}
	asked := map[question][]probe{}
	var order []question
	for _, p := range probes() {
		q := question{p.dim, p.job.Stage}
		if asked[q] == nil {
			order = append(order, q)
		}
		asked[q] = append(asked[q], p)
	}
	// What a program says about its opcode depends on its stage and its other opcodes.
	depends := func(q question) int {
		if q.dim.opcodes == nil {
			return -1
		}
		return len(asked[q][0].helpers)
	}
	slices.SortStableFunc(order, func(a, b question) int { return cmp.Compare(depends(a), depends(b)) })
	for _, q := range order {
		if q.stage == pica.Geometry && q.dim.opcodes != nil && l.stages != 0 {
			continue
		}
		var does [2]reaction // behind END, reached
		var shown [2]int
		for _, p := range asked[q] {
			i, answered := byProgram[programOf(p.job)]
			if !answered || slices.ContainsFunc(p.helpers, l.has) || p.reached && l.forbidden(q.dim, q.stage) {
				continue
			}
			k := 0
			if p.reached {
				k = 1
				l.reached[q.dim] = append(l.reached[q.dim], i)
			}
			if now := reactions[answers[i].Got.End]; does[k] == silent {
				does[k], shown[k] = now, i
			} else if now != silent && now != does[k] {
				does[k] = runs
			}
		}
		l.add(q.dim, q.stage, does[0], does[1], shown)
	}
	return l
}

// programOf identifies the program of a job.
func programOf(job *pica.Job) string {
	const longest = 8
	if len(job.Code) > longest || job.Bools != 0 || len(job.Vertices) != 1 {
		return ""
	}
	b := []byte{byte(job.Stage)}
	for _, w := range job.Code {
		b = append(b, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
	}
	return string(b)
}

// add adds what the probes of a question in a stage say: the reactions to the opcode behind END, and to the
// opcode that is reached.
func (l *Lacks) add(dim *Dimension, stage pica.Stage, present, reached reaction, shown [2]int) {
	lack := Lack{Dimension: dim, Support: pica.SupportPresent, Deadly: present == dies, Answer: shown[0]}
	switch {
	case dim.opcodes == nil && reached == runs:
		l.stages = 0
		return
	case dim.opcodes == nil && reached == refuses:
		l.stages = 1
		return
	case dim.opcodes == nil:
		return
	case present >= refuses && (reached >= refuses || reached == silent):
	case reached >= refuses:
		lack.Support, lack.Deadly, lack.Answer = pica.SupportAbort, reached == dies, shown[1]
	default:
		if reached == runs {
			l.executed[dim] = true
		}
		return
	}
	first := stagesOf(dim.opcodes[0])[0]
	for _, op := range dim.opcodes {
		switch {
		case lack.Deadly:
			l.deadly |= 1 << op
		case stage == first:
			l.refused[pica.Vertex] |= 1 << op
			l.refused[pica.Geometry] |= 1 << op
		default:
			l.refused[stage] |= 1 << op
		}
	}
	if stage == first || l.stages != 0 {
		l.List = append(l.List, lack)
	}
}

// forbidden reports whether the core has a geometry stage and the opcodes belong to it alone. What a vertex
// program with one of them does is then a question of its own.
func (l *Lacks) forbidden(dim *Dimension, stage pica.Stage) bool {
	return dim.opcodes != nil && stage != stagesOf(dim.opcodes[0])[0] && l.stages != 1
}

// has reports whether the core refuses or dies of an opcode.
func (l *Lacks) has(op pica.Opcode) bool {
	return (l.refused[pica.Vertex]|l.refused[pica.Geometry]|l.deadly)>>op&1 != 0
}

// Deadly reports whether the core dies of an opcode.
func (l *Lacks) Deadly(op pica.Opcode) bool { return l != nil && l.deadly>>op&1 != 0 }

// Excuses reports whether the core lacks an opcode of a program in such a way that the program may end like
// this: it is refused, or the core dies.
func (l *Lacks) Excuses(job *pica.Job, end view.End) bool {
	if l == nil {
		return false
	}
	var set uint64
	switch reactions[end] {
	case refuses:
		set = l.refused[job.Stage]
	case dies:
		set = l.deadly
	}
	return set>>behind&1 != 0 || set != 0 &&
		slices.ContainsFunc(job.Code, func(w uint32) bool { return set>>pica.OpcodeOf(w)&1 != 0 })
}

// without returns a job with NOP in the place of the opcodes that the core lacks, the job itself if there are
// none.
func (l *Lacks) without(job *pica.Job) *pica.Job {
	lacking := func(w uint32) bool { return l.has(pica.OpcodeOf(w)) }
	if l.has(pica.NOP) || !slices.ContainsFunc(job.Code, lacking) {
		return job
	}
	c := *job
	c.Code = slices.Clone(job.Code)
	for k, w := range c.Code {
		if lacking(w) {
			c.Code[k] = uint32(pica.NOP) << 26
		}
	}
	return &c
}

// apply returns a profile with these lacks. A model has no deaths: it executes the opcode.
func (l *Lacks) apply(p pica.Profile) pica.Profile {
	for d := range Dimensions {
		dim := &Dimensions[d]
		switch v := pica.Support(dim.Get(&p)); {
		case dim.Name == "stages" && l.stages >= 0 && l.stages != dim.Get(&p):
			dim.set(&p, l.stages)
		case l.executed[dim] && (v == pica.SupportAbort || v == pica.SupportPresent):
			dim.set(&p, int(pica.SupportRun))
		}
	}
	for _, lack := range l.List {
		support := lack.Support
		if lack.Deadly {
			support = pica.SupportRun
		}
		lack.Dimension.set(&p, int(support))
	}
	return p
}

// excludes reports whether a value is no answer to a question.
func (l *Lacks) excludes(dim *Dimension, value int) bool {
	if dim.Name == "stages" {
		return l.stages >= 0
	}
	v := pica.Support(value)
	return slices.ContainsFunc(l.List, func(lack Lack) bool { return lack.Dimension == dim }) ||
		l.executed[dim] && (v == pica.SupportAbort || v == pica.SupportPresent)
}
