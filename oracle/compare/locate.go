package compare

import "github.com/picaproof/picaproof/pica"

// Location is the instruction after which two engines first disagree.
type Location struct {
	Vertex int
	Step   int // instructions executed before it; -1 when it could not be found
	PC     int
	Word   uint32
	// Before is the state the instruction found, on which both agree.
	Before pica.State
	// Sources are its operands after indexing, swizzle and negation, in the
	// bits of Storage; zero for an instruction without operands.
	Sources [3]pica.Vec4
	Storage pica.NumberFormat
	Difference

	subject, detail string
	wholly          bool // the subject says it all, whatever came of it
}

// Judge runs a job on both engines and compares. The outcomes are reused
// between calls.
type Judge struct {
	Want, Got pica.Engine
	// Foreign says that Got is a core in another process. It is not asked what the
	// reference refuses or traps on: it might never answer.
	Foreign bool
	// Guard, if there is one, is asked in the place of a reference that is a core in
	// another process, too, whether a job traps.
	Guard pica.Engine

	wantOut, gotOut pica.Outcome
}

// Run returns the verdict on one job.
func (j *Judge) Run(job *pica.Job) (Verdict, Difference, error) {
	if j.Guard != nil {
		if err := j.Guard.Run(job, &j.wantOut); err != nil || trapped(&j.wantOut) {
			return Undefined, Difference{}, err
		}
	}
	if err := j.Want.Run(job, &j.wantOut); err != nil {
		return Undefined, Difference{}, err
	}
	if j.Foreign && trapped(&j.wantOut) {
		return Undefined, Difference{}, nil
	}
	if err := j.Got.Run(job, &j.gotOut); err != nil {
		return Undefined, Difference{}, err
	}
	v, d := Outcomes(&j.wantOut, &j.gotOut)
	return v, d, nil
}

// Find runs a job and, when the engines differ, locates where. Found is false
// when they do not.
func (j *Judge) Find(job *pica.Job) (at Location, found bool, err error) {
	v, d, err := j.Run(job)
	if err != nil || v != Differ {
		return at, false, err
	}
	at, err = j.Locate(job, d)
	return at, err == nil, err
}

// Locate finds an instruction of the differing vertex before which the engines
// agree and after which they do not. A budget trap returns the whole state, so
// running both with budget k compares them after k instructions.
func (j *Judge) Locate(job *pica.Job, d Difference) (Location, error) {
	loc := Location{Vertex: d.Vertex, Step: -1, Difference: d}
	if d.Vertex >= len(job.Vertices) {
		return loc, nil
	}
	if j.Foreign {
		return j.locateByEnds(job, loc)
	}
	one, step, at := *job, -1, Difference{}
	var err error
	if job.Keep && d.Vertex > 0 && job.Stage == pica.Geometry {
		// Already the first vertex may have spoilt the output bank that is not
		// selected, which cannot be given to an engine.
		one.Vertices, loc.Vertex = job.Vertices[:1], 0
		step, at, err = j.part(&one)
	}
	if err == nil && step < 0 {
		one.Vertices, loc.Vertex = job.Vertices[d.Vertex:d.Vertex+1], d.Vertex
		if err = j.begin(&one, job, d.Vertex); err == nil {
			step, at, err = j.part(&one)
		}
	}
	if err != nil || step < 0 {
		return loc, err // the difference needs the vertices before
	}
	loc.Difference, loc.Storage = at, j.wantOut.Storage
	loc.Difference.Vertex = loc.Vertex
	loc.Step, loc.PC = step, one.Entry
	if one.Initial != nil {
		loc.Before = *one.Initial
		loc.Before.Stacks = pica.Stacks{}
	}
	if step > 0 {
		one.Budget = step
		if err := j.Want.Run(&one, &j.wantOut); err != nil {
			return loc, err
		}
		v := &j.wantOut.Vertices[0]
		loc.PC, loc.Before = v.Trap.PC, v.State
	}
	if loc.PC < len(one.Code) {
		loc.Word = one.Code[loc.PC]
	}
	return loc, j.attribute(&one, &loc)
}

// begin gives a job with one vertex what the vertices before leave behind.
func (j *Judge) begin(one, job *pica.Job, vertex int) error {
	if vertex > 0 && job.Stage == pica.Geometry {
		one.Bools |= 1 << 15 // every geometry run sets b15
	}
	if vertex == 0 || !job.Keep {
		return nil
	}
	before := *job
	before.Vertices = job.Vertices[:vertex]
	if err := j.Want.Run(&before, &j.wantOut); err != nil {
		return err
	}
	state := j.wantOut.Vertices[vertex-1].State
	one.Initial = &state
	return nil
}

// maxScan is how many instructions of a geometry program are looked at one by
// one.
const maxScan = 256

// part returns how many instructions of a job with one vertex agree, and what
// differs after the next one; -1 when nothing differs. A vertex program is
// searched by bisection: what is found is the first place, unless the engines
// come to agree again. In a geometry program they often do, because EMIT hides
// an output bank until the next one; it is searched from the start.
func (j *Judge) part(one *pica.Job) (step int, at Difference, err error) {
	v, at, err := j.Run(one)
	if err != nil || v != Differ && one.Stage != pica.Geometry {
		return -1, at, err
	}
	job := *one
	low, high := 0, max(j.wantOut.Vertices[0].Steps, j.gotOut.Vertices[0].Steps)+1
	if one.Stage == pica.Geometry {
		for job.Budget = 1; job.Budget <= min(high, maxScan); job.Budget++ {
			w, d, err := j.Run(&job)
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
		w, d, err := j.Run(&job)
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
