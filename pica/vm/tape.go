package vm

import "github.com/picaproof/picaproof/pica"

// A spot is an address together with the stacks and aL there. The path of lanes from a
// spot depends on nothing else but their flags, because all have the same uniforms.
// Equal spots have one number, by which lanes that meet are recognised, and nothing is
// assumed about how scopes nest.
type spot struct {
	control
	pc   int
	mova bool  // the previous instruction was MOVA
	next int32 // next spot in the bucket, or -1
	tape int32 // the tape from here, or -1 before it is written
}

// A tape records the paths of lanes from one spot as lane operations without jumps:
// where a flag decides, the lanes part in two masks, both paths are written, each under
// its mask, and where paths come to one spot again, their masks are joined.
type tape struct {
	first, end           int // its records
	firstExit, endExit   int
	firstDelay, endDelay int
	most                 int // greatest number of instructions that a lane executes
}

// exit is a place where lanes leave a tape.
type exit struct {
	spot        int32
	mask        int // number of the mask of these lanes
	ended       bool
	reason      Reason // why only the scalar tier can continue; 0 otherwise
	steps, most int    // least and greatest number of instructions that a lane has executed
}

// delay says that the lanes of a mask executed more instructions than the lanes that
// they joined.
type delay struct{ mask, steps int }

// strand is a group of lanes while a tape is written; only a running tape knows which
// lanes.
type strand struct {
	spot        int32
	mask        int
	steps, most int
}

// Bounds of tapes and of the memory for them.
const (
	maxMasks  = 64  // masks of a tape; the first is the mask of the lanes that enter it
	tapeSteps = 512 // instructions of a tape, on all paths together
	maxTaped  = 1 << 14
	maxSpots  = 1 << 10
)

const spotBuckets = 1 << 8

// score is the memory of spots and tapes. They belong to one plan and one set of
// integer and boolean uniforms. Vertices start at spot 0.
type score struct {
	plan    *plan
	made    int // plan.made
	ints    [pica.NumInts][4]uint8
	bools   uint16
	start   spot
	limit   int       // greatest number of instructions of a tape
	remarks bool      // remarks are wanted
	need    [2]uint64 // components that need initial values, once the first tape is written

	buckets [spotBuckets]int32 // 1 + the number of a spot
	spots   []spot
	tapes   []tape
	records []record
	exits   []exit
	delays  []delay
	strands []strand
	saved   []spot
}

// prepare makes the score fit a plan and a job that starts with the given address
// registers. remarks says whether remarks are wanted.
func (s *score) prepare(p *plan, job *pica.Job, address [4]int32, limit int, remarks bool) {
	start := spot{control: control{address: address}, pc: job.Entry}
	if s.plan != p || s.made != p.made || s.ints != job.Ints || s.bools != job.Bools || s.limit != limit ||
		s.remarks != remarks || s.start != start {
		s.plan, s.made, s.ints, s.bools, s.limit, s.remarks, s.start = p, p.made, job.Ints,
			job.Bools, limit, remarks, start
		s.forget()
	}
}

// initial returns the components that need initial values when vertices start.
func (s *score) initial(c *Code) [2]uint64 {
	if s.spots[0].tape < 0 {
		t := s.write(c, 0)
		s.need = s.plan.initial(s.records[t.first:t.end])
	}
	return s.need
}

// forget empties the score and keeps spot 0.
func (s *score) forget() {
	s.buckets = [spotBuckets]int32{}
	s.spots, s.tapes, s.records, s.exits, s.delays = s.spots[:0], s.tapes[:0], s.records[:0], s.exits[:0], s.delays[:0]
	s.spot(&s.start.control, s.start.pc, false)
}

// spot returns the number of a spot.
func (s *score) spot(x *control, pc int, mova bool) int32 {
	hash := uint32(pc) + 31*uint32(x.address[pica.IndexAL]) + 7*uint32(x.stacks.IfDepth) + 5*uint32(x.stacks.CallDepth)
	for k := range x.stacks.Loop {
		hash = hash*37 + uint32(x.stacks.Loop[k].Count)
	}
	bucket := &s.buckets[hash%spotBuckets]
	for k := *bucket - 1; k >= 0; k = s.spots[k].next {
		if p := &s.spots[k]; p.pc == pc && p.mova == mova && p.address == x.address && p.stacks == x.stacks {
			return k
		}
	}
	s.spots = append(s.spots, spot{control: *x, pc: pc, mova: mova, next: *bucket - 1, tape: -1})
	*bucket = int32(len(s.spots))
	return *bucket - 1
}

