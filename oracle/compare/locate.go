package compare

import "github.com/picaproof/picaproof/pica"

// Location is the instruction after which two engines first disagree.
type Location struct {
	Vertex int
	Step   int // instructions executed before it; -1 when it could not be found
	PC     int
	Word   uint32
	Difference
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

// Locate finds the first instruction of the differing vertex after which the
// engines disagree. A budget trap returns the whole state, so running both with
// budget k compares them after k instructions; k is found by bisection.
func (j *Judge) Locate(job *pica.Job, d Difference) (Location, error) {
	loc := Location{Vertex: d.Vertex, Step: -1, Difference: d}
	if d.Vertex >= len(job.Vertices) || job.Keep && d.Vertex > 0 && job.Stage == pica.Geometry {
		return loc, nil // the emitter's state before the vertex cannot be given to an engine
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
	if _, _, err := j.Run(&one); err != nil {
		return loc, err
	}
	low, high := 0, max(j.wantOut.Vertices[0].Steps, j.gotOut.Vertices[0].Steps)
	// After low steps the engines agree; after high they do not.
	for high-low > 1 {
		mid := (low + high) / 2
		one.Budget = mid
		v, at, err := j.Run(&one)
		if err != nil {
			return loc, err
		}
		if v == Differ {
			high, loc.Difference = mid, at
		} else {
			low = mid
		}
	}
	loc.Step, loc.PC = low, one.Entry
	if low > 0 {
		one.Budget = low
		if err := j.Want.Run(&one, &j.wantOut); err != nil {
			return loc, err
		}
		loc.PC = j.wantOut.Vertices[0].Trap.PC
	}
	if loc.PC < len(one.Code) {
		loc.Word = one.Code[loc.PC]
	}
	loc.Difference.Vertex = d.Vertex
	return loc, nil
}

// Key names the cause of a difference as well as one observation can: its
// class and the instruction at fault. Differences with one key are one bucket.
func (l Location) Key(mnemonic string) string {
	if l.Step < 0 {
		return l.Class.String()
	}
	return mnemonic + ": " + l.Class.String()
}
