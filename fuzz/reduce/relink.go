package reduce

import (
	"github.com/picaproof/picaproof/pica"
)

// cut returns the job without the words marked in gone. Targets and lengths of the other words
// follow their scopes. It reports false if a scope has become too long for its field.
func cut(job *pica.Job, gone []bool) (*pica.Job, bool) {
	moved := make([]int, len(job.Code)+1) // where each address goes
	code := make([]uint32, 0, len(job.Code))
	for at, word := range job.Code {
		moved[at] = len(code)
		if !gone[at] {
			code = append(code, word)
		}
	}
	moved[len(job.Code)] = len(code)
	to := func(at int) int {
		if at > len(job.Code) {
			return at - (len(job.Code) - len(code))
		}
		return moved[at]
	}
	for at, word := range code {
		linked, ok := Link(word, to)
		if !ok {
			return nil, false
		}
		code[at] = linked
	}
	if len(code) == 0 || len(code) == len(job.Code) {
		return nil, false
	}
	c := *job
	c.Code, c.Entry = code, to(job.Entry)
	return &c, true
}

// Link returns an instruction with its addresses moved by to, which maps old addresses to new
// ones. It reports false if one no longer fits its field.
func Link(word uint32, to func(int) int) (uint32, bool) {
	layout := pica.OpcodeOf(word).Layout()
	target, length := int(layout.Dst.Get(word)), int(layout.Num.Get(word))
	switch pica.Opcodes[pica.OpcodeOf(word)].Flow {
	case pica.FlowJump:
		length, target = 0, to(target)
	case pica.FlowLoop: // the target is the last word of the body
		length, target = 0, to(target+1)-1
	case pica.FlowIf, pica.FlowCall:
		end := to(target + length)
		target = to(target)
		length = end - target
		word = layout.Num.Put(word, uint32(length))
	default:
		return word, true
	}
	fits := target >= 0 && target < 1<<layout.Dst.Width && length >= 0 && length < 1<<layout.Num.Width
	return layout.Dst.Put(word, uint32(target)), fits
}

// droppable returns the number of words that may be cut: all but an END that closes the program,
// without which a run would continue through empty memory.
func droppable(job *pica.Job) int {
	n := len(job.Code)
	if n > 0 && pica.Opcodes[pica.OpcodeOf(job.Code[n-1])].Flow == pica.FlowEnd {
		return n - 1
	}
	return n
}

// span is a range of words.
type span struct{ from, to int }

// Without returns a job without a range of its words, with targets that go where they went; ok reports whether this is
// possible.
func Without(job *pica.Job, from, to int) (c *pica.Job, ok bool) {
	return without(job, span{from, to})()
}

// without returns an edit that cuts spans.
func without(job *pica.Job, spans ...span) edit[*pica.Job] {
	return func() (*pica.Job, bool) {
		gone := make([]bool, len(job.Code))
		limit := droppable(job)
		for _, s := range spans {
			for at := max(s.from, 0); at < min(s.to, limit); at++ {
				gone[at] = true
			}
		}
		return cut(job, gone)
	}
}
