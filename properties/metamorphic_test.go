package properties_test

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/pica"
)

// A rewriting changes a job in a way that affects nothing but positions. back moves the
// registers of a run of the changed job to their places in the job; nil if they are there. A
// rewriting returns no job if it does not apply.
type rewriting func(c *gen.Choices, job *pica.Job) (changed *pica.Job, back func(s *pica.State))

// invisible checks on every engine that a rewriting has no effect on runs that end, and that
// it applies to at least one in the given number of jobs.
func invisible(t *testing.T, rare int, rewrite rewriting) {
	ofEngines(t, func(t *testing.T, engine pica.Engine) {
		applied, tried := 0, 0
		salted(t, 1500, jobs, func(c *gen.Choices, job *pica.Job) error {
			want, err := outcome(engine, job)
			if err != nil {
				return err
			}
			if slices.ContainsFunc(want.Vertices,
				func(v pica.VertexOutcome) bool { return v.Trap.Cause != pica.TrapNone }) {
				return nil
			}
			tried++
			changed, back := rewrite(c, job)
			if changed == nil {
				return nil
			}
			applied++
			changed.Budget = 5 * job.Budget // a rewriting puts up to four instructions before each
			got, err := outcome(engine, changed)
			if err != nil {
				return err
			}
			for k := range got.Vertices {
				if back != nil {
					back(&got.Vertices[k].State)
				}
			}
			displace(want)
			displace(got)
			if err := same(job, want, got); err != nil {
				return failure(changed, "%v\nas", err)
			}
			return nil
		})
		if applied*rare < tried {
			t.Errorf("applied to %d of %d jobs", applied, tried)
		}
	})
}

// displace drops all positions in the program, and the order of remarks.
func displace(out *pica.Outcome) {
	for k := range out.Vertices {
		v := &out.Vertices[k]
		v.Stacks, v.Steps, v.Hazards = pica.Stacks{}, 0, nil
		slices.Sort(v.Skipped)
	}
}

// TestTemporariesMayBeRenamed: the numbers of temporaries do not matter.
func TestTemporariesMayBeRenamed(t *testing.T) {
	invisible(t, 1, func(c *gen.Choices, job *pica.Job) (*pica.Job, func(*pica.State)) {
		var names [pica.NumTemporaries]uint32
		for k, n := range shuffled(c, 0, pica.NumTemporaries) {
			names[k] = uint32(n)
		}
		renamed := withWords(job, func(w uint32) uint32 {
			layout := pica.OpcodeOf(w).Layout()
			for _, f := range []pica.Field{layout.Src[0], layout.Src[1], layout.Src[2], layout.Dest} {
				if r := f.Get(w) - pica.SourceTemporary; r < pica.NumTemporaries {
					w = f.Put(w, pica.SourceTemporary+names[r])
				}
			}
			return w
		})
		return renamed, func(s *pica.State) {
			r := s.R
			for k, n := range names {
				s.R[k] = r[n]
			}
		}
	})
}

// TestNopsMayBeInserted: anywhere, if flow targets are adjusted.
func TestNopsMayBeInserted(t *testing.T) {
	invisible(t, 2, func(c *gen.Choices, job *pica.Job) (*pica.Job, func(*pica.State)) {
		for range 1 + c.Below(4) {
			if job == nil || len(job.Code) == 0 {
				return nil, nil
			}
			at := c.Below(len(job.Code))
			job = replaced(job, at, uint32(pica.NOP)<<26, job.Code[at])
		}
		return job, nil
	})
}

// TestMasksMayBeSplit: an instruction may write its components one after the other if it does
// not read its own destination.
func TestMasksMayBeSplit(t *testing.T) {
	invisible(t, 3, func(c *gen.Choices, job *pica.Job) (*pica.Job, func(*pica.State)) {
		at, ok := pick(c, job, func(w uint32) bool {
			e := effectOf(w)
			return pica.Opcodes[pica.OpcodeOf(w)].Writes&pica.WritesDest != 0 && e.reads&e.writes == 0
		})
		if !ok {
			return nil, nil
		}
		word := job.Code[at]
		d := descriptorOf(job, word)
		part := d.Mask() & uint8(c.Bits(4))
		first, job := described(job, word, d&^0xF|pica.Descriptor(part))
		second, job := described(job, word, d&^0xF|pica.Descriptor(d.Mask()&^part))
		if job == nil {
			return nil, nil
		}
		return replaced(job, at, first, second), nil
	})
}

