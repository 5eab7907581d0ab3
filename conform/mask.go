package conform

import (
	"slices"

	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/pica"
)

// mask is a trigger prepared for tests of jobs.
type mask struct {
	trigger
	ops      [pica.NumOpcodes]bool
	features featureSet
}

func newMask(t trigger) *mask {
	m := &mask{trigger: t}
	for op := range pica.Opcode(pica.NumOpcodes) {
		info := &pica.Opcodes[op]
		m.ops[op] = t.Any && info.Sources > 0 || slices.Contains(t.Opcodes, op.Base().String())
	}
	for k, name := range featureNames {
		if slices.Contains(t.Features, name) {
			m.features |= 1 << k
		}
	}
	return m
}

// fits reports whether an executed instruction fits the trigger.
func (m *mask) fits(u *use) bool {
	features := u.features
	if m.Loose {
		features |= u.loose
	}
	return m.ops[u.op] && features&m.features == m.features && m.fitsLoop(u)
}

// fitsLoop reports whether the field of a LOOP fits the trigger; other instructions always do.
func (m *mask) fitsLoop(u *use) bool {
	return m.LoopField == "" || pica.Opcodes[u.op].Flow != pica.FlowLoop ||
		int(u.loop[slices.Index(loopFields, m.LoopField)]) > m.Above
}

// hits lists the words of a job that bring the trigger about; uses are its executed
// instructions.
func (m *mask) hits(job *pica.Job, uses []use) (words []int) {
	switch {
	case len(m.Flow) > 0:
		for _, name := range m.Flow {
			if words = m.executed(uses, name); len(words) == 0 {
				return nil
			}
		}
	case len(m.Registers) > 0:
		for i := range uses {
			if at := uses[i].pc; at < len(job.Code) && (len(m.Opcodes) == 0 || m.fits(&uses[i])) &&
				slices.ContainsFunc(registersOf(job.Code[at]), func(name string) bool {
					return slices.Contains(m.Registers, name)
				}) {
				words = append(words, at)
			}
		}
	case m.Steps > 0 || m.Words > 0:
		for i := range uses {
			if u := &uses[i]; m.Steps > 0 && u.last >= m.Steps || m.Words > 0 && u.pc >= m.Words {
				words = append(words, u.pc)
			}
		}
	case m.Temporaries > 0:
		named := map[string]bool{}
		for i := range uses {
			at := uses[i].pc
			if at >= len(job.Code) {
				continue
			}
			before := len(named)
			for _, name := range registersOf(job.Code[at]) {
				if name[0] == 'r' {
					named[name] = true
				}
			}
			if len(named) > max(before, m.Temporaries) {
				words = append(words, at)
			}
		}
	case m.Present:
		for at, w := range job.Code {
			has := encoded(w, job.DescriptorOf(w))
			if m.ops[pica.OpcodeOf(w)] && has&m.features == m.features&encodings {
				words = append(words, at)
			}
		}
	default:
		for i := range uses {
			if m.fits(&uses[i]) {
				words = append(words, uses[i].pc)
			}
		}
	}
	return words
}

// executed lists the words of a kind of flow control, or of an instruction, that are executed.
func (m *mask) executed(uses []use, name string) (words []int) {
	for i := range uses {
		if u := &uses[i]; (pica.Opcodes[u.op].Flow.String() == name || u.op.String() == name) && m.fitsLoop(u) {
			words = append(words, u.pc)
		}
	}
	return words
}

// masks is a set of triggers that programs avoid.
type masks []*mask

// newMasks returns the set of some triggers.
func newMasks(triggers []trigger) (m masks) {
	for _, t := range triggers {
		m = append(m, newMask(t))
	}
	return m
}

// hit reports whether a job brings any trigger about.
func (ms masks) hit(job *pica.Job, uses []use) bool {
	for _, m := range ms {
		if m.hitsJob(job) || len(m.hits(job, uses)) > 0 {
			return true
		}
	}
	return false
}

// maxRepairs is the number of replacements of words after which a job stays as it is.
const maxRepairs = 12