// before reports whether lanes at spot a should run before lanes at b, so that lanes wait
// where they meet: lanes deeper in calls run first, then lanes further behind.
func (s *score) before(a, b int32) bool {
	p, q := &s.spots[a], &s.spots[b]
	if p.stacks.CallDepth != q.stacks.CallDepth {
		return p.stacks.CallDepth > q.stacks.CallDepth
	}
	return p.pc < q.pc
}

// writer writes one tape.
type writer struct {
	*score
	code     *Code
	tape     tape
	masks    int // in use
	written  int // number of instructions
	selected int // the mask of the current records
	choice   int // the record that selects it, while records under it are written; -1 otherwise
}

// write returns the tape of a spot. The pointer is valid until the next tape is written.
func (s *score) write(c *Code, at int32) *tape {
	if k := s.spots[at].tape; k >= 0 {
		return &s.tapes[k]
	}
	w := writer{score: s, code: c, masks: 1, choice: -1}
	w.tape = tape{first: len(s.records), firstExit: len(s.exits), firstDelay: len(s.delays)}
	s.strands = append(s.strands[:0], strand{spot: at})
	for len(s.strands) > 0 {
		if w.written >= s.limit || w.masks+len(s.strands)+2 > maxMasks {
			for _, n := range s.strands {
				w.leave(exit{spot: n.spot}, n)
			}
			break
		}
		w.follow(w.take())
	}
	w.control(record{op: laneEnd})
	w.tape.end, w.tape.endExit, w.tape.endDelay = len(s.records), len(s.exits), len(s.delays)
	s.spots[at].tape = int32(len(s.tapes))
	s.tapes = append(s.tapes, w.tape)
	return &s.tapes[len(s.tapes)-1]
}

// take removes the strand that should run first, joined with the strands at its spot.
func (w *writer) take() strand {
	list := w.strands
	best := 0
	for k := range list {
		if w.before(list[k].spot, list[best].spot) {
			best = k
		}
	}
	s := list[best]
	list = append(list[:best], list[best+1:]...)
	joined := list[:0]
	for k, t := range list {
		if t.spot != s.spot {
			joined = append(joined, t)
			continue
		}
		if d := t.steps - s.steps; d > 0 {
			w.delays = append(w.delays, delay{t.mask, d})
		} else if d < 0 {
			w.delays = append(w.delays, delay{s.mask, -d})
		}
		from := [2]int{s.mask, t.mask}
		s.steps, s.most = min(s.steps, t.steps), max(s.most, t.most)
		if len(joined)+len(list[k+1:]) == 0 && len(w.exits) == w.tape.firstExit {
			s.mask = 0 // all strands are joined again
			continue
		}
		s.mask = w.masks
		w.masks++
		w.control(record{op: laneJoin, src: [8]uint32{uint32(from[0]), uint32(from[1]), uint32(s.mask)}})
	}
	w.strands = joined
	return s
}

// control appends a record that changes masks.
func (w *writer) control(r record) {
	r.bind(w.code.model)
	w.records = append(w.records, r)
}

// choose selects the mask of the next records, until chosen. If that mask is empty, the
// records are skipped, and the records behind them start with no mask selected.
func (w *writer) choose(mask int) {
	if w.selected != 0 || mask != 0 {
		w.choice = len(w.records)
		w.control(record{op: laneSelect, src: [8]uint32{uint32(mask)}})
	}
}

func (w *writer) chosen() {
	k := w.choice
	if k < 0 {
		return
	}
	w.choice = -1
	if count := len(w.records) - k - 1; count > 0 {
		w.records[k].src[1] = uint32(count)
		w.selected = int(w.records[k].src[0])
	} else {
		w.records = w.records[:k]
	}
}

// leave ends a strand.
func (w *writer) leave(e exit, s strand) {
	e.mask, e.steps, e.most = s.mask, s.steps, s.most
	w.exits = append(w.exits, e)
	w.tape.most = max(w.tape.most, s.most)
}