// TestNeighboursMayBeSwapped: two instructions may be swapped if neither reads or writes a
// register that the other writes.
func TestNeighboursMayBeSwapped(t *testing.T) {
	invisible(t, 3, func(c *gen.Choices, job *pica.Job) (*pica.Job, func(*pica.State)) {
		entered := map[int]bool{job.Entry: true}
		for _, w := range job.Code {
			reduce.Link(w, func(address int) int { entered[address] = true; return address })
		}
		var pairs []int
		for at := 1; at < len(job.Code); at++ {
			a, b := effectOf(job.Code[at-1]), effectOf(job.Code[at])
			if !entered[at] && a.free && b.free && a.writes&(b.reads|b.writes) == 0 && b.writes&a.reads == 0 {
				pairs = append(pairs, at)
			}
		}
		if len(pairs) == 0 {
			return nil, nil
		}
		at, code := gen.Pick(c, pairs), slices.Clone(job.Code)
		code[at-1], code[at] = code[at], code[at-1]
		return with(job, func(j *pica.Job) { j.Code = code }), nil
	})
}

// TestSignsMayMoveToDescriptors: a uniform may have the other sign in another register,
// negated where it is read.
func TestSignsMayMoveToDescriptors(t *testing.T) {
	invisible(t, 8, func(c *gen.Choices, job *pica.Job) (*pica.Job, func(*pica.State)) {
		var used [pica.NumFloats]bool
		for _, w := range job.Code {
			r, _, indexed := uniformOf(w)
			if indexed {
				return nil, nil // it may read any uniform
			}
			if r >= 0 {
				used[r] = true
			}
		}
		at, ok := pick(c, job, func(w uint32) bool { r, _, _ := uniformOf(w); return r >= 0 })
		unused := slices.Index(used[:], false)
		if !ok || unused < 0 {
			return nil, nil
		}
		word := job.Code[at]
		register, source, _ := uniformOf(word)
		d := descriptorOf(job, word) ^ pica.Descriptor(pica.DescriptorNegate[source].Mask())
		word, job = described(job,
			pica.OpcodeOf(word).Layout().Src[source].Put(word, pica.SourceUniform+uint32(unused)), d)
		if job == nil {
			return nil, nil
		}
		negated := pica.Upload{Register: unused, Format: pica.Float24, Values: make([]pica.Vec4, 1)}
		for _, u := range singles(job.Floats) {
			if u.Register == register {
				negated.Format, negated.Values[0] = u.Format, u.Values[0]
			}
		}
		for k := range negated.Values[0] {
			negated.Values[0][k] ^= negated.Format.Sign()
		}
		return with(replaced(job, at, word),
			func(j *pica.Job) { j.Floats = append(slices.Clone(j.Floats), negated) }), nil
	})
}

// TestDescriptorsMayBePermuted: as long as MAD still reaches its own; unused ones may be
// anything. The first stays, because words that are not supplied use it.
func TestDescriptorsMayBePermuted(t *testing.T) {
	invisible(t, 1, func(c *gen.Choices, job *pica.Job) (*pica.Job, func(*pica.State)) {
		places := slices.Concat([]int{0}, shuffled(c, 1, pica.MaxMADDescs),
			shuffled(c, pica.MaxMADDescs, pica.MaxDescriptors))
		table := make([]uint32, pica.MaxDescriptors)
		for k := range table {
			table[k] = uint32(c.Bits(32))
		}
		permuted := withWords(job, func(w uint32) uint32 {
			field := pica.OpcodeOf(w).Layout().Desc
			if field.Width == 0 {
				return w
			}
			place := places[field.Get(w)]
			table[place] = uint32(descriptorOf(job, w))
			return field.Put(w, uint32(place))
		})
		table[0] = uint32(descriptorOf(job, 0))
		return with(permuted, func(j *pica.Job) { j.Descriptors = table }), nil
	})
}

// with returns a changed copy of a job, or nil for nil.
func with(job *pica.Job, change func(j *pica.Job)) *pica.Job {
	if job == nil {
		return nil
	}
	c := *job
	change(&c)
	return &c
}

// withWords returns the job with each word replaced.
func withWords(job *pica.Job, word func(w uint32) uint32) *pica.Job {
	return with(job, func(j *pica.Job) {
		j.Code = slices.Clone(job.Code)
		for k, w := range j.Code {
			j.Code[k] = word(w)
		}
	})
}

