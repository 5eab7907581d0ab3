package conform

import (
	"context"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/pica"
)

// mostAlike is the largest number of other components that may fail in the same way while one
// component counts as the fault: two components may each have a fault.
const mostAlike = 1

// component returns the feature of the faulty component: the instruction goes wrong if it writes
// only this component, and not if another one takes its place. It is 0 if the instruction or its
// mask is at fault for every component.
func (s *session) component(ctx context.Context, f *finding, computing []use, known masks) featureSet {
	_, letter, ok := strings.Cut(f.where, ".")
	at := strings.Index("xyzw", letter)
	last := computing[len(computing)-1]
	if !ok || len(letter) != 1 || at < 0 || f.outcome != Differ || last.pc >= len(f.job.Code) ||
		slices.ContainsFunc(computing, func(u use) bool { return !componentwise(u.op) || u.features&hasIndex != 0 }) {
		return 0
	}
	slot := uint8(8) >> at
	j, alone, alike := s.newJudge(ctx), reduce.Clone(f.job), 0
	if !narrow(alone, last.pc, ^slot) || j.ask(alone, false) != Differ {
		return 0
	}
	for other := range 4 {
		if other != at && !j.heals(f, exchanged(alone, at, other)) {
			alike++
		}
	}
	if alike > mostAlike || last.features&hasMask != 0 && s.masked(ctx, f, last, slot, known) {
		return 0
	}
	return hasComponent * featureSet(slot)
}

// masked reports whether an instruction that goes wrong in a component runs well with another
// mask that has the component and brings no known trigger about. slot is the bit of the
// component in the mask.
func (s *session) masked(ctx context.Context, f *finding, u use, slot uint8, known masks) bool {
	j, w := s.newJudge(ctx), newWatcher()
	d := f.job.DescriptorOf(f.job.Code[u.pc])
	for mask := slot; mask <= 15; mask++ {
		c := reduce.Clone(f.job)
		if mask&slot == 0 || !describe(c, u.pc, pica.Descriptor(pica.DescriptorMask.Put(uint32(d), uint32(mask)))) ||
			known.hit(c, w.uses(under(c, s.model))) {
			continue
		}
		if j.heals(f, c) {
			return true
		}
	}
	return false
}

// exchanged returns a job in which two components change places: in its values, and in the masks
// and selectors of its descriptors.
func exchanged(job *pica.Job, a, b int) *pica.Job {
	c := reduce.Clone(job)
	for _, v := range vectors(c) {
		v[a], v[b] = v[b], v[a]
	}
	to := [4]int{0, 1, 2, 3}
	to[a], to[b] = b, a
	for i, word := range c.Descriptors {
		d := pica.Descriptor(word)
		mask, selectors := uint8(0), [3]uint8{}
		for slot, other := range to {
			mask |= d.Mask() >> (3 - other) & 1 << (3 - slot)
			for k := range selectors {
				selectors[k] |= uint8(to[d.Selector(k, other)]) << (6 - 2*slot)
			}
		}
		c.Descriptors[i] = uint32(pica.MakeDescriptor(mask, [3]bool{d.Negate(0), d.Negate(1), d.Negate(2)}, selectors))
	}
	return c
}