// compute appends the operations of an instruction.
func (w *writer) compute(list []record, aL int32) {
	row := uint32(0)
	for k := range list {
		if list[k].op == laneALRow {
			row = 16 * window(list[k].base, aL)
			continue
		}
		w.records = append(w.records, list[k])
		r := &w.records[len(w.records)-1]
		for n := range r.src {
			if r.constant(n) && r.src[n]/16 == rowLoop {
				r.src[n] = row + r.src[n]%16
			}
		}
	}
}

// follow writes the path of a strand until its lanes end, part, or should wait for
// others.
func (w *writer) follow(s strand) {
	c, p := w.code, w.plan
	at := &w.spots[s.spot]
	x, pc, mova := at.control, at.pc, at.mova
	w.choose(s.mask)
	defer w.chosen()
	for begin := w.written; ; {
		if uint(pc) >= uint(len(c.ops)) {
			w.leave(exit{reason: ReasonBeyond}, s)
			return
		}
		if w.written > begin && (w.written >= w.limit || w.waits(pc)) {
			break
		}
		o := &c.ops[pc]
		hazard := o.flags&flagInputs != 0 || o.flags&flagMova != 0 && mova
		if hazard && c.profile.Knobs.Hazards == pica.HazardsTrap || w.remarks && (hazard || o.flags&flagLog != 0) {
			w.leave(exit{reason: ReasonRemark}, s)
			return
		}
		mova = o.flags&flagMova != 0
		after := pc + 1
		next, broke := after, false
		switch o.op {
		case opNop:
		case opTrap, opEmit, opVertex:
			w.leave(exit{reason: ReasonTrap}, s)
			return
		case opLoop:
			x.enterLoop(c, o, w.ints[o.loopUniform()], after)
		case opJump, opIf, opCall, opBreak:
			taken, alike := o.when.uniformly(w.bools)
			if !alike {
				w.part(&x, o, after, s)
				return
			}
			if taken && w.hangs(&x, o) {
				w.leave(exit{reason: ReasonTrap}, s)
				return
			}
			next, broke = x.branch(o, after, taken)
		case opEnd:
		default:
			w.compute(p.records[p.first[pc]:p.first[after]], x.address[pica.IndexAL])
		}
		if o.flags&flagScopeEnd != 0 || broke {
			next = x.endScopes(after, next, broke)
		}
		s.steps, s.most, w.written, pc = s.steps+1, s.most+1, w.written+1, next
		if o.op == opEnd {
			w.leave(exit{spot: w.spot(&x, pc, mova), ended: true}, s)
			return
		}
		if pc != after && len(w.strands) > 0 {
			break
		}
	}
	s.spot = w.spot(&x, pc, mova)
	w.strands = append(w.strands, s)
}

// waits reports whether other lanes wait at an address.
func (w *writer) waits(pc int) bool {
	for k := range w.strands {
		if w.spots[w.strands[k].spot].pc == pc {
			return true
		}
	}
	return false
}

// hangs reports whether a taken branch leaves a loop where no loop is open, and the
// profile defines no way to continue.
func (w *writer) hangs(x *control, o *micro) bool {
	return o.op == opBreak && x.stacks.LoopDepth == 0 && w.code.profile.Knobs.BreakOutside == pica.BreakOutsideHang
}

// part splits a strand where flags decide.
func (w *writer) part(x *control, o *micro, after int, s strand) {
	r := record{op: laneSplit, src: [8]uint32{uint32(s.mask), uint32(w.masks), uint32(w.masks + 1)}}
	for k := range 4 {
		r.src[4+k] = -uint32(o.when.table >> k & 1)
	}
	w.chosen()
	w.control(r)
	w.masks += 2
	w.written++
	s.steps, s.most = s.steps+1, s.most+1
	for k, taken := range [2]bool{true, false} {
		s.mask = int(r.src[1+k])
		if taken && w.hangs(x, o) {
			w.leave(exit{reason: ReasonTrap}, s)
			continue
		}
		y := *x
		next, broke := y.branch(o, after, taken)
		if o.flags&flagScopeEnd != 0 || broke {
			next = y.endScopes(after, next, broke)
		}
		s.spot = w.spot(&y, next, false)
		w.strands = append(w.strands, s)
	}
}
