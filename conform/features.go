package conform

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

// use is an executed instruction with the facts that may matter for its result.
type use struct {
	pc       int
	op       pica.Opcode
	features featureSet
	loose    featureSet // classes of components that the instruction does not use
	last     int        // the largest number of steps before it
	loop     [3]uint8   // of a LOOP: the value of its integer uniform, in the order of loopFields
}

// A featureSet is a set of properties that distinguish an instruction from a plain one.
type featureSet uint32

// loopFields are the components of an integer uniform that LOOP reads.
var loopFields = []string{"count", "start", "step"}

// The features. Features of operands are facts of the encoding; classes are properties of values
// that an operand had.
const (
	hasIndex featureSet = 1 << iota
	hasNegation
	hasSwizzle
	hasMask      // not all components are written
	hasDesc16    // descriptor 16 or above
	hasHighDesc  // descriptor 32 or above
	hasInfinity  // among the operands
	hasNaN       // likewise
	hasZero      // likewise
	hasSubnormal // likewise
	hasNegative  // likewise
	hasLoopIndex // an index by aL
	hasFarIndex  // an index outside the float uniforms, or too far from the register
	hasIdleIndex // an index of an input or temporary
	hasNesting   // opens a scope inside one of its kind, or leaves an inner loop
	hasFullStack // fills the stack with scopes, or leaves the innermost scope of a full stack
	hasOverflow  // opens one scope more than the stack holds
	hasTarget8   // leads to word 256 or above
	hasTarget9   // leads to word 512 or above
	hasTarget10  // leads to word 1024 or above
	hasTarget11  // leads to word 2048 or above
	hasAlias     // writes a temporary that it reads
	hasPasses    // is a LOOP of more than one pass
	hasRewrite   // writes the register that the instruction before it wrote
	hasUnused    // a bit that no reader uses is set
	hasEndInside // opens a scope that END finds open
	hasComponent // writes w from the w of its operands; the next bits are z, y and x
)

// hasComponents has the features of all components.
const hasComponents = hasComponent * 15

// farWords are the last words that targets of 8 to 11 bits reach, in the order of the features.
var farWords = [...]int{255, 511, 1023, 2047}

// hasTarget has the features of all far targets.
const hasTarget = hasTarget8 | hasTarget9 | hasTarget10 | hasTarget11

// featureNames are the names of features in reports, in the order of the bits.
var featureNames = []string{"relative addressing", "negation", "swizzle", "destination mask", "descriptor above 15",
	"descriptor above 31", "infinite operand", "NaN operand", "zero operand", "subnormal operand", "negative operand",
	"index aL", "index out of range", "index of an input or temporary", "nested", "full stack", "stack overflow",
	"target above word 255", "target above word 511", "target above word 1023", "target above word 2047",
	"destination among the operands", "several passes",
	"destination of the instruction before", "unused bits", "END inside", "component w", "component z", "component y",
	"component x"}

// encodings are the features that the words show.
const encodings = hasIndex | hasNegation | hasSwizzle | hasMask | hasDesc16 | hasHighDesc | hasLoopIndex |
	hasIdleIndex | hasAlias | hasUnused

// observer collects the instructions that a run executes.
type observer struct {
	format pica.NumberFormat
	code   []uint32
	ints   [pica.NumInts][4]uint8
	uses   []use
	seen   map[use]int         // the index in uses, by the use without last
	depths map[pica.Flow]int   // of the stacks before the step
	opened map[pica.Flow][]int // indexes in uses of the instructions that opened the scopes
	wrote  string              // the register that the step before wrote
}

func (o *observer) Start(job *pica.Job, vertex int, _ *pica.State) {
	o.format, o.code, o.depths = job.Profile.Storage, job.Code, map[pica.Flow]int{}
	o.opened = map[pica.Flow][]int{}
	o.ints, o.wrote = job.Ints, ""
	if vertex == 0 {
		o.uses = o.uses[:0]
		o.seen = map[use]int{}
	}
}

