package compare

import (
	"slices"

	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// replies compares two outcomes, at least one of which is the answer of a core in another
// process. Nothing is expected of a run that traps.
func replies(want, got *pica.Outcome) (Verdict, Difference) {
	if want.Trapped() {
		return Undefined, Difference{}
	}
	if len(want.Vertices) != len(got.Vertices) {
		return Differ, difference(ClassShape, "vertices", len(want.Vertices), len(got.Vertices))
	}
	unreported, logged := pica.Registers(0), false
	for _, o := range []*pica.Outcome{want, got} {
		if o.Reply != nil {
			unreported |= o.Reply.Unreported
			logged = logged || len(o.Reply.Log) > 0
		}
	}
	var w, g pica.VertexOutcome
	for i := range want.Vertices {
		tell(&w, want, i)
		tell(&g, got, i)
		g.Take(unreported, &w.State)
		if d := vertex(pica.Float32, &w, &g); d.Class != ClassNone {
			d.Vertex = i
			if logged && !slices.ContainsFunc(want.Vertices, func(v pica.VertexOutcome) bool { return len(v.Skipped) > 0 }) {
				return NotComparable, d
			}
			return Differ, d
		}
	}
	return Equal, Difference{}
}

// tell reduces vertex number i of an outcome to the contents of an answer, in v.
func tell(v *pica.VertexOutcome, o *pica.Outcome, i int) {
	from := &o.Vertices[i]
	*v = pica.VertexOutcome{Trap: pica.Trap{Cause: from.Trap.Cause}}
	v.Address, v.AL, v.CC = from.Address, from.AL, from.CC
	tellBank(&v.O, &from.O, o.Storage)
	tellBank(&v.R, &from.R, o.Storage)
	v.Primitives = make([]pica.Primitive, len(from.Primitives))
	for k := range v.Primitives {
		v.Primitives[k].Inverted = from.Primitives[k].Inverted
		for slot := range v.Primitives[k].Vertices {
			tellBank(&v.Primitives[k].Vertices[slot], &from.Primitives[k].Vertices[slot], o.Storage)
		}
	}
}

// tellBank widens registers to float32; all NaNs become one.
func tellBank(to, from *[16]pica.Vec4, storage pica.NumberFormat) {
	const nan = 0x7FC00000
	for k := range from {
		for c, x := range from[k] {
			if x = storage.Widen(x); x<<1 > 0xFF000000 {
				x = nan
			}
			to[k][c] = x
		}
	}
}

// maxCuts is the largest number of instructions among which a difference is located.
const maxCuts = 4096

// cut is an instruction of a run whose successor has not been executed before, so that an
// END in place of the successor ends the run there.
type cut struct {
	step, next int
}

// locateByEnds finds the instruction after which a core in another process differs, by
// putting END in place of the next instruction.
func (p *Pair) locateByEnds(job *pica.Job, loc Location) (Location, error) {
	if job.Keep && loc.Vertex > 0 {
		return loc, nil
	}
	one := *job
	one.Vertices = job.Vertices[loc.Vertex : loc.Vertex+1]
	if err := p.begin(&one, job, loc.Vertex); err != nil {
		return loc, err
	}
	at := loc.Difference
	step, err := FirstStep(&one, func(short *pica.Job) (bool, error) {
		v, d, err := p.Run(short)
		if v == Differ && err == nil {
			at = d
		}
		return v == Differ, err
	})
	if err != nil || step < 0 {
		return loc, nil //nolint:nilerr // another failure of the core is no difference
	}
	return p.locatedAt(&one, loc, at, step)
}

// FirstStep returns the number of the instruction after which a job with one vertex, which differs, begins to
// differ: of the first one, if it differs from there on. It gives differs the job with END in the place of an
// instruction that has not been executed before. The number is -1 if these ends do not tell, because the
// instruction is in a loop or behind the last of them.
func FirstStep(one *pica.Job, differs func(short *pica.Job) (bool, error)) (int, error) {
	steps, err := impl.Trace(one, 0)
	if err != nil {
		return -1, err
	}
	var seen [pica.MaxCode]bool
	var cuts []cut
	for s := range steps {
		if s.Index == maxCuts {
			break
		}
		if s.PC < len(seen) {
			seen[s.PC] = true
		}
		if s.Ended {
			break
		}
		if s.Next < len(one.Code) && !seen[s.Next] {
			cuts = append(cuts, cut{s.Index, s.Next})
		}
	}
	// After cuts[low] nothing differs, after cuts[high] something does.
	low, high := -1, len(cuts)
	for high-low > 1 {
		middle := (low + high) / 2
		short := *one
		short.Code = slices.Clone(one.Code)
		short.Code[cuts[middle].next] = uint32(pica.END) << 26
		differ, err := differs(&short)
		switch {
		case err != nil:
			return -1, err
		case differ:
			high = middle
		default:
			low = middle
		}
	}
	first, last := 0, 0
	if low >= 0 {
		first = cuts[low].step + 1
	}
	if high < len(cuts) {
		last = cuts[high].step
	}
	if first != last {
		return -1, nil
	}
	return first, nil
}

// locatedAt returns the location of an executed instruction.
func (p *Pair) locatedAt(one *pica.Job, loc Location, at Difference, step int) (Location, error) {
	steps, err := impl.Trace(one, 0)
	if err != nil {
		return loc, err
	}
	vertex := loc.Vertex
	for s := range steps {
		if s.Index == step-1 {
			loc.Before = *s.State
		}
		if s.Index < step {
			continue
		}
		loc.Difference, loc.Vertex, loc.Difference.Vertex = at, vertex, vertex
		loc.Step, loc.PC, loc.Word, loc.Sources = step, s.PC, s.Word, s.Sources
		break
	}
	loc.Storage = one.Profile.Storage
	op := pica.OpcodeOf(loc.Word).Base()
	loc.subject = op.String()
	if pica.Opcodes[op].Writes&pica.WritesFlow != 0 {
		loc.subject, loc.detail = construct(&loc)
		return loc, nil
	}
	if at.Class >= ClassNaNBits {
		wide := loc
		wide.Storage = pica.Float32
		if loc.detail = kinds(&wide); loc.detail == "" && pica.Opcodes[op].Sources > 0 {
			loc.detail, err = operands(one, &loc)
		}
	}
	return loc, err
}
