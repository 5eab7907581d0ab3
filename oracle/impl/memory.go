package impl

import (
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// The top of program memory, which the knob "end" describes.

// memoryWords returns the number of words that an implementation keeps of a program.
func memoryWords(end pica.ProgramEndRule) int {
	switch end {
	case pica.ProgramEnd4095, pica.ProgramEndAbort4095:
		return 4095
	case pica.ProgramEndAbort1024:
		return 1024
	}
	return pica.MaxCode
}

// oversize returns the refusal of a program of n words if that is too long for the
// implementation, else nil. How Mikage ends is not predictable.
func oversize(p *pica.Profile, n int) *pica.Refusal {
	switch {
	case n <= memoryWords(p.ProgramEnd) || p.ProgramEnd == pica.ProgramEnd4095:
		return nil
	case p.ProgramEnd == pica.ProgramEndAbort1024:
		return new(pica.RefusalUnknown)
	}
	return &p.Refusal
}

// memoryAborts: a program that exceeds the memory is refused (Citra, Panda3DS, Mikage). A run
// beyond the last word is not predictable.
func memoryAborts(r *oracle.Rules, p *pica.Profile) {
	fetch := r.Flow.Fetch
	r.Flow.Fetch = func(c *oracle.Control, memory *[pica.MaxCode]uint32) uint32 {
		if ending := oversize(p, len(c.Job.Code)); ending != nil {
			c.Refuse(*ending)
			return 0
		}
		if c.PC >= memoryWords(p.ProgramEnd) {
			c.Refuse(pica.RefusalUnknown)
			return 0
		}
		return fetch(c, memory)
	}
}

// memoryEnds: every word beyond the memory executes as END (Azahar).
func memoryEnds(r *oracle.Rules, p *pica.Profile) {
	fetch := r.Flow.Fetch
	r.Flow.Fetch = func(c *oracle.Control, memory *[pica.MaxCode]uint32) uint32 {
		if c.PC >= memoryWords(p.ProgramEnd) {
			return uint32(pica.END) << 26
		}
		return fetch(c, memory)
	}
}

// wrapped: word 0 follows the last word.
func wrapped(r *oracle.Rules, p *pica.Profile) {
	fetch := r.Flow.Fetch
	r.Flow.Fetch = func(c *oracle.Control, memory *[pica.MaxCode]uint32) uint32 {
		c.PC %= pica.MaxCode
		if p.ProgramEnd == pica.ProgramEndWrap512 && c.Job.Stage == pica.Vertex {
			c.PC %= pica.MaxVertexCode
		}
		return fetch(c, memory)
	}
}