func (o *observer) Step(s *pica.Step) {
	if s.Trap.Cause != pica.TrapNone || s.Skipped {
		return
	}
	op := pica.OpcodeOf(s.Word).Base()
	u := use{pc: s.PC, op: op, features: encoded(s.Word, pica.Descriptor(s.Descriptor))}
	if info := &pica.Opcodes[op]; info.Sources > 0 {
		for k := range info.Sources {
			for c, x := range s.Sources[k] {
				if info.Reads[k] != 0 && info.Reads[k]&(8>>c) == 0 || info.Reads[k] == 0 &&
					pica.Descriptor(s.Descriptor).Mask()&(8>>c) == 0 {
					u.loose |= classFeatures[o.format.Class(x)]
				} else {
					u.features |= classFeatures[o.format.Class(x)]
				}
			}
		}
	}
	if u.features&hasIndex != 0 {
		u.features |= o.far(s)
	}
	u.features |= o.nesting(op, s) | target(op, s.Word)
	writes := destinationOf(s.Word)
	if writes != "" && writes == o.wrote {
		u.features |= hasRewrite
	}
	o.wrote = writes
	if pica.Opcodes[op].Flow == pica.FlowLoop {
		u.loop = [3]uint8(o.ints[op.Layout().Int.Get(s.Word)%pica.NumInts][:3])
		if u.loop[0] > 0 {
			u.features |= hasPasses
		}
	}
	at, ok := o.seen[u]
	if !ok {
		at = len(o.uses)
		o.seen[u] = at
		o.uses = append(o.uses, u)
	}
	o.uses[at].last = max(o.uses[at].last, s.Index)
	o.scopes(at, op)
}

// scopes records which use opened each scope, and the scopes that are open at END.
func (o *observer) scopes(at int, op pica.Opcode) {
	kind := pica.Opcodes[op].Flow
	if kind == pica.FlowEnd {
		for _, opened := range o.opened {
			for _, n := range opened {
				o.uses[n].features |= hasEndInside
			}
		}
	}
	for of, depth := range o.depths {
		opened := o.opened[of]
		switch {
		case len(opened) > depth:
			o.opened[of] = opened[:depth]
		case len(opened) < depth && kind == of:
			o.opened[of] = append(opened, at)
		}
	}
}

// target returns the features of the distance of an instruction's target.
func target(op pica.Opcode, word uint32) (f featureSet) {
	if !pica.Opcodes[op].Flow.HasTarget() {
		return 0
	}
	for k, n := range farWords {
		if int(op.Layout().Dst.Get(word)) > n {
			f |= hasTarget8 << k
		}
	}
	return f
}

// far reports whether an index leads outside the float uniforms, or is ignored because it does
// not fit a signed byte.
func (o *observer) far(s *pica.Step) featureSet {
	l := pica.OpcodeOf(s.Word).Layout()
	base := int32(l.Src[l.Indexed].Get(s.Word))
	if base < int32(pica.SourceUniform) {
		return hasIdleIndex
	}
	offset := s.State.AL
	switch l.Index.Get(s.Word) {
	case pica.IndexA0X:
		offset = s.State.Address[0]
	case pica.IndexA0Y:
		offset = s.State.Address[1]
	}
	if at := int64(base) - pica.SourceUniform + int64(offset); offset != int32(int8(offset)) || at < 0 ||
		at >= pica.NumFloats {
		return hasFarIndex
	}
	return 0
}

