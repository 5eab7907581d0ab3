package conform

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/pica"
)

// encodedFeatures are the features of operands that may be a cause of their own in any
// instruction.
const encodedFeatures = hasNegation | hasSwizzle | hasMask | hasDesc16 | hasHighDesc | hasUnused

// arithmetic names the fault of a program of computing instructions. The last instruction is at
// fault unless it only moves the result of another.
func (s *session) arithmetic(ctx context.Context, f *finding, computing []use, known masks) {
	guilty := computing[len(computing)-1]
	for _, u := range computing {
		if !pica.Opcodes[u.op].Copies {
			guilty = u
		}
	}
	f.opcode = guilty.op.String()
	own := []string{f.opcode}
	classes := guilty.features
	if f.outcome != Differ {
		classes |= guilty.loose
	}
	classes &= hasInfinity | hasNaN | hasSubnormal | hasZero
	features := guilty.features & encodedFeatures
	component := s.component(ctx, f, computing, known)
	if features&(hasNegation|hasSwizzle) != 0 && len(computing) == 1 && s.plainly(ctx, f, guilty) {
		features &^= hasNegation | hasSwizzle
	}
	for _, rare := range []featureSet{hasUnused, hasDesc16 | hasHighDesc} {
		if features&rare != 0 && len(computing) == 1 {
			features &= rare // the reduction keeps such bits and such a descriptor only if they are needed
		}
	}
	name := s.uniform(ctx, f, computing)
	if name == "" {
		name = s.register(ctx, f, computing)
	}
	if name == "" {
		if n, _, ok := s.temporary(ctx, f, computing); ok {
			name = registerName("v", pica.SourceTemporary+n, pica.SourceTemporary)
		}
	}
	switch {
	case name != "" && (f.outcome == Differ || s.common(ctx, f, guilty)):
		f.opcode, f.subject, f.trigger = name, name, trigger{Registers: []string{name}}
		return
	case name != "":
		f.subject = strings.Join(append([]string{f.opcode, name}, features.names()...), ", ")
		f.trigger = trigger{Opcodes: own, Features: features.names(), Registers: []string{name}}
		return
	}
	blamed := featureSet(0)
	if classes != 0 && !s.general(ctx, f) {
		blamed = s.blamed(ctx, f, classes)
	}
	switch {
	case component != 0:
		f.subject = f.opcode + ", " + component.names()[0]
		f.trigger = trigger{Opcodes: own, Features: component.names()}
	case features != 0 && len(computing) == 1 && s.common(ctx, f, guilty):
		f.subject = strings.Join(features.names(), " and ")
		f.trigger = trigger{Opcodes: own, Features: features.names(), Any: features&hasDesc16 != 0}
	case len(computing) == 1 && pica.Opcodes[guilty.op].Copies && f.outcome == Differ && !s.general(ctx, f):
		s.upload(f)
	case blamed != 0:
		f.subject = f.opcode + ", " + strings.Join(blamed.names(), " and ")
		f.trigger = trigger{Opcodes: own, Features: blamed.names(), Loose: f.outcome != Differ}
	case features != 0 && len(computing) == 1:
		f.subject = f.opcode + ", " + strings.Join(features.names(), " and ")
		f.trigger = trigger{Opcodes: own, Features: features.names()}
	case guilty.features&hasNegative != 0 && guilty.features&hasNegation == 0 && s.positive(ctx, f):
		f.subject, f.trigger = f.opcode+", negative operand", trigger{Opcodes: own, Features: hasNegative.names()}
	default:
		f.subject, f.trigger = f.opcode, trigger{Opcodes: own}
	}
	if far := features & (hasDesc16 | hasHighDesc); far != 0 && len(computing) == 1 {
		above := fmt.Sprintf("descriptor above %d", s.lowestDescriptor(ctx, f, guilty)-1)
		f.subject = strings.Replace(f.subject, far.names()[0], above, 1)
	}
}

// positive reports whether the program runs well with positive numbers.
func (s *session) positive(ctx context.Context, f *finding) bool {
	c := reduce.Clone(f.job)
	for u, v := range vectors(c) {
		for k := range v {
			v[k] &^= u.format.Sign()
		}
	}
	return s.newJudge(ctx).heals(f, c)
}

// others are the instructions that test whether a feature is at fault in any instruction.
var others = []pica.Opcode{pica.MOV, pica.ADD, pica.MUL, pica.MAX, pica.DP4, pica.SGEI, pica.DPHI}

// common reports whether the program also fails with other instructions in the place of the
// guilty one.
func (s *session) common(ctx context.Context, f *finding, guilty use) bool {
	j := s.newJudge(ctx)
	for _, op := range others {
		mine, its := guilty.op.Layout(), op.Layout()
		if op == guilty.op || mine.Desc != its.Desc || mine.Src[0] != its.Src[0] || mine.Dest != its.Dest {
			continue
		}
		c := reduce.Clone(f.job)
		c.Code[guilty.pc] = c.Code[guilty.pc]&(1<<26-1) | uint32(op)<<26
		if j.ask(c, false) == f.outcome {
			return true
		}
	}
	return false
}

// special lists the classes of numbers, the most special class first.
var special = []featureSet{hasNaN, hasInfinity, hasSubnormal, hasZero}

// lowest returns the most special class.
func lowest(classes featureSet) featureSet {
	for _, c := range special {
		if classes&c != 0 {
			return c
		}
	}
	return 0
}

// blamed returns the most special class without whose values the program runs well, 0 for none.
// It tries only values in uniforms and inputs.
func (s *session) blamed(ctx context.Context, f *finding, classes featureSet) featureSet {
	for _, class := range special {
		if classes&class == 0 {
			continue
		}
		c, found := withoutClass(f.job, class)
		if !found || f.outcome == Hang || s.newJudge(ctx).heals(f, c) {
			return class
		}
	}
	return 0
}

// withoutClass returns a job with ones in the place of the values of a class, and whether the
// job has such values.
func withoutClass(job *pica.Job, class featureSet) (c *pica.Job, found bool) {
	c = reduce.Clone(job)
	for u, v := range vectors(c) {
		for k, x := range v {
			if classFeatures[u.format.Class(x)]&class != 0 {
				v[k], found = x&u.format.Sign()|u.format.One(), true
			}
		}
	}
	return c, found
}

// general reports whether the program also fails with ordinary numbers.
func (s *session) general(ctx context.Context, f *finding) bool {
	j := s.newJudge(ctx)
	for n := range 6 {
		c, k := reduce.Clone(f.job), 0
		for u, v := range vectors(c) {
			for l := range v {
				k++
				v[l] = u.format.Integer(int64(1+(3*n+2*k)%7)) | u.format.Sign()*uint32((n>>1+k)&1)
			}
		}
		if j.ask(c, false) == f.outcome {
			return true
		}
	}
	return false
}

// upload names a fault of the upload of a value.
func (s *session) upload(f *finding) {
	seen := map[string]bool{}
	for u, v := range vectors(f.job) {
		for _, x := range v {
			if x != 0 {
				seen[u.name(x)] = true
			}
		}
	}
	if len(seen) == 0 {
		f.subject, f.trigger = f.opcode, trigger{Opcodes: []string{f.opcode}}
		return
	}
	f.trigger.Uploads = slices.AppendSeq(f.trigger.Uploads, maps.Keys(seen))
	slices.Sort(f.trigger.Uploads)
	f.opcode = "upload"
	f.subject = fmt.Sprintf("upload of %s", strings.Join(f.trigger.Uploads, ", "))
}