// replaced returns the job with words in place of the word at an address, and with all targets
// adjusted; nil if a target is then out of reach, or leads behind the program, where some
// profiles end a run at a fixed address.
func replaced(job *pica.Job, at int, words ...uint32) *pica.Job {
	fits := len(job.Code)+len(words)-1 <= pica.MaxCode
	to := func(address int) int {
		fits = fits && address <= len(job.Code)
		if address > at {
			return address + len(words) - 1
		}
		return address
	}
	c := with(job, func(j *pica.Job) {
		j.Code = slices.Replace(slices.Clone(job.Code), at, at+1, words...)
		j.Entry = to(job.Entry)
	})
	c = withWords(c, func(w uint32) uint32 {
		linked, ok := reduce.Link(w, to)
		fits = fits && ok
		return linked
	})
	if !fits {
		return nil
	}
	return c
}

// described returns a word with a new descriptor, and the job with that descriptor; no job if
// the word does not reach that far, or if some word uses a descriptor behind the table.
func described(job *pica.Job, word uint32, d pica.Descriptor) (uint32, *pica.Job) {
	if job == nil {
		return word, nil
	}
	number := uint32(len(job.Descriptors))
	field := pica.OpcodeOf(word).Layout().Desc
	if number>>field.Width != 0 || number == 0 ||
		slices.ContainsFunc(job.Code, func(w uint32) bool { return pica.OpcodeOf(w).Layout().Desc.Get(w) >= number }) {
		return word, nil
	}
	return field.Put(word, number), with(job,
		func(j *pica.Job) { j.Descriptors = append(slices.Clone(j.Descriptors), uint32(d)) })
}

// descriptorOf returns the descriptor of a word; those not supplied are zero.
func descriptorOf(job *pica.Job, w uint32) pica.Descriptor {
	if n := pica.OpcodeOf(w).Layout().Desc.Get(w); int(n) < len(job.Descriptors) {
		return pica.Descriptor(job.Descriptors[n])
	}
	return 0
}

// uniformOf returns the float uniform that an instruction reads, or -1, and the number of the
// source.
func uniformOf(w uint32) (register, source int, indexed bool) {
	op := pica.OpcodeOf(w)
	layout := op.Layout()
	for k := range pica.Opcodes[op].Sources {
		if s := layout.Src[k].Get(w); s >= pica.SourceUniform {
			return int(s) - pica.SourceUniform, k, int(layout.Indexed) == k && layout.Index.Get(w) != pica.IndexNone
		}
	}
	return -1, 0, false
}

// effect holds the registers that a computing instruction reads and writes: bits 0-15 are
// o0-o15, then r0-r15, the address registers, the flags.
type effect struct {
	reads, writes uint64
	free          bool // it only computes, and may be anywhere
}

func effectOf(w uint32) (e effect) {
	const address, flags = 1 << 32, 1 << 33
	op := pica.OpcodeOf(w)
	layout, info := op.Layout(), &pica.Opcodes[op]
	for k := range info.Sources {
		if s := layout.Src[k].Get(w); s >= pica.SourceTemporary && s < pica.SourceUniform {
			e.reads |= 1 << s
		}
	}
	if layout.Index.Get(w) != pica.IndexNone {
		e.reads |= address
	}
	if info.Writes&pica.WritesDest != 0 {
		e.writes |= 1 << layout.Dest.Get(w)
	}
	if info.Writes&pica.WritesCC != 0 {
		e.writes |= flags
	}
	e.free = e.writes != 0 && info.Writes&^(pica.WritesDest|pica.WritesCC) == 0
	return e
}

// pick draws the address of a word for which a predicate is true.
func pick(c *gen.Choices, job *pica.Job, is func(w uint32) bool) (at int, ok bool) {
	var list []int
	for at, w := range job.Code {
		if is(w) {
			list = append(list, at)
		}
	}
	if len(list) == 0 {
		return 0, false
	}
	return gen.Pick(c, list), true
}

// shuffled returns the numbers from low to high-1 in any order.
func shuffled(c *gen.Choices, low, high int) []int {
	list := make([]int, high-low)
	for k := range list {
		at := c.Below(k + 1)
		list[k] = list[at]
		list[at] = low + k
	}
	return list
}
