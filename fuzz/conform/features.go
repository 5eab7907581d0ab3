package conform

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// use is an executed instruction with what may matter about it.
type use struct {
	pc       int
	op       pica.Opcode
	features featureSet
}

// A featureSet holds what an instruction has that a plain one has not.
type featureSet uint32

// The features. Those of operands are facts of the encoding, the classes are values
// that an operand had.
const (
	hasIndex featureSet = 1 << iota
	hasNegation
	hasSwizzle
	hasMask       // not all components are written
	hasHighDesc   // descriptor 32 or above
	hasInfinity   // among the operands
	hasNaN        // likewise
	hasZero       // likewise
	hasSubnormal  // likewise
	hasNegative   // likewise
	hasTemporary  // a temporary as destination
	hasTwoSources // one register read twice
)

// featureNames are the words of reports, in the order of the bits.
var featureNames = []string{"relative addressing", "negation", "swizzle", "destination mask", "descriptor above 31",
	"infinite operand", "NaN operand", "zero operand", "subnormal operand", "negative operand", "temporary destination", "one register twice"}

// encodings are the features that the words show.
const encodings = hasIndex | hasNegation | hasSwizzle | hasMask | hasHighDesc

// observer collects the instructions that a run executes.
type observer struct {
	format pica.NumberFormat
	code   []uint32
	uses   []use
	seen   map[use]bool
}

func (o *observer) Start(job *pica.Job, vertex int, _ *pica.State) {
	o.format, o.code = job.Profile.Storage, job.Code
	if vertex == 0 {
		o.uses = o.uses[:0]
		o.seen = map[use]bool{}
	}
}

func (o *observer) Step(s *pica.Step) {
	if s.Trap.Cause != pica.TrapNone || s.Skipped {
		return
	}
	op := pica.OpcodeOf(s.Word).Base()
	u := use{pc: s.PC, op: op}
	if info := &pica.Opcodes[op]; info.Sources > 0 {
		u.features = encoded(s.Word, s.Descriptor)
		for k := range info.Sources {
			for c, x := range s.Sources[k] {
				if info.Reads[k] != 0 && info.Reads[k]&(8>>c) == 0 || info.Reads[k] == 0 && pica.Descriptor(s.Descriptor).Mask()&(8>>c) == 0 {
					continue
				}
				u.features |= classFeatures[o.format.Class(x)]
			}
		}
	}
	if !o.seen[u] {
		o.seen[u] = true
		o.uses = append(o.uses, u)
	}
}

var classFeatures = [pica.NumNumberClasses]featureSet{
	pica.ClassNegInf: hasInfinity | hasNegative, pica.ClassPosInf: hasInfinity, pica.ClassNaN: hasNaN,
	pica.ClassNegZero: hasZero | hasNegative, pica.ClassPosZero: hasZero,
	pica.ClassNegSubnormal: hasSubnormal | hasNegative, pica.ClassPosSubnormal: hasSubnormal,
	pica.ClassNegNormal: hasNegative,
}

// encoded returns the features that a word and its descriptor show.
func encoded(word, descriptor uint32) (f featureSet) {
	op := pica.OpcodeOf(word)
	info, l, d := &pica.Opcodes[op], op.Layout(), pica.Descriptor(descriptor)
	if l.Index.Get(word) != pica.IndexNone {
		f |= hasIndex
	}
	for k := range info.Sources {
		if d.Negate(k) {
			f |= hasNegation
		}
		if d.Selectors(k) != pica.IdentitySwizzle {
			f |= hasSwizzle
		}
	}
	if info.Writes&(pica.WritesDest|pica.WritesAddress) != 0 && d.Mask() != 15 {
		f |= hasMask
	}
	if l.Desc.Get(word) > 31 {
		f |= hasHighDesc
	}
	return f
}

// watcher runs jobs on the oracle and lists what they execute. It is not safe for
// concurrent use.
type watcher struct {
	observer
	engine pica.Engine
	out    pica.Outcome
}

func newWatcher() *watcher {
	w := new(watcher)
	w.engine = impl.Watched(&w.observer)
	return w
}

// uses returns what a job executes under its profile, valid until the next call.
func (w *watcher) uses(job *pica.Job) []use {
	w.observer.uses = w.observer.uses[:0]
	if w.engine.Run(job, &w.out) != nil {
		return nil
	}
	return w.observer.uses
}

// flowKinds names the kinds of flow control among the uses, each once.
func flowKinds(uses []use) (kinds []string) {
	for _, u := range uses {
		info := &pica.Opcodes[u.op]
		if info.Flow == pica.FlowNone || info.Flow == pica.FlowEnd {
			continue
		}
		if k := kindNames[info.Flow]; !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	slices.Sort(kinds)
	return kinds
}

var kindNames = map[pica.Flow]string{pica.FlowJump: "jump", pica.FlowIf: "if", pica.FlowCall: "call", pica.FlowLoop: "loop", pica.FlowBreak: "break"}

// names lists the names of the features.
func (f featureSet) names() (list []string) {
	for k, name := range featureNames {
		if f>>k&1 != 0 {
			list = append(list, name)
		}
	}
	return list
}

// String returns the names, "negation, NaN operand".
func (f featureSet) String() string { return fmt.Sprint(f.names()) }
