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
	Storage pica.Value
	Difference

	subject, detail string
	wholly          bool // the subject says it all, whatever came of it
}

// Judge runs a job on both engines and compares. The outcomes are reused
// between calls.
type Judge struct {
	Want, Got       pica.Engine
	wantOut, gotOut pica.Outcome
}

// Run returns the verdict on one job.
func (j *Judge) Run(job *pica.Job) (Verdict, Difference, error) {
	if err := j.Want.Run(job, &j.wantOut); err != nil {
		return Undefined, Difference{}, err
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
// agree and after which they do not; it is the first one, unless they come to
// agree again in between. A budget trap returns the whole state, so running
// both with budget k compares them after k instructions; k is found by
// bisection.
func (j *Judge) Locate(job *pica.Job, d Difference) (Location, error) {
	loc := Location{Vertex: d.Vertex, Step: -1, Difference: d}
	if d.Vertex >= len(job.Vertices) || job.Keep && d.Vertex > 0 && job.Stage == pica.Geometry {
		return loc, nil // the other output bank before the vertex cannot be given to an engine
	}
	one := *job
	if job.Keep && d.Vertex > 0 {
		if _, _, err := j.Run(job); err != nil {
			return loc, err
		}
		before := j.wantOut.Vertices[d.Vertex-1].State
		one.Initial = &before
	}
	one.Vertices = job.Vertices[d.Vertex : d.Vertex+1]
	v, at, err := j.Run(&one)
	if err != nil || v != Differ {
		return loc, err // a difference that needs the vertices before
	}
	loc.Difference, loc.Storage = at, j.wantOut.Storage
	low, high := 0, max(j.wantOut.Vertices[0].Steps, j.gotOut.Vertices[0].Steps)+1
	// After low steps the engines agree; after high they do not.
	for high-low > 1 {
		one.Budget = (low + high) / 2
		v, at, err := j.Run(&one)
		if err != nil {
			return loc, err
		}
		if v == Differ {
			high, loc.Difference = one.Budget, at
		} else {
			low = one.Budget
		}
	}
	loc.Step, loc.PC = low, one.Entry
	if one.Initial != nil {
		loc.Before = *one.Initial
		loc.Before.Stacks = pica.Stacks{}
	}
	if low > 0 {
		one.Budget = low
		if err := j.Want.Run(&one, &j.wantOut); err != nil {
			return loc, err
		}
		v := &j.wantOut.Vertices[0]
		loc.PC, loc.Before = v.Trap.PC, v.State
	}
	if loc.PC < len(one.Code) {
		loc.Word = one.Code[loc.PC]
	}
	loc.Difference.Vertex = d.Vertex
	return loc, j.attribute(&one, &loc)
}