// nesting returns the features of the depth of a scope that an instruction opens, or of a loop
// that it leaves.
func (o *observer) nesting(op pica.Opcode, s *pica.Step) (f featureSet) {
	stacks := &s.State.Stacks
	if open := o.depths[pica.FlowLoop]; pica.Opcodes[op].Flow == pica.FlowBreak && open > int(stacks.LoopDepth) {
		if open > 1 {
			f |= hasNesting
		}
		if open == pica.LoopDepth {
			f |= hasFullStack
		}
	}
	for _, k := range []struct {
		kind         pica.Flow
		depth, limit int
	}{
		{pica.FlowIf, int(stacks.IfDepth), pica.IfDepth}, {pica.FlowCall, int(stacks.CallDepth), pica.CallDepth},
		{pica.FlowLoop, int(stacks.LoopDepth), pica.LoopDepth},
	} {
		before := o.depths[k.kind]
		o.depths[k.kind] = k.depth
		if pica.Opcodes[op].Condition == pica.Always { // the step may also have closed the scope
			k.depth = max(k.depth, min(before+1, k.limit))
		}
		if pica.Opcodes[op].Flow != k.kind || k.depth < before {
			continue
		}
		if k.depth > 1 {
			f |= hasNesting
		}
		if k.depth == k.limit {
			f |= hasFullStack
			if before == k.limit {
				f |= hasOverflow
			}
		}
	}
	return f
}

var classFeatures = [pica.NumNumberClasses]featureSet{
	pica.ClassNegInf: hasInfinity | hasNegative, pica.ClassPosInf: hasInfinity, pica.ClassNaN: hasNaN,
	pica.ClassNegZero: hasZero | hasNegative, pica.ClassPosZero: hasZero,
	pica.ClassNegSubnormal: hasSubnormal | hasNegative, pica.ClassPosSubnormal: hasSubnormal,
	pica.ClassNegNormal: hasNegative,
}

// componentwise reports whether an instruction computes each component of its result from
// that component of its operands.
func componentwise(op pica.Opcode) bool {
	return pica.Opcodes[op].Sources > 0 && pica.Opcodes[op].Reads[0] == 0
}

// encoded returns the features that a word and its descriptor show.
func encoded(word uint32, d pica.Descriptor) (f featureSet) {
	op := pica.OpcodeOf(word)
	info, l := &pica.Opcodes[op], op.Layout()
	if word&decode.Ignored(word) != 0 {
		f |= hasUnused
	}
	switch l.Index.Get(word) {
	case pica.IndexNone:
	case pica.IndexAL:
		f |= hasIndex | hasLoopIndex
	default:
		f |= hasIndex
	}
	for k := range info.Sources {
		if d.Negate(k) {
			f |= hasNegation
		}
		if d.Selectors(k) != pica.IdentitySwizzle {
			f |= hasSwizzle
		}
		if info.Writes&pica.WritesDest != 0 && l.Dest.Get(word) >= pica.DestTemporary &&
			destinationOf(word) == registerName("v", l.Src[k].Get(word), pica.SourceTemporary) {
			f |= hasAlias
		}
	}
	if info.Writes&(pica.WritesDest|pica.WritesAddress) != 0 && d.Mask() != 15 {
		f |= hasMask
	}
	if componentwise(op) {
		f |= hasComponent * featureSet(d.Mask())
	}
	switch d := l.Desc.Get(word); {
	case d > 31:
		f |= hasDesc16 | hasHighDesc
	case d > 15:
		f |= hasDesc16
	}
	return f
}

// watcher runs jobs on the oracle and lists the instructions that they execute. It is not safe
// for concurrent use.
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

// uses returns the instructions that a job executes under its profile, valid until the next
// call.
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
		if k := info.Flow.String(); !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	slices.Sort(kinds)
	return kinds
}

// names lists the names of the features, without features that another one implies.
func (f featureSet) names() (list []string) {
	for _, implied := range [][2]featureSet{{hasHighDesc, hasDesc16}, {hasOverflow, hasFullStack | hasNesting},
		{hasFullStack, hasNesting},
		{hasTarget9, hasTarget8}, {hasTarget10, hasTarget9 | hasTarget8},
		{hasTarget11, hasTarget10 | hasTarget9 | hasTarget8}} {
		if f&implied[0] != 0 {
			f &^= implied[1]
		}
	}
	for k, name := range featureNames {
		if f>>k&1 != 0 {
			list = append(list, name)
		}
	}
	return list
}

// String returns the names, "negation, NaN operand".
func (f featureSet) String() string { return fmt.Sprint(f.names()) }
