package cover

import "github.com/picaproof/picaproof/pica"

// A Recorder collects the points that runs of the oracle reach; it is an
// oracle.Observer. Call Start before a run, and Step for each of its trace
// records. It does not allocate.
type Recorder struct {
	// Reached has the points reached since the caller last cleared it.
	Reached Set

	format   pica.NumberFormat // of the registers
	rounds   bool              // arithmetic rounds to float24
	rings    bool              // the profile has the console's stacks
	stage    pica.Stage
	ints     [pica.NumInts][4]uint8
	bools    uint16
	previous pica.Opcode
	running  bool // previous is an instruction of this run

	// The state after the last step.
	stacks  pica.Stacks
	address [3]int32 // a0.x, a0.y, aL
	emitter emitter

	moment moment // of the current step; a field, to avoid an allocation
}

// Start prepares for the run of one vertex of a job. state is the state before the first
// instruction. Start keeps neither.
func (r *Recorder) Start(job *pica.Job, vertex int, state *pica.State) {
	knobs := &job.Profile.Knobs
	r.format = job.Profile.Storage
	r.rounds = r.format == pica.Float24 && knobs.Flush == pica.FlushNone &&
		knobs.MAD == pica.MADTwice
	r.rings = knobs.Flow == pica.FlowRings
	r.stage, r.ints, r.bools = job.Stage, job.Ints, job.Bools
	if job.Stage == pica.Geometry && vertex > 0 {
		r.bools |= 1 << 15 // set by the run before
	}
	r.running, r.emitter = false, emitter{}
	r.remember(state)

	how := 0
	if vertex > 0 {
		how = 1 + choose(job.Keep)
	}
	r.hit(entryPoints.at(choose(job.Entry != 0), how, 0))
}

// Step records the next trace record of the run.
func (r *Recorder) Step(s *pica.Step) {
	if s.Trap.Cause != pica.TrapNone {
		r.hit(trapPoints.at(int(s.Trap.Cause), 0, 0))
		return
	}
	op := pica.OpcodeOf(s.Word).Base()
	if !s.Skipped {
		r.hit(opcodePoints.at(int(op), 0, 0))
		if r.running {
			r.hit(pairPoints.at(int(r.previous), int(op), 0))
			if pica.Opcodes[op].Writes&pica.Opcodes[r.previous].Writes&pica.WritesAddress != 0 {
				r.hit(hazardPoints.at(movaAfterMova, 0, 0))
			}
		}
		if pica.Opcodes[op].Sources > 0 {
			r.arithmetic(op, s)
		}
		r.emitter.step(r, op, s.Word)
		r.control(op, s)
	}
	r.previous, r.running = op, !s.Skipped
	r.remember(s.State)
}

// remember keeps the state that the next step changes.
func (r *Recorder) remember(s *pica.State) {
	r.stacks = s.Stacks
	r.address = [3]int32{s.Address[0], s.Address[1], s.AL}
}

func (r *Recorder) hit(p Point) { r.Reached.Add(p) }

// choose returns 1 for true, the second label of an axis.
func choose(b bool) int {
	if b {
		return 1
	}
	return 0
}
