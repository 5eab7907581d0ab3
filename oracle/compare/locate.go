package compare

import "github.com/picaproof/picaproof/pica"

// Location is the instruction after which two engines first disagree.
type Location struct {
	Vertex int
	Step   int // instructions executed before it; -1 if it was not found
	PC     int
	Word   uint32
	// Before is the state before the instruction, on which both engines agree.
	Before pica.State
	// Sources are its operands after indexing, swizzle and negation, in the
	// bits of Storage; zero for an instruction without operands.
	Sources [3]pica.Vec4
	Storage pica.NumberFormat
	Difference

	subject, detail string
	wholly          bool // the subject alone names the cause, whatever the detail
}

// Pair runs a job on two engines and compares. Outcomes are reused between calls.
type Pair struct {
	Want, Got pica.Engine
	// Foreign says that Got is a core in another process. It gets no job that the reference
	// refuses or traps on: it might never answer. Its results may be off by the tolerances of the
	// job's profile, see [Grants].
	Foreign bool
	// Guard is for a reference that is a core in another process, too: if it is not nil, it
	// says in place of the reference whether a job traps.
	Guard pica.Engine
	// Fatal, if it is not nil, has Got run such jobs, too, and says which of its errors are differences
	// there. Then no message of Got excuses a difference.
	Fatal func(job *pica.Job, err error) bool

	wantOut, gotOut pica.Outcome
	grants          *Grants
}

// Run returns the verdict on one job.
func (p *Pair) Run(job *pica.Job) (Verdict, Difference, error) {
	if p.Guard != nil {
		if err := p.Guard.Run(job, &p.wantOut); err != nil || p.wantOut.Trapped() {
			return Undefined, Difference{}, err
		}
	}
	if err := p.Want.Run(job, &p.wantOut); err != nil {
		return Undefined, Difference{}, err
	}
	if p.Foreign && p.wantOut.Trapped() {
		if p.Fatal == nil {
			return Undefined, Difference{}, nil
		}
		err := p.Got.Run(job, &p.gotOut)
		if err != nil && !p.Fatal(job, err) {
			err = nil
		}
		return Undefined, Difference{}, err
	}
	if err := p.Got.Run(job, &p.gotOut); err != nil {
		return Undefined, Difference{}, err
	}
	v, d := Outcomes(&p.wantOut, &p.gotOut)
	if v == NotComparable && p.Fatal != nil {
		v = Differ
	}
	if v == Differ && p.Foreign && p.Guard == nil {
		return p.grant(job, d)
	}
	return v, d, nil
}

// Find runs a job and, if the engines differ, locates the first difference. Found is
// false if they agree.
func (p *Pair) Find(job *pica.Job) (at Location, found bool, err error) {
	v, d, err := p.Run(job)
	if err != nil || v != Differ {
		return at, false, err
	}
	at, err = p.Locate(job, d)
	return at, err == nil, err
}

// Locate finds an instruction of the differing vertex before which the engines agree and
// after which they do not. A budget trap returns the whole state, so running both engines
// with budget k compares them after k instructions.
func (p *Pair) Locate(job *pica.Job, d Difference) (Location, error) {
	loc := Location{Vertex: d.Vertex, Step: -1, Difference: d}
	if d.Vertex >= len(job.Vertices) {
		return loc, nil
	}
	if p.Foreign {
		return p.locateByEnds(job, loc)
	}
	one, step, at := *job, -1, Difference{}
	var err error
	if job.Keep && d.Vertex > 0 && job.Stage == pica.Geometry {
		// The first vertex may already differ in the output bank that is not selected, and
		// that cannot be given to an engine.
		one.Vertices, loc.Vertex = job.Vertices[:1], 0
		step, at, err = p.part(&one)
	}
	if err == nil && step < 0 {
		one.Vertices, loc.Vertex = job.Vertices[d.Vertex:d.Vertex+1], d.Vertex
		if err = p.begin(&one, job, d.Vertex); err == nil {
			step, at, err = p.part(&one)
		}
	}
	if err != nil || step < 0 {
		return loc, err // the difference depends on earlier vertices
	}
	loc.Difference, loc.Storage = at, p.wantOut.Storage
	loc.Difference.Vertex = loc.Vertex
	loc.Step, loc.PC = step, one.Entry
	if one.Initial != nil {
		loc.Before = *one.Initial
		loc.Before.Stacks = pica.Stacks{}
	}
	if step > 0 {
		one.Budget = step
		if err := p.Want.Run(&one, &p.wantOut); err != nil {
			return loc, err
		}
		v := &p.wantOut.Vertices[0]
		loc.PC, loc.Before = v.Trap.PC, v.State
	}
	if loc.PC < len(one.Code) {
		loc.Word = one.Code[loc.PC]
	}
	return loc, p.attribute(&one, &loc)
}

// begin gives a job with one vertex the state that the vertices before it leave.
func (p *Pair) begin(one, job *pica.Job, vertex int) error {
	if vertex > 0 && job.Stage == pica.Geometry {
		one.Bools |= 1 << 15 // every geometry run sets b15
	}
	if vertex == 0 || !job.Keep {
		return nil
	}
	before := *job
	before.Vertices = job.Vertices[:vertex]
	if err := p.Want.Run(&before, &p.wantOut); err != nil {
		return err
	}
	state := p.wantOut.Vertices[vertex-1].State
	one.Initial = &state
	return nil
}

// maxScan is the number of instructions of a geometry program that are compared one by
// one.
const maxScan = 256

// part returns the number of instructions of a job with one vertex after which the
// engines agree, and the difference after the next one; -1 if nothing differs. It searches
// a vertex program by bisection, which finds the first difference unless the engines agree
// again later. In a geometry program they often do, because EMIT hides an output bank until
// the next EMIT; there it searches from the start.
func (p *Pair) part(one *pica.Job) (step int, at Difference, err error) {
	v, at, err := p.Run(one)
	if err != nil || v != Differ && one.Stage != pica.Geometry {
		return -1, at, err
	}
	job := *one
	low, high := 0, max(p.wantOut.Vertices[0].Steps, p.gotOut.Vertices[0].Steps)+1
	if one.Stage == pica.Geometry {
		for job.Budget = 1; job.Budget <= min(high, maxScan); job.Budget++ {
			w, d, err := p.Run(&job)
			if err != nil || w == Differ {
				return job.Budget - 1, d, err
			}
			low = job.Budget
		}
	}
	if v != Differ {
		return -1, at, nil
	}
	// After low instructions the engines agree; after high they do not.
	for high-low > 1 {
		job.Budget = (low + high) / 2
		w, d, err := p.Run(&job)
		if err != nil {
			return -1, at, err
		}
		if w == Differ {
			high, at = job.Budget, d
		} else {
			low = job.Budget
		}
	}
	return low, at, nil
}
