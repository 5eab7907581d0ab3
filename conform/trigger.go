package conform

import (
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// A trigger describes the programs that may show a cause that is not proved. The empty trigger fits no program.
type trigger struct {
	// all are opcodes, all of which must be executed.
	all opcodes
	// present are opcodes of which one must be in the program, executed or not.
	present opcodes
	// vertices requires more than one vertex.
	vertices bool
	// beyond is a limit of the core.
	beyond limit
}

// A limit is a number that a core does not go beyond; 0 is no limit.
type limit struct {
	steps, words int // executed instructions, words of the program
	temporaries  int // that are in use
	target       int // the last word to which ops lead
	ops          opcodes
}

// hits lists the words of a job that bring the trigger about; uses are its executed instructions.
func (t *trigger) hits(job *pica.Job, uses []use) (words []int) {
	if t.all != (opcodes{}) {
		has := t.all
		for _, u := range uses {
			if t.all[u.op] {
				has[u.op] = false
				words = append(words, u.pc)
			}
		}
		if has != (opcodes{}) {
			words = nil
		}
	}
	if t.present != (opcodes{}) {
		for at, w := range job.Code {
			if t.present[pica.OpcodeOf(w).Base()] {
				words = append(words, at)
			}
		}
	}
	if t.beyond != (limit{}) {
		words = append(words, t.beyond.hits(job, uses)...)
	}
	return words
}

// hits lists the executed words of a job that go beyond the limit.
func (l *limit) hits(job *pica.Job, uses []use) (words []int) {
	var named [pica.NumTemporaries]bool
	count := 0
	for _, u := range uses {
		beyond := l.steps > 0 && u.last >= l.steps || l.words > 0 && u.pc >= l.words
		if u.pc < len(job.Code) {
			word := job.Code[u.pc]
			beyond = beyond || l.target > 0 && l.ops[u.op] && int(u.op.Layout().Dst.Get(word)) > l.target
			before := count
			eachTemporary(job.Code[u.pc:u.pc+1:u.pc+1], func(n uint32) uint32 {
				if !named[n] {
					named[n] = true
					count++
				}
				return n
			})
			beyond = beyond || l.temporaries > 0 && count > max(before, l.temporaries)
		}
		if beyond {
			words = append(words, u.pc)
		}
	}
	return words
}

// hit reports whether a job brings the trigger about.
func (t *trigger) hit(job *pica.Job, uses []use) bool {
	return t.vertices && len(job.Vertices) > 1 || len(t.hits(job, uses)) > 0
}

// triggers is a set of triggers that programs avoid.
type triggers []*trigger

// hit reports whether a job brings any trigger about.
func (ts triggers) hit(job *pica.Job, uses []use) bool {
	return slices.ContainsFunc(ts, func(t *trigger) bool { return t.hit(job, uses) })
}

// maxRepairs is the number of replacements of words after which a job stays as it is.
const maxRepairs = 12

// avoid returns the job with NOPs in the place of the instructions that bring a trigger about, and with one vertex if
// several do. clean is false if the result still brings a trigger about. The job is copied only if it changes, and
// shares no memory that changes.
func (ts triggers) avoid(job *pica.Job, w *watcher) (out *pica.Job, clean bool) {
	if len(ts) == 0 {
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
	if len(job.Vertices) > 1 && slices.ContainsFunc(ts, func(t *trigger) bool { return t.vertices }) {
		own()
		job.Vertices = job.Vertices[:1]
	}
	for range maxRepairs {
		uses, again := w.uses(job), false
		for _, t := range ts {
			for _, at := range t.hits(job, uses) {
				if at < len(job.Code) && pica.OpcodeOf(job.Code[at]) != pica.END && job.Code[at] != nop {
					own()
					job.Code[at] = nop
					again = true
				}
			}
		}
		if !again {
			return job, !ts.hit(job, uses)
		}
	}
	return job, false
}