// avoid returns the job without its instructions and values that bring a trigger about: it
// disarms the instructions and replaces the values by ones. clean is false if the result still
// brings a trigger about. The job is copied only if it changes, and shares no memory that
// changes.
func (ms masks) avoid(job *pica.Job, w *watcher) (out *pica.Job, clean bool) {
	if len(ms) == 0 {
		return job, true
	}
	copied := false
	own := func() {
		if !copied {
			c := *job
			c.Code = slices.Clone(job.Code)
			job, copied = &c, true
		}
	}
	for _, m := range ms {
		if m.Vertices && len(job.Vertices) > 1 {
			own()
			job.Vertices = job.Vertices[:1]
		}
		if m.hitsUpload(job) {
			own()
			m.replaceUploads(job)
		}
	}
	for range maxRepairs {
		uses, again := w.uses(job), false
		for _, m := range ms {
			for _, at := range m.hits(job, uses) {
				if at < len(job.Code) && pica.OpcodeOf(job.Code[at]) != pica.END && job.Code[at] != nop {
					own()
					m.disarm(job, at)
					again = true
				}
			}
		}
		if !again {
			return job, !ms.hit(job, uses)
		}
	}
	return job, false
}

// disarm changes the word of a job that brings the trigger about: a LOOP gets another count,
// start or step, or one pass; an instruction does not write the faulty component; anything else
// becomes a NOP.
func (m *mask) disarm(job *pica.Job, at int) {
	op := pica.OpcodeOf(job.Code[at])
	switch {
	case m.LoopField != "" && pica.Opcodes[op].Flow == pica.FlowLoop:
		job.Ints[op.Layout().Int.Get(job.Code[at])%pica.NumInts][slices.Index(loopFields, m.LoopField)] = uint8(m.Above)
	case m.features&hasPasses != 0 && pica.Opcodes[op].Flow == pica.FlowLoop:
		job.Ints[op.Layout().Int.Get(job.Code[at])%pica.NumInts][0] = 0
	case m.features&hasComponents != 0 && narrow(job, at, uint8(m.features&hasComponents/hasComponent)):
	default:
		job.Code[at] = nop
	}
}

// narrow removes components from the destination mask of an instruction, slots as in a
// descriptor. It returns false if no component is left, or no descriptor is free.
func narrow(job *pica.Job, at int, slots uint8) bool {
	d := job.DescriptorOf(job.Code[at])
	mask := d.Mask() &^ slots
	return mask != 0 && describe(job, at, pica.Descriptor(pica.DescriptorMask.Put(uint32(d), uint32(mask))))
}

// describe gives an instruction another descriptor. It returns false if none is free. Afterwards
// no other job shares the list of descriptors.
func describe(job *pica.Job, at int, d pica.Descriptor) bool {
	field := pica.OpcodeOf(job.Code[at]).Layout().Desc
	n := slices.Index(job.Descriptors, uint32(d))
	if n < 0 {
		n = len(job.Descriptors)
		job.Descriptors = append(slices.Clip(job.Descriptors), uint32(d))
	}
	if n >= 1<<field.Width || n >= pica.MaxDescriptors {
		job.Descriptors = job.Descriptors[:min(n, len(job.Descriptors))]
		return false
	}
	job.Code[at] = field.Put(job.Code[at], uint32(n))
	return true
}

// hitsJob reports whether the uploads or the number of vertices of a job bring the trigger
// about.
func (m *mask) hitsJob(job *pica.Job) bool {
	return m.Vertices && len(job.Vertices) > 1 || m.hitsUpload(job)
}

// hitsUpload reports whether a uniform or an input has a value of the trigger.
func (m *mask) hitsUpload(job *pica.Job) bool {
	if len(m.Uploads) == 0 {
		return false
	}
	for u, v := range vectors(job) {
		for _, x := range v {
			if slices.Contains(m.Uploads, u.name(x)) {
				return true
			}
		}
	}
	return false
}

// replaceUploads replaces the trigger's values by ones.
func (m *mask) replaceUploads(job *pica.Job) {
	*job = *reduce.Clone(job)
	for u, v := range vectors(job) {
		for k, x := range v {
			if slices.Contains(m.Uploads, u.name(x)) {
				v[k] = u.format.One()
			}
		}
	}
}
